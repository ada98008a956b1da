/* SPDX-License-Identifier: GPL-2.0 */
/* What `report --profile` prints. */
#ifndef RINGSIDE_PROFILE_TEXT_H
#define RINGSIDE_PROFILE_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/profile.h"

/*
 * Its options are a struct profile_options; the hooks that were recorded are added to them. Only the tasks that the reading
 * selects are shown: of these names, of these numbers.
 */
extern const struct analysis profile_analysis;

#endif

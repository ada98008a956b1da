/* SPDX-License-Identifier: GPL-2.0 */
/* `ringside mem`: which functions of the kernel hold memory, as a table. */
#ifndef RINGSIDE_KMEM_TEXT_H
#define RINGSIDE_KMEM_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/output/table.h"

/* Its options are a struct table_show. */
extern const struct analysis kmem_analysis;

#endif

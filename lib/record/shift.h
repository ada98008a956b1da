/* SPDX-License-Identifier: GPL-2.0 */
/* Stores what was found of another machine's clock (lib/net/clocks.h) as the option TIME_SHIFT of its file. */
#ifndef RINGSIDE_RECORD_SHIFT_H
#define RINGSIDE_RECORD_SHIFT_H

#include "lib/data/metadata.h"
#include "lib/net/clocks.h"
#include <time.h>

/* Gives @meta a TIME_SHIFT without CPUs, in place of the one that it had. */
void shift_begin(struct metadata *meta, uint64_t peer_id);

/* Adds the next CPU, whose clock is described by @line. Returns 0, or -ENOMEM after a message. */
int shift_add(struct metadata *meta, const struct clocks_line *line);

/* Returns wall clock minus the clock of that number, in microseconds, for the option DATE. */
int64_t shift_date_us(clockid_t clock);

#endif

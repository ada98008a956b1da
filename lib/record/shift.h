/* SPDX-License-Identifier: GPL-2.0 */
/* Stores how another machine's clock differs from ours (lib/net/clocks.h) in the option TIME_SHIFT of a recording's file. */
#ifndef RINGSIDE_RECORD_SHIFT_H
#define RINGSIDE_RECORD_SHIFT_H

#include "lib/data/metadata.h"
#include "lib/net/clocks.h"
#include <time.h>

/* Gives @meta a TIME_SHIFT that has no CPUs yet, and removes an earlier one. @peer_id is the id of the recording to whose clock times are converted. */
void shift_begin(struct metadata *meta, uint64_t peer_id);

/* Adds the next CPU, whose clock is described by @line. Returns 0, or -ENOMEM after a message. */
int shift_add(struct metadata *meta, const struct clocks_line *line);

/* Returns how many microseconds the wall clock is ahead of @clock. The option DATE has this number. */
int64_t shift_date_us(clockid_t clock);

#endif

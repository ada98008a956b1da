/* SPDX-License-Identifier: GPL-2.0 */
/* Fills in the option TIME_SHIFT of a recording's file. The option tells how another machine's clock differs from ours (lib/net/clocks.h). */
#ifndef RINGSIDE_RECORD_SHIFT_H
#define RINGSIDE_RECORD_SHIFT_H

#include "lib/data/metadata.h"
#include "lib/net/clocks.h"
#include <time.h>

/*
 * Gives @meta, the metadata of another machine's recording, a TIME_SHIFT that has no CPUs yet. An earlier TIME_SHIFT is removed. TIME_SHIFT converts the other
 * machine's times to the clock of the recording on this machine. @peer_id is the trace id of this machine's recording, which is the peer of the other machine's
 * recording.
 */
void shift_begin(struct metadata *meta, uint64_t peer_id);

/* Adds the next CPU to the TIME_SHIFT. @line describes this CPU's clock. Returns 0, or -ENOMEM after a message. */
int shift_add(struct metadata *meta, const struct clocks_line *line);

/* Returns how many microseconds the wall clock is ahead of @clock. This number is stored in the option DATE of a trace.dat. */
int64_t shift_date_us(clockid_t clock);

#endif

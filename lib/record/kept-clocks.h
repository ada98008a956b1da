/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of the clocks of another machine while it records, kept beside what has come from it, in the file "clocks" of its spool
 * folder. So its times become ours when its file is made, even if that is done by `ringside restore` after a kill -9 of the front.
 *
 * The file has lines: "id N", "date N", "until N", "host NAME" where there is a name; for each set of samples "clock ROUND" and then
 * "TIME OFFSET ERROR" of each sample; and "end". All numbers are those of struct kept_clocks and struct clocks.
 */
#ifndef RINGSIDE_KEPT_CLOCKS_H
#define RINGSIDE_KEPT_CLOCKS_H

#include "lib/base/vec.h"
#include "lib/data/metadata.h"
#include "lib/net/clocks.h"
#include "lib/record/spool.h"

struct kept_clocks {
	uint64_t peer_id;	 /* of the option TIME_SHIFT */
	int64_t date_us;	 /* our wall clock minus our clock; microseconds */
	int64_t until;		 /* until when the clocks are needed, by their own time; ns; 0: until their last samples */
	char *host;		 /* whose clock it is; NULL: it has no name, or there is a clock for each CPU */
	VEC(struct clocks) cpus; /* a CPU without samples has the clock of the first; with .host there is only one, for all CPUs */
};

/* Saves the clocks completely or not at all. Returns 0, or -errno without a message. */
int kept_clocks_save(const struct kept_clocks *kept, const struct spool *spool);

/*
 * Fills in @meta from the file in the folder: the times of all CPUs as TIME_SHIFT, the date of our clock, and a line of statistics for each clock.
 * Without such a file @meta stays as it is. When the file cannot be read there is a warning, and the times stay those of the other machine. Returns
 * 0, or -ENOMEM after a message.
 */
int kept_clocks_tell(const struct spool *spool, struct metadata *meta);

void kept_clocks_fini(struct kept_clocks *kept);

#endif

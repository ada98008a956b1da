/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Saves what is known of the clocks of another machine, while that machine records. The data are saved in the file "clocks". This file is in the spool folder
 * that has the recording of that machine (lib/record/spool.h). When a trace file is made from the recording, the file "clocks" tells how the times of the
 * recording are converted to our trace clock. So the times can be converted even if ringside is killed and `ringside restore` makes the trace file.
 *
 * The file has these lines in this order:
 * - "id N" (.peer_id of struct kept_clocks);
 * - "date N" (.date_us);
 * - "until N" (.until);
 * - "host NAME" (.host), if there is a name;
 * - for each clock of .cpus: a line "clock ROUND" (.round_ns of struct clocks), and then a line "TIME OFFSET ERROR" for each sample of the clock;
 * - "end".
 */
#ifndef RINGSIDE_KEPT_CLOCKS_H
#define RINGSIDE_KEPT_CLOCKS_H

#include "lib/base/vec.h"
#include "lib/data/metadata.h"
#include "lib/net/clocks.h"
#include "lib/record/spool.h"

struct kept_clocks {
	uint64_t peer_id; /* the id that stands for this machine in the option TIME_SHIFT; the times are converted to this machine's trace clock */
	int64_t date_us;  /* our wall clock minus our trace clock, in microseconds */
	int64_t until;	  /* the latest time that has to be converted, in ns by the clocks of .cpus; 0: the time of the last samples of these clocks */
	/* The name of the other machine, if the machine has one clock for all CPUs. NULL: the machine has no name, or has a clock for each CPU. */
	char *host;
	/* Element i is the clock of CPU i. If element i has no samples, CPU i has the clock of CPU 0. If .host is not NULL, there is only element 0. */
	VEC(struct clocks) cpus;
};

/* Saves the clocks in the file "clocks" of the folder, completely or not at all. Returns 0, or -errno without a message. */
int kept_clocks_save(const struct kept_clocks *kept, const struct spool *spool);

/*
 * Fills in @meta from the file "clocks" in the folder. The option TIME_SHIFT gets the shift of each CPU's clock. The statistics in meta->cpustat get a line
 * for each clock. If @meta has a date, .date_us replaces it, because TIME_SHIFT converts all times to our clock. When the file "clocks" does not exist, @meta
 * stays as it is. When the file cannot be read, there is a warning, and the times are not converted. Returns 0, or -ENOMEM after a message.
 */
int kept_clocks_tell(const struct spool *spool, struct metadata *meta);

void kept_clocks_fini(struct kept_clocks *kept);

#endif

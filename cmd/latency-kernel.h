/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Latencies in the kernel: a synthetic event of both events of a pair, and a histogram of its times in whole microseconds (lib/tracefs/hist.h).
 */
#ifndef RINGSIDE_LATENCY_KERNEL_H
#define RINGSIDE_LATENCY_KERNEL_H

#include "lib/analysis/pairs.h"
#include "lib/tracefs/hist.h"

struct latency_kernel {
	const struct pair *pair;
	const struct dist_options *opt;
	uint64_t size;			  /* of the tables; 0: as it seems right */
	bool probes;			  /* both events are probes that are only made when tracing is armed, and have no fields */
	char *from, *to;		  /* the events as "SYSTEM:EVENT" */
	char *name, *field;		  /* of the synthetic event; the field of the end that it carries: its declaration, or NULL */
	char *typed;			  /* the keys of its histogram */
	strv_t saved;			  /* fields of the end that are kept of the longest */
	const char *keys[HIST_MOST_KEYS]; /* as they are printed; the last is the time */
	size_t nkeys;
	struct instance *inst;
	struct text begins, ends, times, names;
	uint64_t pairs; /* so many were found: set by latency_kernel_fill() */
	bool failed, filled;
};

/* Can the kernel do this? As count_kernel_plan(). */
int latency_kernel_plan(struct latency_kernel *k, char **why_not);

/* For struct ask_kernel. */
int latency_kernel_prepare(struct latency_kernel *k, struct session *session);
int latency_kernel_ready(struct latency_kernel *k, struct instance *inst);
void latency_kernel_ended(struct latency_kernel *k);

/* For struct dist_view. */
int latency_kernel_fill(void *k, struct reading *reading, struct dist *dist);

void latency_kernel_fini(struct latency_kernel *k);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lets the kernel measure latencies. A latency is the time between the two events of a pair. BPF programs measure it if they can (cmd/latency-bpf.h). Otherwise
 * the two events make a synthetic event. The histogram of the synthetic event has the times in whole microseconds (lib/tracefs/hist.h).
 */
#ifndef RINGSIDE_LATENCY_KERNEL_H
#define RINGSIDE_LATENCY_KERNEL_H

#include "lib/analysis/pairs.h"
#include "lib/bpf/laps.h"
#include "lib/tracefs/hist.h"

struct latency_kernel {
	const struct pair *pair;
	const struct dist_options *opt;
	uint64_t size;	 /* how many entries a histogram has; 0: latency_kernel_ready() chooses it */
	bool probes;	 /* both events are probes without fields; the probes are made when tracing begins, not earlier */
	char *from, *to; /* the events at which a latency begins and ends, each as "SYSTEM:EVENT" */
	/* The keys of the pair (lib/analysis/pair-spec.h), as the kernel spells them. The texts are literals, or belong to .pair. */
	const char *from_keys[PAIR_MOST_KEYS], *to_keys[PAIR_MOST_KEYS];
	char *name;			  /* the name of the synthetic event */
	char *field;			  /* the declaration of the field that the synthetic event takes over from the end event; NULL: none */
	char *typed;			  /* the keys of the synthetic event's histogram, as its hist trigger spells them */
	strv_t saved;			  /* the fields of the end event that the kernel saves together with the longest time */
	const char *keys[HIST_MOST_KEYS]; /* the names of the synthetic event's keys, as the kernel prints them; the last key is the time */
	size_t nkeys;
	struct instance *inst;
	/*
	 * .begins, .ends and .times are the texts of the histograms of .from, of .to and of the synthetic event. .names is the text that kernel_names_read()
	 * has read (cmd/kernel-names.h).
	 */
	struct text begins, ends, times, names;
	uint64_t pairs; /* how many pairs were found; set by latency_kernel_fill() */
	bool failed;	/* when tracing had ended, the measured times could not be read */
	bool filled;	/* latency_kernel_fill() has been called */
	/* These are used only when BPF programs measure. */
	struct laps *laps; /* NULL: the kernel's synthetic event measures */
	struct laps_options laps_options;
	struct laps_times *lapped; /* what was measured, an element for each CPU; NULL before the end */
};

/*
 * This says by what means the kernel may measure. With LATENCY_CHEAPEST, the kernel must have both histograms and synthetic events, even if BPF programs then
 * measure. If the kernel lacks one of the two, latency_kernel_plan() returns 1.
 */
enum latency_by_what {
	LATENCY_CHEAPEST, /* BPF programs if they can measure this latency, else a synthetic event */
	LATENCY_BPF,	  /* only BPF programs, which need no synthetic events */
};

/*
 * Finds out whether the kernel can measure this latency. Returns 0 when it can. Returns 1 when it cannot. Then *@why_not says what the kernel lacks, and the
 * caller frees this text. Returns -errno after a message. The function may load BPF programs, which do not measure yet. It changes nothing else in the kernel.
 */
int latency_kernel_plan(struct latency_kernel *k, enum latency_by_what what, char **why_not);

/* These functions do the work of the members of the same names in struct ask_kernel (cmd/ask.h). */
int latency_kernel_prepare(struct latency_kernel *k, struct session *session);
int latency_kernel_ready(struct latency_kernel *k, struct instance *inst);
void latency_kernel_ended(struct latency_kernel *k);

/*
 * Adds the measured times to @dist. A further call adds nothing. @k is a struct latency_kernel. This function can be .fill of struct dist_view
 * (lib/output/dist-text.h). Returns 0, or -errno after a message. When k->failed is true, it returns -EIO, and an earlier message has told the reason.
 */
int latency_kernel_fill(void *k, struct reading *reading, struct dist *dist);

void latency_kernel_fini(struct latency_kernel *k);

#endif

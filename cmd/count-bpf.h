/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts for `ringside count` with BPF programs (lib/bpf/tally.h). BPF programs count only how often events happen, by event and CPU. Only the functions of
 * cmd/count-kernel.h call the functions below. For what BPF programs cannot count, cmd/count-kernel.h uses the kernel's histograms.
 */
#ifndef RINGSIDE_COUNT_BPF_H
#define RINGSIDE_COUNT_BPF_H

#include "cmd/count-kernel.h"

/*
 * Finds out whether BPF programs can count @events ("SYSTEM:EVENT") as @k asks. If they can, opens k->tally, sets k->events and k->counted_events, and
 * returns 0. If they cannot, sets *@why_not to the reason, a text that the caller frees, and returns 1. Returns -ENOMEM without a message.
 */
int count_bpf_plan(struct count_kernel *k, const struct tracedir *top, const strv_t *events, char **why_not);

/*
 * count_bpf_prepare(), count_bpf_ready() and count_bpf_fill() do for BPF programs what the functions count_kernel_prepare(), count_kernel_ready() and
 * count_kernel_fill() do for histograms. count_bpf_read() reads what has been counted so far. count_bpf_fill() returns 0, or -ENOMEM without a message. The
 * other three functions return 0, or -errno after a message.
 */
int count_bpf_prepare(struct count_kernel *k, struct session *session);
int count_bpf_ready(struct count_kernel *k);
int count_bpf_read(struct count_kernel *k);
int count_bpf_fill(struct count_kernel *k, struct reading *reading, struct counts *counts);

void count_bpf_fini(struct count_kernel *k);

#endif

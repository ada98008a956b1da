/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lets BPF programs (lib/bpf/laps.h) measure the latencies that `ringside latency` shows. A latency is the time between two events. The latencies that BPF
 * programs have measured can be shown all together or separately for each CPU. They cannot be divided by any other key. Only the functions of
 * cmd/latency-kernel.h call the functions below. When BPF programs cannot measure a latency, cmd/latency-kernel.h uses the kernel's synthetic events.
 */
#ifndef RINGSIDE_LATENCY_BPF_H
#define RINGSIDE_LATENCY_BPF_H

#include "cmd/latency-kernel.h"

/*
 * Finds out whether BPF programs can measure the times from the event k->from to the event k->to. If the programs can measure them, opens k->laps and returns
 * 0. Otherwise sets *@why_not to the reason, a text that the caller frees, and returns 1. When memory runs out, returns -ENOMEM without a message.
 */
int latency_bpf_plan(struct latency_kernel *k, const struct tracedir *top, char **why_not);

/* These functions do for BPF programs what latency_kernel_ready(), latency_kernel_ended() and latency_kernel_fill() do for synthetic events. */
int latency_bpf_ready(struct latency_kernel *k);
void latency_bpf_ended(struct latency_kernel *k);
int latency_bpf_fill(struct latency_kernel *k, struct reading *reading, struct dist *dist);

#endif

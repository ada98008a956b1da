/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Provides two stages of a pass (lib/analysis/stage.h). The first warns when the times of records go back. The second shifts all times so that they
 * begin at 0.
 */
#ifndef RINGSIDE_ORDER_H
#define RINGSIDE_ORDER_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

/*
 * Makes a stage for --ts-check. It warns of each record whose time is earlier than the time of the previous record on the same CPU. It looks at the
 * CPUs in @cpus only; NULL means all CPUs. Borrows @cpus. Returns 0 or -ENOMEM.
 */
int order_stage_new(struct stage **out, const struct cpuset *cpus);

/*
 * Makes a stage for --align-ts. It shifts the clocks of all inputs so that the first record of the CPUs in @cpus is shown at time 0. If @cpus is
 * NULL, these are all CPUs. Borrows @inputs and @cpus. Returns 0 or -ENOMEM.
 */
int align_stage_new(struct stage **out, inputs_t *inputs, const struct cpuset *cpus);

#endif

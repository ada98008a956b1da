/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Provides two stages of a pass (lib/analysis/stage.h). The first stage warns of records whose times are out of order. The second stage shifts all times so
 * that the first time is 0.
 */
#ifndef RINGSIDE_ORDER_H
#define RINGSIDE_ORDER_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

/*
 * Makes a stage for --ts-check. The stage compares each record with the previous record of the same CPU in the same buffer. It warns when the time of the
 * record is earlier. The stage looks at the records of the CPUs in @cpus. If @cpus is NULL, it looks at all records. Borrows @cpus. Returns 0 or -ENOMEM.
 */
int order_stage_new(struct stage **out, const struct cpuset *cpus);

/*
 * Makes a stage for --align-ts. The stage shifts the clocks of all inputs so that the first record of the CPUs in @cpus is shown at time 0. If @cpus is
 * NULL, the first record of all CPUs is shown at time 0. Borrows @inputs and @cpus. Returns 0 or -ENOMEM.
 */
int align_stage_new(struct stage **out, inputs_t *inputs, const struct cpuset *cpus);

#endif

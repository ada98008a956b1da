/* SPDX-License-Identifier: GPL-2.0 */
/* Two stages about times. */
#ifndef RINGSIDE_ORDER_H
#define RINGSIDE_ORDER_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

/* Warns of each record whose time is before that of the record before it on its CPU: --ts-check. 0 or -ENOMEM. */
int order_stage_new(struct stage **out);

/* Moves the clocks of all inputs so that the first record it sees is shown at time 0: --align-ts. Borrows @inputs. 0 or -ENOMEM. */
int align_stage_new(struct stage **out, inputs_t *inputs);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells for each input which records the options of a reading can have left out (input.some_switches and input.narrowed). Notes and warnings need this when
 * they say why something is not known. If options can leave records out, a record that was not seen may still be in the file. Only lib/analysis uses this.
 */
#ifndef RINGSIDE_NARROWED_H
#define RINGSIDE_NARROWED_H

#include "lib/analysis/reading.h"

/*
 * Sets .some_switches, .no_interrupts and .narrowed of all inputs. An input is narrowed if --only-event, a filter (-F), -I, -S, -B, --since, --until, --func or
 * --min-duration is set, or if only the records of some CPUs are read (chosen_read() in lib/analysis/chosen.h). It is also narrowed if tasks are chosen and the
 * analyses do not take in the records of all tasks (ANALYSIS_ALL_TASKS). The function must be called after all analyses have been added, and after .selected
 * has been made.
 */
void narrowed_set(struct reading *reading);

#endif

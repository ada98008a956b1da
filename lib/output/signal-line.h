/* SPDX-License-Identifier: GPL-2.0 */
/* Prints signals and ends of tasks as strace prints them: "--- SIGINT {si_signo=SIGINT, si_code=SI_KERNEL} ---", "+++ exited with 0 +++". */
#ifndef RINGSIDE_SIGNAL_LINE_H
#define RINGSIDE_SIGNAL_LINE_H

#include "lib/analysis/endings.h"
#include "lib/base/str.h"

/* Appends the line of a signal with the members of its siginfo, without a newline. "..." stands for what the kernel's events do not tell. */
void signal_text(const struct signal_taken *signal, struct str *out);

/* Appends the name of the signal @number, such as "SIGINT", "SIGRTMIN" or "SIGRT_1". If the signal has no name, appends @number. */
void signal_name_text(int number, struct str *out);

/* Appends the line that tells how a task ended, without a newline. */
void ending_text(struct ending ending, struct str *out);

#endif

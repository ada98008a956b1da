/* SPDX-License-Identifier: GPL-2.0 */
/* Which file a command reads that none was named to. */
#ifndef RINGSIDE_CMD_DEFAULT_INPUT_H
#define RINGSIDE_CMD_DEFAULT_INPUT_H

/*
 * "-", the standard input, where that is a file from its beginning on, or a pipe out of which a trace comes: nothing is taken
 * out to see that, and it is waited for a second at most. Else "trace.dat"; a pipe that it was not is told of.
 */
const char *default_input(void);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the file that a command reads when the user names no file. */
#ifndef RINGSIDE_CMD_DEFAULT_INPUT_H
#define RINGSIDE_CMD_DEFAULT_INPUT_H

/*
 * Returns "-", which stands for standard input, in these cases:
 * - Standard input is a file at offset 0.
 * - Standard input is a pipe or socket through which a trace comes. To find this out, the function waits for at most a second, and takes nothing out of the
 *   pipe or socket.
 * - Standard input is a folder or a disk. The command refuses this input later.
 * In all other cases the function returns "trace.dat". If standard input is a pipe or socket through which no trace comes, a note says why it is not read.
 */
const char *default_input(void);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the file that a command reads when none is named. */
#ifndef RINGSIDE_CMD_DEFAULT_INPUT_H
#define RINGSIDE_CMD_DEFAULT_INPUT_H

/*
 * Returns "-" (standard input) when standard input is a file at offset 0, or a pipe or socket through which a trace comes. To find this out, the function waits
 * for at most a second, and takes nothing out of the pipe or socket. When standard input is a folder or a disk, the function also returns "-", and the command
 * refuses this input later. In all other cases the function returns "trace.dat". If standard input is a pipe or socket and is not read, a note says why.
 */
const char *default_input(void);

#endif

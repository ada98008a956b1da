/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the file that a command reads when the user names no file. */
#ifndef RINGSIDE_CMD_DEFAULT_INPUT_H
#define RINGSIDE_CMD_DEFAULT_INPUT_H

/*
 * Returns "-", which stands for standard input, in these cases:
 * - Standard input is a file at offset 0.
 * - Standard input is a pipe or socket through which a trace comes. The function takes nothing out of the pipe or socket.
 * - Standard input is a pipe that was closed after nothing had come through it for at least a second. The command refuses this input later.
 * - Standard input is a folder or a disk. The command refuses this input later.
 * In all other cases the function returns "trace.dat". If standard input is a pipe or socket through which no trace comes, a note says why it is not read.
 *
 * The function waits for a second until something comes through the pipe or socket. If pipe_writer() (cmd/pipe-writer.h) then finds a process that may still
 * write to the pipe, the function says so in a note, and waits until something comes or the pipe is closed. So a pipeline whose recorder writes at its end
 * never shows the figures of another file.
 */
const char *default_input(void);

#endif

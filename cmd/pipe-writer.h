/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the process at the other end of a pipe, to tell a pipeline of a shell from a pipe that was merely inherited. */
#ifndef RINGSIDE_CMD_PIPE_WRITER_H
#define RINGSIDE_CMD_PIPE_WRITER_H

#include <sys/types.h>

/*
 * Returns the pid of a process that can write to the pipe or FIFO @fd and that is neither our own process nor one of its ancestors. In a pipeline, such a
 * process writes what we read. A pipe that only our ancestors can write to is what a program gives to everything that it starts, such as a CI runner. Which
 * files the processes of another user have open is not known, so a process of our own session whose files we may not see counts as a writer. Returns 0 if
 * there is no such process, and if the pipe is also the standard input of a shell among our ancestors: a loop of this shell may read from it.
 */
pid_t pipe_writer(int fd);

#endif

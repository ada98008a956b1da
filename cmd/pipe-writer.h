/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the process at the other end of a pipe, to tell a pipeline of a shell from a pipe that was merely inherited. */
#ifndef RINGSIDE_CMD_PIPE_WRITER_H
#define RINGSIDE_CMD_PIPE_WRITER_H

#include <sys/types.h>

/*
 * Returns the pid of a process that can write to the pipe or FIFO @fd and that is neither our own process nor one of its ancestors. In a pipeline, such a
 * process writes what we read. If only our ancestors can write to the pipe, it was merely inherited. For example, a CI runner gives such a pipe to everything
 * that it starts. We may not see which files the processes of another user have open. So a process of our own session whose files we may not see counts as a
 * writer. Returns 0 if there is no writer. Also returns 0 if the pipe is the standard input of a shell among our ancestors, because a loop of this shell may
 * read from the pipe.
 */
pid_t pipe_writer(int fd);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The options of record that an agent takes from another machine: what `record -A` passes on, and what `agent` understands. */
#ifndef RINGSIDE_CMD_GUEST_H
#define RINGSIDE_CMD_GUEST_H

#include "cmd/record.h"

/* trace-cmd's port for agents. */
#define AGENT_PORT "823"

/* Where they stand, for opt_parse() and its like; it has no run(). */
extern const struct cmd cmd_guest;

/*
 * How many words the option @words[0] takes, with its value; 0: it is none (an operand, or "--"); -EINVAL after a message: an agent does not take it.
 */
int guest_words(char **words);

/* Fills in what the words of a request say; argv[0] is a name, as of a command. Returns 0 or -errno after a message. record_opts_fini() after it in any case. */
int guest_parse(struct record_opts *o, int argc, char **argv);

#endif

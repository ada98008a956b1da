/* SPDX-License-Identifier: GPL-2.0 */
/* Lists the options of `record` that an agent accepts from another machine: `record -A` passes them on, and `agent` carries them out. */
#ifndef RINGSIDE_CMD_GUEST_H
#define RINGSIDE_CMD_GUEST_H

#include "cmd/record.h"

/* This is trace-cmd's port for agents. */
#define AGENT_PORT "823"

/* Has the table of the options that an agent accepts, for cmd/opt.h. The type is that of a command, but a user cannot call this command. */
extern const struct cmd cmd_guest;

/*
 * Returns how many words the option words[0] takes up: 2 when words[1] is the option's value, otherwise 1. Returns 0 when words[0] is an operand or "--".
 * Returns -EINVAL after a message when an agent does not take this option.
 */
int guest_words(char **words);

/*
 * Fills in *@o from argv[1…], the words that another machine has sent to the agent. argv[0] has no meaning. Returns 0 or -errno after a message. The caller
 * calls record_opts_fini() in any case.
 */
int guest_parse(struct record_opts *o, int argc, char **argv);

#endif

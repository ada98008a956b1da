/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Implements `record -A HOST:PORT [--name NAME] options…`. An agent (`ringside agent`) runs in a guest or on another machine, and records there. An -A names
 * an agent. A --proxy names the agent on the host of this virtual machine. The options that follow an -A or a --proxy are for the agent that this -A or --proxy
 * names. These options end at the next -A, the next --proxy, the next -B or the command. --tsync-interval is for the recording on this machine, wherever the
 * option stands. It is never passed to an agent.
 */
#ifndef RINGSIDE_CMD_RECORD_GUESTS_H
#define RINGSIDE_CMD_RECORD_GUESTS_H

#include "cmd/record.h"
#include "lib/record/guests.h"

/* This is one -A or one --proxy, with the options after it. Everything but .words is borrowed from the command line. */
struct guest_words {
	const char *where; /* the value of -A, such as "HOST:PORT", or of --proxy, which is "CID:PORT" */
	const char *name;  /* the value of --name; NULL: no name was given */
	bool proxy;	   /* the option was --proxy and not -A */
	strv_t words;	   /* the options after this -A or --proxy, for the agent */
};

struct guest_lines {
	VEC(struct guest_words) at;
	VEC(char *) rest; /* the command line without the words for agents, NULL-terminated */
};

/* Takes the words for agents out of a command line. Returns 0, or -errno after a message. The caller calls guest_lines_fini() in any case. */
int guest_lines(struct guest_lines *out, const struct cmd *cmd, int argc, char **argv);
void guest_lines_fini(struct guest_lines *lines);

/*
 * These are rows for the options of `record`: -A, --name, --proxy and --tsync-interval. guest_lines() takes -A, --name and --proxy out of the command line. It
 * leaves one of these three options only if the option is misplaced, such as a --name before any -A. So when the option parser finds one of the three, the
 * call() of its row refuses the option.
 */
extern const struct opt guest_rows[];

/* Records on the agents. If @opts asks for something to be recorded here, records on this machine, too. Returns the exit status. */
int record_with_guests(struct record_opts *opts, const struct guest_lines *lines);

#endif

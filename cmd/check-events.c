/* SPDX-License-Identifier: GPL-2.0 */
/* ringside check-events: checks whether the formats of this kernel's events can be parsed. */
#include "cmd/check-events.h"
#include "cmd/commands.h"
#include "lib/base/err.h"
#include "lib/event/tep.h"
#include "lib/tracefs/meta.h"

#include <stdio.h>

void check_formats(struct trace *trace, const char *where, struct checked *out)
{
	vec_each (&trace->events, at) {
		struct event *event = *at;

		event_prepare(event);
		tep_prepare(event);
		out->all++;
		if (event->failed) {
			fprintf(stderr, "ringside: %s: the print format of %s:%s cannot be parsed\n", where, event->system, event->name);
			out->failed++;
		} else if (event->not_compiled) {
			printf("%s:%s is not compiled: %s\n", event->system, event->name, event->not_compiled);
			out->slow++;
		}
	}
}

int checked_status(const struct checked *checked)
{
	printf("%zu of %zu events are printed without libtraceevent\n", checked->all - checked->slow, checked->all);
	return checked->failed ? EINVAL : 0;
}

struct check_events {
	bool no_plugins;
	int verbose;
};

static int set_verbose(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct check_events *c = ctx;

	return opt_level(value, &c->verbose);
}

static const struct opt opts[] = {
	{ OPT_FLAG, 'N', .name = "no-plugins", .offset = OPT_TO(struct check_events, no_plugins),
	  .help = "use no plug-ins, only the kernel's own print formats" },
	{ OPT_CALL, .optional = true, .name = "verbose", .arg = "LEVEL", .complete = "=none crit err warn info debug all", .call = set_verbose,
	  .help = "with LEVEL 'info' (the default), 'debug' or 'all', print the number of events in each system" },
	OPT_END,
};

static void print_systems(const struct trace *trace)
{
	size_t n = 0;

	for (size_t i = 0; i < trace->events.n; i++) {
		const char *system = trace->events.at[i]->system;

		n++;
		if (i + 1 < trace->events.n && strcmp(system, trace->events.at[i + 1]->system) == 0)
			continue;
		printf("%s: %zu\n", system, n);
		n = 0;
	}
}

static int check_kernel(const struct check_events *c, const struct tracedir *top)
{
	struct metadata meta = { .user_long_size = sizeof(long), .page_size = meta_page_size(top), .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };
	struct trace_options options = { .no_plugins = c->no_plugins };
	struct checked checked = { 0 };
	struct trace *trace = NULL;
	int status = 1, err = meta_formats(&meta, top, &(strv_t){ 0 }, true);

	if (!err)
		err = trace_open(&trace, &meta, &options, 0);
	if (!err) {
		if (c->verbose >= 4)
			print_systems(trace);
		check_formats(trace, top->path, &checked);
		status = checked_status(&checked);
		trace_close(trace);
	}
	metadata_fini(&meta);
	return status;
}

static int run(int argc, char **argv)
{
	struct check_events c = { 0 };
	struct tracedir top = TRACEDIR_NONE;
	char **operands;
	int status, n = opt_parse(&cmd_check_events, &c, argc, argv, &operands);

	if (n < 0)
		return opt_status(n);
	if (n)
		return usage(&cmd_check_events, "it takes no operands; `ringside report --check-events FILE` checks a file");
	if (tracedir_open(&top, NULL))
		return 1;
	status = check_kernel(&c, &top);
	tracedir_fini(&top);
	return status;
}

const struct cmd cmd_check_events = {
	.name = "check-events",
	.synopsis = "[OPTION...]",
	.summary = "check that the formats of this kernel's events can be parsed",
	.details = "The exit status is 22 when a format cannot be parsed.",
	.opts = opts,
	.run = run,
};

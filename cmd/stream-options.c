/* SPDX-License-Identifier: GPL-2.0 */
/* The options of `ringside stream` beside those of cmd/trace-options.c: when it ends, and what is printed how. */
#include "cmd/stream.h"

#include "cmd/pager.h"

#define WINDOW_NS 10000000ULL
#define MOST_WINDOW_NS NSEC_PER_SEC

#define TO(field) offsetof(struct stream_opts, field)

const struct opt stream_options[] = {
	{ OPT_ROWS, .rows = what_options },

	{ OPT_ROWS, .rows = whom_options },
	{ OPT_FLAG, .name = "self|no-filter", .offset = TO(record.spec.self), .help = "trace our own threads as well" },
	{ OPT_TIME, .name = "duration", .arg = "TIME", .offset = TO(record.spec.duration_ns),
	  .help = "end after so long (seconds, or with ms, m, h)" },

	{ OPT_HEADING, .help = "Where" },
	{ OPT_ROWS, .rows = where_options },
	{ OPT_ROWS, .rows = aside_options },
	{ OPT_FLAG, 'k', .name = "keep", .offset = TO(record.spec.keep), .help = "leave the kernel's settings as they are at the end" },

	{ OPT_HEADING, .help = "What is printed, and how" },
	{ OPT_STRV, .name = "only", .arg = "FILTER", .offset = TO(select.keep),
	  .help = "print only records that match \"EVENTS : EXPRESSION\", as report -F; several are OR-ed" },
	{ OPT_STRV, .name = "hide", .arg = "FILTER", .offset = TO(select.drop),
	  .help = "do not print what matches, as report -v -F" },
	{ OPT_FLAG, .name = "tree", .offset = TO(tree),
	  .help = "function_graph as the kernel draws it: each call as it ends, with all that it called" },
	{ OPT_FLAG, 't', .name = "full-time", .offset = TO(lines.exact), .help = "times with nanoseconds" },
	{ OPT_FLAG, .name = "ts-diff", .offset = TO(lines.ts_diff), .help = "the time since the line before" },
	{ OPT_FLAG, .name = "align-ts", .offset = TO(lines.align), .help = "the first record is time 0" },
	{ OPT_FLAG, .name = "latency-format", .offset = TO(lines.latency), .help = "the latency format, as report -l" },
	{ OPT_FLAG, .name = "raw", .offset = TO(trace.raw), .help = "the fields of events, not their text" },
	{ OPT_STRV, .name = "plugin-option", .arg = "[PLUGIN:]NAME[=VALUE]", .offset = TO(trace.plugin_options),
	  .help = "an option of a plug-in, as report -O" },
	{ OPT_STR, .optional = true, .name = "color|colour", .arg = "WHEN", .complete = "=auto always never", .offset = TO(color),
	  .help = "colours: auto (on a terminal), always, never" },
	{ OPT_TIME, .name = "window", .arg = "TIME", .offset = TO(window_ns),
	  .help = "wait so long for earlier events of other CPUs (10ms)" },
	{ OPT_FLAG, 'q', .name = "quiet", .offset = TO(record.quiet), .help = "say nothing but what went wrong" },
	OPT_END,
};

int stream_parse(const struct cmd *cmd, struct stream_opts *o, int argc, char **argv)
{
	int colour, err;

	*o = (struct stream_opts){ .record.spec.live = true, .window_ns = WINDOW_NS };
	err = trace_parse(cmd, &o->record, argc, argv);
	if (err)
		return err;
	colour = colour_wanted(o->color);
	if (colour < 0)
		return usage(cmd, "--color=%s: auto, always or never", o->color), -EINVAL;
	if (o->window_ns > MOST_WINDOW_NS)
		return usage(cmd, "--window: at most a second"), -EINVAL;
	o->lines.colour = colour;
	return trace_option_parse(&o->trace);
}

void stream_opts_fini(struct stream_opts *o)
{
	strv_t *const lists[] = { &o->select.keep, &o->select.drop };

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		strv_fini(lists[i]);
	trace_options_fini(&o->trace);
	record_opts_fini(&o->record);
}

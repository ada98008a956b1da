/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/view.h"
#include "cmd/pager.h"

#define TO(field) offsetof(struct view_opts, field)

const struct opt view_which[] = {
	{ OPT_STRV, .name = "tid", .arg = "TID", .offset = TO(select.tids), .help = "only records of these threads" },
	{ OPT_STRV, .name = "comm", .arg = "NAME", .offset = TO(select.comms),
	  .help = "only records of or about tasks of these names (globs)" },
	{ OPT_STRV, .name = "func", .arg = "FUNCTION", .complete = "functions", .offset = TO(within.funcs),
	  .help = "only calls of these functions (globs), with all inside of them" },
	{ OPT_TIME, .name = "min-duration", .arg = "TIME", .offset = TO(within.min_duration),
	  .help = "only calls that last so long: in seconds, or 50us, 2ms; with --func, only those of these functions" },
	{ OPT_FLAG, 'I', .name = "no-hardirq", .offset = TO(select.no_hardirq), .help = "nothing from hard interrupts" },
	{ OPT_FLAG, 'S', .name = "no-softirq", .offset = TO(select.no_softirq), .help = "nothing from soft interrupts" },
	OPT_END,
};

const struct opt view_how[] = {
	{ OPT_FLAG, 'R', .name = "raw", .offset = TO(trace.raw), .help = "the fields of events, not their text" },
	{ OPT_STRV, 'r', .name = "raw-event", .arg = "REGEX", .offset = TO(trace.raw_events),
	  .help = "the fields of these events (or systems)" },
	{ OPT_STRV, 'n', .name = "no-handler", .arg = "REGEX", .offset = TO(trace.plain_events),
	  .help = "no plug-in for these events (or systems)" },
	{ OPT_FLAG, 'N', .name = "no-plugins", .offset = TO(trace.no_plugins),
	  .help = "no plug-ins: the kernel's own print formats" },
	{ OPT_FLAG, 'L', .name = "local-plugins", .offset = TO(trace.no_system_plugins),
	  .help = "no plug-ins of the system, only local ones" },
	{ OPT_FLAG, .name = "boundary", .offset = TO(lines.boundary), .help = "show where sub-buffers begin" },
	{ OPT_STR, .optional = true, .name = "color|colour", .arg = "WHEN", .complete = "=auto always never", .offset = TO(color),
	  .help = "colours: auto (on a terminal), always, never" },
	OPT_END,
};

const struct opt view_times[] = {
	{ OPT_FLAG, 't', .name = "full-time", .offset = TO(lines.exact), .help = "times with nanoseconds" },
	{ OPT_FLAG, .name = "ts-diff", .offset = TO(lines.ts_diff), .help = "the time since the line before" },
	{ OPT_FLAG, .name = "align-ts", .offset = TO(align), .help = "the first record is time 0" },
	OPT_END,
};

int view_settle(const struct cmd *cmd, struct view_opts *view, int fd)
{
	int colour = colour_wanted(view->color, fd);

	if (colour < 0)
		return usage(cmd, "--color=%s: auto, always or never", view->color), -EINVAL;
	view->lines.colour = colour;
	return trace_option_parse(&view->trace);
}

void view_opts_fini(struct view_opts *view)
{
	strv_t *const lists[] = {
		&view->select.events, &view->select.pids, &view->select.tids, &view->select.comms, &view->select.keep, &view->select.drop,
		&view->within.funcs,
	};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		strv_fini(lists[i]);
	trace_options_fini(&view->trace);
}

/* SPDX-License-Identifier: GPL-2.0 */
/* The options of `ringside stream` that are not in cmd/trace-options.c: when it ends, and what is printed in which form. */
#include "cmd/stream.h"

#include "lib/base/err.h"
#include "lib/base/str.h"
#include <unistd.h>

#define MOST_WINDOW_NS NSEC_PER_SEC

#define TO(field) offsetof(struct stream_opts, field)

const struct opt stream_options[] = {
	{ OPT_ROWS, .rows = what_options },
	{ OPT_ROWS, .rows = profile_flag },
	{ OPT_ROWS, .rows = profile_options },

	{ OPT_ROWS, .rows = whom_options },
	{ OPT_FLAG, .name = "self|no-filter", .offset = TO(record.spec.self), .help = "trace ringside's own threads as well" },
	{ OPT_TIME, .positive = true, .name = "duration", .arg = "TIME", .offset = TO(record.spec.duration_ns),
	  .help = "end after this time (in seconds, or with a unit: ms, m, h)" },

	{ OPT_HEADING, .help = "Where" },
	{ OPT_ROWS, .rows = where_options },
	{ OPT_ROWS, .rows = aside_options },
	{ OPT_ROWS, .rows = pace_options },
	{ OPT_FLAG, 'k', .name = "keep", .offset = TO(record.spec.keep), .help = "do not put the kernel's settings back at the end" },

	{ OPT_HEADING, .help = "What is printed" },
	{ OPT_STRV, .name = "only", .arg = "FILTER", .offset = TO(read.reading.select.keep),
	  .help = "print only records that match this filter, \"EVENTS : EXPRESSION\", as `report -F` does; if --only is given several times, one match is enough" },
	{ OPT_STRV, .name = "hide", .arg = "FILTER", .offset = TO(read.reading.select.drop),
	  .help = "do not print records that match this filter, as `report -v -F` does" },
	{ OPT_ROWS, .rows = reading_more, .offset = TO(read), .letterless = true },

	{ OPT_HEADING, .help = "How it is printed" },
	{ OPT_FLAG, .name = "tree", .offset = TO(tree),
	  .help = "with -p function_graph: draw each call, with all calls inside it, as the kernel draws them; a call is drawn when it ends" },
	{ OPT_STR, .name = "fields", .arg = "FIELD,...", .offset = TO(fields.columns),
	  .help = "print a line for each event, with these columns; FIELD is time, comm, pid, cpu, event, took (see --over), text, or the name of a field of the event; with -H, FIELD can also be start.comm, start.pid or start.NAME, where NAME is a field of the first of the two events; .ip, .hex, .sym and .dev after a field's name say how to show the field" },
	{ OPT_TIME, .name = "over", .arg = "TIME", .positive = true, .offset = TO(fields.over_ns),
	  .help = "with --fields: print only events with at least this time in the column 'took'; for a switch to a woken task, the column shows the time since the wakeup; for a return that --latency records, the time since the entry; for the second event of -H, the time since the first event" },
	{ OPT_FLAG, .name = "latency-format", .offset = TO(read.lines.latency), .help = "print the latency format, as `report -l` does" },
	{ OPT_ROWS, .rows = reading_how, .offset = TO(read), .letterless = true },
	{ OPT_ROWS, .rows = reading_colour, .offset = TO(read), .letterless = true },
	{ OPT_STRV, .name = "plugin-option", .arg = "[PLUGIN:]NAME[=VALUE]", .offset = TO(read.reading.trace.plugin_options),
	  .help = "set an option of a plug-in, as `report -O` does" },
	{ OPT_ROWS, .rows = reading_times, .offset = TO(read) },
	{ OPT_ROWS, .rows = times_options },
	{ OPT_ROWS, .rows = meta_options },
	{ OPT_TIME, .name = "window", .arg = "TIME", .offset = TO(window_ns),
	  .help = "before an event is printed, wait this long for earlier events of other CPUs (default: 10ms)" },
	{ OPT_ROWS, .rows = talk_options },

	{ OPT_HEADING, .help = "Options of `record` that have no effect here, because a stream writes no file" },
	{ OPT_ROWS, .rows = spool_options },
	{ OPT_ROWS, .rows = file_options },
	{ OPT_ROWS, .rows = network_options }, /* after --full-time, because one of them has the same letter */
	{ OPT_ROWS, .rows = no_listener_options },
	OPT_END,
};

/* Notes which options have no effect on a stream. They are not refused, so that a command line for trace-cmd works. */
static void say_what_has_no_effect(const struct record_opts *o)
{
	const struct record_spec *spec = &o->spec;
	const struct {
		const char *name;
		bool given;
	} options[] = {
		{ "-m", spec->max_kb },
		{ "--temp", spec->temp },
		{ "--proc-map", spec->proc_map },
		{ "--file-version", spec->version },
		{ "--compression", spec->compression },
	};
	struct str list = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (options[i].given)
			str_addf(&list, "%s%s", list.len ? ", " : "", options[i].name);
	if (list.len && !o->quiet)
		note("a stream writes no file: without effect: %s", str_text(&list));
	str_fini(&list);
}

int stream_parse(const struct cmd *cmd, struct stream_opts *o, int argc, char **argv)
{
	struct reading *reading = &o->read.reading;
	int err;

	*o = (struct stream_opts){ .record.spec.live = true, .window_ns = LIVE_WINDOW_NS };
	err = trace_parse(cmd, &o->record, argc, argv);
	if (err)
		return err;
	record_settle(&o->record);
	if (o->window_ns > MOST_WINDOW_NS)
		return usage(cmd, "--window: at most a second"), -EINVAL;
	if (o->tree && reading->within.funcs.n)
		return usage(cmd, "--func is for lines; with --tree, -g has the kernel graph only that function"), -EINVAL;
	if (o->fields.columns && o->tree)
		return usage(cmd, "--fields and --tree do not go together"), -EINVAL;
	if (o->fields.over_ns && !o->fields.columns)
		return usage(cmd, "--over is for --fields; --min-duration leaves out calls that are short"), -EINVAL;
	reading->within.live = reading->select.live = true;
	err = reading_settle(cmd, &o->read, o->record.to_stderr ? STDERR_FILENO : STDOUT_FILENO);
	/* A tree leaves out short calls itself. Otherwise only returns are printed, because only they tell how long a call took. */
	if (o->tree) {
		o->tree_opts = (struct tree_options){ .live = true, .min_duration = reading->within.min_duration };
		reading->within.min_duration = 0;
	} else if (reading->within.min_duration) {
		reading->trace.graph_tail = true;
	}
	if (!err)
		say_what_has_no_effect(&o->record);
	o->fields.hooks = &o->record.spec.hooks;
	return err ? err : record_profile(&o->record);
}

void stream_opts_fini(struct stream_opts *o)
{
	if (!o->hangs)
		reading_close(&o->read.reading);
	record_opts_fini(&o->record);
}

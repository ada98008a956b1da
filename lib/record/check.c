/* SPDX-License-Identifier: GPL-2.0 */
/* Finds what is wrong with a request before anything in the kernel is changed. */
#include "lib/record/arm.h"

#include "lib/base/err.h"
#include "lib/record/probes.h"
#include "lib/tracefs/funcommand.h"
#include "lib/tracefs/meta.h"
#include "lib/tracefs/select.h"

static int find_events(struct record_spec *spec, struct buffer_spec *buffer, const struct tracedir *top)
{
	vec_each (&buffer->events, event) {
		strv_t patterns = { 0 };
		int err = event->probes ? 0 : strv_split(&patterns, event->pattern, ",");

		for (size_t i = 0; !err && i < patterns.n; i++) {
			err = events_find(top, patterns.at[i], &event->found);
			if (err == -ENOENT && spec->ignore_missing)
				err = 0;
		}
		if (!err && !event->probes && !patterns.n)
			err = fail(EINVAL, "-e '%s': an event is wanted", event->pattern);
		strv_fini(&patterns);
		if (err)
			return err;
	}
	return 0;
}

static int check_tracer(const struct record_spec *spec, struct buffer_spec *buffer, const struct tracedir *top)
{
	/* With `set` and -K, somebody else may have chosen the tracer, or may choose it later. */
	bool chooses = spec->join != JOIN_ADD && !spec->as_is;
	bool function = buffer->tracer && strcmp(buffer->tracer, "function") == 0;
	bool graph = buffer->tracer && strcmp(buffer->tracer, "function_graph") == 0;
	bool traces_functions = buffer->tracer && strcmp(buffer->tracer, "nop") != 0;
	const struct functions_asked asked[] = { { "-l", &buffer->functions }, { "-n", &buffer->not_functions }, { "-g", &buffer->graph } };
	int err = 0;

	if (spec->no_functions && buffer->tracer && str_starts(buffer->tracer, "function"))
		return fail(EINVAL, "-D turns function tracing off, and -p %s traces functions", buffer->tracer);
	if (!traces_functions && spec->join != JOIN_ADD && (buffer->functions.n || buffer->not_functions.n || buffer->graph.n))
		note("%s says which functions to trace, but no tracer traces any: add -p function or -p function_graph", buffer->graph.n       ? "-g"
															 : buffer->functions.n ? "-l"
																	       : "-n");
	if (chooses && buffer->has_depth && (!traces_functions || function))
		note("--max-graph-depth is for -p function_graph: it has no effect %s", function ? "with -p function" : "without that tracer");
	if (chooses && strv_has(&buffer->options, "func_stack_trace") && traces_functions && !function)
		note("--func-stack is for -p function: it has no effect with -p %s", buffer->tracer);
	if (buffer->graph.n && traces_functions && !graph)
		note("-g is for -p function_graph; -l chooses the functions of -p %s", buffer->tracer);
	if (strv_has(&buffer->options, "func_stack_trace") && !buffer->functions.n)
		return fail(EINVAL, "--func-stack without -l would take a stack at every function of the kernel and "
				    "bring the machine to a halt: name functions with -l");
	if (buffer->tracer)
		err = tracer_check(top, buffer->tracer);
	if (!err)
		err = functions_check(top, asked, ARRAY_LEN(asked));
	err = err ? err : functions_spell_out(top, &buffer->functions);
	err = err ? err : functions_spell_out(top, &buffer->not_functions);
	if (!err && buffer->funcommands.n)
		err = funcommands_check(top, "-l", &buffer->funcommands);
	return err;
}

static int check_buffer(struct record_spec *spec, struct buffer_spec *buffer, const struct tracedir *top)
{
	int err = check_tracer(spec, buffer, top);

	if (!err)
		err = find_events(spec, buffer, top);
	vec_each (&buffer->options, option) {
		if (err)
			break;
		option_spell(top, *option);
		err = option_check(top, *option);
	}
	if (!err && buffer->clock)
		err = clock_check(top, buffer->clock);
	if (!err && (spec->join == JOIN_NOT || spec->join == JOIN_START) && buffer_leaves_out_all(buffer))
		warn("%s%s%snothing will be recorded, as -v leaves out all events that -e names", buffer->name ? "-B " : "", buffer->name ?: "",
		     buffer->name ? ": " : "");
	return err;
}

/* Checks that all buffers together fit into the memory. */
static int check_memory(const struct record_spec *spec, const struct tracedir *top)
{
	cpulist_t cpus = { 0 };
	uint64_t kb = 0;
	int err;

	vec_each (&spec->buffers, buffer)
		if (buffer_used(spec, buffer))
			kb += buffer->size_kb;
	err = kb ? meta_cpus(top, &cpus) : 0;
	if (!err && kb)
		err = buffer_check(kb, 0, (unsigned int)cpus.n);
	vec_fini(&cpus);
	return err;
}

/* Returns an argument of the command that looks like an option meant for us, or NULL. */
static const char *stray_option(const struct record_spec *spec)
{
	for (size_t i = 1; spec->argv && spec->argv[0] && spec->argv[i]; i++)
		if (strcmp(spec->argv[i], "-e") == 0 || strcmp(spec->argv[i], "-p") == 0 || str_starts(spec->argv[i], "--probe"))
			return spec->argv[i];
	return NULL;
}

static int nothing(const struct record_spec *spec)
{
	const char *what = spec->join ? "trace" : "record", *stray = stray_option(spec);

	if (stray)
		return fail(EINVAL, "nothing to %s: what is behind the command '%s' is the command's, %s too; put it before", what, spec->argv[0], stray);
	return fail(EINVAL,
		    "nothing to %s: choose events with -e, a tracer with -p or probes with --probe; "
		    "-p nop records what programs write to trace_marker",
		    what);
}

/* Options in front of the first -B belong to the top buffer. If that buffer has neither events nor a tracer, they do nothing, and the user is told so. */
static void tell_without_effect(const struct buffer_spec *top)
{
	const struct {
		bool given;
		const char *option;
	} options[] = {
		{ top->size_kb != 0, "-b" },
		{ top->subbuf_kb != 0, "--subbuf-size" },
		{ top->clock != NULL, "-C" },
		{ top->cpumask != NULL, "-M (or --cpu)" },
		{ top->options.n != 0, "-O (or -T)" },
		{ top->functions.n || top->funcommands.n, "-l" },
		{ top->not_functions.n != 0, "-n" },
		{ top->graph.n != 0, "-g" },
		{ top->has_depth, "--max-graph-depth" },
	};

	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (options[i].given)
			note("%s in front of the first -B is for the top buffer, in which nothing is traced; put it behind -B", options[i].option);
}

int spec_check(struct record_spec *spec, const struct tracedir *top)
{
	bool any = false;
	int err = 0;

	vec_each (&spec->buffers, buffer) {
		if (!buffer_used(spec, buffer)) {
			tell_without_effect(buffer);
			continue;
		}
		any |= buffer->tracer || buffer->events.n || buffer->funcommands.n;
		if (!err)
			err = check_buffer(spec, buffer, top);
	}
	if (!err && !any && !spec->as_is && (spec->join == JOIN_NOT || spec->join == JOIN_START))
		err = nothing(spec);
	err = err ? err : probes_check(spec, top);
	return err ? err : check_memory(spec, top);
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/reading-meta.h"
#include "lib/analysis/span.h"

static void add_words(const char *option, const strv_t *values, struct str *out)
{
	vec_each (values, value)
		str_addf(out, "%s%s %s", out->len ? " " : "", option, *value);
}

static void add_word(const char *option, const char *value, struct str *out)
{
	if (value)
		str_addf(out, "%s%s %s", out->len ? " " : "", option, value);
}

const char *reading_selection(struct reading *reading)
{
	const struct select_options *select = &reading->select;
	struct str *out = &reading->selection, cpus = { 0 };

	str_clear(out);
	if (reading->has_cpus)
		cpuset_text(&reading->cpus, &cpus);
	add_word("--cpu", reading->has_cpus ? str_text(&cpus) : NULL, out);
	str_fini(&cpus);
	add_word("--since", reading->since, out);
	add_word("--until", reading->until, out);
	add_words("--buffer", &reading->buffers, out);
	add_words("--only-event", &select->events, out);
	add_words("--pid", &select->pids, out);
	add_words("--tid", &select->tids, out);
	add_words("--comm", &select->comms, out);
	add_words("-F", &select->keep, out);
	add_words("-v -F", &select->drop, out);
	add_words("--func", &reading->within.funcs, out);
	if (reading->within.min_duration)
		str_addf(out, "%s--min-duration %lluns", out->len ? " " : "", (unsigned long long)reading->within.min_duration);
	if (select->no_hardirq)
		str_addf(out, "%s--no-hardirq", out->len ? " " : "");
	if (select->no_softirq)
		str_addf(out, "%s--no-softirq", out->len ? " " : "");
	return out->len ? out->at : NULL;
}

int reading_meta(struct reading *reading, struct table_meta *meta, strv_t *files)
{
	const struct pass *pass = &reading->pass;
	const struct calls_lost *lost = reading->calls ? calls_lost(reading->calls) : NULL;
	int err = 0;

	*meta = (struct table_meta){ .file = reading->inputs.n ? reading->inputs.at[0].path : NULL };
	vec_each (&reading->inputs, input)
		err = err ? err : strv_add(files, input->path);
	if (reading->inputs.n > 1)
		meta->files = files;
	meta->selection = reading_selection(reading);
	err = err ? err : str_ok(&reading->selection);
	if (pass->seen) {
		meta->span = span_of_pass(reading);
		meta->ticks = meta->ts_ticks = !input_in_ns(&reading->inputs.at[pass->last.file], pass->last.buffer);
	}
	meta->deep = reading->calls ? calls_deep(reading->calls) : 0;
	if (lost) {
		meta->lost = lost->events;
		meta->lost_more = lost->more;
	}
	return err;
}

void reading_meta_of_calls(struct table_meta *meta)
{
	meta->ticks = false;
	if (meta->ts_ticks)
		meta->span = 0;
}

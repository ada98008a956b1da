/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/about.h"
#include "lib/analysis/selected.h"
#include "lib/analysis/span.h"
#include "lib/base/quote.h"

/* Puts the first line of a text. */
static void put_line(const struct text *text, struct str *out)
{
	const char *end = text->size ? memchr(text->at, '\n', text->size) : NULL;

	quote_json_bytes(text->size ? text->at : "", end ? (size_t)(end - text->at) : text->size, out);
}

static void put_inputs(const struct reading *reading, struct str *out)
{
	str_add(out, "\"files\":[");
	vec_each (&reading->inputs, input) {
		const struct metadata *meta = &input->file->meta;
		__cleanup(free_ptr) char *clock = clock_name(&meta->trace_clock);

		str_add(out, input == reading->inputs.at ? "" : ",");
		str_add(out, "{\"path\":");
		quote_json(input->path, out);
		str_add(out, ",\"machine\":");
		put_line(&meta->uname, out);
		str_add(out, ",\"program\":");
		put_line(&meta->version, out);
		str_add(out, ",\"clock\":");
		quote_json(clock, out);
		str_addf(out, ",\"cpus\":%u,\"buffers\":%zu}", meta->ncpus, input->file->buffers.n);
	}
	str_add(out, "]");
}

static void put_words(const char *what, const strv_t *words, bool *first, struct str *out)
{
	vec_each (words, word) {
		struct str text = { 0 };

		str_addf(&text, "%s %s", what, *word);
		str_add(out, *first ? "" : ",");
		quote_json(str_text(&text), out);
		out->oom |= text.oom;
		str_fini(&text);
		*first = false;
	}
}

static void put_selection(const struct reading *reading, struct str *out)
{
	const struct select_options *select = &reading->select;
	char *since = (char *)reading->since, *until = (char *)reading->until;
	bool first = true;

	str_add(out, ",\"selection\":[");
	if (since)
		put_words("since", &(strv_t){ .at = &since, .n = 1 }, &first, out);
	if (until)
		put_words("until", &(strv_t){ .at = &until, .n = 1 }, &first, out);
	put_words("process", &select->pids, &first, out);
	put_words("thread", &select->tids, &first, out);
	put_words("tasks named", &select->comms, &first, out);
	put_words("events", &select->events, &first, out);
	put_words("records that match", &select->keep, &first, out);
	put_words("no records that match", &select->drop, &first, out);
	put_words("inside of", &reading->within.funcs, &first, out);
	put_words("buffer", &reading->buffers, &first, out);
	if (reading->has_cpus)
		str_add(out, first ? "\"some CPUs\"" : ",\"some CPUs\"");
	str_add(out, "]");
}

int about_json(struct reading *reading, struct str *out)
{
	const struct calls_lost *lost = reading->calls ? calls_lost(reading->calls) : &(const struct calls_lost){ 0 };
	const struct pass *pass = &reading->pass;
	const bool in_ns = !pass->seen || input_in_ns(&reading->inputs.at[pass->last.file], pass->last.buffer);
	uint64_t records;
	int err = selected_count(reading, &records);

	str_add(out, "{");
	put_inputs(reading, out);
	put_selection(reading, out);
	str_addf(out, ",\"records\":%llu,\"span\":%llu,\"ticks\":%s,\"lost\":%llu,\"lostMore\":%s,\"lostPlaces\":%llu,\"damaged\":%s}",
		 (unsigned long long)records, (unsigned long long)span_of_pass(reading), in_ns ? "false" : "true", (unsigned long long)lost->events,
		 lost->more ? "true" : "false", (unsigned long long)lost->places, reading_damaged(reading) ? "true" : "false");
	return err;
}

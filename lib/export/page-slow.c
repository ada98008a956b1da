/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/page-slow.h"
#include "lib/analysis/cause-words.h"
#include "lib/analysis/slowest.h"
#include "lib/base/quote.h"

/* How many functions, and calls of each, `ringside slow` shows by default. */
enum { FUNCTIONS = 12, CALLS = 10 };

/* What is shared by the questions about all functions. */
struct round {
	struct causes *first; /* the first handler, which finds out what all handlers need; NULL: none yet */
	const struct timeline *timeline;
	struct str *out;
	size_t told; /* how many functions have been written */
};

/* The question about one function. */
struct ask {
	const strv_t *name; /* only one name */
	struct round *round;
};

struct asked {
	struct handler handler; /* first */
	struct causes *causes;
};

/* --- a call ------------------------------------------------------------------------------------------------------------------ */

static void put_number(const char *name, uint64_t value, struct str *out)
{
	str_addf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

static void put_text(const char *name, const char *text, struct str *out)
{
	str_addf(out, ",\"%s\":", name);
	quote_json(text, out);
}

/* Puts the text in @text, and clears it. Empty text becomes null. */
static void put_words(const char *name, struct str *text, struct str *out)
{
	put_text(name, text->len ? str_text(text) : NULL, out);
	out->oom |= text->oom;
	str_clear(text);
}

/* Puts a call. Numbers have the names of the columns of `ringside slow`. */
static void put_call(const struct causes *causes, const struct verdict *v, size_t i, uint64_t first, struct str *out)
{
	const struct cause_call *call = causes->kept.at[i];
	const struct timed_person *who = timed_person(causes->timed, call->person);
	struct str text = { 0 };

	str_addf(out, "%s{\"call\":%zu", i ? "," : "", i + 1);
	/* Times since the clock's zero can be too large for a browser's numbers, so this is a text. */
	str_addf(out, ",\"ts\":\"%llu\"", (unsigned long long)call->ns);
	put_number("at", call->ns - MIN(call->ns, first), out);
	str_addf(out, ",\"tid\":%d,\"file\":%u", who->pid, call->file);
	put_number("cpu", call->cpu, out);
	put_number("total", call->total, out);
	put_number("typical", v->typical, out);
	put_number("excess", v->excess, out);
	put_text("cause", cause_word(v->cause), out);
	words_task(causes, call->person, &text);
	put_words("task", &text, out);
	words_culprit(causes, call, v, &text);
	put_words("culprit", &text, out);
	put_text("where", v->fact && v->fact->where ? meanwhile_text(causes->meanwhile, v->fact->where) : NULL, out);
	words_cause(causes, call, v, &text);
	put_words("why", &text, out);
	cause_call_text(causes, call, v, i + 1, false, true, &text);
	put_words("text", &text, out);
	str_addc(out, '}');
	str_fini(&text);
}

/* --- a function -------------------------------------------------------------------------------------------------------------- */

static void add_need(void *ctx, const char *text)
{
	str_addf(ctx, "unknown: %s\n", text);
}

static int put_function(const struct ask *ask, struct causes *causes)
{
	struct round *round = ask->round;
	struct str *out = round->out;
	__cleanup(free_ptr) struct verdict *verdicts = NULL;
	struct str text = { 0 };
	int err = verdicts_new(causes, &verdicts);

	if (err)
		return err;
	str_addf(out, "%s{\"function\":", round->told++ ? "," : "");
	quote_json(ask->name->at[0], out);
	cause_functions(causes, &text);
	put_words("calls", &text, out);
	err = cause_summary(causes, verdicts, &text);
	put_words("summary", &text, out);
	cause_needs(causes, verdicts, add_need, &text);
	put_words("needs", &text, out);
	str_add(out, ",\"slow\":[");
	for (size_t i = 0; i < causes->kept.n; i++)
		put_call(causes, &verdicts[i], i, round->timeline->first, out);
	str_add(out, "]}");
	str_fini(&text);
	return err ? err : str_ok(out);
}

static int show(struct handler *h, __unused struct reading *reading, void *options)
{
	struct causes *causes = container_of(h, struct asked, handler)->causes;

	causes_sort(causes);
	return causes->kept.n ? put_function(options, causes) : 0;
}

static void asked_free(struct handler *h)
{
	struct asked *asked = container_of(h, struct asked, handler);

	causes_free(asked->causes);
	free(asked);
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct ask *ask = options;
	const struct causes_options opt = { .globs = ask->name, .exact = true, .beside = ask->round->first, .select = &reading->select, .most = CALLS };
	struct asked *asked = calloc(1, sizeof(*asked));
	struct calls *calls = reading_calls(reading);
	int err = asked && calls ? causes_new(&asked->causes, calls, &reading->inputs, &opt) : -ENOMEM;

	if (err) {
		free(asked);
		return err;
	}
	asked->handler.free = asked_free;
	if (!ask->round->first)
		ask->round->first = asked->causes;
	*out = &asked->handler;
	return 0;
}

static const struct analysis asked_analysis = {
	.name = "page",
	.needs = ANALYSIS_ALL_TASKS,
	.folds = calls_fold,
	.make = make,
	.show = show,
};

/* --- all of them ------------------------------------------------------------------------------------------------------------- */

static int ask_all(struct reading *whole, struct ask *asks, size_t n)
{
	struct reading again;
	int err = reading_share(&again, whole);

	again.hush = true;
	again.pass.stop = whole->pass.stop;
	for (size_t i = 0; !err && i < n; i++)
		err = reading_add(&again, &asked_analysis, &asks[i]);
	err = err ? err : reading_select(&again);
	err = err ? err : reading_run(&again);
	reading_again(&again);
	return err;
}

int page_slow(const struct timeline *timeline, struct reading *reading, struct str *out)
{
	struct ask asks[FUNCTIONS] = { 0 };
	strv_t one[FUNCTIONS], names = { 0 };
	struct round round = { .timeline = timeline, .out = out };
	int err = slowest_functions(timeline->paths->graph, FUNCTIONS, &names);

	for (size_t i = 0; i < names.n; i++) {
		one[i] = (strv_t){ .at = &names.at[i], .n = 1 };
		asks[i] = (struct ask){ .name = &one[i], .round = &round };
	}
	str_add(out, "{\"functions\":[");
	if (!err && names.n)
		err = ask_all(reading, asks, names.n);
	str_add(out, "]}");
	strv_fini(&names);
	return err ? err : str_ok(out);
}

int page_slow_left_out(struct str *out)
{
	str_add(out, "{\"functions\":[],\"left\":true}");
	return str_ok(out);
}

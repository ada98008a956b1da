// SPDX-License-Identifier: GPL-2.0
/* Finds the events of a filter, builds the programs of all events, and reports faults. */
#include "lib/event/filter-program.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include <ctype.h>
#include <regex.h>
#include <traceevent/event-parse.h>

int filter_new(struct filter **out, struct tep_handle *tep, const struct comms *comms, const struct symbols *symbols)
{
	struct filter *filter = calloc(1, sizeof(*filter));

	if (!filter)
		return -ENOMEM;
	filter->tep = tep;
	filter->comms = comms;
	filter->symbols = symbols;
	filter->programs.others = TARGET_PASS;
	*out = filter;
	return 0;
}

static void clause_fini(struct clause *clause)
{
	free(clause->text);
	filter_node_free(clause->root);
	vec_fini(&clause->events);
}

void filter_free(struct filter *filter)
{
	if (!filter)
		return;
	vec_each (&filter->clauses, clause)
		clause_fini(clause);
	vec_fini(&filter->clauses);
	programs_fini(&filter->programs);
	free(filter);
}

bool filter_is_empty(const struct filter *filter)
{
	return !filter->clauses.n;
}

enum filter_verdict filter_event(const struct filter *filter, uint16_t event_id)
{
	const struct programs *programs = &filter->programs;
	int32_t at = event_id < programs->entries.n ? programs->entries.at[event_id] : programs->others;

	return at == TARGET_PASS ? FILTER_ALWAYS : at == TARGET_DROP ? FILTER_NEVER : FILTER_SOMETIMES;
}

/* --- events ------------------------------------------------------------------------------------- */

/* Makes a regular expression that matches a whole name. */
static int whole_pattern(struct pattern **out, const char *name, size_t at, struct filter_fault *fault)
{
	__cleanup(free_ptr) char *regex = str_printf("^%s$", name);
	__cleanup(free_ptr) char *why = NULL;
	int err;

	if (!regex)
		return -ENOMEM;
	err = pattern_new(out, regex, true, &why);
	if (err == -EINVAL)
		filter_fault_set(fault, at, "\"%s\" is not a regular expression: %s", name, why);
	return err;
}

static bool name_matches(const struct pattern *pattern, const char *name)
{
	return pattern_match(pattern, name, strlen(name));
}

static int say_unknown(struct tep_handle *tep, const char *system, const char *event, size_t at, struct filter_fault *fault)
{
	__cleanup(strv_fini) strv_t names = { 0 }, near = { 0 };
	__cleanup(free_ptr) char *list = NULL;
	struct tep_event *e;
	int err = 0;

	for (int i = 0; !err && (e = tep_get_event(tep, i)); i++) {
		err = strv_has(&names, e->name) ? 0 : strv_add(&names, e->name);
		if (!err && !strv_has(&names, e->system))
			err = strv_add(&names, e->system);
	}
	if (!err)
		err = nearest_names(event, &names, 4, &near);
	if (!err && !near.n && system)
		err = nearest_names(system, &names, 4, &near);
	list = join_names(&near, "; did you mean ", "?");
	if (err || !list)
		return -ENOMEM;
	return filter_fault_set(fault, at, "no event is called \"%s%s%s\"%s", system ? system : "", system ? "/" : "", event, list);
}

/* Adds the events that "system/event", "system" or "event" means. */
static int select_events(struct tep_handle *tep, struct clause *clause, const char *system, const char *event, size_t at, struct filter_fault *fault)
{
	struct pattern *sys = NULL, *name = NULL;
	size_t before = clause->events.n;
	struct tep_event *e;
	int err = whole_pattern(&name, event, at, fault);

	if (!err && system)
		err = whole_pattern(&sys, system, at, fault);
	for (int i = 0; !err && (e = tep_get_event(tep, i)); i++) {
		bool by_system = name_matches(sys ? sys : name, e->system);
		bool by_name = name_matches(name, e->name);

		if (sys ? by_system && by_name : by_system || by_name)
			err = vec_push(&clause->events, (uint16_t)e->id);
	}
	pattern_free(sys);
	pattern_free(name);
	if (!err && clause->events.n == before)
		err = say_unknown(tep, system, event, at, fault);
	return err;
}

/* Parses one item of the list before the colon: @n characters at offset @at of the clause's text. */
static int parse_event(struct tep_handle *tep, struct clause *clause, size_t at, size_t n, struct filter_fault *fault)
{
	__cleanup(free_ptr) char *copy = strndup(clause->text + at, n);
	char *item, *slash, *event = NULL;

	if (!copy)
		return -ENOMEM;
	item = str_trim(copy);
	at += item - copy;
	slash = strchr(item, '/');
	if (slash) {
		*slash = '\0';
		event = str_trim(slash + 1);
		item = str_trim(item);
	}
	if (!*item && event)
		return select_events(tep, clause, NULL, event, at, fault);
	if (!*item)
		return filter_fault_set(fault, at, "the name of an event or system is expected here");
	if (!event || !*event)
		return select_events(tep, clause, NULL, item, at, fault);
	return select_events(tep, clause, item, event, at, fault);
}

/* Parses the list of events. *@expression becomes the offset of the text after the colon, or 0 if there is none. */
static int parse_events(struct tep_handle *tep, struct clause *clause, size_t *expression, struct filter_fault *fault)
{
	size_t end = strcspn(clause->text, ":"), at = 0;
	int err = 0;

	for (;;) {
		size_t n = strcspn(clause->text + at, ",:");

		err = parse_event(tep, clause, at, n, fault);
		at += n + 1;
		if (err || at > end)
			break;
	}
	*expression = clause->text[end] ? end + 1 : 0;
	return err;
}

/* --- programs ----------------------------------------------------------------------------------- */

static int compile_clause(struct filter *filter, struct programs *programs, struct clause *clause, struct filter_fault *fault)
{
	int err = 0;

	for (size_t i = 0; !err && i < clause->events.n; i++) {
		uint16_t id = clause->events.at[i];
		struct tep_event *event = tep_find_event(filter->tep, id);
		int32_t *entry = &programs->entries.at[id];

		if (event)
			err = filter_compile(programs, event, clause->root, clause->without ? TARGET_DROP : TARGET_PASS, *entry, entry, fault);
	}
	return err;
}

/* Builds the programs from all clauses. Clauses that drop events come first in a program, so they are compiled last. */
static int build(struct filter *filter, struct programs *programs, struct filter_fault *fault)
{
	size_t n = 0;
	int err = 0;

	programs->others = TARGET_PASS;
	vec_each (&filter->clauses, clause) {
		if (!clause->without)
			programs->others = TARGET_DROP;
		vec_each (&clause->events, id)
			n = MAX(n, *id + 1u);
	}
	for (size_t i = 0; !err && i < n; i++)
		err = vec_push(&programs->entries, programs->others);
	for (int without = 0; without < 2; without++)
		for (size_t i = filter->clauses.n; !err && i-- > 0;)
			if (filter->clauses.at[i].without == without)
				err = compile_clause(filter, programs, &filter->clauses.at[i], fault);
	return err;
}

static int fields_of(const struct clause *clause, struct tep_handle *tep, strv_t *out)
{
	int err = 0;

	vec_each (&clause->events, id) {
		struct tep_event *e = tep_find_event(tep, *id);
		struct tep_format_field *lists[] = { e ? e->format.fields : NULL, e ? e->format.common_fields : NULL };

		for (size_t i = 0; i < ARRAY_LEN(lists); i++)
			for (struct tep_format_field *f = lists[i]; !err && f; f = f->next)
				err = strv_has(out, f->name) ? 0 : strv_add(out, f->name);
	}
	return err;
}

static int say_no_field(struct filter *filter, struct clause *clause, struct filter_node *name, struct filter_fault *fault)
{
	__cleanup(strv_fini) strv_t names = { 0 }, near = { 0 };
	__cleanup(free_ptr) char *list = NULL;
	int err = fields_of(clause, filter->tep, &names);

	if (!err)
		err = nearest_names(name->text, &names, 4, &near);
	list = join_names(&near, "; did you mean ", "?");
	if (err || !list)
		return -ENOMEM;
	return filter_fault_set(fault, name->at, "%s field \"%s\"%s", clause->events.n == 1 ? "the event has no" : "none of these events has a", name->text,
				list);
}

/* Reports a name that no event knows, or that no event has as a number although one is needed. */
static int check_names(struct filter *filter, struct clause *clause, struct filter_node *node, struct filter_fault *fault)
{
	int err;

	if (!node)
		return 0;
	if (node->kind == FILTER_NAME && node->found == NAME_UNKNOWN)
		return say_no_field(filter, clause, node, fault);
	if (node->kind == FILTER_NAME && node->found == NAME_SHORT)
		return filter_fault_set(fault, node->at, "the array \"%s\" has no element %llu", node->text, (unsigned long long)node->number);
	if (node->kind == FILTER_NAME && node->found == NAME_NO_NUMBER)
		return filter_fault_set(fault, node->at,
					"\"%s\" is not a number; text is compared with a "
					"\"text\" in quotes",
					node->text);
	err = check_names(filter, clause, node->left, fault);
	return err ? err : check_names(filter, clause, node->right, fault);
}

/* --- adding ------------------------------------------------------------------------------------- */

static int say(const char *text, const struct filter_fault *fault)
{
	__cleanup(free_ptr) char *line = strdup(text);

	if (!line || str_ok(&fault->why))
		return -ENOMEM;
	for (char *c = line; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = ' ';
	return fail(EINVAL, "filter: %s\n  %s\n  %*s^", str_text(&fault->why), line, (int)fault->at, "");
}

static int add(struct filter *filter, const char *text, bool without, struct filter_fault *fault)
{
	struct clause *clause;
	size_t expression = 0;
	int err;

	if (vec_push(&filter->clauses, (struct clause){ .without = without }))
		return -ENOMEM;
	clause = &filter->clauses.at[filter->clauses.n - 1];
	clause->text = strdup(text);
	err = clause->text ? parse_events(filter->tep, clause, &expression, fault) : -ENOMEM;
	if (!err && expression)
		err = filter_parse(&clause->root, text, expression, fault);
	if (!err) {
		struct programs programs = { 0 };

		err = build(filter, &programs, fault);
		if (!err)
			err = check_names(filter, clause, clause->root, fault);
		if (err) {
			programs_fini(&programs);
		} else {
			programs_fini(&filter->programs);
			filter->programs = programs;
		}
	}
	if (err) {
		clause_fini(clause);
		filter->clauses.n--;
	}
	return err;
}

int filter_add(struct filter *filter, const char *text, bool without)
{
	struct filter_fault fault = { 0 };
	int err = add(filter, text, without, &fault);

	if (err == -EINVAL)
		err = say(text, &fault);
	str_fini(&fault.why);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/flame-data.h"
#include "lib/analysis/rooms.h"
#include "lib/base/quote.h"

/* --- names --------------------------------------------------------------------------------------------------------------- */

int64_t name_table_add(struct name_table *table, const char *name)
{
	struct text key = { (char *)name, strlen(name) };
	map_entry(&table->names) entry = map_find_text(&table->names, key.at, key.size);

	if (entry)
		return (int64_t)map_index(&table->names, entry);
	if (strv_add(&table->texts, name))
		return -ENOMEM;
	key.at = table->texts.at[table->texts.n - 1];
	entry = map_add_text(&table->names, key.at, key.size);
	return entry ? (int64_t)map_index(&table->names, entry) : -ENOMEM;
}

/* Finds the part of the kernel (kernel_room) of a function in a module, which depends on the module. */
static void look_at_symbol(void *ctx, const struct symbol *sym)
{
	struct name_table *table = ctx;
	map_entry(&table->names) entry;

	if (!sym->module)
		return;
	entry = map_find_text(&table->names, sym->name, sym->name_len);
	if (entry)
		entry->value = (uint8_t)room_of(sym->name, sym->module);
}

void name_table_rooms(struct name_table *table, const inputs_t *inputs)
{
	map_each (&table->names, entry)
		entry->value = (uint8_t)room_of(entry->key.at, NULL);
	vec_each (inputs, input)
		symbols_each(input->trace->symbols, look_at_symbol, table);
}

void name_table_json(const struct name_table *table, struct str *out)
{
	const char *comma = "";

	str_add(out, "\"names\":[");
	map_each (&table->names, entry) {
		str_add(out, comma);
		quote_json_bytes(entry->key.at, entry->key.size, out);
		comma = ",";
	}
	str_add(out, "],\"rooms\":[");
	comma = "";
	map_each (&table->names, entry) {
		str_addf(out, "%s%u", comma, entry->value);
		comma = ",";
	}
	str_add(out, "],\"roomNames\":[");
	for (unsigned int i = 0; i < ROOM_COUNT; i++)
		str_addf(out, "%s\"%s\"", i ? "," : "", room_names[i]);
	str_add(out, "]");
}

void name_table_fini(struct name_table *table)
{
	map_fini(&table->names);
	strv_fini(&table->texts);
}

/* --- columns ------------------------------------------------------------------------------------------------------------ */

/* What frames and functions both tell of their calls. */
struct facts {
	int64_t name;
	const struct callgraph *graph;
	const struct callgraph_node *node;	   /* for a frame, its node in .graph */
	const struct callgraph_function *function; /* both NULL: there are no calls */
	const struct timed_facts *known;	   /* what is known of the times of these calls; NULL: all of them are known */
};

enum column { NAME, CALLS, CUT, TOTAL, SELF, OFF, IRQ, P50, P90, P99, MAX_, IS_IRQ, COLUMNS };
static const char *const columns[COLUMNS] = { "name", "calls", "cut", "total", "self", "off", "irq", "p50", "p90", "p99", "max", "isIrq" };

/* Returns the number, or -1 if it is 2^63 or more. */
static int64_t number(uint64_t value)
{
	return value <= INT64_MAX ? (int64_t)value : -1;
}

/* Returns the value of a column, or -1 if it does not exist or is not known. */
static int64_t value_of(const struct facts *facts, enum column column)
{
	static const unsigned int mille[] = { [P50] = 500, [P90] = 900, [P99] = 990 };

	struct callgraph_figures all;

	if (column == NAME)
		return facts->name;
	if (column == IS_IRQ)
		return facts->function ? facts->function->irq : facts->node && facts->node->flags & CALLGRAPH_IRQ;
	if (!facts->function && !facts->node)
		return -1;
	all = facts->function ? facts->function->all : callgraph_figures(facts->graph, facts->node);
	/* The times of incomplete calls are not known, and neither are those of a clock whose ticks have an unknown length. */
	if (((facts->function && !all.calls.n) || !quantiles_sum_fits(&all.calls)) && column >= TOTAL && column <= IRQ)
		return -1;
	switch (column) {
	case CALLS:
		return (int64_t)(all.calls.n + all.timeless);
	case CUT:
		return (int64_t)all.cut;
	case TOTAL:
		return number(facts->function ? facts->function->total : all.calls.sum);
	case SELF:
		return number(all.self);
	case OFF:
		return (facts->known && !timed_off_known(facts->known)) || all.unplaced ? -1 : number(all.off);
	case IRQ:
		return (facts->known && !facts->known->irq) || all.unplaced ? -1 : number(all.irq);
	case MAX_:
		return all.calls.n ? (int64_t)all.calls.max : -1;
	default:
		/* QUANTILE_UNKNOWN is also -1. */
		return (int64_t)quantiles_at(&all.calls, mille[column]);
	}
}

struct facts_table {
	struct facts *at;
	size_t n;
};

static void put_columns(const struct facts_table *table, struct str *out)
{
	for (enum column column = 0; column < COLUMNS; column++) {
		str_addf(out, "%s\"%s\":[", column ? "," : "", columns[column]);
		for (size_t i = 0; i < table->n; i++)
			str_addf(out, i ? ",%lld" : "%lld", (long long)value_of(&table->at[i], column));
		str_add(out, "]");
	}
}

static int kind_of(const struct flame_frame *frame)
{
	return frame->owner ? 1 : frame->event ? 2 : frame->state ? 3 + frame->state : frame->program ? 3 : 0;
}

static void put_frames(const struct flame *flame, struct str *out)
{
	str_add(out, ",\"parent\":[");
	for (size_t i = 0; i < flame->frames.n; i++)
		str_addf(out, i ? ",%u" : "%u", flame->frames.at[i].parent);
	str_add(out, "],\"own\":[");
	for (size_t i = 0; i < flame->frames.n; i++)
		str_addf(out, i ? ",%llu" : "%llu", (unsigned long long)flame->frames.at[i].own);
	/* The kinds: 1 is the owner of the calls, 2 an event, 3 a function of a program; from 4 on it is why a task was off the CPU (enum offcpu_state). */
	str_add(out, "],\"kind\":[");
	for (size_t i = 0; i < flame->frames.n; i++)
		str_addf(out, i ? ",%d" : "%d", kind_of(&flame->frames.at[i]));
	str_add(out, "]");
}

int flame_json(const struct flame *flame, const struct path_facts *known, struct name_table *names, struct str *out)
{
	__cleanup(free_ptr) struct facts *facts = calloc(flame->frames.n, sizeof(*facts));

	if (!facts)
		return -ENOMEM;
	for (size_t i = 0; i < flame->frames.n; i++) {
		const struct flame_frame *frame = &flame->frames.at[i];

		facts[i] = (struct facts){ .name = name_table_add(names, frame->name),
					   .graph = flame->graph,
					   .node = frame->node,
					   .known = known && frame->node ? path_facts_at(known, flame->graph, frame->node) : NULL };
		if (facts[i].name < 0)
			return -ENOMEM;
	}
	str_addf(out, "{\"by\":\"%s\",", flame_weights[flame->by]);
	put_columns(&(struct facts_table){ facts, flame->frames.n }, out);
	put_frames(flame, out);
	str_add(out, "}");
	return str_ok(out);
}

int functions_json(const callgraph_functions_t *functions, const struct path_facts *known, struct name_table *names, struct str *out)
{
	__cleanup(free_ptr) struct facts *facts = calloc(MAX(functions->n, (size_t)1), sizeof(*facts));

	if (!facts)
		return -ENOMEM;
	for (size_t i = 0; i < functions->n; i++) {
		const struct callgraph_function *function = &functions->at[i];

		facts[i] = (struct facts){ .name = name_table_add(names, function->name),
					   .function = function,
					   .known = known ? path_facts_of(known, function->name) : NULL };
		if (facts[i].name < 0)
			return -ENOMEM;
	}
	str_add(out, "{");
	put_columns(&(struct facts_table){ facts, functions->n }, out);
	str_add(out, "}");
	return str_ok(out);
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/advice.h"

#include "lib/data/bytes.h"
#include "lib/tracefs/ksyms.h"
#include <inttypes.h>
#include <stdio.h>

void gaps_page(struct gaps *g, int64_t lost, uint32_t used)
{
	if (lost) {
		if (g->since >= g->ring)
			g->stretch = 0;
		g->stretch += lost > 0 ? (uint64_t)lost : 1;
		g->longest = MAX(g->longest, g->stretch);
		g->since = 0;
	}
	g->since += used;
}

/* Returns the offset of a field in a format's text. Returns 0 when there is no such field. */
static uint16_t field_offset(const char *format, const char *name)
{
	__cleanup(free_ptr) char *tail = str_printf(" %s;\toffset:", name);
	const char *at = tail ? strstr(format, tail) : NULL;

	return at ? (uint16_t)strtoul(at + strlen(tail), NULL, 10) : 0;
}

static bool add_kind(struct tally *t, const char *format)
{
	static const struct {
		const char *name, *func;
	} rows[] = {
		{ "name: funcgraph_entry\n", "func" },
		{ "name: funcgraph_exit\n", "func" },
		{ "name: function\n", "ip" },
	};
	const char *id = strstr(format, "\nID: ");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (id && str_starts(format, rows[i].name) && t->nkinds < ARRAY_LEN(t->kinds))
			t->kinds[t->nkinds++] = (struct tally_kind){
				.id = (uint16_t)strtoul(id + strlen("\nID: "), NULL, 10),
				.func = field_offset(format, rows[i].func),
				.depth = field_offset(format, "depth"),
			};
	return t->nkinds;
}

int tally_init(struct tally *t, const struct metadata *meta)
{
	*t = (struct tally){ 0 };
	vec_each (&meta->formats, event)
		if (strcmp(event->system, "ftrace") == 0 && event->format.at)
			add_kind(t, event->format.at);
	if (!t->nkinds)
		return -ENOENT;
	return page_format_parse(&t->format, &meta->header_page, meta->big_endian, meta->user_long_size);
}

static int tally_record(struct tally *t, const struct record *rec)
{
	const char *data = rec->data;
	bool big = t->format.big_endian;

	t->events++;
	for (size_t i = 0; i < t->nkinds; i++) {
		const struct tally_kind *kind = &t->kinds[i];

		if (rec->size < 2 || get16(data, big) != kind->id || rec->size < MAX(kind->func + 8U, kind->depth + 4U))
			continue;
		if (kind->depth)
			t->depths[MIN(get32(data + kind->depth, big), (uint32_t)ARRAY_LEN(t->depths) - 1)]++;
		return vec_push(&t->functions, get64(data + kind->func, big));
	}
	return 0;
}

int tally_page(struct tally *t, const void *page, size_t size)
{
	recordvec_t records = { 0 };
	struct page_info info;
	size_t bad;
	int err = page_decode(&t->format, page, size, &info, &records, &bad);

	/* Damage is reported when the recording is read, so it is no error here. */
	err = err == -EINVAL ? 0 : err;
	vec_each (&records, rec)
		err = err ? err : tally_record(t, rec);
	vec_fini(&records);
	return err;
}

void tally_fini(struct tally *t)
{
	vec_fini(&t->functions);
}

static int by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct share {
	uint64_t address, n;
};
typedef VEC(struct share) shares_t;

static int by_share(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	return (x->n < y->n) - (x->n > y->n);
}

static int count_functions(struct tally *t, shares_t *out)
{
	int err = 0;

	if (t->functions.n)
		qsort(t->functions.at, t->functions.n, sizeof(*t->functions.at), by_address);
	vec_each (&t->functions, address) {
		struct share *last = out->n ? &out->at[out->n - 1] : NULL;

		if (last && last->address == *address)
			last->n++;
		else
			err = err ? err : vec_push(out, ((struct share){ *address, 1 }));
	}
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_share);
	return err;
}

/*
 * A function calls the tracer at its beginning or a few instructions behind it. So an address belongs to the function that begins less than CALL_OFFSET
 * bytes before it.
 */
enum { CALL_OFFSET = 16 };

/* Returns the name of the function at @address, in new memory. Returns NULL when there is none. */
static char *name_at(const struct text *kallsyms, uint64_t address)
{
	struct text rest = *kallsyms;
	struct ksym sym, best = { 0 };

	while (ksym_next(&rest, &sym))
		if (sym.code && sym.at <= address && address - sym.at < CALL_OFFSET && sym.at > best.at)
			best = sym;
	return best.at ? strndup(best.name, best.len) : NULL;
}

/*
 * At most MOST_FUNCTIONS functions are named. They are named only if they have at least LEAST_PERCENT per cent of all events. They never have more than
 * MOST_PERCENT, so that enough events are left.
 */
enum { MOST_FUNCTIONS = 4, LEAST_PERCENT = 10, MOST_PERCENT = 95 };

static int advise_functions(struct tally *t, const struct text *kallsyms, unsigned int keep, struct advice *out)
{
	shares_t shares = { 0 };
	uint64_t gone = 0;
	int err = count_functions(t, &shares);

	vec_each (&shares, share) {
		char *name;

		if (err || out->functions.n >= MOST_FUNCTIONS || gone * 100 >= t->events * (100 - keep) || (gone + share->n) * 100 > t->events * MOST_PERCENT)
			break;
		name = name_at(kallsyms, share->address);
		if (!name)
			continue;
		gone += share->n;
		err = strv_own(&out->functions, name);
	}
	out->functions_percent = t->events ? (unsigned int)(gone * 100 / t->events) : 0;
	if (out->functions_percent < LEAST_PERCENT) {
		strv_fini(&out->functions);
		out->functions_percent = 0;
	}
	vec_fini(&shares);
	return err;
}

/* Finds the largest depth that leaves at most @keep per cent of the events. The depth is at least 1. */
static void advise_depth(const struct tally *t, unsigned int keep, struct advice *out)
{
	uint64_t deep = 0, left;

	for (size_t i = 0; i < ARRAY_LEN(t->depths); i++)
		deep += t->depths[i];
	left = t->events - deep; /* events of other kinds, which have no depth */
	for (unsigned int depth = 1; deep && depth < ARRAY_LEN(t->depths); depth++) {
		unsigned int percent;

		left += t->depths[depth - 1];
		percent = (unsigned int)((left * 100 + t->events - 1) / t->events);
		if (percent > 100 - LEAST_PERCENT || (percent > keep && depth > 1))
			break;
		out->depth = depth;
		out->depth_percent = percent;
	}
}

int tally_advice(struct tally *t, const struct text *kallsyms, unsigned int keep, struct advice *out)
{
	*out = (struct advice){ 0 };
	advise_depth(t, keep, out);
	return advise_functions(t, kallsyms, keep, out);
}

void advice_fini(struct advice *a)
{
	strv_fini(&a->functions);
}

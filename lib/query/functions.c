/* SPDX-License-Identifier: GPL-2.0 */
/* SQL functions that know about traces. */
#ifdef RINGSIDE_SQLITE
#include "lib/analysis/quantiles.h"
#include "lib/base/parse.h"
#include "lib/event/syscalls.h"
#include "lib/query/wants.h"

#include <math.h>
#include <stdio.h>

/*
 * Reads a number of a query, which may be an address as the tables write it ("0xffff..."). Returns false if it is not a number; the function's result is NULL
 * then.
 */
static bool number_of(sqlite3_value *value, uint64_t *out)
{
	const char *text;

	switch (sqlite3_value_type(value)) {
	case SQLITE_INTEGER:
		*out = (uint64_t)sqlite3_value_int64(value);
		return true;
	case SQLITE_TEXT:
		text = (const char *)sqlite3_value_text(value);
		if (text && str_starts(text, "0x")) {
			char *end;

			errno = 0;
			*out = strtoull(text + 2, &end, 16);
			return !*end && text[2] && !errno;
		}
		return text && !parse_u64(text, out);
	default:
		return false;
	}
}

static void give_text(sqlite3_context *ctx, struct str *text)
{
	if (text->oom)
		sqlite3_result_error_nomem(ctx);
	else
		sqlite3_result_text(ctx, str_text(text), (int)text->len, SQLITE_TRANSIENT);
	str_fini(text);
}

/* --- of one value ------------------------------------------------------------------------------------------------ */

static void sym(sqlite3_context *ctx, __unused int n, sqlite3_value **values)
{
	const struct query *query = sqlite3_user_data(ctx);
	const struct symbol *found;
	struct str text = { 0 };
	uint64_t addr;

	if (!number_of(values[0], &addr))
		return;
	found = symbols_find(query->reading->inputs.at[0].trace->symbols, addr);
	if (!found)
		return;
	str_add(&text, found->name);
	if (addr != found->addr)
		str_addf(&text, "+0x%llx", (unsigned long long)(addr - found->addr));
	give_text(ctx, &text);
}

static void errno_name(sqlite3_context *ctx, __unused int n, sqlite3_value **values)
{
	const char *name;
	uint64_t number;

	if (!number_of(values[0], &number))
		return;
	name = syscall_error((int64_t)number < 0 ? (int64_t)number : -(int64_t)number);
	if (name)
		sqlite3_result_text(ctx, name, -1, SQLITE_STATIC);
}

static void syscall_name(sqlite3_context *ctx, __unused int n, sqlite3_value **values)
{
	const struct query *query = sqlite3_user_data(ctx);
	const struct syscalls calls = syscalls_of(&query->reading->inputs.at[0].file->meta);
	const struct syscall *call;
	uint64_t number;

	if (!number_of(values[0], &number))
		return;
	call = syscall_find(&calls, number);
	if (call && call->name)
		sqlite3_result_text(ctx, call->name, -1, SQLITE_STATIC);
}

static void ns_text(sqlite3_context *ctx, __unused int n, sqlite3_value **values)
{
	static const struct {
		double least;
		int64_t thousandth;
		const char *unit;
	} units[] = { { 1e9, 1000000, "s" }, { 1e6, 1000, "ms" }, { 1e3, 1, "us" } };
	struct str text = { 0 };
	int64_t whole;
	double v;

	if (sqlite3_value_type(values[0]) != SQLITE_INTEGER && sqlite3_value_type(values[0]) != SQLITE_FLOAT)
		return;
	v = sqlite3_value_double(values[0]);
	/* Whole numbers are used, as a server does, so that both round alike. */
	for (size_t i = 0; i < ARRAY_LEN(units) && !text.len; i++) {
		if (!(fabs(v) >= units[i].least))
			continue;
		if (fabs(v) >= 9e18) {
			str_addf(&text, "%.3f %s", v / units[i].least, units[i].unit);
			continue;
		}
		whole = (llabs(llround(v)) + units[i].thousandth / 2) / units[i].thousandth;
		str_addf(&text, "%s%lld.%03lld %s", v < 0 ? "-" : "", (long long)whole / 1000, (long long)whole % 1000, units[i].unit);
	}
	if (!text.len)
		str_addf(&text, "%.0f ns", v);
	give_text(ctx, &text);
}

/* --- of many ----------------------------------------------------------------------------------------------------- */

struct gathered {
	struct quantiles values;
	unsigned int mille; /* 0: not known yet */
	bool failed;
};

/* Adds a number. Negative numbers are an error, because leaving them out would give a wrong answer. */
static void gather(sqlite3_context *ctx, struct gathered *g, sqlite3_value *value)
{
	int64_t v;

	if (g->failed || sqlite3_value_type(value) == SQLITE_NULL)
		return;
	v = sqlite3_value_type(value) == SQLITE_FLOAT ? (int64_t)llround(sqlite3_value_double(value)) : sqlite3_value_int64(value);
	g->failed = sqlite3_value_numeric_type(value) == SQLITE_TEXT || v < 0;
	if (g->failed)
		sqlite3_result_error(ctx, "quantile() and hist() take numbers from 0 on", -1);
	else if (quantiles_add(&g->values, (uint64_t)v))
		sqlite3_result_error_nomem(ctx);
}

static void quantile_step(sqlite3_context *ctx, __unused int n, sqlite3_value **values)
{
	struct gathered *g = sqlite3_aggregate_context(ctx, sizeof(*g));
	double q;

	if (!g) {
		sqlite3_result_error_nomem(ctx);
		return;
	}
	if (!g->mille) {
		q = sqlite3_value_double(values[1]) * 1000;
		if (!(q >= 0.9999999 && q <= 999.0000001) || fabs(q - round(q)) > 1e-6) {
			g->failed = true;
			sqlite3_result_error(ctx, "the second number of quantile() is one of 0.001, 0.002 ... 0.999", -1);
			return;
		}
		g->mille = (unsigned int)lround(q);
	}
	gather(ctx, g, values[0]);
}

static void quantile_final(sqlite3_context *ctx)
{
	struct gathered *g = sqlite3_aggregate_context(ctx, 0);
	uint64_t v = QUANTILE_UNKNOWN;

	if (g && g->mille)
		v = quantiles_at(&g->values, g->mille);
	if (v != QUANTILE_UNKNOWN)
		sqlite3_result_int64(ctx, (int64_t)v);
	if (g)
		quantiles_fini(&g->values);
}

static void hist_step(sqlite3_context *ctx, __unused int n, sqlite3_value **values)
{
	struct gathered *g = sqlite3_aggregate_context(ctx, sizeof(*g));

	if (g)
		gather(ctx, g, values[0]);
	else
		sqlite3_result_error_nomem(ctx);
}

/* Gives the result as text, such as "1..1:3 4..7:12": how many numbers are in each power of two, with the empty ones in between. */
static void hist_final(sqlite3_context *ctx)
{
	struct gathered *g = sqlite3_aggregate_context(ctx, 0);
	struct quantiles_bucket bucket = { 0 };
	uint64_t counts[65] = { 0 };
	struct str text = { 0 };
	int first = -1, last = -1;

	if (!g || !g->values.n) {
		if (g)
			quantiles_fini(&g->values);
		return;
	}
	while (quantiles_each(&g->values, &bucket)) {
		const int power = bucket.low ? 64 - __builtin_clzll(bucket.low) : 0;

		counts[power] += bucket.count;
		first = first < 0 ? power : first;
		last = power;
	}
	quantiles_fini(&g->values);
	for (int i = first; i <= last; i++)
		str_addf(&text, "%s%llu..%llu:%llu", i > first ? " " : "", i ? 1ULL << (i - 1) : 0ULL, i == 64 ? UINT64_MAX : (1ULL << i) - 1ULL,
			 (unsigned long long)counts[i]);
	give_text(ctx, &text);
}

int functions_register(struct query *query)
{
	static const struct {
		const char *name;
		int n;
		void (*call)(sqlite3_context *ctx, int n, sqlite3_value **values);
		void (*step)(sqlite3_context *ctx, int n, sqlite3_value **values);
		void (*final)(sqlite3_context *ctx);
	} all[] = {
		{ .name = "sym", .n = 1, .call = sym },
		{ .name = "errno", .n = 1, .call = errno_name },
		{ .name = "syscall", .n = 1, .call = syscall_name },
		{ .name = "ns", .n = 1, .call = ns_text },
		{ .name = "quantile", .n = 2, .step = quantile_step, .final = quantile_final },
		{ .name = "hist", .n = 1, .step = hist_step, .final = hist_final },
	};
	int ret = SQLITE_OK;

	for (size_t i = 0; ret == SQLITE_OK && i < ARRAY_LEN(all); i++)
		ret = sqlite3_create_function_v2(query->db, all[i].name, all[i].n, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, query, all[i].call,
						 all[i].step, all[i].final, NULL);
	if (ret == SQLITE_OK)
		ret = sqlite3_create_collation_v2(query->db, WANT_DIGITS, SQLITE_UTF8, NULL, digits_order, NULL);
	return ret == SQLITE_OK ? 0 : -ENOMEM;
}
#endif

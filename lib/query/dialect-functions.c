/* SPDX-License-Identifier: GPL-2.0 */
/* Writes ringside's SQL functions in the words of a server. */
#include "lib/base/err.h"
#include "lib/data/metadata.h"
#include "lib/event/syscalls.h"
#include "lib/query/dialect-inside.h"
#include "lib/query/encode.h"

#include <math.h>

/*
 * Writes quantile(x, q), which is the smallest number such that the share q of all numbers is not above it. Of n numbers in order, it is number q * n, rounded
 * up. The server's function takes the one after q * n, rounded down.
 */
static int quantile(const strv_t *args, struct str *out)
{
	char *end;
	const double q = args->n == 2 ? strtod(args->at[1], &end) : 0;

	if (args->n != 2 || *end || !(q >= 0.001 && q <= 0.999))
		return fail(EINVAL, "the second number of quantile() is one of 0.001, 0.002 ... 0.999");
	str_addf(out, "if(count(%s) * %d >= 1000, quantileExact(%.15g)(%s), NULL)", args->at[0], 1000 - (int)lround(q * 1000), q - 1e-12, args->at[0]);
	return 0;
}

static void hist(const char *x, struct str *out)
{
	struct str power = { 0 };

	/* The number of bits of the value. */
	str_addf(&power, "arrayCount(i -> bitShiftRight(toInt64(assumeNotNull(%s)), i) > 0, range(63))", x);
	str_addf(out,
		 "if(count(%s) = 0, NULL, arrayStringConcat(arrayMap(b -> concat(if(b = 0, '0', toString(bitShiftLeft(toUInt64(1), b - 1))), '..', "
		 "toString(bitShiftLeft(toUInt64(1), b) - 1), ':', toString(countEqual(groupArrayIf(%s, isNotNull(%s)), b))), "
		 "arrayFilter(b -> b >= minIf(%s, isNotNull(%s)) AND b <= maxIf(%s, isNotNull(%s)), range(64))), ' '))",
		 x, str_text(&power), x, str_text(&power), x, str_text(&power), x);
	out->oom |= power.oom;
	str_fini(&power);
}

static void add_unit(const char *x, const char *digit, const char *unit, struct str *out)
{
	struct str v = { 0 };

	str_addf(&v, "intDiv(abs(%s) + intDiv(%s, 2), %s)", x, digit, digit);
	str_addf(out, "concat(if(%s < 0, '-', ''), toString(intDiv(%s, 1000)), '.', substring(toString(1000 + %s %% 1000), 2, 3), ' %s')", x, str_text(&v),
		 str_text(&v), unit);
	out->oom |= v.oom;
	str_fini(&v);
}

static void ns(const char *arg, struct str *out)
{
	struct str x = { 0 };

	str_addf(&x, "toInt64(round(%s))", arg);
	str_addf(out, "multiIf(abs(%s) >= 1000000000, ", arg);
	add_unit(str_text(&x), "1000000", "s", out);
	str_addf(out, ", abs(%s) >= 1000000, ", arg);
	add_unit(str_text(&x), "1000", "ms", out);
	str_addf(out, ", abs(%s) >= 1000, ", arg);
	add_unit(str_text(&x), "1", "us", out);
	str_addf(out, ", concat(toString(%s), ' ns'))", str_text(&x));
	out->oom |= x.oom;
	str_fini(&x);
}

/* Writes a choice: the name that belongs to a number. */
static void name_of(const char *x, uint64_t n, const char *(*name)(uint64_t i), struct str *out)
{
	struct str names = { 0 };

	str_addf(out, "nullIf(transform(abs(toInt64(%s)), [", x);
	for (uint64_t i = 0; i < n; i++) {
		if (!name(i))
			continue;
		str_addf(out, "%s%llu", names.len ? "," : "", (unsigned long long)i);
		str_add(&names, names.len ? "," : "");
		encode_literal(name(i), &names);
	}
	str_addf(out, "], [%s], ''), '')", str_text(&names));
	out->oom |= names.oom;
	str_fini(&names);
}

static const char *error_name(uint64_t i)
{
	return i ? syscall_error(-(int64_t)i) : NULL;
}

/* Returns the name of a system call on x86_64, because a store does not say from which machine a call is. */
static const char *call_name(uint64_t i)
{
	const struct metadata meta = { .uname = { .at = (char *)"Linux x 6 x86_64", .size = 16 } };
	const struct syscalls calls = syscalls_of(&meta);
	const struct syscall *call = syscall_find(&calls, i);

	return call ? call->name : NULL;
}

/* SQLite's names of functions and the server's, which are case-sensitive. */
/* clang-format off */
static const char *const renamed[][2] = {
	{ "ifnull", "ifNull" }, { "nullif", "nullIf" }, { "iif", "if" }, { "total", "sum" }, { "instr", "position" }, { "length", "lengthUTF8" },
	{ "count", "count" }, { "sum", "sum" }, { "min", "min" }, { "max", "max" }, { "avg", "avg" }, { "abs", "abs" }, { "round", "round" },
	{ "lower", "lower" }, { "upper", "upper" }, { "substr", "substring" }, { "replace", "replaceAll" }, { "coalesce", "coalesce" },
};
/* clang-format on */

static void call(const char *name, const strv_t *args, const char *where, struct str *out)
{
	bool star = args->n == 1 && strcmp(args->at[0], "*") == 0;

	for (size_t i = 0; i < ARRAY_LEN(renamed); i++)
		if (strcasecmp(name, renamed[i][0]) == 0)
			name = renamed[i][1];
	/* min() and max() are aggregates with one argument, but not with several. */
	if (args->n > 1 && (strcmp(name, "min") == 0 || strcmp(name, "max") == 0))
		name = name[1] == 'i' ? "least" : "greatest";
	/* If all values are NULL, the server's count() with a filter would be NULL and not 0. */
	if (where && args->n == 1 && !star && strcmp(name, "count") == 0 && !str_starts(args->at[0], "DISTINCT")) {
		str_addf(out, "countIf(isNotNull(%s) AND ifNull((%s) != 0, 0))", args->at[0], where);
		return;
	}
	str_addf(out, "%s%s(", name, where ? "If" : "");
	for (size_t i = 0; !star && i < args->n; i++)
		str_addf(out, "%s%s", i ? ", " : "", args->at[i]);
	if (where)
		str_addf(out, "%sifNull((%s) != 0, 0)", star || !args->n ? "" : ", ", where);
	str_addc(out, ')');
}

int dialect_function(const char *name, const strv_t *args, const char *where, struct str *out)
{
	static const char *const ours[] = { "quantile", "hist", "ns", "errno", "syscall", "sym" };
	size_t i = 0;

	while (i < ARRAY_LEN(ours) && strcasecmp(name, ours[i]))
		i++;
	if (i == ARRAY_LEN(ours)) {
		call(name, args, where, out);
		return 0;
	}
	if (where)
		return fail(EINVAL, "sql: %s() cannot have FILTER on a server; select these rows by WHERE", name);
	if (i == 5)
		return fail(EINVAL, "sql: sym() needs the symbols of one kernel, and a server has recordings of many; "
				    "its table `functions` has the addresses of each recording");
	if (args->n != (i ? 1 : 2))
		return fail(EINVAL, "sql: %s() takes %s", name, i ? "one value" : "a number and a share");
	if (i == 0)
		return quantile(args, out);
	if (i == 1)
		hist(args->at[0], out);
	else if (i == 2)
		ns(args->at[0], out);
	else if (i == 3)
		name_of(args->at[0], 4096, error_name, out);
	else
		name_of(args->at[0], 1024, call_name, out);
	return 0;
}

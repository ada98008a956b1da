/* SPDX-License-Identifier: GPL-2.0 */
/* Writes CSV (RFC 4180): one line for each event. */
#include "lib/base/digits.h"
#include "lib/base/quote.h"
#include "lib/export/rows.h"

static void first(const plan_columns_t *columns, bool files, struct str *out)
{
	str_add(out, files ? "ts,cpu,pid,comm,event,system,buffer,file,host,flags,preempt" : "ts,cpu,pid,comm,event,system,buffer,flags,preempt");
	if (!columns)
		str_add(out, ",fields");
	else
		vec_each (columns, column) {
			str_addc(out, ',');
			quote_csv(column->name, out);
		}
	str_addc(out, '\n');
}

static void names(const struct event *event, const struct row_source *source, struct str *out)
{
	str_addc(out, ',');
	quote_csv(event->name, out);
	str_addc(out, ',');
	quote_csv(event->system, out);
	str_addc(out, ',');
	quote_csv(source->buffer, out);
	if (!source->file)
		return;
	str_addc(out, ',');
	quote_csv(source->file, out);
	str_addc(out, ',');
	quote_csv(source->host, out);
}

static char *head(char *at, const struct row_head *head)
{
	*at++ = ',';
	at = put_loose(at, head->cpu);
	*at++ = ',';
	if (unlikely(head->pid < 0))
		return put_bytes(at, ",", 1);
	at = put_loose(at, (unsigned int)head->pid);
	*at++ = ',';
	return put_short(at, head->comm, head->comm_len);
}

static char *tail(char *at, const struct row_head *head)
{
	*at++ = ',';
	if (unlikely(head->pid < 0))
		return put_bytes(at, ",", 1);
	at = put_loose(at, head->flags);
	*at++ = ',';
	return put_loose(at, head->preempt);
}

/* All fields are one column, which has a JSON object. */
static char *tail_object(char *at, const struct row_head *head)
{
	return put_bytes(tail(at, head), ",\"", 2);
}

/* clang-format off */
static const struct rows_format objects = {
	.style = PLAN_JSON_IN_CSV, .first = first, .head = head, .names = names, .tail = tail_object, .end = "\"\n", .end_len = 2, .none = "{}",
};
/* clang-format on */
/* clang-format off */
static const struct rows_format columns = {
	.style = PLAN_CSV, .first = first, .head = head, .names = names, .tail = tail, .end = "\n", .end_len = 1, .none = "",
};
/* clang-format on */

static int make(struct handler **out, struct reading *reading, void *options)
{
	const struct export_options *opt = options;

	return rows_make(out, reading, opt->columns ? &columns : &objects, opt);
}

const struct analysis csv_analysis = { .name = "csv", .needs = ANALYSIS_LEARN, .make = make };

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/lines-text.h"
#include "lib/base/digits.h"
#include "lib/base/visible.h"
#include "lib/event/text.h"
#include "lib/output/wakeups-text.h"

/* Room for all text in front of the event's own, except the prefix and long names of tasks and events. */
#define FRONT_ROOM 512

static char *put_right(char *at, const char *text, size_t n, size_t width)
{
	if (n < width)
		at = put_fill(at, ' ', width - n);
	return put_bytes(at, text, n);
}

static char *put_pid(char *at, int pid)
{
	char *end = put_s64(at, pid);

	return end < at + 5 ? put_fill(end, ' ', (size_t)(at + 5 - end)) : end;
}

static char hex_or_dot(unsigned int v)
{
	return v ? "0123456789abcdef"[v & 15] : '.';
}

static unsigned int bit(unsigned int flags, unsigned int flag, unsigned int place)
{
	return flags & flag ? 1U << place : 0;
}

/* Makes the flags as the kernel's own trace file has them (kernel/trace/trace_output.c, trace_print_lat_fmt). */
static char *make_latency(char *at, unsigned int flags, unsigned int preempt)
{
	static const char resched[8] = { '.', 'l', 'n', 'b', 'p', 'L', 'N', 'B' };
	static const char context[8] = { '.', 'h', 's', 'H', 'z', 'Z', 'z', 'Z' };

	if (flags & FLAG_BH_OFF)
		*at++ = flags & FLAG_IRQS_OFF ? 'D' : 'b';
	else
		*at++ = flags & FLAG_IRQS_OFF ? 'd' : '.';
	*at++ = resched[bit(flags, FLAG_RESCHED_LAZY, 0) | bit(flags, FLAG_RESCHED, 1) | bit(flags, FLAG_PREEMPT_RESCHED, 2)];
	*at++ = context[bit(flags, FLAG_HARDIRQ, 0) | bit(flags, FLAG_SOFTIRQ, 1) | bit(flags, FLAG_NMI, 2)];
	*at++ = hex_or_dot(preempt & 15);
	*at++ = hex_or_dot(preempt >> 4 & 15);
	return at;
}

/* Puts "COMM-PID [CPU] FLAGS"; with -l, "COMM-PID CPUFLAGS"; without flags, "COMM-PID [CPU]". */
static char *put_head(char *at, const struct lines_options *opt, const struct trace *trace, const char *comm, size_t len, const struct common *common,
		      unsigned int cpu)
{
	if (opt->latency)
		at = put_right(at, comm, MIN(len, (size_t)8), 8);
	else
		at = put_right(at, comm, len, 16);
	*at++ = '-';
	at = put_pid(at, common->pid);
	*at++ = ' ';
	if (opt->latency) {
		at = put_u64_wide(at, cpu, 3, ' ');
		if (trace->opt->raw)
			return put_hex(put_bytes(at, "-0x", 3), common->flags);
	} else {
		*at++ = '[';
		at = put_u64_wide(at, cpu, 3, '0');
		at = put_bytes(at, "] ", 2);
		if (opt->no_flags)
			return at - 1;
	}
	return make_latency(at, common->flags, common->preempt);
}

/* Adds the head of a line, which is kept for the next line of the CPU. Also makes room for the rest of the line. Returns NULL for lack of memory. */
static char *add_head(struct text_job *job, const struct line *line, const struct trace *trace, const struct record *rec, const struct common *common,
		      struct str *out)
{
	struct line_head *head = &job->heads[rec->cpu % ARRAY_LEN(job->heads)];
	struct common but_id = *common;
	uint64_t key;

	/* The head depends on the common fields other than the event id, and on the CPU. */
	but_id.id = rec->cpu;
	memcpy(&key, &but_id, sizeof(key));
	if (unlikely(head->comm != line->comm || head->key != key)) {
		size_t len = strlen(line->comm);

		if (len > 32)
			return str_room(out, len + FRONT_ROOM) ? put_head(out->at + out->len, job->opt, trace, line->comm, len, common, rec->cpu) : NULL;
		head->comm = line->comm;
		head->key = key;
		head->len = (uint8_t)(put_head(head->text, job->opt, trace, line->comm, len, common, rec->cpu) - head->text);
	}
	return str_room(out, FRONT_ROOM) ? put_short(out->at + out->len, head->text, head->len) : NULL;
}

/* Puts the latency fields that only some kernels have. */
static char *put_more_latency(char *at, const struct trace *trace, const struct record *rec)
{
	uint64_t v;

	if (field_get(&trace->migrate_disable, rec->data, rec->size, trace->swap, &v))
		*at++ = hex_or_dot(MIN((unsigned int)v, 15U));
	if (field_get(&trace->lock_depth, rec->data, rec->size, trace->swap, &v))
		*at++ = (int64_t)v < 0 ? '.' : "0123456789abcdef"[MIN(v, 15U)];
	return at;
}

static void set_second(struct text_job *job, uint64_t ts)
{
	uint64_t second = ts / NSEC_PER_SEC;
	char *end;

	job->second = second * NSEC_PER_SEC;
	job->second_text[0] = ' ';
	end = put_u64_wide(job->second_text + 1, second, 5, ' ');
	*end++ = '.';
	job->second_len = (uint8_t)(end - job->second_text);
}

/* Puts the time as " SECONDS.FRACTION:" or, if the clock does not count ns, as "      TICKS:". */
static char *put_time(struct text_job *job, char *at, uint64_t ts, bool ns)
{
	unsigned int rest;

	if (!ns) {
		at = put_u64_wide(at, ts, 12, ' ');
		*at++ = ':';
		return at;
	}
	if (!job->opt->exact)
		ts += 500;
	if (unlikely(ts - job->second >= NSEC_PER_SEC || !job->second_len))
		set_second(job, ts);
	rest = (unsigned int)(ts - job->second);
	memcpy(at, job->second_text, sizeof(job->second_text));
	at += job->second_len;
	at = job->opt->exact ? put_9(at, rest) : put_6(at, rest / 1000);
	*at++ = ':';
	return at;
}

uint64_t lines_diff_time(const struct lines_options *opt, bool ns, uint64_t ts)
{
	return ns && !opt->exact ? (ts + 500) / 1000 : ts;
}

static char *put_diff(struct text_job *job, char *at, bool ns, uint64_t ts)
{
	uint64_t now = lines_diff_time(job->opt, ns, ts);
	char *start = ++at;

	at[-1] = ' ';
	if (job->last_ts) {
		at = put_bytes(at, "(+", 2);
		at = put_s64(at, (int64_t)(now - job->last_ts));
		*at++ = ')';
	}
	while (at < start + 8)
		*at++ = ' ';
	job->last_ts = now;
	return at;
}

static void add_prefix(const struct line_buffer *buffer, struct str *out)
{
	if (unlikely(buffer->prefix[0]))
		str_add(out, buffer->prefix);
}

static void add_lost(const struct record *rec, const struct lines_options *opt, struct str *out)
{
	const char *on = opt->colour ? "\033[31m" : "", *off = opt->colour ? "\033[m" : "";

	if (rec->lost == LOST_UNKNOWN)
		str_addf(out, "%sCPU:%u [EVENTS DROPPED]%s\n", on, rec->cpu, off);
	else
		str_addf(out, "%sCPU:%u [%lld EVENTS DROPPED]%s\n", on, rec->cpu, (long long)rec->lost, off);
}

/* Adds a record whose id no format describes: its id and its size. */
static void add_unknown(const struct trace *trace, const struct record *rec, struct str *out)
{
	str_addf(out, " %-21s [UNKNOWN EVENT] id %u, %u bytes\n", "unknown:", record_id(trace, rec), (unsigned int)rec->size);
}

static void add_coloured(const struct event *event, struct str *out)
{
	str_addf(out, " \033[36m%s\033[m:%s", event->name, event->label + strlen(event->name) + 2);
}

/* Adds how long the call took that ends with this record. */
static void add_took(uint64_t took, bool ns, struct str *out)
{
	if (ns)
		str_addf(out, " took %llu.%03u us", (unsigned long long)(took / 1000), (unsigned int)(took % 1000));
	else
		str_addf(out, " took %llu", (unsigned long long)took);
}

/* The most frequent events go straight to their printers. No printer ends the line. */
static inline void add_event(const struct text_call *call, struct str *out)
{
	const struct event *event = call->event;

	if (likely(event->printer && event->kind >= EVENT_FUNCTION && event->kind <= EVENT_GRAPH_EXIT))
		event->printer->print(call, out);
	else
		event_text(call, out);
}

static void add_line(struct text_job *job, const struct line *line, struct str *out)
{
	const struct record *rec = &job->batch->records[line->rec];
	const struct line_input *input = &job->inputs[rec->file];
	const struct line_buffer *buffer = &input->buffers.at[rec->buffer];
	const struct trace *trace = input->in->trace;
	struct text_call call = { .event = line->event,
				  .rec = rec,
				  .depth = line->depth,
				  .function = line->function,
				  .ns = buffer->ns,
				  .exact = job->opt->exact };
	struct common common;
	size_t start;
	char *at;

	add_prefix(buffer, out);
	if (unlikely(rec->flags & (RECORD_LOST | RECORD_PAGE | RECORD_NODATA | RECORD_LATE))) {
		if (rec->flags & RECORD_LOST)
			add_lost(rec, job->opt, out);
		if (rec->flags & RECORD_NODATA)
			return;
		if (rec->flags & RECORD_LATE)
			str_addf(out, "CPU:%u [LATE]\n", rec->cpu);
		if (job->opt->boundary && rec->flags & RECORD_PAGE)
			str_addf(out, "CPU:%u [SUBBUFFER START]\n", rec->cpu);
	}
	call.ts = input_time(input->in, rec);
	common = record_common(trace, rec);
	at = add_head(job, line, trace, rec, &common, out);
	if (!at)
		return;
	if (unlikely(trace->migrate_disable.found || trace->lock_depth.found) && !job->opt->no_flags && !(job->opt->latency && trace->opt->raw))
		at = put_more_latency(at, trace, rec);
	at = put_time(job, at, call.ts, buffer->ns);
	if (unlikely(job->opt->ts_diff))
		at = put_diff(job, at, buffer->ns, call.ts);
	if (likely(line->event && line->event->label_len < 100 && !job->opt->colour))
		at = put_short(at, line->event->label, line->event->label_len);
	out->len = (size_t)(at - out->at);
	if (unlikely(!line->event)) {
		add_unknown(trace, rec, out);
		return;
	}
	if (unlikely(job->opt->colour))
		add_coloured(line->event, out);
	else if (unlikely(line->event->label_len >= 100))
		str_addn(out, line->event->label, line->event->label_len);
	start = out->len;
	add_event(&call, out);
	if (unlikely(trace->opt->visible))
		visible_str(out, start, line->event->kind == EVENT_STACK);
	if (unlikely(rec->flags & RECORD_TIMED))
		add_took(rec->took, buffer->ns, out);
	if (unlikely(rec->flags & RECORD_WOKEN))
		wakeup_add(rec->took, buffer->ns, out);
	if (str_room(out, 1))
		out->at[out->len++] = '\n';
}

void lines_text(struct text_job *job, struct str *out)
{
	for (size_t i = 0; i < job->n; i++)
		add_line(job, &job->lines[i], out);
}

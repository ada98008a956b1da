/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a small trace file from a plan, so that a test knows what ringside must print for the file. The plan has the fields of each record as
 * numbers. The formats, symbols and names are those of the recording META.dat.
 *
 *	plan META.dat OUT.dat <PLAN
 *
 * These are the lines of a plan. # begins a comment, and numbers are decimal or 0x...:
 *	clock NAME			the clock of the trace, such as "x86-tsc"; the default is local
 *	tsc2nsec MULT SHIFT OFFSET	the numbers by which ticks of the clock become ns
 *	task PID NAME			the name of a task
 *	trace_id N			the trace id of the file
 *	guest NAME N TID...		the file is that of a host; the file with the trace id N is of a guest, whose CPUs 0, 1, ... are these threads
 *	host N				the times are those of the host, whose file has the trace id N
 *	event SYSTEM NAME ID FIELD:SIZE...	one more event format; a size is 1, 2, 4 or 8 bytes, "text" for a text of at most 31 bytes,
 *						or "dynamic" for a text of dynamic length
 *	CPU TIME PID [SYSTEM:]EVENT [FIELD=NUMBER...]	a record, which must be later than the last one of its CPU; FIELD=@NAME is the address of a
 *						function, and FIELD=@NAME+NUMBER is that many bytes behind it; in an array of addresses they are
 *						separated by commas. A text that begins with a letter can be the value of a name of a task (char
 *						[16]), of a text, and of a field of dynamic length. The text of ftrace's event print has at most 31
 *						bytes and no blanks, as in print buf=B|7|work
 *	buffer NAME			the records below are in the buffer of the instance NAME; those above the first such line are in the top buffer
 *	CPU lost N			N events were lost before the next record of this CPU
 */
#define _GNU_SOURCE
#include "lib/base/parse.h"
#include "lib/data/reader.h"
#include "lib/event/trace.h"
#include "tests/tools/odd.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_CPUS = 16, MOST_WORDS = 40, PAGE = 4096, TEXT_SIZE = 32, COMM_SIZE = 16, MOST_BYTES = 112 };

struct plan {
	struct odd odd; /* it has the metadata of the file */
	struct datfile *file;
	struct trace *trace; /* NULL until the first record */
	struct trace_options opt;
	struct cpu {
		struct pages pages;
		bool open;	    /* a page has begun */
		uint64_t lost;	    /* events lost before the page that is open */
		uint64_t will_lose; /* events lost before the next page */
	} cpus[MOST_CPUS];
	unsigned int line;
};

__printf(2, 3) static void stop(const struct plan *plan, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fprintf(stderr, "plan: line %u: ", plan->line);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

static uint64_t number(const struct plan *plan, const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 0);

	if (!*text || *end)
		stop(plan, "'%s' is no number", text);
	return value;
}

/* --- what the metadata say ------------------------------------------------------------------------------- */

/* The format is like the kernel's, also for probes: a field whose name begins with __ is not printed, except for the addresses of a probe. */
static void describe(const struct plan *plan, char **fields, size_t n, struct str *out)
{
	struct str shown = { 0 }, args = { 0 };
	bool call = false, ret = false;
	unsigned int at = 8;

	for (size_t i = 0; i < n; i++) {
		char *colon = strchr(fields[i], ':');
		const bool text = colon && strcmp(colon + 1, "text") == 0, dynamic = colon && strcmp(colon + 1, "dynamic") == 0;
		unsigned int size = text ? 1 : dynamic ? 4 : colon ? (unsigned int)number(plan, colon + 1) : 0;

		if (!size || size > 8 || size & (size - 1))
			stop(plan, "FIELD:SIZE, not '%s'", fields[i]);
		*colon = '\0';
		call |= strcmp(fields[i], "__probe_ip") == 0;
		ret |= strcmp(fields[i], "__probe_ret_ip") == 0;
		if (text) {
			str_addf(out, "\tfield:char %s[%u];\toffset:%u;\tsize:%u;\tsigned:0;\n", fields[i], TEXT_SIZE, at, TEXT_SIZE);
			str_addf(&shown, " %s=%%s", fields[i]);
			str_addf(&args, ", REC->%s", fields[i]);
			at += TEXT_SIZE;
			continue;
		}
		at = (at + size - 1) / size * size;
		if (dynamic) {
			str_addf(out, "\tfield:__data_loc char[] %s;\toffset:%u;\tsize:4;\tsigned:0;\n", fields[i], at);
			str_addf(&shown, " %s=%%s", fields[i]);
			str_addf(&args, ", __get_str(%s)", fields[i]);
			at += size;
			continue;
		}
		str_addf(out, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:0;\n",
			 size == 1   ? "u8"
			 : size == 2 ? "u16"
			 : size == 4 ? "u32"
				     : "u64",
			 fields[i], at, size);
		if (strncmp(fields[i], "__", 2) != 0) {
			str_addf(&shown, " %s=%%%s", fields[i], size == 8 ? "llu" : "u");
			str_addf(&args, ", REC->%s", fields[i]);
		}
		at += size;
	}
	str_addf(out, "\nprint fmt: \"%s%s\"%s%s\n",
		 call  ? "(%lx)"
		 : ret ? "(%lx <- %lx)"
		       : "",
		 str_text(&shown),
		 call  ? ", REC->__probe_ip"
		 : ret ? ", REC->__probe_func, REC->__probe_ret_ip"
		       : "",
		 str_text(&args));
	str_fini(&shown);
	str_fini(&args);
}

static void define_event(struct plan *plan, char **words, size_t n)
{
	struct event_text text = { 0 };
	struct str s = { 0 };

	if (n < 4)
		stop(plan, "event SYSTEM NAME ID FIELD:SIZE...");
	str_addf(&s,
		 "name: %s\nID: %s\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		 "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		 "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
		 words[2], words[3]);
	describe(plan, words + 4, n - 4, &s);
	text.system = strdup(words[1]);
	text.format.size = s.len;
	text.format.at = str_take(&s);
	if (vec_push(&plan->odd.meta.formats, text))
		abort();
}

static void set_clock(struct plan *plan, char **words, size_t n)
{
	if (n != 2)
		stop(plan, "clock NAME");
	set_text(&plan->odd.meta.trace_clock, str_printf("[%s]\n", words[1]));
}

static void set_tsc(struct plan *plan, char **words, size_t n)
{
	if (n != 4)
		stop(plan, "tsc2nsec MULT SHIFT OFFSET");
	plan->odd.meta.tsc2nsec = (struct tsc2nsec){ true, (uint32_t)number(plan, words[1]), (uint32_t)number(plan, words[2]), number(plan, words[3]) };
}

static void set_trace_id(struct plan *plan, char **words, size_t n)
{
	if (n != 2)
		stop(plan, "trace_id N");
	plan->odd.meta.trace_id = number(plan, words[1]);
}

static void add_guest(struct plan *plan, char **words, size_t n)
{
	struct guest guest = { 0 };

	if (n < 4)
		stop(plan, "guest NAME N TID...");
	guest.name = strdup(words[1]);
	guest.trace_id = number(plan, words[2]);
	for (size_t i = 3; i < n; i++)
		if (vec_push(&guest.cpus, (__typeof__(*guest.cpus.at)){ (uint32_t)i - 3, (int32_t)number(plan, words[i]) }))
			stop(plan, "no memory");
	if (vec_push(&plan->odd.meta.guests, guest))
		stop(plan, "no memory");
}

/* Both clocks are the same. */
static void set_host(struct plan *plan, char **words, size_t n)
{
	struct time_shift *shift = &plan->odd.meta.time_shift;

	if (n != 2)
		stop(plan, "host N");
	shift->present = true;
	shift->peer_id = number(plan, words[1]);
	for (unsigned int cpu = 0; cpu < MOST_CPUS; cpu++) {
		__typeof__(*shift->cpus.at) one = { 0 };

		if (vec_push(&one.samples, (struct time_sample){ .scaling = 1 }) || vec_push(&shift->cpus, one))
			stop(plan, "no memory");
	}
}

static void add_task(struct plan *plan, char **words, size_t n)
{
	struct text *names = &plan->odd.meta.cmdlines;

	if (n != 3)
		stop(plan, "task PID NAME");
	set_text(names, str_printf("%.*s%s %s\n", (int)names->size, names->at ? names->at : "", words[1], words[2]));
}

/* --- records ------------------------------------------------------------------------------------------------- */

static struct cpu *cpu_of(struct plan *plan, const char *word)
{
	uint64_t cpu = number(plan, word);

	if (cpu >= MOST_CPUS)
		stop(plan, "CPUs are 0 to %d", MOST_CPUS - 1);
	return &plan->cpus[cpu];
}

static void end_page(struct plan *plan, struct cpu *cpu)
{
	if (cpu->open)
		page_end(&plan->odd, &cpu->pages, (int64_t)cpu->lost, PAGE);
	cpu->open = false;
}

static struct event *event_of(struct plan *plan, char *word)
{
	char *colon = strchr(word, ':');
	struct event *event;

	if (!plan->trace && trace_open(&plan->trace, &plan->odd.meta, &plan->opt, 0))
		exit(1);
	if (colon)
		*colon = '\0';
	event = trace_find(plan->trace, colon ? word : NULL, colon ? colon + 1 : word);
	if (!event)
		stop(plan, "there is no event %s", colon ? colon + 1 : word);
	return event;
}

/* Bytes of a record of the event, up to its last field. */
static unsigned int size_of(const struct event *event)
{
	const char *text = event->format->at;
	unsigned int all = 0, at, size;

	while ((text = strstr(text, "offset:"))) {
		if (sscanf(text, "offset:%u; size:%u", &at, &size) == 2)
			all = MAX(all, at + (size ? size : TEXT_SIZE));
		text++;
	}
	return (all + 3) & ~3U;
}

/* Appends the text to the record. */
static void set_dynamic(const struct plan *plan, const struct field *field, const char *text, char *data, unsigned int *size)
{
	const unsigned int n = (unsigned int)strlen(text) + 1;
	const uint32_t where = n << 16 | *size;

	if (*size + n > MOST_BYTES)
		stop(plan, "there is no room for '%s'", text);
	memcpy(data + *size, text, n);
	memcpy(data + field->offset, &where, sizeof(where));
	*size = (*size + n + 3) & ~3U;
}

/* Returns the address that @NAME or @NAME+NUMBER stands for. @name is the text behind the @. */
static uint64_t address(const struct plan *plan, char *name)
{
	char *plus = strchr(name, '+');
	uint64_t at;

	if (plus)
		*plus++ = '\0';
	at = symbols_address(plan->trace->symbols, name);
	if (!at)
		stop(plan, "there is no function %s", name);
	return at + (plus ? number(plan, plus) : 0);
}

static void set_field(const struct plan *plan, const struct event *event, char *word, char *data, unsigned int *size)
{
	char *equals = strchr(word, '='), *next;
	struct field field;
	uint64_t value;
	size_t at;

	if (!equals)
		stop(plan, "FIELD=NUMBER, not '%s'", word);
	*equals++ = '\0';
	if (!format_field(event->format, word, &field))
		stop(plan, "%s has no field %s", event->name, word);
	at = field.offset;
	if (field.dynamic && *equals && !strchr("@0123456789", *equals)) {
		set_dynamic(plan, &field, equals, data, size);
		return;
	}
	if ((field.size >= COMM_SIZE || !field.size) && *equals && !strchr("@0123456789", *equals)) {
		strncpy(data + at, equals, (field.size ? MIN(field.size, TEXT_SIZE) : TEXT_SIZE) - 1);
		return;
	}
	do {
		next = strchr(equals, ',');
		if (next)
			*next++ = '\0';
		value = *equals == '@' ? address(plan, equals + 1) : number(plan, equals);
		if (at + MIN(field.size, sizeof(value)) > field.offset + field.size)
			stop(plan, "%s has no room for so many numbers", word);
		memcpy(data + at, &value, MIN(field.size, sizeof(value)));
		at += sizeof(value);
		equals = next;
	} while (equals);
}

static void add_record(struct plan *plan, char **words, size_t n)
{
	struct cpu *cpu = cpu_of(plan, words[0]);
	uint64_t ts = number(plan, words[1]);
	int pid = (int)number(plan, words[2]);
	struct event *event = event_of(plan, words[3]);
	unsigned int size = size_of(event);
	char data[MOST_BYTES] = "";

	if (size > sizeof(data))
		stop(plan, "records of %s are too large", event->name);
	memcpy(data, &event->id, 2);
	memcpy(data + 4, &pid, 4);
	for (size_t i = 4; i < n; i++)
		set_field(plan, event, words[i], data, &size);
	if (cpu->open && (cpu->pages.bytes.len - cpu->pages.page > PAGE - 200 || cpu->will_lose))
		end_page(plan, cpu);
	if (!cpu->open) {
		page_begin(&plan->odd, &cpu->pages, ts);
		cpu->open = true;
		cpu->lost = cpu->will_lose;
		cpu->will_lose = 0;
	}
	if (ts < cpu->pages.ts)
		stop(plan, "the time of CPU %s goes back", words[0]);
	if (ts - cpu->pages.ts >= 1 << 27)
		extend(&plan->odd, &cpu->pages, ts - cpu->pages.ts);
	event_header(&plan->odd, &cpu->pages, size / 4, (uint32_t)(ts - cpu->pages.ts));
	cpu->pages.ts = ts;
	str_addn(&cpu->pages.bytes, data, size);
}

/* --- the whole --------------------------------------------------------------------------------------------------------- */

/* Gives the records so far to the buffer that was added last. */
static void end_buffer(struct plan *plan)
{
	for (uint32_t i = 0; i < MOST_CPUS; i++) {
		end_page(plan, &plan->cpus[i]);
		if (plan->cpus[i].pages.bytes.len)
			add_cpu(&plan->odd.buffers[plan->odd.nbuffers - 1], i, &plan->cpus[i].pages);
		plan->cpus[i] = (struct cpu){ 0 };
	}
}

static void begin_buffer(struct plan *plan, char **words, size_t n)
{
	if (n != 2 || plan->odd.nbuffers == ARRAY_LEN(plan->odd.buffers))
		stop(plan, "buffer NAME, at most twice");
	end_buffer(plan);
	add_buffer(&plan->odd, strdup(words[1]), NULL)->page_size = PAGE;
}

static void take_line(struct plan *plan, char **words, size_t n)
{
	static const struct {
		const char *word;
		void (*row)(struct plan *plan, char **words, size_t n);
	} rows[] = { { "clock", set_clock },	   { "tsc2nsec", set_tsc }, { "task", add_task }, { "event", define_event },
		     { "trace_id", set_trace_id }, { "guest", add_guest },  { "host", set_host }, { "buffer", begin_buffer } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(words[0], rows[i].word) == 0) {
			rows[i].row(plan, words, n);
			return;
		}
	if (n == 3 && strcmp(words[1], "lost") == 0)
		cpu_of(plan, words[0])->will_lose = number(plan, words[2]);
	else if (n >= 4)
		add_record(plan, words, n);
	else
		stop(plan, "CPU TIME PID EVENT [FIELD=NUMBER...]");
}

static void take_plan(struct plan *plan)
{
	char line[4096];

	while (fgets(line, sizeof(line), stdin)) {
		char *words[MOST_WORDS];
		size_t n = 0;

		plan->line++;
		line[strcspn(line, "#\n")] = '\0';
		for (char *word = strtok(line, " \t"); word && n < MOST_WORDS; word = strtok(NULL, " \t"))
			words[n++] = word;
		if (n)
			take_line(plan, words, n);
	}
}

/* The memory is freed when the process ends. */
int main(int argc, char **argv)
{
	static struct plan plan;
	struct write_options how = { .version = 7 };
	int fd;

	if (argc != 3) {
		fprintf(stderr, "plan META.dat OUT.dat <PLAN\n");
		return 2;
	}
	if (datfile_open(&plan.file, argv[1]))
		return 1;
	plan.odd.meta = plan.file->meta;
	plan.odd.long_size = 8;
	set_text(&plan.odd.meta.trace_clock, strdup("[local]\n"));
	plan.odd.meta.tsc2nsec.present = false;
	plan.odd.meta.ncpus = MOST_CPUS;
	add_buffer(&plan.odd, "", NULL)->page_size = PAGE;
	take_plan(&plan);
	end_buffer(&plan);
	fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0) {
		perror(argv[2]);
		return 1;
	}
	how.codec = codec_find("none");
	return datfile_write(fd, argv[2], &plan.odd.meta, plan.odd.buffers, plan.odd.nbuffers, &how) ? 1 : 0;
}

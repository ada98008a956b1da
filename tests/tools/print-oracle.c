/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests print programs against libtraceevent: both print random and odd records of every event of a kernel, and the texts
 * must have the same bytes. Prints TAP.
 *
 *	print-oracle [-p] [-n RECORDS] [-s SEED] [-e SYSTEM/EVENT] [-v] [-l] [-d DIFFERENCES] KERNEL...
 *
 * A KERNEL is a file of formats (tests/data/formats-*) or "running". DIFFERENCES lists the events whose texts may differ. Each of its
 * lines is "CLASS SYSTEM/EVENT REASON", with one of these classes:
 *	reads	libtraceevent reads outside of the record, into the pages without access that lie around it
 *	divides	libtraceevent divides by zero, which ends the program
 *	chars	the event has a %c, which libtraceevent before 1.8 does not know
 *	arrays	the event has a __print_array, which libtraceevent before 1.8 prints in decimal, without braces
 *	order	libtraceevent does not swap the bytes of some numbers when the byte order is not that of this machine
 *	signs	libtraceevent takes signed fields of 1 and 2 bytes for unsigned ones: with positive numbers there is no difference
 * A difference that belongs to no class is an error. So is a difference that is not listed, except with "running", because the events of the running
 * kernel are not known beforehand. -e tests one event only. -v shows all texts that differ. -p tests the events that libtraceevent's installed plug-ins print,
 * and compares with the text of these plug-ins. -l writes the lines that DIFFERENCES lacks to standard error.
 */
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/event/print.h"
#include "tests/tools/print/formats.h"
#include "tests/tools/print/records.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <traceevent/event-parse.h>
#include <unistd.h>

#define PAGE 65536u
#define SLACK (512u << 10) /* larger than any offset in a record */
#define NEEDED_SHARE 99	   /* at least this percentage of the events must be compiled */
#define NEEDED_PLUGINS 11  /* with -p: at least this number of events must be compiled */

enum class { READS, DIVIDES, CHARS, ARRAYS, ORDER, SIGNS, TEXT };

static const struct {
	const char *name, *reason;
} classes[] = {
	[READS] = { "reads", "reads outside of the record" },
	[DIVIDES] = { "divides", "divides by zero" },
	[CHARS] = { "chars", "%c prints >c< and takes no argument" },
	[ARRAYS] = { "arrays", "__print_array in decimal, without braces" },
	[ORDER] = { "order", "an address of a string or a socket family in the wrong byte order" },
	[SIGNS] = { "signs", "a signed field of 1 or 2 bytes as an unsigned one" },
	[TEXT] = { "text", "" },
};

struct options {
	uint64_t records, seed;
	const char *only;
	bool verbose, list;
	enum print_as as;
	strv_t listed; /* "CLASS SYSTEM/EVENT" */
};

/* A kernel as it is, or as if its byte order or its longs were different. */
struct machine {
	const char *name;
	bool big_endian;
	uint8_t long_size;
	uint8_t share; /* 1 of this many records is tried */
};

static const struct machine machines[] = {
	{ "little endian, 64 bits", false, 8, 1 },
	{ "little endian, 32 bits", false, 4, 8 },
	{ "big endian, 64 bits", true, 8, 8 },
	{ "big endian, 32 bits", true, 4, 8 },
};

/* The results for the events of a kernel. */
struct tally {
	unsigned int events, compiled;
	unsigned long records, listed, unlisted, unexplained;
	strv_t seen; /* "CLASS SYSTEM/EVENT" of the differences that are not listed */
};

struct oracle {
	const struct options *options;
	const struct machine *machine;
	struct tep_handle *tep;
	struct print_env env;
	struct generator generator;
	uint8_t *record; /* a page without access before it, zeros behind it */
	uint8_t *fence;	 /* the end of the memory: a page without access begins here */
	struct str ours, theirs;
};

static sigjmp_buf fault_jump;

static void on_fault(int sig)
{
	siglongjmp(fault_jump, sig);
}

/* Makes libtraceevent's text of a record. Returns 0, or the signal that this caused. */
static int print_theirs(struct oracle *o, uint8_t *data, size_t size, struct str *out)
{
	struct tep_record record = { .data = data, .size = size, .record_size = size };
	struct trace_seq seq;
	int sig;

	str_clear(out);
	sig = sigsetjmp(fault_jump, 0);
	if (sig)
		return sig;
	trace_seq_init(&seq);
	tep_print_event(o->tep, &seq, &record, "%s", TEP_PRINT_INFO);
	str_addn(out, seq.buffer, seq.len);
	trace_seq_destroy(&seq);
	return 0;
}

static bool reads_outside(struct oracle *o, size_t size)
{
	struct str text = { 0 };
	int sig;

	memcpy(o->fence - size, o->record, size);
	sig = print_theirs(o, o->fence - size, size, &text);
	str_fini(&text);
	return sig == SIGSEGV || sig == SIGBUS;
}

static void note_difference(struct oracle *o, struct tally *t, const struct tep_event *event, enum class class)
{
	__cleanup(free_ptr) char *key = str_printf("%s %s/%s", classes[class].name, event->system, event->name);
	bool listed = key && class != TEXT && strv_has(&o->options->listed, key);

	if (listed)
		t->listed++;
	else
		t->unlisted++;
	if (class == TEXT)
		t->unexplained++;
	if (!key || (!o->options->verbose && (listed || strv_has(&t->seen, key))))
		return;
	printf("# %s (%s)\n#   ours:   %.600s\n#   theirs: %.600s\n", key, o->machine->name, str_text(&o->ours), str_text(&o->theirs));
	if (listed)
		return;
	strv_add(&t->seen, key);
	if (o->options->list && class != TEXT)
		fprintf(stderr, "%s %s\n", key, classes[class].reason);
}

/* Is there a __print_array among the arguments? */
static bool has_array(const struct tep_print_arg *arg)
{
	if (!arg)
		return false;
	if (arg->type == TEP_PRINT_OP)
		return has_array(arg->op.left) || has_array(arg->op.right);
	return arg->type == TEP_PRINT_INT_ARRAY;
}

/* Makes all signed numbers of 1 and 2 bytes positive, also those in arrays. A field of size 0 has the rest of the record. */
static void clear_signs(const struct oracle *o, const struct tep_event *event, size_t size)
{
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		bool is_array = f->flags & TEP_FIELD_IS_ARRAY;
		size_t step = is_array ? f->elementsize : (size_t)f->size;

		if (!(f->flags & TEP_FIELD_IS_SIGNED) || f->flags & TEP_FIELD_IS_DYNAMIC || (step != 1 && step != 2))
			continue;
		for (size_t at = f->offset; (!f->size || at < (size_t)f->offset + f->size) && at + step <= size; at += step)
			o->record[at + (o->machine->big_endian ? 0 : step - 1)] &= 0x7f;
	}
}

/* Do the texts differ only because of the signs of numbers of 1 and 2 bytes? Afterwards, the record and the texts are the same as before. */
static bool differs_by_signs(struct oracle *o, const struct tep_event *event, const struct print_program *program, size_t size)
{
	struct str ours = { 0 }, theirs = { 0 };
	uint8_t saved[MOST_RECORD];
	bool same;

	memcpy(saved, o->record, size);
	clear_signs(o, event, size);
	same = memcmp(saved, o->record, size) && !print_theirs(o, o->record, size, &theirs);
	if (same)
		print_run(program, o->record, size, &ours);
	same = same && ours.len == theirs.len && !memcmp(str_text(&ours), str_text(&theirs), ours.len);
	memcpy(o->record, saved, size);
	str_fini(&ours);
	str_fini(&theirs);
	return same;
}

static enum class class_of(const struct oracle *o, const struct tep_event *event) {
	if (strstr(event->print_fmt.format, "%c")) return CHARS;
	for (const struct tep_print_arg *arg = event->print_fmt.args; arg; arg = arg->next) if (has_array(arg)) return ARRAYS;
	return o->machine->big_endian ? ORDER : TEXT;
}

static void compare(struct oracle *o, struct tally *t, const struct tep_event *event, const struct print_program *program, size_t size)
{
	int sig = print_theirs(o, o->record, size, &o->theirs);

	str_clear(&o->ours);
	print_run(program, o->record, size, &o->ours);
	t->records++;
	if (!sig && o->ours.len == o->theirs.len && !memcmp(str_text(&o->ours), str_text(&o->theirs), o->ours.len))
		return;
	if (sig == SIGFPE)
		note_difference(o, t, event, DIVIDES);
	else if (!sig && differs_by_signs(o, event, program, size))
		note_difference(o, t, event, SIGNS);
	else if (sig || reads_outside(o, size))
		note_difference(o, t, event, READS);
	else
		note_difference(o, t, event, class_of(o, event));
}

/* This checks our own reads, too: the record ends where the memory ends. */
static void compare_event(struct oracle *o, struct tally *t, struct tep_event *event, const struct print_program *program)
{
	uint64_t records = o->options->records / o->machine->share;
	VEC(unsigned long) flags = { 0 };

	o->generator.state = o->options->seed;
	for (const char *at = event->name; *at; at++)
		o->generator.state = o->generator.state * 31 + *at;
	generator_event(&o->generator, event);
	for (struct tep_format_field *f = event->format.fields; f; f = f->next)
		vec_push(&flags, f->flags);
	for (uint64_t i = 0; i < records; i++) {
		size_t size = generator_record(&o->generator, o->record), k = 0;

		compare(o, t, event, program, size);
		memcpy(o->fence - size, o->record, size);
		str_clear(&o->ours);
		print_run(program, o->fence - size, size, &o->ours);
		/* In lists of fields, libtraceevent never prints a field as a string again once its contents were no string. This undoes that. */
		for (struct tep_format_field *f = event->format.fields; f; f = f->next)
			f->flags = flags.at[k++];
	}
	vec_fini(&flags);
}

/* Some kernels list two events with the same id; libtraceevent finds only one of them. */
static bool is_chosen(const struct oracle *o, const struct tep_event *event)
{
	const char *only = o->options->only;
	__cleanup(free_ptr) char *name = str_printf("%s/%s", event->system, event->name);

	if (tep_find_event(o->tep, event->id) != event || (o->options->as == PRINT_PLUGIN) != !!event->handler)
		return false;
	return !only || (name && !strcmp(only, name));
}

static void compare_events(struct oracle *o, struct tally *t)
{
	struct tep_event **events = tep_list_events_copy(o->tep, TEP_EVENT_SORT_SYSTEM);

	for (size_t i = 0; events && events[i]; i++) {
		struct print_program *program;
		const char *why = "memory";

		if (!is_chosen(o, events[i]))
			continue;
		t->events++;
		if (print_compile(&program, events[i], &o->env, &why)) {
			if (o->machine == machines)
				printf("# not compiled: %s/%s: %s\n", events[i]->system, events[i]->name, why);
			continue;
		}
		t->compiled++;
		compare_event(o, t, events[i], program);
		print_free(program);
	}
	free(events);
}

static struct text kallsyms;
static char strings_text[] = "0xffffffff82000010 : \"rcu_sched\"\n0xffffffff82000018 : \"Start %s\\n\"\n"
			     "0x82000010 : \"half as long\"\n";
static struct text strings = { .at = strings_text, .size = sizeof(strings_text) - 1 };

static void add_addresses(struct generator *g, const struct text *text, unsigned int every)
{
	struct text rest = *text, line;

	for (unsigned int i = 0; text_line(&rest, &line); i++)
		if (i % every == 0)
			vec_push(&g->addresses, strtoull(line.at, NULL, 16));
}

static int oracle_machine(struct oracle *o, const struct text *formats, struct tally *t)
{
	struct tep_plugin_list *plugins = NULL;
	const struct machine *m = o->machine;
	struct symbols *symbols = NULL;
	struct printk *printk = NULL;

	o->tep = tep_alloc();
	if (!o->tep || symbols_new(&symbols, &kallsyms) || printk_new(&printk, &strings))
		return -ENOMEM;
	tep_set_file_bigendian(o->tep, m->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(o->tep, tep_is_bigendian());
	tep_set_long_size(o->tep, m->long_size);
	tep_parse_kallsyms(o->tep, kallsyms.at);
	tep_parse_printk_formats(o->tep, strings.at);
	if (o->options->as == PRINT_PLUGIN)
		plugins = tep_load_plugins(o->tep);
	formats_parse(o->tep, formats);
	o->generator = (struct generator){ .swap = m->big_endian };
	add_addresses(&o->generator, &kallsyms, 97);
	add_addresses(&o->generator, &strings, 1);
	o->env = (struct print_env){ symbols, printk, m->big_endian, m->long_size, o->options->as };
	compare_events(o, t);
	generator_fini(&o->generator);
	symbols_free(symbols);
	printk_free(printk);
	if (plugins)
		tep_unload_plugins(plugins, o->tep);
	tep_free(o->tep);
	return 0;
}

static void tap(const struct oracle *o, bool ok, const char *kernel, const char *what)
{
	static int n;
	const char *slash = strrchr(kernel, '/');

	printf("%sok %d - oracle: print programs%s, %s: %s\n", ok ? "" : "not ", ++n, o->options->as == PRINT_PLUGIN ? " for plug-ins" : "",
	       slash ? slash + 1 : kernel, what);
	fflush(stdout);
}

static int oracle_kernel(struct oracle *o, const char *kernel)
{
	__cleanup(free_ptr) char *share = NULL, *same = NULL;
	bool running = strcmp(kernel, "running") == 0, enough;
	struct text formats = { 0 };
	struct tally t = { 0 };
	int err = formats_read(kernel, &formats);

	for (size_t i = 0; i < ARRAY_LEN(machines) && !err; i++) {
		o->machine = &machines[i];
		err = oracle_machine(o, &formats, &t);
	}
	free(formats.at);
	if (err || !t.events)
		return err ?: fail(ENOENT, "%s: no events in it", kernel);
	share = str_printf("%u of %u events are compiled (%.2f %%)", t.compiled / 4, t.events / 4, t.compiled * 100.0 / t.events);
	same = str_printf("%lu records, %lu listed differences, %lu others", t.records, t.listed, t.unlisted);
	if (!share || !same)
		return -ENOMEM;
	if (o->options->as == PRINT_PLUGIN)
		enough = t.compiled >= NEEDED_PLUGINS * ARRAY_LEN(machines) || running;
	else
		enough = t.compiled * 100 >= t.events * NEEDED_SHARE;
	tap(o, enough || o->options->only, kernel, share);
	tap(o, !running ? !t.unlisted : !t.unexplained, kernel, same);
	strv_fini(&t.seen);
	return 0;
}

static int read_differences(const char *path, strv_t *listed)
{
	struct text text, rest, line;
	int err = io_slurp(path, &text);

	if (err)
		return fail(-err, "%s: %m", path);
	rest = text;
	while (text_line(&rest, &line) && !err) {
		char class[16], event[160];

		line.at[line.size] = '\0';
		if (*line.at != '#' && sscanf(line.at, "%15s %159s", class, event) == 2)
			err = strv_own(listed, str_printf("%s %s", class, event));
	}
	free(text.at);
	return err;
}

/* Makes the two places for records, and handles the signals of reads outside of them. */
static int oracle_init(struct oracle *o)
{
	struct sigaction action = { .sa_handler = on_fault, .sa_flags = SA_NODEFER };
	uint8_t *at = mmap(NULL, 4 * PAGE + SLACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at, PAGE, PROT_NONE) || mprotect(at + PAGE + SLACK, PAGE, PROT_NONE) ||
	    mprotect(at + 3 * PAGE + SLACK, PAGE, PROT_NONE))
		return fail(errno, "no memory for records: %m");
	o->record = at + PAGE;
	o->fence = at + 3 * PAGE + SLACK;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGFPE, &action, NULL);
	tep_set_loglevel(TEP_LOG_NONE);
	return 0;
}

int main(int argc, char **argv)
{
	struct options options = { .records = 40, .seed = 1 };
	struct oracle o = { .options = &options };
	int c, err = oracle_init(&o);

	while (!err && (c = getopt(argc, argv, "n:s:e:vlpd:")) != -1) {
		if (c == 'n')
			err = parse_u64(optarg, &options.records);
		else if (c == 's')
			err = parse_u64(optarg, &options.seed);
		else if (c == 'e')
			options.only = optarg;
		else if (c == 'v')
			options.verbose = true;
		else if (c == 'p')
			options.as = PRINT_PLUGIN;
		else if (c == 'l')
			options.list = true;
		else if (c == 'd')
			err = read_differences(optarg, &options.listed);
		else
			err = -EINVAL;
	}
	if (err || optind == argc)
		return fail(EINVAL, "usage: print-oracle [-p] [-n RECORDS] [-s SEED] [-e EVENT] [-v] [-l] "
				    "[-d DIFFERENCES] KERNEL...") != 0;
	if (io_slurp("/proc/kallsyms", &kallsyms))
		kallsyms = (struct text){ strdup("ffffffff81000000 T _text\n"), 25 };
	for (c = optind; c < argc && !err; c++)
		err = oracle_kernel(&o, argv[c]);
	printf("1..%d\n", 2 * (argc - optind));
	return err != 0;
}

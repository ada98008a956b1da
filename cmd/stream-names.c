/* SPDX-License-Identifier: GPL-2.0 */
/* ringside stream: names of tasks and functions that turn up while it runs. */
#include "cmd/stream.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/tracefs/meta.h"
#include <stdio.h>
#include <time.h>

/* The kernel's list of names is not read more often than so. */
#define UNKNOWN_NS 5000000ULL
#define ANYWAY_NS NSEC_PER_SEC

struct names {
	struct handler handler;
	struct handler *next;
	struct trace *trace;
	const struct tracedir *top;
	uint64_t read_ns;
	struct text modules;
	VEC(struct text *) kallsyms;	/* newer ones than the trace's, which the symbols borrow */
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

static bool is_known(const struct names *names, int pid)
{
	return comms_find(names->trace->comms, pid)[0] != '<' || !pid;
}

/* The name that a task has now; the kernel's list has it only once it has slept. */
static void ask_proc(const struct names *names, int pid)
{
	__cleanup(free_ptr) char *memory = NULL;
	struct text text = { 0 };
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (io_slurp(path, &text))
		return;
	memory = text.at;
	text.size -= text.size && text.at[text.size - 1] == '\n';
	comms_learn(names->trace->comms, pid, text.at, text.size);
}

static void read_names(struct names *names, uint64_t now)
{
	__cleanup(free_ptr) char *memory = NULL;

	names->read_ns = now;
	if (tracedir_read(names->top, "saved_cmdlines", &memory) == 0)
		comms_update(names->trace->comms, &(struct text){ memory, strlen(memory) });
}

/* The functions of modules that were loaded since. */
static void read_symbols(struct names *names)
{
	struct text *text = malloc(sizeof(*text));

	if (text && meta_kallsyms_again(&names->modules, text) && !vec_push(&names->kallsyms, text)) {
		symbols_renew(names->trace->symbols, text);
		return;
	}
	free(text);
}

static void read_again(struct names *names, uint64_t now)
{
	read_names(names, now);
	read_symbols(names);
}

static int names_records(struct handler *h, struct batch *batch)
{
	struct names *names = (struct names *)h;
	uint64_t now = now_ns();
	int last = 0;

	if (now - names->read_ns > ANYWAY_NS)
		read_again(names, now);
	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		int pid = rec->flags & RECORD_NODATA ? 0 : record_pid(names->trace, rec);

		if (pid == last || is_known(names, pid))
			continue;
		last = pid;
		if (now - names->read_ns > UNKNOWN_NS)
			read_names(names, now);
		if (!is_known(names, pid))
			ask_proc(names, pid);
	}
	return names->next->records(names->next, batch);
}

static int names_end(struct handler *h)
{
	struct handler *next = ((struct names *)h)->next;

	return next->end ? next->end(next) : 0;
}

static void names_free(struct handler *h)
{
	struct names *names = (struct names *)h;

	vec_each (&names->kallsyms, text) {
		free((*text)->at);
		free(*text);
	}
	vec_fini(&names->kallsyms);
	free(names->modules.at);
	free(names);
}

int stream_names_new(struct handler **out, struct handler *next, struct trace *trace, const struct tracedir *top)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names)
		return -ENOMEM;
	*names = (struct names){
		.handler = { .records = names_records, .end = names_end, .free = names_free },
		.next = next, .trace = trace, .top = top,
	};
	meta_modules_changed(&names->modules);
	*out = &names->handler;
	return 0;
}

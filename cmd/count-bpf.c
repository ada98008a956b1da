/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/count-bpf.h"
#include "lib/base/err.h"
#include "lib/event/trace.h"

#include <unistd.h>

/* --- can it? --------------------------------------------------------------------------------------------------- */

/* Returns why BPF programs cannot count this, or NULL if they can. */
static const char *beyond(const struct count_kernel *k)
{
	vec_each (&k->spec->keys, key)
		if (key->of != COUNT_EVENT && key->of != COUNT_CPU)
			return "BPF programs count by event and CPU only";
	return k->spec->sum ? "BPF programs do not add up fields" : k->filter ? "BPF programs know no conditions" : NULL;
}

/* Opens the programs, and makes room for the counts of each event on each CPU. CPU numbers have 16 bits, so the product does not overflow. */
static int open_tally(struct count_kernel *k, const struct tracedir *top, char **why_not)
{
	const struct tally_options options = { &k->counted_events, k->follows };
	int err;

	k->tally_options = options;
	err = tally_open(&k->tally, top, &k->tally_options, why_not);
	if (err)
		return err;
	k->tally_pid = getpid();
	k->tally_n = k->counted_events.n * tally_cpus(k->tally);
	k->now = calloc(MAX(k->tally_n, (size_t)1), sizeof(*k->now));
	k->told = calloc(MAX(k->tally_n, (size_t)1), sizeof(*k->told));
	return k->now && k->told ? 0 : -ENOMEM;
}

static int add_events(struct count_kernel *k)
{
	int err = 0;

	vec_each (&k->counted_events, name) {
		struct kernel_event event = { .name = strdup(*name) };

		err = err ? err : event.name ? vec_push(&k->events, event) : -ENOMEM;
		if (err)
			free(event.name);
	}
	return err;
}

int count_bpf_plan(struct count_kernel *k, const struct tracedir *top, const strv_t *events, char **why_not)
{
	const char *reason = beyond(k);
	int err = 0;

	*why_not = NULL;
	if (reason) {
		*why_not = strdup(reason);
		return *why_not ? 1 : -ENOMEM;
	}
	vec_each (events, name)
		err = err ? err : strv_add(&k->counted_events, *name);
	err = err ? err : open_tally(k, top, why_not);
	err = err ? err : add_events(k);
	if (err)
		count_bpf_fini(k);
	return err;
}

/* --- counting ---------------------------------------------------------------------------------------------------- */

/* With -r, each run is a process that loads its own programs, because the programs leave out the events of their own process. */
int count_bpf_prepare(struct count_kernel *k, struct session *session)
{
	__cleanup(free_ptr) char *why_not = NULL;
	int err;

	if (k->tally_pid == getpid())
		return 0;
	tally_close(take(k->tally));
	free(take(k->now));
	free(take(k->told));
	err = open_tally(k, session_dir(session), &why_not);
	return err > 0 ? fail(EOPNOTSUPP, "%s", why_not) : err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

/* Follows the tasks in the kernel's list, to which the kernel adds children itself. The list is read twice, because a child may be added while it is read. */
static int follow(struct count_kernel *k)
{
	for (unsigned int round = 0; round < 2; round++) {
		__cleanup(free_ptr) char *text = NULL;
		strv_t pids = { 0 };
		int err = tracedir_read(&k->inst->dir, "set_event_pid", &text);

		err = err ? err : strv_split(&pids, text, "\n ");
		vec_each (&pids, pid)
			tally_follow(k->tally, atoi(*pid));
		strv_fini(&pids);
		if (err)
			return fail(-err, "set_event_pid: %s", strerror(-err));
	}
	return ask_kernel_alone(k->inst);
}

int count_bpf_ready(struct count_kernel *k)
{
	int err = k->follows ? follow(k) : 0;
	int run = err ? 0 : tally_run(k->tally, true);

	return run ? fail(-run, "the BPF programs that count cannot be started: %s", strerror(-run)) : err;
}

int count_bpf_read(struct count_kernel *k)
{
	int err = tally_read(k->tally, k->now);

	return err ? fail(-err, "what the BPF programs have counted cannot be read: %s", strerror(-err)) : 0;
}

int count_bpf_fill(struct count_kernel *k, struct reading *reading, struct counts *counts)
{
	const size_t cpus = tally_cpus(k->tally);
	int err = 0;

	for (size_t i = 0; i < k->counted_events.n; i++) {
		const struct event *event = trace_find_said(reading->inputs.at[0].trace, k->counted_events.at[i]);
		const struct common common = { .id = event ? (uint16_t)event->id : (uint16_t)0 };

		for (size_t cpu = 0; event && cpu < cpus && !err; cpu++) {
			const size_t at = i * cpus + cpu;
			const struct record rec = { .cpu = (uint16_t)cpu, .data = &common, .size = sizeof(common) };

			k->counted += k->now[at];
			if (k->now[at] > k->told[at])
				err = counts_add(counts, &rec, NULL, k->now[at] - k->told[at], 0);
			k->told[at] = k->now[at];
		}
	}
	counts->lost = tally_missed(k->tally);
	return err;
}

void count_bpf_fini(struct count_kernel *k)
{
	tally_close(take(k->tally));
	free(take(k->now));
	free(take(k->told));
	strv_fini(&k->counted_events);
}

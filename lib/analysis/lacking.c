/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/lacking.h"
#include "lib/analysis/sched.h"

static struct key key_of(uint8_t file, int pid, uint16_t cpu)
{
	return (struct key){ file, (uint32_t)pid, pid ? 0 : cpu };
}

static int make_lacking(struct handler **out, struct reading *reading, __unused void *options)
{
	const struct sched_options opt = { .whole = true };
	struct sched *sched;
	int err = sched_new(&sched, &reading->inputs, &opt);

	*out = err ? NULL : &sched->handler;
	return err;
}

/*
 * Returns the buffer whose events make pairs, or -1. It is the buffer with the earliest sched_switch. If this buffer has no wakeups, and another buffer has both
 * switches and wakeups, it is the first such buffer.
 */
static int buffer_of(const struct sched_input *in)
{
	const uint64_t woken = in->tellers[SCHED_WAKING] | in->tellers[SCHED_WAKEUP] | in->tellers[SCHED_WAKEUP_NEW];
	const uint64_t both = in->tellers[SCHED_SWITCH] & woken;
	const int buffer = in->buffer[SCHED_SWITCH];

	return buffer < 0 || !both || both & 1ULL << MIN(buffer, 63) ? buffer : __builtin_ctzll(both);
}

static int keep_lacking(struct handler *h, struct reading *reading, void *options)
{
	struct sched *sched = container_of(h, struct sched, handler);
	struct lacking *lacking = options;
	int err = 0;

	for (size_t i = 0; !err && i < reading->inputs.n; i++) {
		const struct sched_input *in = &sched->inputs.at[i];

		err = vec_push(&lacking->files, (struct lacking_file){ sched_find_whole(sched, (uint8_t)i), buffer_of(in), in->several });
	}
	vec_each (&sched->tasks, task)
		if (!err && !task->whole && keys_index(&lacking->tasks, key_of(task->file, task->pid, task->cpu)) < 0)
			err = -ENOMEM;
	return err;
}

static const struct analysis lacking_analysis = {
	.name = "sched",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_ALL_CPUS,
	.folds = calls_fold,
	.make = make_lacking,
	.show = keep_lacking,
};

/* Does a file describe sched_switch? */
static bool has_switches(const struct reading *reading)
{
	vec_each (&reading->inputs, input)
		if (trace_find(input->trace, "sched", "sched_switch"))
			return true;
	return false;
}

/*
 * Whether a task lacks switches is known only at the end of the recording. The more records there are, the better it is known. So this reads the records of all
 * times, and the records that filters leave out.
 */
static int read_all(struct reading *whole, struct lacking *lacking)
{
	struct reading reading;
	int err = 0;

	if (!has_switches(whole)) {
		for (size_t i = 0; !err && i < whole->inputs.n; i++)
			err = vec_push(&lacking->files, (struct lacking_file){ .buffer = -1 });
		return err;
	}
	err = reading_share(&reading, whole);

	reading.hush = true;
	reading.align = reading.check_order = reading.has_cpus = false;
	reading.since = reading.until = NULL;
	reading.from = reading.to = 0;
	reading_choose_all(&reading);
	err = err ? err : reading_take(&reading, &lacking_analysis, lacking);
	reading_again(&reading);
	return err;
}

int lacking_find(struct reading *reading)
{
	struct reading *owner = reading;
	int err = 0;

	while (owner->shares)
		owner = owner->shares;
	if (owner->live)
		return 0;
	if (!owner->lacking) {
		owner->lacking = calloc(1, sizeof(*owner->lacking));
		err = owner->lacking ? read_all(owner, owner->lacking) : -ENOMEM;
		/* reading_take() has said it. */
		reading->pass.said |= owner->lacking && err == -ENOMEM;
	}
	reading->lacking = owner->lacking;
	return err;
}

int lacking_leave_out(struct reading *reading)
{
	int err = lacking_find(reading);

	vec_each (&reading->inputs, input)
		input->lacking = reading->lacking;
	return err;
}

int lacking_find_for(struct reading *reading, const struct pair *pair)
{
	return pair_switch_key(pair) < 0 ? 0 : lacking_leave_out(reading);
}

void lacking_free(struct lacking *lacking)
{
	if (!lacking)
		return;
	keys_fini(&lacking->tasks);
	vec_fini(&lacking->files);
	free(lacking);
}

bool lacking_some(const struct reading *reading)
{
	return reading->lacking && map_count(&reading->lacking->tasks.all);
}

bool lacking_has(const struct lacking *lacking, uint8_t file, int pid, uint16_t cpu)
{
	return lacking && keys_find(&lacking->tasks, key_of(file, pid, cpu)) >= 0;
}

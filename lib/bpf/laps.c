/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/bpf/laps.h"
#include "lib/base/io.h"
#include "lib/bpf/laps-code.h"

#include <fcntl.h>
#include <unistd.h>

/* --- what is read -------------------------------------------------------------------------------------------------- */

/* The most bytes of a condition that a message shows. -p makes long conditions for processes with many threads. */
enum { MOST_TOLD = 80 };

static int find_filter(struct laps *l, struct side *side, char **why_not)
{
	if (!side->said->filter || bpf_condition_parse(&side->filter, &l->types, side->said->event, side->said->filter))
		return 0;
	*why_not = str_printf("BPF programs do not know the condition '%.*s%s' of %s", MOST_TOLD, side->said->filter,
			      strlen(side->said->filter) > MOST_TOLD ? "…" : "", side->said->event);
	return -EOPNOTSUPP;
}

/* Returns true if the field is a small number, so that each value can have a slot. */
static bool is_index(const struct bpf_field *field, const char *name)
{
	return field->kind == BPF_FIELD_TASK || field->kind == BPF_FIELD_CPU || (field->kind == BPF_FIELD_MEMBER && str_ends(name, "pid"));
}

static int find_keys(struct laps *l, struct side *side, char **why_not)
{
	for (size_t i = 0; i < l->options->nkeys; i++) {
		if (!bpf_field_find(&l->types, side->said->event, side->said->keys[i], &side->keys[i]) || side->keys[i].kind == BPF_FIELD_TEXT) {
			*why_not = str_printf("BPF programs do not read the field %s of %s", side->said->keys[i], side->said->event);
			return -EOPNOTSUPP;
		}
	}
	return 0;
}

/* Makes the task or the CPU the first key of both sides. */
static int order_keys(struct laps *l, char **why_not)
{
	const size_t n = l->options->nkeys;

	for (size_t i = 0; i < n; i++) {
		if (!is_index(&l->from.keys[i], l->from.said->keys[i]) || !is_index(&l->to.keys[i], l->to.said->keys[i]))
			continue;
		swap(l->from.keys[0], l->from.keys[i]);
		swap(l->to.keys[0], l->to.keys[i]);
		return 0;
	}
	*why_not = str_printf("BPF programs pair events by a task or a CPU");
	return -EOPNOTSUPP;
}

/* If both events are those of system calls and the key is the task, uses the address of the task's registers as the key. This costs no call of a helper. */
static void use_registers(struct laps *l)
{
	const bool tasks = l->options->nkeys == 1 && l->from.keys[0].kind == BPF_FIELD_TASK && l->to.keys[0].kind == BPF_FIELD_TASK;

	l->syscalls = tasks && !strcmp(l->from.said->event, "raw_syscalls:sys_enter") && !strcmp(l->to.said->event, "raw_syscalls:sys_exit") &&
		      bpf_types_tracepoint(&l->types, "sched_process_exit");
	if (l->syscalls)
		l->from.keys[0] = l->to.keys[0] = BPF_FIELD_REGISTERS;
}

static int find_side(struct laps *l, const char *dynamic, struct side *side, char **why_not)
{
	int err;

	side->tracepoint = bpf_tracepoint(dynamic, side->said->event);
	if (!side->tracepoint) {
		*why_not = str_printf("%s is no tracepoint of the kernel", side->said->event);
		return -EOPNOTSUPP;
	}
	err = find_filter(l, side, why_not);
	err = err ? err : find_keys(l, side, why_not);
	side->typed = bpf_condition_typed(&side->filter);
	for (size_t i = 0; i < l->options->nkeys; i++)
		side->typed |= bpf_field_typed(&side->keys[i]);
	return err;
}

/* Lists the fields of the second event that a program can read. They are kept for the longest time. */
static void find_kept(struct laps *l)
{
	size_t numbers = 0, texts = 0;
	const char *name;

	for (size_t i = 0; (name = bpf_field_name(l->to.said->event, i)); i++) {
		struct kept kept = { .name = name };

		if (!bpf_field_find(&l->types, l->to.said->event, name, &kept.field))
			continue;
		if (kept.field.kind == BPF_FIELD_TEXT ? texts == LAPS_TEXTS : numbers == LAPS_NUMBERS)
			continue;
		kept.at = kept.field.kind == BPF_FIELD_TEXT ? texts++ : numbers++;
		l->to.typed |= bpf_field_typed(&kept.field);
		l->kept[l->nkept++] = kept;
	}
}

/* --- all together ---------------------------------------------------------------------------------------------------- */

/* Returns how many slots there are: one for each possible task or CPU, up to a limit. */
static size_t slots_of(const struct laps *l)
{
	__cleanup(close_fd) int fd = open("/proc/sys/kernel/pid_max", O_RDONLY | O_CLOEXEC);
	const uint64_t room = SLOTS_SIZE >> l->slot_bits;
	uint64_t most = room, n = 1;
	char text[32] = "";

	if (l->from.keys[0].kind == BPF_FIELD_CPU)
		most = l->cpus;
	else if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0)
		most = strtoull(text, NULL, 10);
	while (n < MIN(most, room))
		n *= 2;
	return n;
}

/* Makes a slot for each possible stack in 4 GB. A kernel that makes no element of this size gets slots for 2 GB. */
static int make_stack_slots(struct laps *l)
{
	__cleanup(free_ptr) char *too_large = NULL;
	const size_t size = (1ULL << 32) >> (STACK_BITS - SMALL_SLOT_BITS);
	int fd = bpf_array(size + sizeof(struct slot), 1, &too_large);

	l->half = fd < 0;
	return fd;
}

static int make_slots(struct laps *l, char **why_not)
{
	int fd = l->syscalls ? make_stack_slots(l) : -1;

	if (fd >= 0)
		return fd;
	l->slot_bits = l->options->nkeys > 1 ? SLOT_BITS : SMALL_SLOT_BITS;
	l->nslots = slots_of(l);
	return bpf_array(l->half ? SLOTS_SIZE / 2 + sizeof(struct slot) : l->nslots << l->slot_bits, 1, why_not);
}

/* Makes the map of the times. Programs find them fastest if one element has those of all CPUs. With many CPUs, this can be too large for the kernel. */
static int make_times(struct laps *l, char **why_not)
{
	__cleanup(free_ptr) char *too_large = NULL;
	int fd = bpf_array_mapped(sizeof(*l->counted) * l->cpus, 1, (void **)&l->counted, &too_large);

	l->apart = fd < 0;
	if (l->apart)
		fd = bpf_array_mapped(sizeof(*l->counted), l->cpus, (void **)&l->counted, why_not);
	for (size_t cpu = 0; fd >= 0 && cpu < l->cpus; cpu++)
		l->counted[cpu].limit = UINT64_MAX;
	return fd;
}

static int make_maps(struct laps *l, char **why_not)
{
	l->slots = make_slots(l, why_not);
	l->times = l->slots < 0 ? -1 : make_times(l, why_not);
	return l->times < 0 ? -EOPNOTSUPP : 0;
}

/* Loads a program. Attached to its tracepoint, it would measure at once, so it is detached until measuring begins. */
static int load(struct laps *l, struct bpf_code *c, const char *tracepoint, bool typed, struct bpf_program *out, char **why_not)
{
	int err = bpf_program_load(out, c, tracepoint, typed ? &l->types : NULL, why_not);

	err = err ? err : bpf_program_attach(out, tracepoint, why_not);
	bpf_program_detach(out);
	code_fini(c);
	return err;
}

static int make_programs(struct laps *l, char **why_not)
{
	struct bpf_code begin = { 0 }, end = { 0 }, gone = { 0 };
	int err;

	laps_code_end(l, &end);
	err = load(l, &end, l->to.tracepoint, l->to.typed, &l->end, why_not);
	if (err)
		return err;
	laps_code_begin(l, &begin);
	err = load(l, &begin, l->from.tracepoint, l->from.typed, &l->begin, why_not);
	if (err || !l->syscalls)
		return err;
	laps_code_gone(l, &gone);
	return load(l, &gone, "sched_process_exit", false, &l->gone, why_not);
}

int laps_open(struct laps **out, const struct tracedir *top, const struct laps_options *options, char **why_not)
{
	__cleanup(free_ptr) char *dynamic = NULL;
	struct laps *l = calloc(1, sizeof(*l));
	int err;

	*why_not = NULL;
	if (!l)
		return -ENOMEM;
	l->options = options;
	l->from.said = &options->from;
	l->to.said = &options->to;
	l->slots = l->times = -1;
	l->begin = l->end = l->gone = (struct bpf_program)BPF_PROGRAM_NONE;
	l->cpus = bpf_cpus();
	tracedir_read(top, "dynamic_events", &dynamic);
	err = find_side(l, dynamic, &l->from, why_not);
	err = err ? err : find_side(l, dynamic, &l->to, why_not);
	err = err ? err : order_keys(l, why_not);
	if (!err) {
		use_registers(l);
		find_kept(l);
		err = make_maps(l, why_not);
	}
	err = err ? err : make_programs(l, why_not);
	if (err)
		laps_close(l);
	else
		*out = l;
	return !err ? 0 : *why_not ? 1 : -ENOMEM;
}

/* Attaches the program of the second event first, so that no time begins before its end can be seen. */
int laps_begin(struct laps *l)
{
	__cleanup(free_ptr) char *why_not = NULL;
	int err = bpf_program_attach(&l->end, l->to.tracepoint, &why_not);

	if (!err && l->syscalls)
		err = bpf_program_attach(&l->gone, "sched_process_exit", &why_not);
	return err ? err : bpf_program_attach(&l->begin, l->from.tracepoint, &why_not);
}

void laps_end(struct laps *l)
{
	bpf_program_detach(&l->begin);
	bpf_program_detach(&l->end);
	bpf_program_detach(&l->gone);
}

size_t laps_cpus(const struct laps *l)
{
	return l->cpus;
}

void laps_read(const struct laps *l, size_t cpu, struct laps_times *out)
{
	const uint64_t *grown = l->counted[cpu].times.shorts;

	*out = l->counted[cpu].times;
	for (uint64_t ns = 0; ns < LAPS_SHORTS; ns++) {
		const uint64_t at = ns ? LAPS_SHORTS - ns : 0;
		const uint64_t n = at ? grown[at] / (at * sizeof(uint64_t)) : 0;

		out->shorts[ns] = n;
		out->sum += n * ns;
		out->least = n ? MAX(out->least, ~ns) : out->least;
	}
}

const char *laps_field(const struct laps *l, size_t i, bool *text, size_t *at, size_t *size)
{
	if (i >= l->nkept)
		return NULL;
	*text = l->kept[i].field.kind == BPF_FIELD_TEXT;
	*at = l->kept[i].at;
	*size = l->kept[i].field.kind == BPF_FIELD_MEMBER ? l->kept[i].field.size : sizeof(uint64_t);
	return l->kept[i].name;
}

uint64_t laps_missed(const struct laps *l)
{
	return bpf_program_missed(&l->begin) + bpf_program_missed(&l->end);
}

void laps_close(struct laps *l)
{
	if (!l)
		return;
	bpf_program_close(&l->begin);
	bpf_program_close(&l->end);
	bpf_program_close(&l->gone);
	bpf_array_unmap(l->counted, sizeof(*l->counted) * l->cpus);
	close_fd(&l->slots);
	close_fd(&l->times);
	bpf_types_fini(&l->types);
	free(l);
}

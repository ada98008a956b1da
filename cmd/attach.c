/* SPDX-License-Identifier: GPL-2.0 */
/* ringside attach: links the files of a host and of its guest, which were recorded separately, so that they are read together. */
#include "cmd/commands.h"
#include "lib/base/err.h"
#include "lib/base/pool.h"
#include "lib/data/assemble.h"
#include "lib/data/rewrite.h"
#include "lib/event/trace.h"

#include <inttypes.h>
#include <stdio.h>

/* A virtual CPU and the host's task that runs it. */
struct vcpu {
	uint32_t cpu;
	int32_t pid;
};

struct attach {
	uint64_t cpus;			/* number of the guest's CPUs; 0: what its file says */
	VEC(struct time_sample) shifts; /* by CPU; the last one is for all further CPUs */
	VEC(int32_t) pids;
	VEC(struct vcpu) vcpus;	 /* found in the host's file, in ascending order */
	VEC(struct vcpu) others; /* virtual CPUs of tasks that were not named */
	struct datfile *host, *guest;
};

/* --- which task runs which CPU -------------------------------------------------------------------------------- */

/* The events that tell which task runs which virtual CPU, and their fields. */
struct kvm_events {
	struct trace *trace;
	struct {
		const struct event *event;
		struct field vcpu;
	} rows[2];
};

static int find_events(struct kvm_events *out, const struct datfile *host)
{
	static const char *const names[] = { "kvm_entry", "kvm_exit" };
	bool any = false;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		out->rows[i].event = trace_find(out->trace, "kvm", names[i]);
		if (out->rows[i].event && !format_field(out->rows[i].event->format, "vcpu_id", &out->rows[i].vcpu))
			out->rows[i].event = NULL;
		any |= out->rows[i].event != NULL;
	}
	return any ? 0
		   : fail(ENODATA,
			  "%s has no events kvm_entry and kvm_exit with a field vcpu_id, which tell the guest's CPUs: record "
			  "the host with -e kvm",
			  host->path);
}

static bool knows(const struct vcpu *at, size_t n, int32_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (at[i].pid == pid)
			return true;
	return false;
}

static int take_record(struct attach *a, const struct kvm_events *kvm, const struct record *rec)
{
	struct common common;
	uint64_t cpu;

	if (rec->flags & RECORD_NODATA)
		return 0;
	common = record_common(kvm->trace, rec);
	for (size_t i = 0; i < ARRAY_LEN(kvm->rows); i++) {
		bool named = false;

		if (!kvm->rows[i].event || kvm->rows[i].event->id != common.id || !field_get(&kvm->rows[i].vcpu, rec->data, rec->size, kvm->trace->swap, &cpu))
			continue;
		vec_each (&a->pids, pid)
			named |= *pid == common.pid;
		if (named && !knows(a->vcpus.at, a->vcpus.n, common.pid))
			return vec_push(&a->vcpus, (struct vcpu){ (uint32_t)cpu, common.pid });
		if (!named && a->others.n < 16 && !knows(a->others.at, a->others.n, common.pid))
			return vec_push(&a->others, (struct vcpu){ (uint32_t)cpu, common.pid });
	}
	return 0;
}

static int by_cpu(const void *a, const void *b)
{
	const struct vcpu *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static int walk(struct attach *a, const struct kvm_events *kvm, struct pool *pool)
{
	struct merge_input input = { .file = a->host };
	struct merge *merge;
	struct batch *batch;
	int got, err = merge_open(&merge, &input, 1, pool);

	if (err)
		return err;
	while (!err && (got = merge_next(merge, &batch)) != 0) {
		err = MIN(got, 0);
		for (size_t i = 0; !err && i < batch->n; i++)
			err = take_record(a, kvm, &batch->records[i]);
		if (got > 0)
			batch_put(batch);
	}
	merge_close(merge);
	return err;
}

static int say_none(const struct attach *a)
{
	__cleanup(free_ptr) char *list = NULL;
	strv_t names = { 0 };

	vec_each (&a->others, vcpu)
		strv_own(&names, str_printf("%d (CPU %u)", (int)vcpu->pid, vcpu->cpu));
	list = join_names(&names, "; these do: ", "");
	strv_fini(&names);
	return fail(ESRCH, "none of the tasks given runs a virtual CPU in %s%s", a->host->path, list ? list : "");
}

static int find_cpus(struct attach *a, struct pool *pool)
{
	struct trace_options options = { .no_plugins = true };
	struct kvm_events kvm = { 0 };
	int err = trace_open(&kvm.trace, &a->host->meta, &options, 0);

	if (err)
		return err;
	err = find_events(&kvm, a->host);
	err = err ? err : walk(a, &kvm, pool);
	trace_close(kvm.trace);
	if (!err && !a->vcpus.n)
		err = say_none(a);
	if (a->vcpus.n)
		qsort(a->vcpus.at, a->vcpus.n, sizeof(*a->vcpus.at), by_cpu);
	return err;
}

/* --- what the files are told ---------------------------------------------------------------------------------- */

/* Adds the guest and its CPUs to the host's file. Sets *@is to true if the host knows the guest already. */
static int tell_host(struct attach *a, bool *is)
{
	struct metadata *host = &a->host->meta;
	struct guest guest = { .trace_id = a->guest->meta.trace_id };

	vec_each (&host->guests, one)
		*is |= one->trace_id == guest.trace_id;
	if (*is)
		return 0;
	guest.name = strdup("");
	if (!guest.name)
		return fail(ENOMEM, "out of memory");
	vec_each (&a->vcpus, vcpu) {
		__typeof__(*guest.cpus.at) row = { vcpu->cpu, vcpu->pid };

		if (vec_push(&guest.cpus, row))
			return fail(ENOMEM, "out of memory");
	}
	return vec_push(&host->guests, guest) ? fail(ENOMEM, "out of memory") : 0;
}

/* Tells the guest's file how its times become the host's. */
static int tell_guest(struct attach *a)
{
	struct time_shift *shift = &a->guest->meta.time_shift;

	vec_each (&shift->cpus, cpu)
		vec_fini(&cpu->samples);
	shift->cpus.n = 0;
	shift->present = true;
	shift->peer_id = a->host->meta.trace_id;
	shift->flags = 0;
	for (uint64_t cpu = 0; cpu < a->cpus; cpu++) {
		__typeof__(*shift->cpus.at) row = { 0 };

		if (vec_push(&row.samples, a->shifts.at[MIN(cpu, a->shifts.n - 1)]) || vec_push(&shift->cpus, row))
			return fail(ENOMEM, "out of memory");
	}
	a->guest->meta.tsc2nsec = a->host->meta.tsc2nsec;
	return 0;
}

/* Writes the file again in its place, with its own version and compression. */
static int rewrite_file(struct datfile *file, struct pool *pool)
{
	struct write_options how = { .version = file->version, .codec = file->codec, .pool = pool };
	struct rewrite rewrite = { 0 };
	uint64_t size;
	int err = rewrite_init(&rewrite, file);

	if (!err && rewrite.damaged)
		err = fail(EINVAL, "%s is damaged and stays as it is; `ringside convert` saves what can be read of it", file->path);
	err = err ? err : assemble(file->path, &file->meta, rewrite.buffers.at, rewrite.buffers.n, &how, &size);
	rewrite_fini(&rewrite);
	return err;
}

/* --- the command ---------------------------------------------------------------------------------------------- */

static int check_files(struct attach *a)
{
	const struct metadata *host = &a->host->meta, *guest = &a->guest->meta;
	__cleanup(free_ptr) char *clock = clock_name(&guest->trace_clock);

	if (!guest->trace_id)
		return fail(EINVAL, "%s has no trace id, by which its host would know it: was it recorded by ringside or trace-cmd 2.9 or later?",
			    a->guest->path);
	if (guest->trace_id == host->trace_id)
		return fail(EINVAL, "%s and %s are the same recording", a->host->path, a->guest->path);
	if (!host->tsc2nsec.present)
		return fail(EINVAL, "%s does not say what a tick of its TSC is: record the host with -C tsc2nsec", a->host->path);
	if (clock && *clock && strcmp(clock, "x86-tsc") != 0)
		return fail(EINVAL, "%s has the clock %s, and only ticks of the TSC become the host's: record the guest with -C x86-tsc", a->guest->path,
			    clock);
	if (!a->cpus)
		a->cpus = guest->ncpus;
	return 0;
}

static int attach(struct attach *a, struct pool *pool)
{
	bool is = false;
	int err = check_files(a);

	err = err ? err : find_cpus(a, pool);
	err = err ? err : tell_host(a, &is);
	err = err ? err : tell_guest(a);
	err = err ? err : rewrite_file(a->guest, pool);
	if (err || is) {
		if (!err)
			printf("%s knows the guest %s (id %#" PRIx64 ") already\n", a->host->path, a->guest->path, a->guest->meta.trace_id);
		return err;
	}
	err = rewrite_file(a->host, pool);
	if (err)
		return err;
	printf("%s: guest %s, id %#" PRIx64 "\n", a->host->path, a->guest->path, a->guest->meta.trace_id);
	vec_each (&a->vcpus, vcpu)
		printf("  CPU %u is task %d\n", vcpu->cpu, (int)vcpu->pid);
	return 0;
}

/* Handles -s OFFSET[,SCALE[,FRACTION[,TIME]]]. */
static int add_shift(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct attach *a = ctx;
	int64_t numbers[4] = { 0, 1, 0, 0 };
	strv_t words = { 0 };
	int err = strv_split(&words, value, ",");

	if (!err && (!words.n || words.n > ARRAY_LEN(numbers)))
		err = -EINVAL;
	for (size_t i = 0; !err && i < words.n; i++)
		err = parse_s64(words.at[i], &numbers[i]);
	strv_fini(&words);
	if (err == -ENOMEM)
		return err;
	if (err || !numbers[1] || numbers[2] < 0 || numbers[2] > 63)
		return fail(EINVAL, "-s %s: OFFSET[,SCALE[,FRACTION[,TIME]]] is wanted: whole numbers, the scale not 0, at most 63 bits of fraction", value);
	return vec_push(&a->shifts, (struct time_sample){ .offset = numbers[0], .scaling = numbers[1], .fraction = numbers[2], .time = numbers[3] });
}

static const struct opt options[] = {
	{ OPT_U64, 'c', .name = "cpus", .arg = "NUMBER", .offset = OPT_TO(struct attach, cpus),
	  .help = "take this as the number of the guest's CPUs (default: the number in GUEST-FILE)" },
	{ OPT_CALL, 's', .name = "shift", .arg = "OFFSET,...", .call = add_shift,
	  .help = "OFFSET[,SCALE[,FRACTION[,TIME]]]: convert the guest's clock ticks to the host's, by (ticks * SCALE >> FRACTION) + OFFSET; SCALE is a factor "
		  "(default: 1), FRACTION is a number of bits (default: 0), and TIME is the guest's time from which the numbers apply (default: 0); give -s once for "
		  "each CPU of the guest; the last -s also applies to all further CPUs" },
	OPT_END,
};

static int open_and_attach(struct attach *a, const char *host, const char *guest)
{
	struct pool *pool = NULL;
	int err = datfile_open(&a->host, host);

	err = err ? err : datfile_open(&a->guest, guest);
	if (!err && (err = pool_new(&pool, pool_default_threads())))
		fail(-err, "cannot start threads: %s", strerror(-err));
	err = err ? err : attach(a, pool);
	pool_free(pool);
	return err;
}

static int run_parsed(struct attach *a, int n, char **words)
{
	enum { MOST_CPUS = 4096 };

	if (n < 3)
		return usage(&cmd_attach, "it needs the host's file, the guest's file, and the tasks of the host that run the guest's CPUs");
	if (!a->shifts.n)
		return usage(&cmd_attach, "it needs -s OFFSET, the negative of what tsc-offset in /sys/kernel/debug/kvm/PID-FD/vcpu0 reads");
	if (a->cpus > MOST_CPUS)
		return usage(&cmd_attach, "-c %" PRIu64 ": this is not a possible number of CPUs", a->cpus);
	for (int i = 2; i < n; i++) {
		uint64_t pid;

		if (parse_u64(words[i], &pid) || !pid || pid > INT32_MAX)
			return usage(&cmd_attach, "'%s' is no process id", words[i]);
		if (vec_push(&a->pids, (int32_t)pid))
			return 1;
	}
	return open_and_attach(a, words[0], words[1]) ? 1 : 0;
}

static int run(int argc, char **argv)
{
	struct attach a = { 0 };
	char **words;
	int n = opt_parse(&cmd_attach, &a, argc, argv, &words);
	int status = n < 0 ? opt_status(n) : run_parsed(&a, n, words);

	datfile_close(a.host);
	datfile_close(a.guest);
	vec_fini(&a.shifts);
	vec_fini(&a.pids);
	vec_fini(&a.vcpus);
	vec_fini(&a.others);
	return status;
}

const struct cmd cmd_attach = {
	.name = "attach",
	.synopsis = "[OPTION...] HOST-FILE GUEST-FILE PID...",
	.summary = "let the trace files of a host and of its guest be read together",
	.details = "The two files must have been recorded at the same time: the host's file with the options -C tsc2nsec -e kvm, and the guest's file\n"
		   "with -C x86-tsc. Each PID is the id of a task on the host; the task runs a CPU of the guest. PID... may also include\n"
		   "other tasks of the emulator.\n"
		   "At least one -s is needed. Its OFFSET is the negative of the number in the file /sys/kernel/debug/kvm/PID-FD/vcpu0/tsc-offset of the\n"
		   "host. The guest's file is rewritten. The host's file is rewritten, too, unless it already names this guest.\n"
		   "  ringside attach -s 27950965013436847 host.dat guest.dat $(ls /proc/$(pidof qemu-system-x86_64)/task)\n"
		   "  ringside report -i host.dat -i guest.dat",
	.opts = options,
	.operands = "files",
	.run = run,
};

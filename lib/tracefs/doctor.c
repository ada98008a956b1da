/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/tracefs/doctor.h"

#include "lib/base/io.h"
#include "lib/tracefs/ksyms.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/select.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

static enum doctor_answer answer(bool yes)
{
	return yes ? DOCTOR_YES : DOCTOR_NO;
}

/* --- who and where we are --------------------------------------------------------------------------------- */

static enum doctor_answer kernel(const struct doctor *d __unused, const char *arg __unused, struct str *detail)
{
	struct utsname u;

	if (!uname(&u))
		str_addf(detail, "%s %s, %ld CPUs", u.release, u.machine, sysconf(_SC_NPROCESSORS_ONLN));
	return DOCTOR_FACT;
}

static enum doctor_answer container(const struct doctor *d __unused, const char *arg __unused, struct str *detail)
{
	static const char *const marks[] = { "/.dockerenv", "/run/.containerenv", "/run/systemd/container" };
	const char *in = NULL;

	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (!in && !access(marks[i], F_OK))
			in = marks[i];
	if (in)
		str_addf(detail, "ringside runs in one (%s); its kernel is the host's", in);
	else
		str_add(detail, "there is no sign of one");
	return DOCTOR_FACT;
}

static enum doctor_answer is_root(const struct doctor *d __unused, const char *arg __unused, struct str *detail)
{
	if (geteuid())
		str_addf(detail, "user id %u", (unsigned int)geteuid());
	return answer(!geteuid());
}

static enum doctor_answer administers(const struct doctor *d __unused, const char *arg __unused, struct str *detail __unused)
{
	return answer(may_administer());
}

static enum doctor_answer not_locked_down(const struct doctor *d __unused, const char *arg __unused, struct str *detail)
{
	bool locked = kernel_locked_down();

	str_add(detail, locked ? "the kernel is locked down" : "");
	return answer(!locked);
}

static enum doctor_answer mounted(const struct doctor *d, const char *arg __unused, struct str *detail)
{
	__cleanup(free_ptr) char *at = d->dir ? strdup(d->dir->path) : tracedir_mounted();

	str_add(detail, at ? at : "");
	return answer(at);
}

/* Can we look into tracefs? The file @arg is in it. */
static enum doctor_answer can_be_opened(const struct doctor *d, const char *arg, struct str *detail)
{
	__cleanup(free_ptr) char *at = d->dir ? NULL : tracedir_mounted();
	__cleanup(free_ptr) char *file = at ? str_printf("%s/%s", at, arg) : NULL;

	if (file && eaccess(file, R_OK))
		str_addf(detail, "%s: %s", at, strerror(errno));
	return d->dir ? DOCTOR_YES : at ? DOCTOR_NO : DOCTOR_UNSEEN;
}

/* Can we write to the file @arg? Opening it changes nothing. */
static enum doctor_answer writable(const struct doctor *d, const char *arg, struct str *detail)
{
	__cleanup(close_fd) int fd = tracedir_fd(d->dir, arg, O_WRONLY);

	if (fd < 0)
		str_addf(detail, "%s: %s", arg, strerror(-fd));
	return answer(fd >= 0);
}

/* --- what the kernel has ----------------------------------------------------------------------------------- */

static enum doctor_answer tracer(const struct doctor *d, const char *arg, struct str *detail __unused)
{
	size_t n = strlen(arg);

	for (const char *at = d->tracers; at && (at = strstr(at, arg)); at += n)
		if ((at == d->tracers || at[-1] == ' ') && (!at[n] || at[n] == ' ' || at[n] == '\n'))
			return DOCTOR_YES;
	return DOCTOR_NO;
}

static enum doctor_answer file(const struct doctor *d, const char *arg, struct str *detail __unused)
{
	return answer(tracedir_has(d->dir, arg));
}

static enum doctor_answer path(const struct doctor *d __unused, const char *arg, struct str *detail)
{
	bool there = !access(arg, R_OK);

	if (there)
		str_add(detail, arg);
	return answer(there);
}

/* Most kinds of probes and triggers have no file of their own, but the kernel's README tells how to write them. */
static enum doctor_answer readme(const struct doctor *d, const char *arg, struct str *detail __unused)
{
	return answer(d->readme && strstr(d->readme, arg));
}

/* The README describes eprobes even when they were left out of the kernel. So the symbol of their code is looked for, too. */
static enum doctor_answer readme_and_code(const struct doctor *d, const char *arg, struct str *detail)
{
	return readme(d, arg, detail) == DOCTOR_YES && ksym_exists("eprobe_dyn_event_create") != 0 ? DOCTOR_YES : DOCTOR_NO;
}

static enum doctor_answer events(const struct doctor *d, const char *arg __unused, struct str *detail)
{
	strv_t names = { 0 };
	size_t n;

	tracedir_list(d->dir, TRACEDIR_EVENTS, &names);
	n = names.n;
	strv_fini(&names);
	str_addf(detail, "%zu", n);
	return answer(n);
}

static enum doctor_answer functions(const struct doctor *d, const char *arg __unused, struct str *detail)
{
	strv_t names = { 0 };
	int err = tracedir_list(d->dir, TRACEDIR_FUNCTIONS, &names);
	size_t n = names.n;

	strv_fini(&names);
	if (err)
		str_addf(detail, "available_filter_functions: %s", strerror(-err));
	else
		str_addf(detail, "%zu", n);
	return answer(n);
}

/* --- how much of it ----------------------------------------------------------------------------------------- */

static enum doctor_answer memory(const struct doctor *d __unused, const char *arg __unused, struct str *detail)
{
	uint64_t kb = memory_available_kb();
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	str_addf(detail, "%llu MB are free; on %ld CPUs, -b %lluM takes half of them", (unsigned long long)kb >> 10, cpus,
		 (unsigned long long)kb / (uint64_t)MAX(cpus, 1) >> 11);
	return DOCTOR_FACT;
}

/* Tells the first line of the file @arg. */
static enum doctor_answer value(const struct doctor *d __unused, const char *arg, struct str *detail)
{
	struct text text = { 0 };

	if (!io_slurp(arg, &text))
		str_addf(detail, "%.*s (%s)", (int)strcspn(text.at, "\n"), text.at, arg);
	else
		str_addf(detail, "no %s", arg);
	free(text.at);
	return DOCTOR_FACT;
}

static enum doctor_answer descriptors(const struct doctor *d __unused, const char *arg __unused, struct str *detail)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit))
		str_addf(detail, "%llu; a recording takes six for each CPU and buffer", (unsigned long long)limit.rlim_max);
	return DOCTOR_FACT;
}

/* clang-format off */
#define HERE(group_, name_, ask_, arg_, cure_) { .group = group_, .name = name_, .ask = ask_, .arg = arg_, .cure = cure_ }
/* clang-format on */
#define NEED(group_, name_, ask_, arg_, cure_) \
	{ \
		.group = group_, .name = name_, .ask = ask_, .arg = arg_, .cure = cure_, .needed = true \
	}
#define SEEN(group_, name_, ask_, arg_, cure_) \
	{ \
		.group = group_, .name = name_, .ask = ask_, .arg = arg_, .cure = cure_, .needs_tracefs = true \
	}
#define TRACER(name_) SEEN("tracers", name_, tracer, name_, NULL)

const struct doctor_check doctor_checks[] = {
	HERE("access", "kernel", kernel, NULL, NULL),
	HERE("access", "container", container, NULL, NULL),
	NEED("access", "root", is_root, NULL, "sudo, as in `sudo ringside doctor`"),
	NEED("access", "CAP_SYS_ADMIN", administers, NULL, "the host, or a container that has this capability"),
	HERE("access", "no lockdown", not_locked_down, NULL, "a boot without lockdown= and without Secure Boot, which turns lockdown on"),
	NEED("access", "tracefs", mounted, NULL, "CONFIG_FTRACE and a mounted tracefs (`mount -t tracefs tracefs /sys/kernel/tracing`)"),
	NEED("access", "tracefs can be opened", can_be_opened, "current_tracer", "sudo, as in `sudo ringside doctor`"),
	{ .group = "access",
	  .name = "settings can be written",
	  .ask = writable,
	  .arg = "tracing_on",
	  .needs_tracefs = true,
	  .needed = true,
	  .cure = "root (sudo), and a tracefs that is mounted for reading and writing, or the host" },

	TRACER("function"),
	TRACER("function_graph"),
	SEEN("tracers", "functions to choose from", functions, NULL, "CONFIG_DYNAMIC_FTRACE and a host that does not refuse this list"),
	SEEN("tracers", "return values in graphs", file, "options/funcgraph-retval", "CONFIG_FUNCTION_GRAPH_RETVAL (Linux 6.5)"),
	SEEN("tracers", "arguments in graphs", file, "options/funcgraph-args", "CONFIG_FUNCTION_TRACE_ARGS (Linux 6.15)"),
	SEEN("tracers", "stack (deepest kernel stack)", file, "stack_trace", "CONFIG_STACK_TRACER"),
	TRACER("irqsoff"),
	TRACER("preemptoff"),
	TRACER("preemptirqsoff"),
	TRACER("wakeup"),
	TRACER("wakeup_rt"),
	TRACER("wakeup_dl"),
	TRACER("hwlat"),
	TRACER("osnoise"),
	TRACER("timerlat"),
	TRACER("blk"),
	TRACER("mmiotrace"),

	SEEN("events", "events", events, NULL, "CONFIG_EVENT_TRACING"),
	SEEN("events", "system calls by name", file, "events/syscalls", "CONFIG_FTRACE_SYSCALLS"),
	SEEN("events", "filter by process (-P, -F)", file, "set_event_pid", "CONFIG_EVENT_TRACING"),
	SEEN("events", "functions by process", file, "set_ftrace_pid", "CONFIG_FUNCTION_TRACER"),
	SEEN("events", "hist triggers", file, "events/sched/sched_switch/hist", "CONFIG_HIST_TRIGGERS"),
	SEEN("events", "synthetic events", file, "synthetic_events", "CONFIG_SYNTH_EVENTS"),
	SEEN("events", "user events", file, "user_events_data", "CONFIG_USER_EVENTS"),
	SEEN("events", "user stacks", file, "options/userstacktrace", "CONFIG_USER_STACKTRACE_SUPPORT"),
	SEEN("events", "error_log (refused settings)", file, "error_log", "Linux 5.2"),

	SEEN("probes", "kprobe, kretprobe", file, "kprobe_events", "CONFIG_KPROBE_EVENTS"),
	SEEN("probes", "uprobe, uretprobe, USDT", file, "uprobe_events", "CONFIG_UPROBE_EVENTS"),
	SEEN("probes", "fprobe", readme, "f[:[", "CONFIG_FPROBE_EVENTS (Linux 6.5)"),
	SEEN("probes", "tracepoint probe", readme, "t[:[", "CONFIG_FPROBE_EVENTS (Linux 6.5)"),
	SEEN("probes", "eprobe", readme_and_code, "e[:[", "CONFIG_EPROBE_EVENTS (Linux 5.15)"),
	HERE("probes", "kernel types (BTF)", path, "/sys/kernel/btf/vmlinux", "CONFIG_DEBUG_INFO_BTF"),

	SEEN("buffers", "instances", file, "instances", "CONFIG_TRACING"),
	SEEN("buffers", "snapshot", file, "snapshot", "CONFIG_TRACER_SNAPSHOT"),
	SEEN("buffers", "size of sub-buffers", file, "buffer_subbuf_size_kb", "Linux 6.8"),
	SEEN("buffers", "trace_marker", file, "trace_marker", "CONFIG_TRACING"),

	HERE("limits", "memory", memory, NULL, NULL),
	HERE("limits", "pipe", value, "/proc/sys/fs/pipe-max-size", NULL),
	HERE("limits", "open files", descriptors, NULL, NULL),
	HERE("limits", "kernel addresses hidden", value, "/proc/sys/kernel/kptr_restrict", NULL),
	HERE("limits", "ftrace switched on", value, "/proc/sys/kernel/ftrace_enabled", NULL),
	HERE("limits", "perf events", value, "/proc/sys/kernel/perf_event_paranoid", NULL),
	{ 0 },
};

const char *doctor_lacks(const struct tracedir *dir, const char *name)
{
	struct doctor doctor;
	const char *cure = NULL;
	struct str detail = { 0 };

	doctor_init(&doctor, dir);
	for (const struct doctor_check *c = doctor_checks; c->name; c++)
		if (strcmp(c->name, name) == 0 && doctor_ask(&doctor, c, &detail) == DOCTOR_NO)
			cure = doctor_cure(c);
	str_fini(&detail);
	doctor_fini(&doctor);
	return cure;
}

void doctor_init(struct doctor *out, const struct tracedir *dir)
{
	*out = (struct doctor){ .dir = dir };
	if (!dir)
		return;
	tracedir_read(dir, "available_tracers", &out->tracers);
	tracedir_read(dir, "README", &out->readme);
}

void doctor_fini(struct doctor *doctor)
{
	free(doctor->tracers);
	free(doctor->readme);
}

enum doctor_answer doctor_ask(const struct doctor *doctor, const struct doctor_check *check, struct str *detail)
{
	if (check->needs_tracefs && !doctor->dir)
		return DOCTOR_UNSEEN;
	return check->ask(doctor, check->arg, detail);
}

const char *doctor_cure(const struct doctor_check *check)
{
	return check->ask == tracer ? tracer_config(check->arg) : check->cure;
}

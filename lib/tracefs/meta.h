/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fills struct metadata (lib/data/metadata.h) from the running kernel. A function returns 0, or -errno after a message. If a function returns anything
 * else, its comment says so. Members for which the kernel has no data stay empty. If a function changes anything in the kernel, its comment says so. A session
 * puts the kernel's settings back when it ends (lib/tracefs/session.h).
 */
#ifndef RINGSIDE_META_H
#define RINGSIDE_META_H

#include "lib/data/metadata.h"
#include "lib/tracefs/session.h"

/*
 * Fills in the data that do not change during a recording: the machine, the version, the CPUs, the page layout, the clock, printk_formats, and a fresh
 * trace id. @program is the text for the option VERSION of a trace.dat. The clock is the clock of @first, which is the first recorded buffer.
 */
int meta_machine(struct metadata *meta, const struct instance *first, const char *program);

/*
 * Fills in everything that @top has (page layout, clock, all formats, names of tasks). Is called when the data have been recorded
 * already. @top is a tracefs directory or a copy of one. If @here is true, @top belongs to this machine, and the machine's name and
 * CPUs are filled in, too. If @here is false, only the files of @top tell about the machine.
 */
int meta_all(struct metadata *meta, const struct tracedir *top, bool here, const char *program);

/*
 * Reads the formats of the built-in events (the events of the system ftrace) and of @events
 * ("system:name"). When @all is true, reads the formats of all events instead. An event that does
 * not exist any more is left out.
 */
int meta_formats(struct metadata *meta, const struct tracedir *top, const strv_t *events, bool all);

/*
 * Reads /proc/kallsyms. When all addresses in this file are zero, the function sets kptr_restrict to 0, reads the file again, and puts the old value back. In
 * these cases, the function prints a warning that functions will have no names:
 * - The addresses are still zero.
 * - There is no /proc/kallsyms.
 * - The file cannot be read again.
 */
int meta_kallsyms(struct metadata *meta, struct session *s);

/* Reads @path, a copy of a /proc/kallsyms. Warns when it has no addresses. */
int meta_kallsyms_of(struct metadata *meta, const char *path);

/*
 * Tells whether a module has been loaded or removed since the last call. *@modules keeps the list of modules from one call to the next. The caller sets
 * *@modules to all zero before the first call. The first call returns false. The result is also false when /proc/modules cannot be read. The caller frees
 * modules->at.
 */
bool meta_modules_changed(struct text *modules);

/*
 * Reads /proc/kallsyms again when a module has been loaded or removed since the last call (see meta_modules_changed()). Returns 1 when *@kallsyms is the
 * new text, which the caller frees. Returns 0 when no module was loaded or removed, and when /proc/kallsyms cannot be read or shows no addresses. After 0,
 * the caller ignores *@kallsyms.
 */
int meta_kallsyms_again(struct text *modules, struct text *kallsyms);

/* Reads saved_cmdlines, and reads printk_formats once more. The caller calls this at the end of a recording, while the session is open. */
int meta_end(struct metadata *meta, const struct tracedir *top);

/* Appends the statistics of all CPUs of @inst, as the option CPUSTAT of a trace.dat stores them. */
int meta_cpustat(struct metadata *meta, const struct instance *inst);

/*
 * Appends the address map of the process @pid. Returns -ESRCH without a message when /proc/PID/exe cannot be read. In this case @pid is a kernel thread, or
 * the process does not exist. Returns 0 and appends nothing when /proc/PID/maps names no file or cannot be read.
 */
int meta_procmap(struct metadata *meta, pid_t pid);

/*
 * Measures the value of the option DATE of a trace.dat. This is the wall clock minus the trace clock, in us. The function writes markers in an instance that
 * the session makes for this purpose. @clock is the name of the clock. Returns -EINVAL after a message for a clock that does not count ns (clock_is_ns() in
 * lib/data/metadata.h).
 */
int meta_date(struct metadata *meta, struct session *s, const char *clock);

/*
 * Fills in the option TSC2NSEC of a trace.dat, which tells how ticks of the TSC are converted to ns. @clock is the name of the recording's clock. For any
 * other clock than x86-tsc, returns -EINVAL after a message. If the kernel does not tell the conversion, returns -ENOTSUP, also after a message.
 */
int meta_tsc2nsec(struct metadata *meta, const char *clock);

/*
 * meta_clock_offset() measures how far another clock is ahead of the trace clock @clock, and sets *@offset_ns to this number of ns. It writes markers in an
 * instance, as meta_date() does, and returns -EINVAL for the same clocks. The result is exact to a few microseconds.
 */
struct other_clock {
	const char *option;		     /* "--date": for messages, and for the name of the instance */
	int (*now)(void *ctx, uint64_t *ns); /* reads the other clock, in ns */
	void *ctx;
};
int meta_clock_offset(struct session *s, const char *clock, const struct other_clock *other, int64_t *offset_ns);

/* Lists the CPUs that have a buffer in @dir and are present, in ascending order. */
typedef VEC(unsigned int) cpulist_t;
int meta_cpus(const struct tracedir *dir, cpulist_t *out);

/* Returns the size of a sub-buffer of the instance @dir, in bytes. */
uint32_t meta_page_size(const struct tracedir *dir);

/* These are the counts in per_cpu/cpuN/stats. A count that the kernel does not give is 0. */
struct cpu_stats {
	uint64_t entries, overrun, commit_overrun, bytes, dropped, read;
};
int meta_cpu_stats(const struct tracedir *dir, unsigned int cpu, struct cpu_stats *out);

#endif

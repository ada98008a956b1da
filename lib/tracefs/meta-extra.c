/* SPDX-License-Identifier: GPL-2.0 */
/* Collects what a recording says of its run: statistics, address maps, and how its clock relates to the wall clock. */
#define _GNU_SOURCE
#include "lib/tracefs/meta.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static int add_cpu_block(struct metadata *meta, const struct tracedir *dir, unsigned int cpu)
{
	__cleanup(free_ptr) char *path = str_printf("per_cpu/cpu%u/stats", cpu);
	struct text stats = { 0 };
	int err = path ? io_slurp_at(dir->fd, path, &stats) : -ENOMEM;

	if (!err)
		err = strv_own(&meta->cpustat, str_printf("CPU: %u\n%s", cpu, stats.at));
	free(stats.at);
	return err ? fail(-err, "cannot read the statistics of CPU %u: %s", cpu, strerror(-err)) : 0;
}

int meta_cpustat(struct metadata *meta, const struct instance *inst)
{
	cpulist_t cpus = { 0 };
	int err = meta_cpus(&inst->dir, &cpus);

	if (!err && *inst->name && strv_own(&meta->cpustat, str_printf("\nBuffer: %s\n\n", inst->name)))
		err = fail(ENOMEM, "no memory for the statistics");
	vec_each (&cpus, cpu)
		if (!err)
			err = add_cpu_block(meta, &inst->dir, *cpu);
	vec_fini(&cpus);
	return err;
}

/* A stretch of addresses that one file is mapped to. */
struct mapping {
	uint64_t start, end;
	char *file;
};
typedef VEC(struct mapping) mappings_t;

static void mappings_fini(mappings_t *maps)
{
	vec_each (maps, map)
		free(map->file);
	vec_fini(maps);
}

/* Takes a line of /proc/PID/maps, "55d4-55d8 r-xp 00001000 fe:00 1234   /usr/bin/ls". Adjoining mappings of one file become one. */
static int add_mapping(mappings_t *maps, const struct text *line)
{
	__cleanup(free_ptr) char *text = strndup(line->at, line->size);
	struct mapping map, *last = maps->n ? &maps->at[maps->n - 1] : NULL;
	char *path = text ? strchr(text, '/') : NULL;

	if (!text)
		return -ENOMEM;
	if (!path || sscanf(text, "%" SCNx64 "-%" SCNx64, &map.start, &map.end) != 2)
		return 0;
	if (last && strcmp(last->file, path) == 0 && last->end == map.start) {
		last->end = map.end;
		return 0;
	}
	map.file = strdup(path);
	if (!map.file || vec_push(maps, map)) {
		free(map.file);
		return -ENOMEM;
	}
	return 0;
}

static char *write_maps(pid_t pid, const char *exe, const mappings_t *maps)
{
	struct str s = { 0 };

	str_addf(&s, "%x %zx %s\n", (unsigned int)pid, maps->n, exe);
	vec_each (maps, map)
		str_addf(&s, "%" PRIx64 " %" PRIx64 " %s\n", map->start, map->end, map->file);
	return str_take(&s);
}

int meta_procmap(struct metadata *meta, pid_t pid)
{
	struct text file = { 0 }, rest, line;
	mappings_t maps = { 0 };
	char path[64], exe[4096];
	ssize_t n;
	int err;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	n = readlink(path, exe, sizeof(exe) - 1);
	if (n < 0)
		return -ESRCH;
	exe[n] = '\0';
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	err = io_slurp(path, &file);
	rest = file;
	while (!err && text_line(&rest, &line))
		err = add_mapping(&maps, &line);
	if (!err && maps.n)
		err = strv_own(&meta->procmaps, write_maps(pid, exe, &maps));
	mappings_fini(&maps);
	free(file.at);
	return err == -ENOMEM ? fail(ENOMEM, "no memory for the address map of process %d", pid) : 0;
}

/* How many markers are written. The number of a marker is the last hexadecimal digit of its id. */
enum { DATE_TRIES = 8 };

struct tick {
	int64_t other_ns; /* the other clock's time in the middle of the write of a marker */
	int64_t took_ns;
};

/* The id by which the raw markers are recognized. */
#define TICK_ID 0xda7e00u

/*
 * Writes marker @i, and reads the other clock before and after that. The marker is a raw one, because the option printk-msg-only of the top instance removes
 * the time from the lines of other markers, in all instances (print_trace_line() in kernel/trace/trace.c).
 */
static int write_tick(int marker, int i, const struct other_clock *other, struct tick *tick)
{
	const uint32_t words[2] = { TICK_ID + (uint32_t)i, 0 };
	uint64_t before = 0, behind = 0;
	int err = other->now(other->ctx, &before);

	err = err ? err : io_write(marker, words, sizeof(words));
	err = err ? err : other->now(other->ctx, &behind);
	tick->took_ns = (int64_t)(behind - before);
	tick->other_ns = (int64_t)before + tick->took_ns / 2;
	return err;
}

/* Finds the time of marker @i, in us. Its line is "ringside-12 [000] ..... 30.000123: # da7e03 buf: 00 00 00 00". */
static int trace_time(const char *trace, int i, int64_t *us)
{
	__cleanup(free_ptr) char *tail = str_printf("# %x buf:", TICK_ID + (unsigned int)i);
	const char *at = tail ? strstr(trace, tail) : NULL;
	uint64_t sec, frac;

	if (!at || at - trace < 3)
		return -ENOENT;
	at -= 2; /* onto the colon */
	while (at > trace && (at[-1] == '.' || (at[-1] >= '0' && at[-1] <= '9')))
		at--;
	if (sscanf(at, "%" SCNu64 ".%6" SCNu64 ":", &sec, &frac) != 2)
		return -EINVAL;
	*us = (int64_t)(sec * 1000000 + frac);
	return 0;
}

/* Computes the offset from the marker that took the least time, which is the most exact one. Returns 0, or -errno when no marker came back. */
static int best_offset(const char *trace, const struct tick *ticks, int64_t *offset_ns)
{
	int64_t least = INT64_MAX, us;
	int bad = -ENOENT;

	for (int i = 0; i < DATE_TRIES; i++) {
		int err = trace_time(trace, i, &us);

		if (err && least == INT64_MAX)
			bad = err;
		if (err || ticks[i].took_ns >= least)
			continue;
		least = ticks[i].took_ns;
		*offset_ns = ticks[i].other_ns - us * (int64_t)NSEC_PER_USEC;
	}
	return least == INT64_MAX ? bad : 0;
}

static int measure(struct instance *inst, const struct other_clock *other, int64_t *offset_ns)
{
	__cleanup(close_fd) int marker = instance_fd(inst, "trace_marker_raw", O_WRONLY);
	__cleanup(free_ptr) char *trace = NULL;
	struct tick ticks[DATE_TRIES];
	int err = marker < 0 ? marker : instance_on(inst, true);

	if (err)
		return err;
	for (int i = 0; i < DATE_TRIES && !err; i++)
		err = write_tick(marker, i, other, &ticks[i]);
	if (!err)
		err = instance_on(inst, false);
	if (!err)
		err = tracedir_read(&inst->dir, "trace", &trace);
	if (!err)
		err = best_offset(trace, ticks, offset_ns);
	return err ? fail(-err, "%s: the kernel's marker did not come back: %s", other->option, strerror(-err)) : 0;
}

/*
 * Sets the options that the markers need. A new instance begins with the options of the top instance (trace_array_create_dir() in kernel/trace/trace.c). A
 * user may have set those so that no marker is taken or that a line has no time.
 */
static int plain_lines(struct instance *inst)
{
	static const struct {
		const char *file, *value;
	} options[] = {
		{ "options/markers", "1" },    { "options/context-info", "1" }, { "options/latency-format", "0" }, { "options/raw", "0" },
		{ "options/hex", "0" },	       { "options/bin", "0" },		{ "options/verbose", "0" },	   { "options/fields", "0" },
		{ "options/sym-offset", "0" }, { "options/sym-addr", "0" },
	};
	int err = 0;

	for (size_t i = 0; i < ARRAY_LEN(options) && !err; i++)
		if (tracedir_has(&inst->dir, options[i].file))
			err = session_set(inst, options[i].file, options[i].value);
	return err;
}

int meta_clock_offset(struct session *s, const char *clock, const struct other_clock *other, int64_t *offset_ns)
{
	char name[64];
	struct instance *inst;
	int err;

	if (!clock_is_ns(clock))
		return fail(EINVAL, "%s: the clock '%s' does not count nanoseconds; choose another with -C", other->option, clock);
	snprintf(name, sizeof(name), "ringside-%s-%d", other->option + strspn(other->option, "-"), getpid());
	err = session_instance(s, name, false, &inst);
	if (!err)
		err = session_set(inst, "trace_clock", clock);
	err = err ? err : plain_lines(inst);
	return err ? err : measure(inst, other, offset_ns);
}

static int wall_clock(void *ctx __unused, uint64_t *ns)
{
	*ns = clock_ns(CLOCK_REALTIME);
	return 0;
}

int meta_date(struct metadata *meta, struct session *s, const char *clock)
{
	static const struct other_clock wall = { .option = "--date", .now = wall_clock };
	int64_t offset_ns;
	int err = meta_clock_offset(s, clock, &wall, &offset_ns);

	meta->date_us = err ? 0 : offset_ns / (int64_t)NSEC_PER_USEC;
	meta->has_date = !err;
	return err;
}

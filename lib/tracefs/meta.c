/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/tracefs/meta.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/data/page.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

static int slurp(const struct tracedir *dir, const char *file, struct text *out)
{
	free(out->at);
	*out = (struct text){ 0 };
	return io_slurp_at(dir->fd, file, out);
}

/* Reads a file that some kernels do not have. It is no error when the file is not there. */
static int slurp_if_there(const struct tracedir *dir, const char *file, struct text *out)
{
	int err = slurp(dir, file, out);

	if (!err || err == -ENOENT)
		return 0;
	return fail(-err, "cannot read %s/%s: %s", dir->path, file, strerror(-err));
}

static int set_text(struct text *out, char *text)
{
	if (!text)
		return fail(ENOMEM, "no memory for the file's header");
	*out = (struct text){ text, strlen(text) };
	return 0;
}

static bool host_is_big_endian(void)
{
	const uint16_t one = 1;

	return *(const uint8_t *)&one == 0;
}

/* Returns the size of a sub-buffer, which ends where its data end: "field: char data; offset:16; size:4080;". */
static uint32_t page_size_of(const struct text *header_page)
{
	const char *data = header_page->at ? strstr(header_page->at, " data;") : NULL;
	unsigned int offset, size;

	if (data && sscanf(data, " data; offset:%u; size:%u;", &offset, &size) == 2)
		return offset + size;
	return (uint32_t)sysconf(_SC_PAGESIZE);
}

/* Reads what does not change from tracefs. @clock is the buffer whose clock is recorded. */
static int read_layout(struct metadata *meta, const struct tracedir *top, const struct tracedir *clock, const char *program)
{
	int err = set_text(&meta->version, strdup(program));

	meta->big_endian = host_is_big_endian();
	meta->user_long_size = sizeof(long);
	if (!err)
		err = slurp_if_there(top, "events/header_page", &meta->header_page);
	if (!err)
		err = slurp_if_there(top, "events/header_event", &meta->header_event);
	if (!err)
		err = slurp_if_there(top, "printk_formats", &meta->printk_formats);
	if (!err)
		err = slurp_if_there(clock, "trace_clock", &meta->trace_clock);
	meta->page_size = page_size_of(&meta->header_page);
	return err;
}

/* Describes the machine that we run on. */
static int read_machine(struct metadata *meta, const struct tracedir *top)
{
	struct utsname uts;
	cpulist_t cpus = { 0 };
	int err;

	if (getrandom(&meta->trace_id, sizeof(meta->trace_id), 0) != sizeof(meta->trace_id) || !meta->trace_id)
		meta->trace_id = (uint64_t)getpid() << 32 | 1;
	uname(&uts);
	err = set_text(&meta->uname, str_printf("%s %s %s %s", uts.sysname, uts.nodename, uts.release, uts.machine));
	if (!err)
		err = meta_cpus(top, &cpus);
	meta->ncpus = cpus.n ? cpus.at[cpus.n - 1] + 1 : 0;
	vec_fini(&cpus);
	return err;
}

int meta_machine(struct metadata *meta, const struct instance *first, const char *program)
{
	const struct tracedir *top = session_dir(first->session);
	int err = read_layout(meta, top, &first->dir, program);

	return err ? err : read_machine(meta, top);
}

int meta_all(struct metadata *meta, const struct tracedir *top, bool here, const char *program)
{
	struct page_format format;
	int err = read_layout(meta, top, top, program);

	if (!err && here)
		err = read_machine(meta, top);
	if (!err && !here && meta->header_page.size && !page_format_parse(&format, &meta->header_page, meta->big_endian, sizeof(long)))
		meta->user_long_size = format.commit_size;
	if (!err)
		err = meta_formats(meta, top, NULL, true);
	return err ? err : slurp_if_there(top, "saved_cmdlines", &meta->cmdlines);
}

uint32_t meta_page_size(const struct tracedir *dir)
{
	__cleanup(free_ptr) char *kb = NULL;
	uint64_t n;

	if (tracedir_read(dir, "buffer_subbuf_size_kb", &kb) == 0 && !parse_u64(kb, &n) && n && n <= 65536)
		return (uint32_t)n * 1024;
	return (uint32_t)sysconf(_SC_PAGESIZE);
}

static int add_format(struct metadata *meta, int events_fd, const char *system, const char *name)
{
	__cleanup(free_ptr) char *path = str_printf("%s/%s/format", system, name);
	struct event_text event = { .system = strdup(system) };
	int err = path && event.system ? io_slurp_at(events_fd, path, &event.format) : -ENOMEM;

	if (!err)
		err = vec_push(&meta->formats, event);
	if (err) {
		free(event.format.at);
		free(event.system);
	}
	if (err == -ENOENT)
		return 0;
	return err ? fail(-err, "cannot read the format of event %s:%s: %s", system, name, strerror(-err)) : 0;
}

static int add_formats(struct metadata *meta, int events_fd, const strv_t *events)
{
	int err = 0;

	vec_each (events, event) {
		char *colon = strchr(*event, ':');
		__cleanup(free_ptr) char *system = colon ? strndup(*event, (size_t)(colon - *event)) : NULL;

		if (colon && !err)
			err = system ? add_format(meta, events_fd, system, colon + 1) : -ENOMEM;
	}
	return err;
}

/* Appends the names of the folders in @folder of @at to @out, as "@prefixNAME" and in alphabetical order. Returns 0 or -errno, without a message. */
static int list_folders(int at, const char *folder, const char *prefix, strv_t *out)
{
	int fd = openat(at, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		err = -errno;
		close_fd(&fd);
		return err;
	}
	while ((entry = readdir(dir)) && !err)
		if (entry->d_name[0] != '.' && entry->d_type == DT_DIR)
			err = strv_own(out, str_printf("%s%s", prefix, entry->d_name));
	closedir(dir);
	strv_sort(out);
	return err;
}

/* Adds the formats of the built-in events. They are not in the list of events that can be switched on, so their folder is read. */
static int add_builtin(struct metadata *meta, int events_fd)
{
	strv_t names = { 0 };
	int err = list_folders(events_fd, "ftrace", "ftrace:", &names);

	err = err ? fail(-err, "cannot read the formats of the built-in events: %s", strerror(-err)) : add_formats(meta, events_fd, &names);
	strv_fini(&names);
	return err;
}

/* Lists all other events from their folders. A copy of a tracing directory may have no list of events. */
static int look_through(int events_fd, strv_t *out)
{
	strv_t systems = { 0 };
	int err = list_folders(events_fd, ".", "", &systems);

	vec_each (&systems, system) {
		__cleanup(free_ptr) char *prefix = str_printf("%s:", *system);
		strv_t names = { 0 };

		if (!err && strcmp(*system, "ftrace"))
			err = prefix ? list_folders(events_fd, *system, prefix, &names) : -ENOMEM;
		vec_each (&names, name)
			err = err ? err : strv_add(out, *name);
		strv_fini(&names);
	}
	strv_fini(&systems);
	return err;
}

int meta_formats(struct metadata *meta, const struct tracedir *top, const strv_t *events, bool all)
{
	__cleanup(close_fd) int fd = tracedir_fd(top, "events", O_RDONLY | O_DIRECTORY);
	strv_t every = { 0 };
	int err;

	if (fd < 0)
		return fail(-fd, "cannot read %s/events: %s", top->path, strerror(-fd));
	err = add_builtin(meta, fd);
	if (!err && all) {
		err = tracedir_list(top, TRACEDIR_EVENTS, &every);
		if (err == -ENOENT)
			err = look_through(fd, &every);
		if (err)
			fail(-err, "cannot read the list of events: %s", strerror(-err));
	}
	if (!err)
		err = add_formats(meta, fd, all ? &every : events);
	strv_fini(&every);
	return err;
}

/* Returns true if the kernel hides the addresses: then all of them are 0. In a list that is not hidden, only some at the beginning are 0 (the per-CPU area). */
static bool addresses_hidden(const struct text *kallsyms)
{
	struct text rest = *kallsyms, line;

	while (text_line(&rest, &line))
		if (line.size && line.at[strspn(line.at, "0")] != ' ')
			return false;
	return true;
}

int meta_kallsyms_of(struct metadata *meta, const char *path)
{
	int err;

	free(meta->kallsyms.at);
	meta->kallsyms = (struct text){ 0 };
	err = io_slurp(path, &meta->kallsyms);
	if (err)
		return fail(-err, "cannot read %s: %s", path, strerror(-err));
	if (addresses_hidden(&meta->kallsyms))
		warn("%s shows no addresses: functions will have no names", path);
	return 0;
}

static int read_kallsyms(struct text *out)
{
	free(out->at);
	*out = (struct text){ 0 };
	return io_slurp("/proc/kallsyms", out);
}

int meta_kallsyms(struct metadata *meta, struct session *s)
{
	int err = read_kallsyms(&meta->kallsyms);

	if (err == -ENOENT) {
		warn("this kernel has no /proc/kallsyms: functions will have no names");
		return 0;
	}
	if (err)
		return fail(-err, "cannot read /proc/kallsyms: %s", strerror(-err));
	if (!addresses_hidden(&meta->kallsyms))
		return 0;
	if (session_sysctl(s, "kptr_restrict", "0") == 0) {
		err = read_kallsyms(&meta->kallsyms);
		session_unset_sysctl(s, "kptr_restrict");
	}
	if (err)
		warn("cannot read /proc/kallsyms again: %s: functions will have no names", strerror(-err));
	else if (addresses_hidden(&meta->kallsyms))
		warn("/proc/kallsyms shows no addresses (kptr_restrict): functions will have no names");
	return 0;
}

bool meta_modules_changed(struct text *modules)
{
	struct text now = { 0 };
	bool changed;

	if (io_slurp("/proc/modules", &now))
		return false;
	changed = modules->at && (now.size != modules->size || memcmp(now.at, modules->at, now.size));
	free(modules->at);
	*modules = now;
	return changed;
}

int meta_kallsyms_again(struct text *modules, struct text *kallsyms)
{
	*kallsyms = (struct text){ 0 };
	if (!meta_modules_changed(modules) || read_kallsyms(kallsyms))
		return 0;
	if (!addresses_hidden(kallsyms))
		return 1;
	free(kallsyms->at);
	return 0;
}

int meta_end(struct metadata *meta, const struct tracedir *top)
{
	int err = slurp_if_there(top, "saved_cmdlines", &meta->cmdlines);

	return err ? err : slurp_if_there(top, "printk_formats", &meta->printk_formats);
}

int meta_cpus(const struct tracedir *dir, cpulist_t *out)
{
	__cleanup(free_ptr) char *text = NULL;
	struct text present = { 0 };
	struct cpuset set = { 0 };
	int err = 0;

	/* If that list is missing (no /sys), each CPU that has a buffer counts. */
	if (io_slurp("/sys/devices/system/cpu/present", &present) || parse_cpus(str_trim(present.at), &set))
		set.all = true;
	text = present.at;
	for (unsigned int cpu = 0; cpu < 8192 && !err; cpu++) {
		char file[64];

		snprintf(file, sizeof(file), "per_cpu/cpu%u", cpu);
		if (!set.all && !cpuset_has(&set, cpu))
			continue;
		if (tracedir_has(dir, file))
			err = vec_push(out, cpu);
		else if (set.all)
			break;
	}
	cpuset_fini(&set);
	if (err)
		return fail(ENOMEM, "no memory for the list of CPUs");
	return out->n ? 0 : fail(ENOENT, "%s/per_cpu names no CPU", dir->path);
}

int meta_cpu_stats(const struct tracedir *dir, unsigned int cpu, struct cpu_stats *out)
{
	const struct {
		const char *name;
		uint64_t *count;
	} rows[] = {
		{ "entries:", &out->entries }, { "overrun:", &out->overrun },	     { "commit overrun:", &out->commit_overrun },
		{ "bytes:", &out->bytes },     { "dropped events:", &out->dropped }, { "read events:", &out->read },
	};
	__cleanup(free_ptr) char *memory = NULL;
	struct text stats = { 0 }, line;
	char file[64];
	int err;

	*out = (struct cpu_stats){ 0 };
	snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", cpu);
	err = slurp(dir, file, &stats);
	memory = stats.at;
	if (err)
		return fail(-err, "cannot read %s/%s: %s", dir->path, file, strerror(-err));
	while (text_line(&stats, &line))
		for (size_t i = 0; i < ARRAY_LEN(rows); i++)
			if (str_starts(line.at, rows[i].name))
				*rows[i].count = strtoull(line.at + strlen(rows[i].name), NULL, 10);
	return 0;
}

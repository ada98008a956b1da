/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/spaces.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"
#include "lib/data/metadata.h"
#include "lib/elf/names.h"
#include "lib/record/mmaps.h"
#include "lib/tracefs/meta.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

/* A file as it was when it was mapped. */
struct mapped {
	char *path;
	char *stamp; /* see elf_stamp(); NULL: it was not asked for yet */
	uint64_t inode;
};

struct map {
	uint64_t start, end, offset, since;
	size_t file; /* index in files */
};

/* What one program of a process has mapped. A space begins with the process's exec or fork. */
struct space {
	pid_t pid;
	uint64_t since; /* 0: since before we looked */
	VEC(struct map) maps;
	bool told; /* spaces_news() has told this space, and it has not changed since */
};

struct spaces {
	struct mmaps *mmaps;
	int64_t offset_ns; /* perf's clock minus the trace's */
	bool timeless;	   /* the trace's clock cannot be compared with perf's */
	VEC(struct mapped) files;
	VEC(struct space) list; /* a process's later space is behind its earlier ones */
	VEC(size_t) last;	/* by pid: 1 + the index of the process's newest space; 0: none */
};

/* --- files ----------------------------------------------------------------------------------------------------- */

/*
 * Finds or adds a file; *@out is its index. If the mapping came with a build-id, @stamp is the stamp of it. If @stamp is NULL, the stamp is read from the
 * file at the end, provided that the file still has @inode.
 */
static int find_file(struct spaces *s, const char *path, const char *stamp, uint64_t inode, size_t *out)
{
	struct mapped f = { .inode = inode };

	/* The search begins at the end, because a file that was mapped last is often mapped again soon. */
	for (size_t i = s->files.n; i-- > 0;) {
		const struct mapped *old = &s->files.at[i];

		if (old->inode != inode || strcmp(old->path, path) || (stamp && strcmp(stamp, old->stamp ? old->stamp : "")))
			continue;
		*out = i;
		return 0;
	}
	f.path = strdup(path);
	f.stamp = stamp ? strdup(stamp) : NULL;
	*out = s->files.n;
	if (!f.path || (stamp && !f.stamp) || vec_push(&s->files, f)) {
		free(f.path);
		free(f.stamp);
		return -ENOMEM;
	}
	return 0;
}

static const char *stamp_of(struct mapped *f)
{
	struct stat st;

	if (!f->stamp)
		f->stamp = f->path[0] == '/' && stat(f->path, &st) == 0 && st.st_ino == f->inode ? elf_stamp(f->path) : strdup("");
	return f->stamp ? f->stamp : "";
}

/* --- spaces ---------------------------------------------------------------------------------------------------- */

static struct space *newest(struct spaces *s, pid_t pid)
{
	size_t at = pid >= 0 && (size_t)pid < s->last.n ? s->last.at[pid] : 0;

	return at ? &s->list.at[at - 1] : NULL;
}

static struct space *begin_space(struct spaces *s, pid_t pid, uint64_t since)
{
	while (s->last.n <= (size_t)pid)
		if (vec_push(&s->last, 0))
			return NULL;
	if (vec_push(&s->list, (struct space){ .pid = pid, .since = since }))
		return NULL;
	s->last.at[pid] = s->list.n;
	return &s->list.at[s->list.n - 1];
}

static int add_map(struct space *space, struct map map)
{
	space->told = false;
	return vec_push(&space->maps, map);
}

/* Converts a time of perf's clock to the trace's clock. Returns 0 for a time before the trace, or when the clocks cannot be compared. */
static uint64_t trace_time(const struct spaces *s, uint64_t time)
{
	int64_t t = (int64_t)time - s->offset_ns;

	return s->timeless || t < 1 ? 0 : (uint64_t)t;
}

static int take_in(struct spaces *s, const struct mmap_event *e)
{
	uint64_t since = trace_time(s, e->time);
	struct space *space, *parent;
	size_t file = 0;
	int err = 0;

	switch (e->kind) {
	case MMAP_FORK:
		/*
		 * The first space of a process begins at 0. Nothing of the process can be older than its fork, but the clock of its CPU may be behind that
		 * of its parent's CPU.
		 */
		space = begin_space(s, e->pid, newest(s, e->pid) ? since : 0);
		parent = newest(s, e->parent);
		for (size_t i = 0; space && !err && parent && i < parent->maps.n; i++)
			err = add_map(space, parent->maps.at[i]);
		return space ? err : -ENOMEM;
	case MMAP_EXEC:
		return begin_space(s, e->pid, since) ? 0 : -ENOMEM;
	case MMAP_MAP:
		/* Memory without a file has no symbols. */
		if (e->file[0] != '/' || str_starts(e->file, "//"))
			return 0;
		space = newest(s, e->pid);
		space = space ? space : begin_space(s, e->pid, 0);
		err = space ? find_file(s, e->file, e->build_id, e->inode, &file) : -ENOMEM;
		return err ? err : add_map(space, (struct map){ e->start, e->end, e->offset, since, file });
	}
	return 0;
}

/* --- what is there already ---------------------------------------------------------------------------------------- */

/* Takes a line of /proc/PID/maps: "55d4-55d8 r-xp 00001000 fe:00 1234   /usr/bin/ls". */
static int seed_line(struct spaces *s, struct space *space, const struct text *line)
{
	__cleanup(free_ptr) char *text = strndup(line->at, line->size);
	struct map map = { 0 };
	uint64_t inode;
	char mode[8];
	char *path = text ? strchr(text, '/') : NULL;
	int err;

	if (!text)
		return -ENOMEM;
	if (!path || sscanf(text, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %" SCNu64, &map.start, &map.end, mode, &map.offset, &inode) != 5 ||
	    mode[2] != 'x')
		return 0;
	err = find_file(s, path, NULL, inode, &map.file);
	return err ? err : add_map(space, map);
}

static int seed_one(struct spaces *s, pid_t pid)
{
	struct text file = { 0 }, rest, line;
	struct space *space;
	char path[32];
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (io_slurp(path, &file) || !file.size) {
		free(file.at);
		return 0;
	}
	space = begin_space(s, pid, 0);
	rest = file;
	while (space && !err && text_line(&rest, &line))
		err = seed_line(s, space, &line);
	free(file.at);
	return space ? err : -ENOMEM;
}

int spaces_seed(struct spaces *s, pid_t pid)
{
	struct dirent *entry;
	DIR *proc;
	int err = 0;

	if (pid)
		return seed_one(s, pid);
	proc = opendir("/proc");
	while (proc && !err && (entry = readdir(proc))) {
		uint64_t each;

		if (!parse_u64(entry->d_name, &each) && each <= INT32_MAX)
			err = seed_one(s, (pid_t)each);
	}
	if (proc)
		closedir(proc);
	return err;
}

/* --- from beginning to end ------------------------------------------------------------------------------------------ */

/* Finds the clock of perf that is the trace's clock. Returns false when no such clock is known. */
static bool same_clock(const char *clock, int *clockid)
{
	static const struct {
		const char *name;
		int id;
	} same[] = {
		{ "perf", -1 }, { "mono", CLOCK_MONOTONIC }, { "mono_raw", CLOCK_MONOTONIC_RAW }, { "boot", CLOCK_BOOTTIME }, { "tai", CLOCK_TAI },
	};

	*clockid = -1;
	for (size_t i = 0; i < ARRAY_LEN(same); i++)
		if (strcmp(clock, same[i].name) == 0) {
			*clockid = same[i].id;
			return true;
		}
	return false;
}

int spaces_open(struct spaces **out, struct session *session, const char *clock)
{
	static const struct other_clock perf = { .option = "--ustack", .now = mmaps_clock };
	struct spaces *s = calloc(1, sizeof(*s));
	int clockid;
	bool same = same_clock(clock, &clockid);
	int err = s ? mmaps_open(&s->mmaps, clockid) : -ENOMEM;

	*out = NULL;
	if (err && err != -ENOMEM) {
		warn("--ustack: the kernel does not tell us what programs map (perf_event_open: %s): user stacks will be addresses without names",
		     strerror(-err));
		spaces_close(s);
		return 0;
	}
	if (err)
		fail(ENOMEM, "--ustack: no memory for what programs map");
	if (!err && !same) {
		s->timeless = !clock_is_ns(clock);
		err = s->timeless ? 0 : meta_clock_offset(session, clock, &perf, &s->offset_ns);
	}
	if (err) {
		spaces_close(s);
		return err;
	}
	*out = s;
	return 0;
}

pid_t spaces_tid(const struct spaces *s)
{
	return mmaps_tid(s->mmaps);
}

static char *block(struct spaces *s, const struct space *space)
{
	struct str text = { 0 };

	str_addf(&text, "%x %zx %s\t%" PRIu64 "\n", (unsigned int)space->pid, space->maps.n, s->files.at[space->maps.at[0].file].path, space->since);
	vec_each (&space->maps, m)
		str_addf(&text, "%" PRIx64 " %" PRIx64 " %s\t%" PRIx64 " %" PRIu64 " %s\n", m->start, m->end, s->files.at[m->file].path, m->offset, m->since,
			 stamp_of(&s->files.at[m->file]));
	return str_take(&text);
}

static bool wanted(const pids_t *pids, pid_t pid)
{
	vec_each (pids, one)
		if (*one == pid)
			return true;
	return !pids->n;
}

/* Takes in @events and frees them. Appends the blocks that have not been told yet to @blocks. */
static int tell(struct spaces *s, mmap_events_t *events, const pids_t *pids, strv_t *blocks)
{
	int err = 0;

	vec_each (events, e)
		err = err ? err : take_in(s, e);
	mmap_events_fini(events);
	vec_each (&s->list, space) {
		if (err || space->told || !space->maps.n || !wanted(pids, space->pid))
			continue;
		err = strv_own(blocks, block(s, space));
		space->told = true;
	}
	return err;
}

int spaces_news(struct spaces *s, const pids_t *pids, strv_t *blocks)
{
	mmap_events_t events = { 0 };
	int err = mmaps_take(s->mmaps, &events);

	return tell(s, &events, pids, blocks) ?: err;
}

int spaces_end(struct spaces *s, const pids_t *pids, strv_t *blocks)
{
	mmap_events_t events = { 0 };
	int err = mmaps_stop(s->mmaps, &events);

	return tell(s, &events, pids, blocks) ?: err;
}

void spaces_close(struct spaces *s)
{
	if (!s)
		return;
	mmaps_close(s->mmaps);
	vec_each (&s->files, f) {
		free(f->path);
		free(f->stamp);
	}
	vec_each (&s->list, space)
		vec_fini(&space->maps);
	vec_fini(&s->files);
	vec_fini(&s->list);
	vec_fini(&s->last);
	free(s);
}

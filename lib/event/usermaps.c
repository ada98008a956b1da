/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/usermaps.h"

#include "lib/elf/names.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

/* The recorder's clock may differ from the trace's by this many ns. */
enum { SLACK = 20000 };

struct file {
	char *path, *stamp;
	bool loaded;
	struct elf_names *names; /* NULL: the file has no names */
};

struct map {
	uint64_t start, end, offset, since;
	size_t file;
};

/* The mappings of one program of a process, in the order of their lines. */
struct space {
	int pid;
	uint64_t since;
	size_t order; /* position in the file */
	VEC(struct map) maps;
};

struct usermaps {
	VEC(struct file) files;
	VEC(struct space) spaces; /* ordered by process id, time and .order */
	pthread_mutex_t lock;	  /* held while files are loaded */
	bool live;
	pthread_mutex_t changing; /* with .live: held while anything is looked up or added */
};

/* --- reading ------------------------------------------------------------------------------------------------- */

static int find_file(struct usermaps *m, const char *path, const char *stamp, size_t *out)
{
	struct file f;

	for (size_t i = m->files.n; i-- > 0;)
		if (strcmp(m->files.at[i].path, path) == 0 && strcmp(m->files.at[i].stamp, stamp) == 0) {
			*out = i;
			return 0;
		}
	f = (struct file){ .path = strdup(path), .stamp = strdup(stamp) };
	*out = m->files.n;
	if (f.path && f.stamp && !vec_push(&m->files, f))
		return 0;
	free(f.path);
	free(f.stamp);
	return -ENOMEM;
}

/* Reads "START END FILE\tOFFSET SINCE STAMP". All numbers but SINCE are hexadecimal. Lines of another form are passed over. */
static int add_line(struct usermaps *m, struct space *space, char *line)
{
	char *tab = strrchr(line, '\t'), *path, *stamp;
	struct map map;
	int at = 0, err;

	if (!tab)
		return 0;
	*tab++ = '\0';
	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &map.start, &map.end, &at) < 2 || !at)
		return 0;
	path = line + at;
	at = 0;
	if (sscanf(tab, "%" SCNx64 " %" SCNu64 "%n", &map.offset, &map.since, &at) < 2 || !at)
		return 0;
	stamp = tab + at + (tab[at] == ' ');
	err = find_file(m, path, stamp, &map.file);
	return err ? err : vec_push(&space->maps, map);
}

/* Adds the space. With .live it replaces an older one of the same program, which had fewer mappings. */
static int put_space(struct usermaps *m, const struct space *space)
{
	for (size_t i = m->live ? m->spaces.n : 0; i-- > 0;) {
		struct space *old = &m->spaces.at[i];

		if (old->pid == space->pid && old->since == space->since) {
			vec_fini(&old->maps);
			*old = *space;
			return 0;
		}
	}
	return vec_push(&m->spaces, *space);
}

/* Reads "PID COUNT PROGRAM\tSINCE" and the lines that follow. Cuts up @text. */
static int add_block(struct usermaps *m, char *text)
{
	char *rest = text, *line = strsep(&rest, "\n"), *tab = line ? strrchr(line, '\t') : NULL;
	struct space space = { .order = m->spaces.n };
	unsigned int pid;
	int err = 0;

	if (!tab || sscanf(line, "%x", &pid) != 1 || sscanf(tab + 1, "%" SCNu64, &space.since) != 1)
		return 0;
	space.pid = (int)pid;
	while (!err && (line = strsep(&rest, "\n")))
		err = add_line(m, &space, line);
	err = err ? err : put_space(m, &space);
	if (err)
		vec_fini(&space.maps);
	return err;
}

static int by_time(const void *a, const void *b)
{
	const struct space *s = a, *t = b;

	if (s->pid != t->pid)
		return s->pid < t->pid ? -1 : 1;
	if (s->since != t->since)
		return s->since < t->since ? -1 : 1;
	return s->order < t->order ? -1 : 1;
}

static int add_blocks(struct usermaps *m, const strv_t *procmaps)
{
	int err = 0;

	vec_each (procmaps, block) {
		__cleanup(free_ptr) char *text = NULL;

		/* A block in trace-cmd's own form is left out, because it has no offsets. */
		if (err || !memchr(*block, '\t', strcspn(*block, "\n")))
			continue;
		text = strdup(*block);
		err = text ? add_block(m, text) : -ENOMEM;
	}
	if (m->spaces.n)
		qsort(m->spaces.at, m->spaces.n, sizeof(*m->spaces.at), by_time);
	return err;
}

int usermaps_add(struct usermaps *m, const strv_t *procmaps)
{
	int err;

	pthread_mutex_lock(&m->changing);
	err = add_blocks(m, procmaps);
	pthread_mutex_unlock(&m->changing);
	return err;
}

int usermaps_new(struct usermaps **out, const strv_t *procmaps, bool live)
{
	struct usermaps *m = calloc(1, sizeof(*m));
	int err;

	*out = NULL;
	if (!m)
		return -ENOMEM;
	pthread_mutex_init(&m->lock, NULL);
	pthread_mutex_init(&m->changing, NULL);
	m->live = live;
	err = add_blocks(m, procmaps);
	if (err || (!m->spaces.n && !live)) {
		usermaps_free(m);
		return err;
	}
	*out = m;
	return 0;
}

void usermaps_free(struct usermaps *m)
{
	if (!m)
		return;
	vec_each (&m->files, f) {
		elf_names_free(f->names);
		free(f->path);
		free(f->stamp);
	}
	vec_each (&m->spaces, s)
		vec_fini(&s->maps);
	vec_fini(&m->files);
	vec_fini(&m->spaces);
	pthread_mutex_destroy(&m->lock);
	pthread_mutex_destroy(&m->changing);
	free(m);
}

/* --- looking up ---------------------------------------------------------------------------------------------- */

/* Returns the latest mapping that covers @addr and existed at @ts, or NULL. */
static const struct map *map_at(const struct space *s, uint64_t ts, uint64_t addr)
{
	for (size_t i = s->maps.n; i-- > 0;) {
		const struct map *map = &s->maps.at[i];

		if (addr >= map->start && addr < map->end && map->since <= ts + SLACK)
			return map;
	}
	return NULL;
}

static const struct map *find_map(const struct usermaps *m, int pid, uint64_t ts, uint64_t addr)
{
	size_t low = 0, high = m->spaces.n;
	const struct map *map;

	/* Finds the place after the last program of this process that had begun at @ts. */
	while (low < high) {
		const struct space *s = &m->spaces.at[low + (high - low) / 2];

		if (s->pid < pid || (s->pid == pid && s->since <= ts + SLACK))
			low += (high - low) / 2 + 1;
		else
			high = low + (high - low) / 2;
	}
	/* If no times are known, all programs began at 0, and each of them may be the right one. */
	for (; low > 0 && m->spaces.at[low - 1].pid == pid; low--) {
		map = map_at(&m->spaces.at[low - 1], ts, addr);
		if (map || m->spaces.at[low - 1].since)
			return map;
	}
	return NULL;
}

static struct elf_names *names_of(struct usermaps *m, struct file *f)
{
	if (!__atomic_load_n(&f->loaded, __ATOMIC_ACQUIRE)) {
		pthread_mutex_lock(&m->lock);
		if (!f->loaded) {
			if (elf_names_load(&f->names, f->path, f->stamp))
				f->names = NULL;
			__atomic_store_n(&f->loaded, true, __ATOMIC_RELEASE);
		}
		pthread_mutex_unlock(&m->lock);
	}
	return f->names;
}

/* What was found at an address. */
struct found {
	const char *path; /* NULL: the address is in no file, and the other members are not set */
	uint64_t offset;  /* in the file */
	const char *name; /* NULL: not known; .into, the offset in the function, is not set then */
	uint64_t into;
};

static struct found look_up(struct usermaps *m, int pid, uint64_t ts, uint64_t addr, bool returns)
{
	const struct map *map = find_map(m, pid, ts, addr);
	struct file *f = map ? &m->files.at[map->file] : NULL;
	struct elf_names *names = f ? names_of(m, f) : NULL;
	uint64_t behind = map ? addr - map->start : 0;
	struct found found = { .path = f ? f->path : NULL, .offset = map ? map->offset + behind : 0 };

	/* A call may be the last instruction of its function, so its return address may belong to the next function. */
	if (names && !elf_names_find(names, found.offset - returns, behind - returns, &found.name, &found.into))
		found.name = NULL;
	return found;
}

/* Looks up an address. What the result points to stays valid. */
static struct found find(struct usermaps *m, int pid, uint64_t ts, uint64_t addr, bool returns)
{
	struct found found;

	if (m->live)
		pthread_mutex_lock(&m->changing);
	found = look_up(m, pid, ts, addr, returns);
	if (m->live)
		pthread_mutex_unlock(&m->changing);
	return found;
}

void usermaps_text(struct usermaps *m, int pid, uint64_t ts, uint64_t addr, bool returns, struct str *out)
{
	struct found found = find(m, pid, ts, addr, returns);

	if (found.name)
		str_addf(out, "%s+0x%" PRIx64 " (%s)", found.name, found.into + returns, found.path);
	else if (found.path)
		str_addf(out, "%" PRIx64 " (%s+0x%" PRIx64 ")", addr, found.path, found.offset);
	else
		str_addf(out, "%" PRIx64, addr);
}

void usermaps_find(struct usermaps *m, int pid, uint64_t ts, uint64_t addr, bool returns, const char **name, const char **path)
{
	struct found found = find(m, pid, ts, addr, returns);

	*name = found.name;
	*path = found.path;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/names.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/map.h"
#include "lib/base/now.h"
#include <time.h>

/* Looking at the kernel's list may take 1/SHARE of the time. */
#define SHARE 100

struct name {
	char text[16]; /* TASK_COMM_LEN; without a NUL when it is that long */
};

struct names {
	int fd;
	MAP(uint32_t, struct name) tasks; /* by pid */
	uint64_t next_ns;		  /* the earliest time to look again */
	uint32_t known_pid;		  /* the pid given to names_add_task(); 0: none */
	struct name known;
};

int names_new(struct names **out, int fd)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names) {
		close_fd(&fd);
		return fail(ENOMEM, "no memory for names of tasks");
	}
	names->fd = fd;
	*out = names;
	return 0;
}

/* Parses a line "PID NAME". The name may hold spaces. Returns false when the line is something else. */
static bool parse_line(const struct text *line, uint32_t *pid, struct name *out)
{
	size_t i = 0, n;

	*pid = 0;
	*out = (struct name){ 0 };
	while (i < line->size && line->at[i] == ' ')
		i++;
	while (i < line->size && line->at[i] >= '0' && line->at[i] <= '9')
		*pid = *pid * 10 + (uint32_t)(line->at[i++] - '0');
	n = line->size - i;
	if (n < 2 || line->at[i] != ' ' || !*pid)
		return false;
	memcpy(out->text, line->at + i + 1, MIN(n - 1, sizeof(out->text)));
	return true;
}

/* Returns 1 when the name is new for this task, 0 when it is known, or -ENOMEM. */
static int put(struct names *names, uint32_t pid, const struct name *name)
{
	map_entry(&names->tasks) task = map_add(&names->tasks, pid);

	if (!task)
		return -ENOMEM;
	if (memcmp(&task->value, name, sizeof(*name)) == 0)
		return 0;
	task->value = *name;
	return 1;
}

static void put_line(struct str *out, uint32_t pid, const struct name *name)
{
	str_addf(out, "%u %.*s\n", pid, (int)sizeof(name->text), name->text);
}

/* Adds the names in @lines. The lines of the new names are appended to @news. @news can be NULL. */
static int add(struct names *names, const struct text *lines, struct str *news)
{
	struct text rest = *lines, line;
	struct name name;
	uint32_t pid;
	int err = 0;

	while (err >= 0 && text_line(&rest, &line)) {
		err = parse_line(&line, &pid, &name) ? put(names, pid, &name) : 0;
		if (err > 0 && news)
			put_line(news, pid, &name);
	}
	return MIN(err, 0);
}

int names_add(struct names *names, const struct text *lines)
{
	return add(names, lines, NULL);
}

void names_add_task(struct names *names, int pid, const char *name)
{
	names->known_pid = (uint32_t)pid;
	names->known = (struct name){ 0 };
	memcpy(names->known.text, name, strnlen(name, sizeof(names->known.text)));
}

void names_look(struct names *names, const struct tracedir *top)
{
	uint64_t begin = thread_cpu_ns();
	struct text lines = { 0 };
	struct str news = { 0 };

	if (now_ns() < names->next_ns || io_slurp_at(top->fd, "saved_cmdlines", &lines))
		return;
	if (!add(names, &lines, &news) && news.len && !str_ok(&news) && names->fd >= 0)
		io_write(names->fd, news.at, news.len);
	str_fini(&news);
	free(lines.at);
	names->next_ns = now_ns() + (thread_cpu_ns() - begin) * SHARE;
}

static int by_pid(const void *a, const void *b)
{
	return ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
}

int names_join(struct names *names, struct text *lines)
{
	VEC(uint32_t) all = { 0 };
	struct str text = { 0 };
	size_t size;
	char *at;

	if (!names)
		return 0;
	if (names_add(names, lines) || (names->known_pid && put(names, names->known_pid, &names->known) < 0) || vec_reserve(&all, map_count(&names->tasks) + 1))
		return -ENOMEM;
	map_each (&names->tasks, task)
		all.at[all.n++] = task->key;
	qsort(all.at, all.n, sizeof(*all.at), by_pid);
	vec_each (&all, pid)
		put_line(&text, *pid, &map_find(&names->tasks, *pid)->value);
	vec_fini(&all);
	if (!map_count(&names->tasks))
		return 0;
	size = text.len;
	at = str_take(&text);
	if (!at)
		return -ENOMEM;
	free(lines->at);
	*lines = (struct text){ at, size };
	return 0;
}

void names_free(struct names *names)
{
	if (!names)
		return;
	close_fd(&names->fd);
	map_fini(&names->tasks);
	free(names);
}

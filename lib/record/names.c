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
	char text[PROCESS_NAME]; /* without a NUL when it is that long */
};

struct task_name {
	struct name listed; /* the last one that came from the kernel's list; zeros: none came */
	struct name now;
	uint64_t start; /* 1 + the time at which the task began that was first asked for its name; 0: none was asked */
};

struct names {
	int fd;
	MAP(uint32_t, struct task_name) tasks; /* by pid */
	uint64_t next_ns;		       /* the earliest time to look again */
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

static bool same(const struct name *a, const struct name *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/*
 * Gives the task this name. @listed: it comes from the kernel's list, where a line that has not changed may be older than what the task has told. Returns 1
 * when the name is another one than before, 0 when it is not, or -ENOMEM.
 */
static int put(struct names *names, uint32_t pid, const struct name *name, bool listed)
{
	map_entry(&names->tasks) task = map_add(&names->tasks, pid);
	bool news;

	if (!task)
		return -ENOMEM;
	if (listed && same(&task->value.listed, name))
		return 0;
	if (listed)
		task->value.listed = *name;
	news = !same(&task->value.now, name);
	task->value.now = *name;
	return news;
}

static void put_line(struct str *out, uint32_t pid, const struct name *name)
{
	str_addf(out, "%u %.*s\n", pid, (int)sizeof(name->text), name->text);
}

/* Adds the names in @lines, which come from the kernel's list. The lines of the new names are appended to @news. @news can be NULL. */
static int add(struct names *names, const struct text *lines, struct str *news)
{
	struct text rest = *lines, line;
	struct name name;
	uint32_t pid;
	int err = 0;

	while (err >= 0 && text_line(&rest, &line)) {
		err = parse_line(&line, &pid, &name) ? put(names, pid, &name, true) : 0;
		if (err > 0 && news)
			put_line(news, pid, &name);
	}
	return MIN(err, 0);
}

int names_add(struct names *names, const struct text *lines)
{
	return add(names, lines, NULL);
}

int names_add_task(struct names *names, pid_t pid, const char *name)
{
	struct name own = { 0 };

	memcpy(own.text, name, strnlen(name, sizeof(own.text)));
	return MIN(put(names, (uint32_t)pid, &own, false), 0);
}

/* Is the task that has this pid now the one that was first asked? Returns 1 if it is, 0 if not, or -ENOMEM. */
static int is_first(struct names *names, pid_t pid)
{
	map_entry(&names->tasks) task;
	uint64_t start;

	if (!process_start(pid, &start))
		return 0;
	task = map_add(&names->tasks, (uint32_t)pid);
	if (!task)
		return -ENOMEM;
	if (!task->value.start)
		task->value.start = start + 1;
	return task->value.start == start + 1;
}

/* Asks the tasks for their names, and adds them as add() does. @news can be NULL. */
static int ask(struct names *names, const pid_t *pids, size_t n, struct str *news)
{
	struct name name;
	int err = 0;

	for (size_t i = 0; i < n && err >= 0; i++) {
		/* If the first task is still there after this name was read, the name is its own. */
		err = process_name(pids[i], name.text) ? is_first(names, pids[i]) : 0;
		if (err > 0)
			err = put(names, (uint32_t)pids[i], &name, false);
		if (err > 0 && news)
			put_line(news, (uint32_t)pids[i], &name);
	}
	return MIN(err, 0);
}

int names_ask(struct names *names, const pid_t *pids, size_t n)
{
	return ask(names, pids, n, NULL);
}

void names_look(struct names *names, const struct tracedir *top, const pid_t *pids, size_t n)
{
	uint64_t begin = thread_cpu_ns();
	struct text lines = { 0 };
	struct str news = { 0 };
	bool listed;

	if (now_ns() < names->next_ns)
		return;
	listed = !io_slurp_at(top->fd, "saved_cmdlines", &lines);
	if ((!listed || !add(names, &lines, &news)) && !ask(names, pids, n, &news) && news.len && !str_ok(&news) && names->fd >= 0)
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
	if (names_add(names, lines) || vec_reserve(&all, map_count(&names->tasks) + 1))
		return -ENOMEM;
	map_each (&names->tasks, task)
		all.at[all.n++] = task->key;
	qsort(all.at, all.n, sizeof(*all.at), by_pid);
	vec_each (&all, pid)
		put_line(&text, *pid, &map_find(&names->tasks, *pid)->value.now);
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

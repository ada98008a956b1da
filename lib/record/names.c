/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/names.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/vec.h"
#include <unistd.h>

/* The part of the time that looking may take. */
#define SHARE 100

struct name {
	uint32_t pid;
	char text[16];	/* TASK_COMM_LEN; without a NUL when it is that long */
};

struct names {
	int fd;
	VEC(struct name) all;	/* by pid */
	uint64_t next_ns;	/* when to look again at the earliest */
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

/* "PID NAME": the name may hold spaces. False: something else. */
static bool parse_line(const struct text *line, struct name *out)
{
	size_t i = 0, n;

	*out = (struct name){ 0 };
	while (i < line->size && line->at[i] == ' ')
		i++;
	while (i < line->size && line->at[i] >= '0' && line->at[i] <= '9')
		out->pid = out->pid * 10 + (uint32_t)(line->at[i++] - '0');
	n = line->size - i;
	if (n < 2 || line->at[i] != ' ' || !out->pid)
		return false;
	memcpy(out->text, line->at + i + 1, MIN(n - 1, sizeof(out->text)));
	return true;
}

/* Where the task is, or would be. */
static size_t place(const struct names *names, uint32_t pid)
{
	size_t low = 0, high = names->all.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (names->all.at[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* 1: it is new, or new for this task; 0 or -ENOMEM. */
static int put(struct names *names, const struct name *name)
{
	size_t at = place(names, name->pid);
	struct name *old = names->all.at + at;

	if (at < names->all.n && old->pid == name->pid) {
		if (memcmp(old->text, name->text, sizeof(old->text)) == 0)
			return 0;
		*old = *name;
		return 1;
	}
	if (vec_push(&names->all, *name))
		return -ENOMEM;
	old = names->all.at + at;
	memmove(old + 1, old, (names->all.n - 1 - at) * sizeof(*old));
	*old = *name;
	return 1;
}

static void put_line(struct str *out, const struct name *name)
{
	str_addf(out, "%u %.*s\n", name->pid, (int)sizeof(name->text), name->text);
}

/* @news: lines of those that were new; NULL: not wanted. */
static int add(struct names *names, const struct text *lines, struct str *news)
{
	struct text rest = *lines, line;
	struct name name;
	int err = 0;

	while (err >= 0 && text_line(&rest, &line)) {
		err = parse_line(&line, &name) ? put(names, &name) : 0;
		if (err > 0 && news)
			put_line(news, &name);
	}
	return MIN(err, 0);
}

int names_add(struct names *names, const struct text *lines)
{
	return add(names, lines, NULL);
}

void names_look(struct names *names, const struct tracedir *top)
{
	uint64_t begin = now_ns();
	struct text lines = { 0 };
	struct str news = { 0 };

	if (begin < names->next_ns || io_slurp_at(top->fd, "saved_cmdlines", &lines))
		return;
	if (!add(names, &lines, &news) && news.len && !str_ok(&news) && names->fd >= 0)
		io_write(names->fd, news.at, news.len);
	str_fini(&news);
	free(lines.at);
	names->next_ns = now_ns() + (now_ns() - begin) * SHARE;
}

int names_join(struct names *names, struct text *lines)
{
	struct str all = { 0 };
	size_t size;
	char *text;

	if (!names)
		return 0;
	if (names_add(names, lines))
		return -ENOMEM;
	vec_each (&names->all, name)
		put_line(&all, name);
	if (!all.len)
		return 0;
	size = all.len;
	text = str_take(&all);
	if (!text)
		return -ENOMEM;
	free(lines->at);
	*lines = (struct text){ text, size };
	return 0;
}

void names_free(struct names *names)
{
	if (!names)
		return;
	close_fd(&names->fd);
	vec_fini(&names->all);
	free(names);
}

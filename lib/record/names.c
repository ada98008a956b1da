/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/names.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/vec.h"
#include <time.h>

/* The part of the time that looking may take. */
#define SHARE 100

struct name {
	uint32_t pid;
	char text[16];	/* TASK_COMM_LEN; without a NUL when it is that long */
};

struct names {
	int fd;
	struct name *slots;	/* by pid, which is 0 in those that are free; a power of two of them */
	size_t n, mask;
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

/* Where the task is, or is to be. */
static struct name *find(const struct names *names, uint32_t pid)
{
	size_t i = pid * 2654435761u & names->mask;

	while (names->slots[i].pid && names->slots[i].pid != pid)
		i = (i + 1) & names->mask;
	return &names->slots[i];
}

static int grow(struct names *names)
{
	struct names more = { .mask = names->slots ? names->mask * 2 + 1 : 255 };

	more.slots = calloc(more.mask + 1, sizeof(*more.slots));
	if (!more.slots)
		return -ENOMEM;
	for (size_t i = 0; names->slots && i <= names->mask; i++)
		if (names->slots[i].pid)
			*find(&more, names->slots[i].pid) = names->slots[i];
	free(names->slots);
	names->slots = more.slots;
	names->mask = more.mask;
	return 0;
}

/* 1: it is new, or new for this task; 0 or -ENOMEM. */
static int put(struct names *names, const struct name *name)
{
	struct name *slot;

	if (2 * names->n >= names->mask && grow(names))
		return -ENOMEM;
	slot = find(names, name->pid);
	if (memcmp(slot, name, sizeof(*slot)) == 0)
		return 0;
	names->n += !slot->pid;
	*slot = *name;
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

/* The time that this thread has run: on a busy machine much more may have passed. */
static uint64_t worked_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

void names_look(struct names *names, const struct tracedir *top)
{
	uint64_t begin = worked_ns();
	struct text lines = { 0 };
	struct str news = { 0 };

	if (now_ns() < names->next_ns || io_slurp_at(top->fd, "saved_cmdlines", &lines))
		return;
	if (!add(names, &lines, &news) && news.len && !str_ok(&news) && names->fd >= 0)
		io_write(names->fd, news.at, news.len);
	str_fini(&news);
	free(lines.at);
	names->next_ns = now_ns() + (worked_ns() - begin) * SHARE;
}

static int by_pid(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

int names_join(struct names *names, struct text *lines)
{
	VEC(struct name) all = { 0 };
	struct str text = { 0 };
	size_t size;
	char *at;

	if (!names)
		return 0;
	if (names_add(names, lines) || vec_reserve(&all, names->n + 1))
		return -ENOMEM;
	for (size_t i = 0; names->slots && i <= names->mask; i++)
		if (names->slots[i].pid)
			all.at[all.n++] = names->slots[i];
	qsort(all.at, all.n, sizeof(*all.at), by_pid);
	vec_each (&all, name)
		put_line(&text, name);
	vec_fini(&all);
	if (!names->n)
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
	free(names->slots);
	free(names);
}

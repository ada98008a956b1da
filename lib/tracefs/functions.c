/* SPDX-License-Identifier: GPL-2.0 */
/* Matches patterns with the functions in available_filter_functions. That file has 50,000 lines and more, each "name" or "name [module]". */
#include "lib/tracefs/select.h"
#include "lib/tracefs/ksyms.h"
#include "lib/tracefs/refused.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define LIST "available_filter_functions"
#define MODULE ":mod:"

/* The parts of a pattern like "sched_*:mod:ext4". */
struct pattern {
	char *name;   /* "": any name */
	char *module; /* NULL: the function may be in any module or in none */
	bool glob;
};

static void pattern_fini(struct pattern *p)
{
	free(p->name);
	free(p->module);
}

static int pattern_init(struct pattern *p, const char *text)
{
	const char *mod = strstr(text, MODULE);

	p->name = mod ? strndup(text, (size_t)(mod - text)) : strdup(text);
	p->module = mod ? strdup(mod + strlen(MODULE)) : NULL;
	if (!p->name || (mod && !p->module))
		return fail(ENOMEM, "out of memory");
	p->glob = glob_is(p->name);
	return 0;
}

/* Returns true if the line matches the pattern. @line ends with a NUL. The brackets with the module are cut off meanwhile. */
static bool matches(const struct pattern *p, char *line, size_t len)
{
	char *blank = len && line[len - 1] == ']' ? strchr(line, ' ') : NULL;
	size_t n = blank ? (size_t)(blank - line) : len;
	bool is;

	if (p->module) {
		size_t m = strlen(p->module);

		if (!blank || len - n != m + 3 || memcmp(blank + 2, p->module, m) != 0)
			return false;
	}
	if (!*p->name)
		return true;
	if (!p->glob)
		return strncmp(p->name, line, n) == 0 && !p->name[n];
	if (blank)
		*blank = '\0';
	is = glob_match(p->name, line);
	if (blank)
		*blank = ' ';
	return is;
}

/*
 * The lines of the list are read one by one, up to the last one that is wanted, because the kernel has to look up a name for each line. After an error there
 * are no more lines.
 */
struct list {
	FILE *file;
	char *line; /* the present line, without its newline */
	size_t len, room;
	int err; /* -errno; 0: none */
};

static struct list list_open(const struct tracedir *top)
{
	const int fd = openat(top->fd, LIST, O_RDONLY | O_CLOEXEC);
	struct list list = { .file = fd < 0 ? NULL : fdopen(fd, "r") };

	if (!list.file)
		list.err = -errno;
	if (!list.file && fd >= 0)
		close(fd);
	return list;
}

static bool list_next(struct list *list)
{
	ssize_t n;

	if (list->err)
		return false;
	errno = 0;
	n = getline(&list->line, &list->room, list->file);
	if (n < 0) {
		list->err = -errno;
		return false;
	}
	if (list->line[n - 1] == '\n')
		list->line[--n] = '\0';
	list->len = (size_t)n;
	return true;
}

static void list_close(struct list *list)
{
	if (list->file)
		fclose(list->file);
	free(list->line);
}

bool functions_have(const struct tracedir *top, const char *name)
{
	struct pattern p = { .name = (char *)name };
	struct list list = list_open(top);
	bool found = false;

	while (!found && list_next(&list))
		found = matches(&p, list.line, list.len);
	list_close(&list);
	return found;
}

int function_exists(const struct tracedir *top, const char *name)
{
	strv_t wanted = { 0 };
	int err;

	if (functions_have(top, name) || ksym_exists(name))
		return 0;
	err = strv_add(&wanted, name);
	if (!err && functions_check(top, &(struct functions_asked){ "-l", &wanted }, 1))
		err = -ENOENT;
	strv_fini(&wanted);
	return err;
}

int functions_find(const struct tracedir *top, const char *pattern, strv_t *out)
{
	struct pattern p = { 0 };
	struct list list = { 0 };
	int err = pattern_init(&p, pattern ? pattern : "");

	if (!err)
		list = list_open(top);
	while (!err && list_next(&list))
		if (matches(&p, list.line, list.len) && strv_add(out, list.line))
			err = fail(ENOMEM, "no memory for the list of functions");
	if (list.err)
		err = refused(top, LIST, -list.err);
	list_close(&list);
	pattern_fini(&p);
	return err;
}

/* Returns "; nearest: a, b" with the nearest names of all functions, in new memory. */
static char *near_functions(const struct tracedir *top, const char *name)
{
	strv_t names = { 0 }, best = { 0 };
	char *text;

	if (functions_find(top, NULL, &names))
		return NULL;
	vec_each (&names, n)
		(*n)[strcspn(*n, " ")] = '\0';
	nearest_names(name, &names, 5, &best);
	text = join_names(&best, "; nearest: ", "");
	strv_fini(&names);
	strv_fini(&best);
	return text;
}

/* The messages name no option, because a pattern may also come from another option than -l, -n and -g, or from a tool. */
static int not_found(const struct tracedir *top, const char *text, const struct pattern *p)
{
	__cleanup(free_ptr) char *near = NULL;

	if (p->module && !*p->name)
		return fail(ENOENT, "no module '%s' with traceable functions is loaded", p->module);
	if (p->glob)
		return fail(ENOENT, "no function to trace matches '%s' in this kernel", text);
	near = near_functions(top, p->name);
	if (!p->module && ksym_exists(p->name) > 0)
		return fail(ENOENT,
			    "the function '%s' exists but cannot be traced: the kernel marks it notrace, or "
			    "was built without a place to trace it%s",
			    text, near ? near : "");
	return fail(ENOENT, "there is no function '%s' to trace in this kernel%s", text, near ? near : "");
}

/* Refuses forms of a pattern that the option does not take. */
static int check_form(const char *option, const char *text)
{
	const char *mod = strstr(text, MODULE);

	if (!*text)
		return fail(EINVAL, "%s: an empty name is no function", option);
	if (mod && strcmp(option, "-g") == 0)
		return fail(EINVAL, "-g %s: a graph cannot be limited to a module; name its functions, or use -l", text);
	if (!mod && strchr(text, ':'))
		return fail(EINVAL, "%s %s: a function command belongs to -l", option, text);
	return 0;
}

/* Leaves a pattern out that matches no function, because other patterns of the option match some. */
static void leave_out(strv_t *patterns, size_t i)
{
	note("there is no function '%s' to trace in this kernel; the others are there, and it is left out", patterns->at[i]);
	free(patterns->at[i]);
	memmove(&patterns->at[i], &patterns->at[i + 1], (patterns->n - i - 1) * sizeof(*patterns->at));
	patterns->n--;
}

/* What is looked for, in the order in which the user has given it, and whether it was found. */
struct wanted {
	struct pattern pattern;
	bool found;
};
typedef VEC(struct wanted) wanted_t;

static int add_wanted(wanted_t *wanted, const struct functions_asked *asked)
{
	int err = 0;

	for (size_t i = 0; !err && i < asked->patterns->n; i++) {
		struct wanted one = { 0 };

		err = check_form(asked->option, asked->patterns->at[i]);
		err = err ? err : pattern_init(&one.pattern, asked->patterns->at[i]);
		if (vec_push(wanted, one))
			err = err ? err : fail(ENOMEM, "out of memory");
	}
	return err;
}

/* Reads the list until all have been found. */
static int find_wanted(const struct tracedir *top, wanted_t *wanted)
{
	struct list list = list_open(top);
	size_t missing = wanted->n;

	while (missing && list_next(&list))
		vec_each (wanted, at)
			if (!at->found && (at->found = matches(&at->pattern, list.line, list.len)))
				missing--;
	list_close(&list);
	return list.err ? refused(top, LIST, -list.err) : 0;
}

/* Judges what was found for one option. @wanted are the patterns of @asked. */
static int judge(const struct tracedir *top, const struct functions_asked *asked, const struct wanted *wanted)
{
	strv_t *patterns = asked->patterns;
	bool any = !patterns->n;

	for (size_t i = 0; i < patterns->n; i++)
		any |= wanted[i].found;
	if (!any)
		return not_found(top, patterns->at[0], &wanted[0].pattern);
	for (size_t i = patterns->n; i-- > 0;)
		if (!wanted[i].found)
			leave_out(patterns, i);
	return 0;
}

int functions_check(const struct tracedir *top, const struct functions_asked *asked, size_t n)
{
	wanted_t wanted = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		err = add_wanted(&wanted, &asked[i]);
	if (!err && wanted.n)
		err = find_wanted(top, &wanted);
	for (size_t i = 0, at = 0; !err && i < n; i++) {
		const size_t first = at;

		at += asked[i].patterns->n;
		err = judge(top, &asked[i], wanted.at + first);
	}
	vec_each (&wanted, one)
		pattern_fini(&one->pattern);
	vec_fini(&wanted);
	return err;
}

int functions_spell_out(const struct tracedir *top, strv_t *patterns)
{
	strv_t names = { 0 };
	int err = 0;

	for (size_t i = patterns->n; !err && i-- > 0;) {
		const char *mod = strstr(patterns->at[i], MODULE);

		if (!mod || !isdigit((unsigned char)mod[strlen(MODULE)]))
			continue;
		err = functions_find(top, patterns->at[i], &names);
		free(patterns->at[i]);
		patterns->at[i] = patterns->at[--patterns->n];
	}
	vec_each (&names, name) {
		(*name)[strcspn(*name, " ")] = '\0';
		err = err ? err : strv_add(patterns, *name);
	}
	strv_fini(&names);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Patterns of functions against available_filter_functions, 50,000 lines and more: "name" or "name [module]". */
#include "lib/tracefs/select.h"
#include "lib/tracefs/ksyms.h"
#include "lib/tracefs/refused.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"

#include <ctype.h>
#include <fcntl.h>

#define LIST "available_filter_functions"
#define MODULE ":mod:"

/* "sched_*:mod:ext4" taken apart. */
struct pattern {
	char *name;   /* "": any */
	char *module; /* NULL: any, and none */
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

/* @line ends with a NUL; its module's brackets are cut off while it is looked at. */
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

bool functions_readable(const struct tracedir *top)
{
	__cleanup(close_fd) int fd = openat(top->fd, LIST, O_RDONLY | O_CLOEXEC);

	return fd >= 0;
}

static int read_list(const struct tracedir *top, struct text *out)
{
	int err = io_slurp_at(top->fd, LIST, out);

	return err ? refused(top, LIST, -err) : 0;
}

/* The next line of @rest as a string of its own. */
static bool next(struct text *rest, struct text *line)
{
	bool is = text_line(rest, line);

	/* Its newline, or the NUL behind the whole. */
	if (is)
		line->at[line->size] = '\0';
	return is;
}

int functions_find(const struct tracedir *top, const char *pattern, strv_t *out)
{
	struct text all = { 0 }, rest, line;
	struct pattern p = { 0 };
	int err = pattern_init(&p, pattern ? pattern : "");

	if (!err)
		err = read_list(top, &all);
	rest = all;
	while (!err && next(&rest, &line))
		if (matches(&p, line.at, line.size))
			err = strv_add(out, line.at);
	free(all.at);
	pattern_fini(&p);
	return err;
}

/* "; nearest: a, b" among all functions, new memory. */
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

static int not_found(const struct tracedir *top, const char *option, const char *text, const struct pattern *p)
{
	__cleanup(free_ptr) char *near = NULL;

	if (p->module && !*p->name)
		return fail(ENOENT, "%s %s: no module '%s' with traceable functions is loaded", option, text, p->module);
	if (p->glob)
		return fail(ENOENT, "%s: no function to trace matches '%s' in this kernel", option, text);
	near = near_functions(top, p->name);
	if (!p->module && ksym_exists(p->name) > 0)
		return fail(ENOENT,
			    "%s: the function '%s' exists but cannot be traced: the kernel marks it notrace, or "
			    "was built without a place to trace it%s",
			    option, text, near ? near : "");
	return fail(ENOENT, "%s: there is no function '%s' to trace in this kernel%s", option, text, near ? near : "");
}

/* Forms that only some files take. */
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

/* Some were found and this one was not: it is left out. */
static void leave_out(const char *option, strv_t *patterns, size_t i)
{
	note("%s: there is no function '%s' to trace in this kernel; the others are there, and it is left out", option, patterns->at[i]);
	free(patterns->at[i]);
	memmove(&patterns->at[i], &patterns->at[i + 1], (patterns->n - i - 1) * sizeof(*patterns->at));
	patterns->n--;
}

int functions_check(const struct tracedir *top, const char *option, strv_t *patterns)
{
	VEC(struct pattern) wanted = { 0 };
	VEC(bool) found = { 0 };
	struct text all = { 0 }, rest, line;
	bool any = false;
	int err = 0;

	for (size_t i = 0; !err && i < patterns->n; i++) {
		struct pattern p = { 0 };

		err = check_form(option, patterns->at[i]);
		if (!err)
			err = pattern_init(&p, patterns->at[i]);
		if (vec_push(&wanted, p) || vec_push(&found, false))
			err = err ? err : fail(ENOMEM, "out of memory");
	}
	if (!err && patterns->n)
		err = read_list(top, &all);
	rest = all;
	while (!err && next(&rest, &line))
		for (size_t i = 0; i < wanted.n; i++)
			if (!found.at[i])
				found.at[i] = matches(&wanted.at[i], line.at, line.size);
	for (size_t i = 0; i < found.n; i++)
		any |= found.at[i];
	for (size_t i = wanted.n; !err && any && i-- > 0;)
		if (!found.at[i])
			leave_out(option, patterns, i);
	if (!err && !any && wanted.n)
		err = not_found(top, option, patterns->at[0], &wanted.at[0]);
	free(all.at);
	vec_each (&wanted, p)
		pattern_fini(p);
	vec_fini(&wanted);
	vec_fini(&found);
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

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/setting.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

const char *const setting_lists[] = {
	"set_ftrace_filter", "set_ftrace_notrace",    "set_graph_function",
	"set_graph_notrace", "set_ftrace_pid",	      "set_ftrace_notrace_pid",
	"set_event_pid",     "set_event_notrace_pid", NULL,
};

static const char *basename_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

bool setting_is_pids(const char *file)
{
	size_t n = strlen(file);

	return n > 4 && strcmp(file + n - 4, "_pid") == 0;
}

/* --- one value ---------------------------------------------------------------------------------------------- */

/* Each of these functions cuts the text of a file down to its value, in place. */

static void bracketed(char *text)
{
	char *open = strchr(text, '['), *end = open ? strchr(open, ']') : NULL;

	if (!end)
		return;
	*end = '\0';
	memmove(text, open + 1, (size_t)(end - open));
}

/* The ring buffer is small until something is traced. Its growth cannot be undone, so the size that it grows to is its value. */
static void expanded(char *text)
{
	static const char word[] = "(expanded: ";
	char *at = strstr(text, word);

	if (!at)
		return;
	at += sizeof(word) - 1;
	at[strcspn(at, ")")] = '\0';
	memmove(text, at, strlen(at) + 1);
}

/* "1*" means that the event is on and that a trigger holds it as well. */
static void switched(char *text)
{
	if (*text && text[1] == '*')
		text[1] = '\0';
}

/* If the kernel could not parse a filter, the file has its text, and below it a caret and the reason. */
static void filter(char *text)
{
	text[strcspn(text, "\n")] = '\0';
	if (strcmp(text, "none") == 0)
		strcpy(text, "0");
}

static void mask(char *text)
{
	size_t zeros = strspn(text, "0,"), n = strlen(text);

	if (zeros == n && n)
		zeros = n - 1;
	memmove(text, text + zeros, n - zeros + 1);
}

static const struct {
	const char *file;
	void (*value)(char *text);
} readings[] = {
	{ "buffer_size_kb", expanded }, { "enable", switched }, { "filter", filter }, { "trace_clock", bracketed }, { "tracing_cpumask", mask },
};

static void to_value(const char *file, char *text)
{
	const char *name = basename_of(file);

	for (size_t i = 0; i < ARRAY_LEN(readings); i++)
		if (strcmp(readings[i].file, name) == 0)
			readings[i].value(text);
}

int setting_read(const struct tracedir *dir, const char *file, char **out)
{
	int err = tracedir_read(dir, file, out);

	if (!err)
		to_value(file, *out);
	return err;
}

bool setting_same(const char *file, const char *a, const char *b)
{
	__cleanup(free_ptr) char *left = strdup(a);
	__cleanup(free_ptr) char *right = strdup(b);
	int64_t m, n;

	if (!left || !right)
		return false;
	to_value(file, left);
	to_value(file, right);
	if (strcmp(left, right) == 0)
		return true;
	return strcmp(basename_of(file), "tracing_cpumask") != 0 && !parse_s64(left, &m) && !parse_s64(right, &n) && m == n;
}

int setting_put(const struct tracedir *dir, const char *file, const char *value)
{
	__cleanup(free_ptr) char *now = NULL;
	__cleanup(free_ptr) char *then = NULL;
	int err = setting_read(dir, file, &now);

	if (err)
		return err;
	if (setting_same(file, now, value))
		return 0;
	err = tracedir_write(dir, file, value, true);
	/* If the kernel refused the filter when the user set it, it refuses it now, too. Then the file reads as it did before, which is what we want. */
	if (err == -EINVAL && !setting_read(dir, file, &then) && strcmp(then, value) == 0)
		err = 0;
	return err;
}

int sysctl_open(struct tracedir *out)
{
	static const char path[] = "/proc/sys/kernel";

	*out = (struct tracedir){ .fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .path = strdup(path) };
	if (out->fd < 0 || !out->path) {
		int err = out->fd < 0 ? -errno : -ENOMEM;

		tracedir_fini(out);
		return err;
	}
	return 0;
}

char *setting_all_cpus(void)
{
	struct text possible = { 0 };
	struct str mask = { 0 };
	long n = sysconf(_SC_NPROCESSORS_CONF);

	/* In "0-3", the last number is that of the last CPU. The kernel's mask has a bit for each of them, present or not. */
	if (!io_slurp("/sys/devices/system/cpu/possible", &possible)) {
		const char *last = strpbrk(possible.at, "-,") ? strrchr(possible.at, '-') : NULL;

		n = last ? MAX(n, atol(last + 1) + 1) : n;
	}
	free(possible.at);
	for (long group = (n - 1) / 32; group >= 0; group--) {
		long bits = MIN(n - group * 32, 32L);

		str_addf(&mask, mask.len ? ",%08x" : "%x", (unsigned int)((1ULL << bits) - 1));
	}
	return str_take(&mask);
}

/* If a list has at least this many functions, they are put back by their numbers instead of their names. */
enum { MANY = 16 };

/* --- lists -------------------------------------------------------------------------------------------------- */

static bool is_filter(const char *file)
{
	return strcmp(file, "set_ftrace_filter") == 0 || strcmp(file, "set_ftrace_notrace") == 0;
}

/* Returns a line of a list as one would write it, in new memory. Returns NULL with *@err 0 when the line is no entry. */
static char *to_entry(const char *file, const struct text *line, int *err)
{
	bool functions = is_filter(file);
	char *entry, *bracket;

	*err = 0;
	if (!line->size || line->at[0] == '#' || (line->size == 6 && !memcmp(line->at, "no pid", 6)))
		return NULL;
	entry = strndup(line->at, line->size);
	if (!entry) {
		*err = -ENOMEM;
		return NULL;
	}
	if (functions && strchr(entry, ':') && !strstr(entry, ":mod:")) {
		free(entry);
		return NULL;
	}
	/* The line can be "e1000_open [e1000]". */
	bracket = strstr(entry, " [");
	if (bracket) {
		char *whole;

		*bracket = '\0';
		bracket += 2;
		bracket[strcspn(bracket, "]")] = '\0';
		/* The kernel would take a module's name that begins with a digit for the number of a line. */
		if (!functions || isdigit((unsigned char)*bracket))
			return entry;
		whole = str_printf("%s:mod:%s", entry, bracket);
		free(entry);
		if (!whole)
			*err = -ENOMEM;
		return whole;
	}
	return entry;
}

int setting_lines(const struct tracedir *dir, const char *file, strv_t *out)
{
	__cleanup(free_ptr) char *text = NULL;
	struct text rest, line;
	int err = tracedir_read(dir, file, &text);

	if (err)
		return err;
	rest = (struct text){ text, strlen(text) };
	while (text_line(&rest, &line)) {
		char *entry = to_entry(basename_of(file), &line, &err);

		if (err)
			return err;
		if (entry && strv_own(out, entry))
			return -ENOMEM;
	}
	return 0;
}

char *join_lines(const strv_t *lines)
{
	struct str s = { 0 };

	for (size_t i = 0; i < lines->n; i++)
		str_addf(&s, "%s%s", i ? "\n" : "", lines->at[i]);
	return str_take(&s);
}

/* Returns true if the line of available_filter_functions, "name" or "name [module]", is the function of the entry. */
static bool is_entry(const struct text *line, const char *entry)
{
	const char *mod = strstr(entry, ":mod:");
	size_t n = mod ? (size_t)(mod - entry) : strlen(entry);
	size_t m = mod ? strlen(mod + 5) : 0;

	if (line->size < n || memcmp(line->at, entry, n) != 0)
		return false;
	if (!mod)
		return line->size == n || (line->size > n + 2 && memcmp(line->at + n, " [", 2) == 0 && isdigit((unsigned char)line->at[n + 2]));
	return line->size == n + m + 3 && memcmp(line->at + n, " [", 2) == 0 && memcmp(line->at + n + 2, mod + 5, m) == 0;
}

/*
 * Returns the lines with each name replaced by its number in available_filter_functions, in new memory. For a name, the kernel searches through all
 * functions. For a number it does not. Both lists are in the kernel's order.
 */
static char *numbered(const struct tracedir *dir, const char *lines)
{
	struct text wanted = { (char *)lines, strlen(lines) }, line, all = { 0 }, rest, function;
	struct str s = { 0 };
	size_t number = 0;

	if (io_slurp_at(dir->fd, "available_filter_functions", &all))
		return NULL;
	rest = all;
	while (text_line(&wanted, &line)) {
		__cleanup(free_ptr) char *entry = strndup(line.at, line.size);
		bool found = false;

		/* The list is searched twice in case the order is not the same after all. */
		for (int round = 0; entry && !found && round < 2; round++) {
			while (!found && text_line(&rest, &function)) {
				number++;
				found = is_entry(&function, entry);
			}
			if (!found) {
				rest = all;
				number = 0;
			}
		}
		if (found)
			str_addf(&s, "%zu\n", number);
		else
			str_addf(&s, "%s\n", entry ? entry : "");
	}
	free(all.at);
	if (s.len)
		s.at[--s.len] = '\0';
	return str_take(&s);
}

int setting_put_lines(const struct tracedir *dir, const char *file, const char *lines)
{
	__cleanup(free_ptr) char *joined = NULL;
	__cleanup(free_ptr) char *numbers = NULL;
	strv_t now = { 0 };
	size_t n = 0;
	int err = setting_lines(dir, file, &now);

	if (!err) {
		joined = join_lines(&now);
		err = joined ? 0 : -ENOMEM;
	}
	strv_fini(&now);
	if (err || (strcmp(joined, lines) == 0 && (*lines || !setting_is_pids(file))))
		return err;
	for (const char *at = lines; (at = strchr(at, '\n')); at++)
		n++;
	if (n >= MANY && is_filter(basename_of(file)))
		numbers = numbered(dir, lines);
	return tracedir_write(dir, file, numbers ? numbers : lines, true);
}

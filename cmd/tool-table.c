/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/tool-table.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"

#include <dirent.h>
#include <sys/stat.h>

#define SUFFIX ".tool"
#define MACHINE "/etc/ringside/tools"

/* More than the size of any spec. */
enum { MOST_BYTES = 65536 };

/* The assembler includes the file, which the Makefile makes first. */
__asm__(".pushsection .rodata\n"
	".globl ringside_tools\nringside_tools:\n"
	".incbin \"examples.tools\"\n"
	".globl ringside_tools_end\nringside_tools_end:\n"
	".byte 0\n.popsection\n");
extern const char ringside_tools[], ringside_tools_end[];

static struct text built_in(void)
{
	return (struct text){ (char *)ringside_tools, (size_t)(ringside_tools_end - ringside_tools) };
}

/* Does the line begin a tool? It is "= NAME" then. @name has no NUL behind it. */
static bool begins_tool(const struct text *line, struct text *name)
{
	*name = (struct text){ line->at + 2, line->size - 2 };
	return line->size > 2 && line->at[0] == '=' && line->at[1] == ' ';
}

/* Returns the built-in text of that name; its .at is NULL if there is none. */
static struct text find_built_in(const char *name)
{
	struct text rest = built_in(), line, found = { 0 }, is;

	while (text_line(&rest, &line)) {
		if (begins_tool(&line, &is)) {
			if (found.at)
				break;
			if (is.size == strlen(name) && memcmp(is.at, name, is.size) == 0)
				found.at = rest.at;
		} else if (found.at) {
			found.size = (size_t)(line.at + line.size + 1 - found.at);
		}
	}
	return found;
}

/* Returns the user's folder for tools, or NULL if there is none or no memory. */
static char *own_folder(void)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config)
		return str_printf("%s/ringside/tools", config);
	return home && *home ? str_printf("%s/.config/ringside/tools", home) : NULL;
}

static int read_file(struct tool_spec *spec, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	__cleanup(free_ptr) char *name = strndup(base, strlen(base) - (str_ends(base, SUFFIX) ? strlen(SUFFIX) : 0));
	struct text source = { 0 };
	struct stat st;
	int err = stat(path, &st) ? -errno : 0;

	if (!err && !S_ISREG(st.st_mode))
		return fail(EINVAL, "%s is no file", path);
	if (!err && st.st_size > MOST_BYTES)
		return fail(EFBIG, "%s is no spec of a tool: it has %lld bytes", path, (long long)st.st_size);
	err = err ? err : io_slurp(path, &source);
	if (err)
		return fail(-err, "%s: %m", path);
	if (!name) {
		free(source.at);
		return fail(ENOMEM, "out of memory");
	}
	return tool_spec_read(spec, name, path, source);
}

/* Reads the spec from this folder. Returns 1 if the folder has none of that name. */
static int read_in_folder(struct tool_spec *spec, const char *folder, const char *name)
{
	__cleanup(free_ptr) char *path = folder ? str_printf("%s/%s" SUFFIX, folder, name) : NULL;
	struct stat st;

	return path && !stat(path, &st) ? read_file(spec, path) : 1;
}

static int unknown(const char *name)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };
	int err;

	tool_names(&names);
	nearest_names(name, &names, 3, &best);
	near = join_names(&best, " (did you mean ", "?)");
	err = fail(ENOENT, "there is no tool '%s'%s; `ringside tool --list` lists them, and one of your own is a file %s" SUFFIX " in ~/.config/ringside/tools",
		   name, near ? near : "", name);
	strv_fini(&names);
	strv_fini(&best);
	return err;
}

int tool_find(struct tool_spec *spec, const char *name)
{
	__cleanup(free_ptr) char *own = own_folder();
	struct text from, copy;
	int err;

	*spec = (struct tool_spec){ 0 };
	if (strchr(name, '/') || str_ends(name, SUFFIX))
		return read_file(spec, name);
	err = read_in_folder(spec, own, name);
	err = err > 0 ? read_in_folder(spec, MACHINE, name) : err;
	if (err <= 0)
		return err;
	from = find_built_in(name);
	if (!from.at)
		return unknown(name);
	copy = (struct text){ strndup(from.at, from.size), from.size };
	return copy.at ? tool_spec_read(spec, name, "built in", copy) : fail(ENOMEM, "out of memory");
}

static int add_name(strv_t *out, const char *name, size_t n)
{
	char *copy = strndup(name, n);

	if (copy && strv_has(out, copy)) {
		free(copy);
		return 0;
	}
	return strv_own(out, copy);
}

static int add_folder(strv_t *out, const char *folder)
{
	DIR *dir = folder ? opendir(folder) : NULL;
	struct dirent *entry;
	int err = 0;

	while (dir && !err && (entry = readdir(dir)))
		if (str_ends(entry->d_name, SUFFIX) && entry->d_name[0] != '.')
			err = add_name(out, entry->d_name, strlen(entry->d_name) - strlen(SUFFIX));
	if (dir)
		closedir(dir);
	return err;
}

int tool_names(strv_t *out)
{
	__cleanup(free_ptr) char *own = own_folder();
	struct text rest = built_in(), line, name;
	int err = 0;

	while (!err && text_line(&rest, &line))
		if (begins_tool(&line, &name))
			err = add_name(out, name.at, name.size);
	err = err ? err : add_folder(out, own);
	err = err ? err : add_folder(out, MACHINE);
	strv_sort(out);
	return err;
}

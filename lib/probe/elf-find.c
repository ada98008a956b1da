/* SPDX-License-Identifier: GPL-2.0 */
/* Finds programs and libraries by the names that people use for them. */
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/probe/elf.h"

#include <dirent.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Collects what ld.so.conf and the files that it includes say. Each file is read once, because they may include each other. */
struct conf {
	const char *root;
	strv_t seen, *dirs;
};

static void conf_files(struct conf *conf, const char *pattern);

/* A line of ld.so.conf names a folder or, behind "include", other files (ldconfig(8)). */
static void conf_line(struct conf *conf, const struct text *line)
{
	__cleanup(free_ptr) char *copy = strndup(line->at, line->size);
	static const char include[] = "include";
	char *at = copy, *state;

	if (!copy)
		return;
	copy[strcspn(copy, "#")] = '\0';
	at += strspn(at, " \t");
	if (str_starts(at, include) && strchr(" \t", at[strlen(include)])) {
		for (at = strtok_r(at + strlen(include), " \t\r", &state); at; at = strtok_r(NULL, " \t\r", &state))
			conf_files(conf, at);
		return;
	}
	at[strcspn(at, " \t\r=")] = '\0';
	if (at[0] == '/' && !strv_has(conf->dirs, at))
		strv_add(conf->dirs, at);
}

/* Appends the folders that the files of @pattern name. A pattern that does not begin with / begins in /etc, where ld.so.conf is. */
static void conf_files(struct conf *conf, const char *pattern)
{
	__cleanup(free_ptr) char *full = str_printf("%s%s%s", conf->root, pattern[0] == '/' ? "" : "/etc/", pattern);
	glob_t found = { 0 };

	if (full && glob(full, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++) {
			struct text file, rest, line;

			if (strv_has(&conf->seen, found.gl_pathv[i]) || strv_add(&conf->seen, found.gl_pathv[i]) || !is_file(found.gl_pathv[i]) ||
			    io_slurp(found.gl_pathv[i], &file))
				continue;
			rest = file;
			while (text_line(&rest, &line))
				conf_line(conf, &line);
			free(file.at);
		}
	globfree(&found);
}

/* Lists the folders of ld.so.conf, and then those that the loader knows by itself. */
static void library_dirs(const char *root, strv_t *dirs)
{
	static const char *const fixed[] = { "/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib" };

	struct conf conf = { .root = root, .dirs = dirs };

	conf_files(&conf, "/etc/ld.so.conf");
	strv_fini(&conf.seen);
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
		strv_add(dirs, fixed[i]);
}

/* Returns true if @file is the library @name. @name can be the whole name, or the name without its version, without ".so…", or without "lib". */
static bool is_library(const char *file, const char *name)
{
	size_t n = strlen(name);

	if (strcmp(file, name) == 0)
		return true;
	if (!str_starts(name, "lib") && str_starts(file, "lib") && !strstr(name, ".so"))
		file += 3;
	return strncmp(file, name, n) == 0 && str_starts(file + n, str_ends(name, ".so") ? "." : ".so");
}

/* Returns the shortest matching name in a folder, such as libz.so.1 rather than libz.so.1.2.13. Returns new memory, or NULL when there is none. */
static char *library_in(const char *root, const char *folder, const char *name)
{
	__cleanup(free_ptr) char *path = str_printf("%s%s", root, folder);
	DIR *dir = path ? opendir(path) : NULL;
	struct dirent *entry;
	char *best = NULL;

	while (dir && (entry = readdir(dir))) {
		__cleanup(free_ptr) char *full = NULL;

		if (!is_library(entry->d_name, name))
			continue;
		full = str_printf("%s/%s", path, entry->d_name);
		/* A name that ends with ".so" is not taken, because such a file can be a linker script, as libc.so is. */
		if (full && is_file(full) && !str_ends(full, ".so") && (!best || strlen(full) < strlen(best))) {
			free(best);
			best = take(full);
		}
	}
	if (dir)
		closedir(dir);
	return best;
}

/* Appends the names in @folder that begin with @prefix. For programs, @suffix is NULL. For libraries, the names are cut off before @suffix. */
static int known_in(const char *folder, const char *prefix, const char *suffix, strv_t *out)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int err = 0;

	while (dir && !err && (entry = readdir(dir))) {
		const char *end = suffix ? strstr(entry->d_name, suffix) : entry->d_name + strlen(entry->d_name);
		__cleanup(free_ptr) char *name = NULL;

		if (!end || !str_starts(entry->d_name, prefix) || entry->d_name[0] == '.')
			continue;
		name = strndup(entry->d_name, (size_t)(end - entry->d_name));
		err = !name ? -ENOMEM : strv_has(out, name) ? 0 : strv_add(out, name);
	}
	if (dir)
		closedir(dir);
	return err;
}

int elf_known(const char *prefix, strv_t *out)
{
	strv_t path = { 0 }, dirs = { 0 };
	int err = strv_split(&path, getenv("PATH") ? getenv("PATH") : "", ":");

	library_dirs("", &dirs);
	for (size_t i = 0; !err && i < path.n; i++)
		err = known_in(path.at[i], prefix, NULL, out);
	for (size_t i = 0; !err && i < dirs.n; i++)
		err = known_in(dirs.at[i], prefix, ".so.", out);
	strv_fini(&path);
	strv_fini(&dirs);
	return err;
}

static char *program_named(const char *root, const char *name)
{
	const char *path = getenv("PATH");

	for (path = path ? path : "/usr/bin:/bin"; *path; path += path[0] == ':') {
		size_t n = strcspn(path, ":");
		__cleanup(free_ptr) char *full = str_printf("%s%.*s/%s", root, (int)n, path, name);

		if (full && is_file(full) && access(full, X_OK) == 0)
			return take(full);
		path += n;
	}
	return NULL;
}

/* Says why @given is no file. It is the path @name, which may begin inside the root of the process @pid. */
static int no_file(const char *given, const char *name, pid_t pid)
{
	struct stat st;

	if (stat(given, &st) == 0)
		return fail(EINVAL, "%s is %s, and no program or library", name, S_ISDIR(st.st_mode) ? "a folder" : "no regular file");
	if (errno != ENOENT)
		return fail(errno, "%s: %m", given);
	if (!pid)
		return fail(ENOENT, "there is no file %s", name);
	if (name[0] == '/')
		return fail(ENOENT, "there is no file %s inside the root of process %d", name, (int)pid);
	return fail(
		ENOENT,
		"there is no file %s in the current folder, in which a relative path begins: write the file's path inside the root of process %d, from / on",
		name, (int)pid);
}

/* Finds the file of a path. A path that begins with / begins in @root. */
static int find_path(const char *root, const char *name, pid_t pid, char **path)
{
	bool inside = pid && name[0] == '/';
	__cleanup(free_ptr) char *given = str_printf("%s%s", inside ? root : "", name);

	if (!given)
		return -ENOMEM;
	if (!is_file(given))
		return no_file(given, name, pid);
	/* Inside another root, links are not resolved, because they mean files of that root. */
	*path = inside ? take(given) : realpath(given, NULL);
	return *path ? 0 : errno == ENOMEM ? -ENOMEM : fail(errno, "%s: %m", name);
}

int elf_find(const char *name, pid_t pid, char **path)
{
	__cleanup(free_ptr) char *root = pid ? str_printf("/proc/%d/root", (int)pid) : strdup("");
	__cleanup(free_ptr) char *found = NULL;
	strv_t dirs = { 0 };

	if (!root)
		return -ENOMEM;
	if (pid && kill(pid, 0) && errno == ESRCH)
		return fail(ESRCH, "there is no process %d, in whose root directory %s is to be found", (int)pid, name);
	if (strchr(name, '/'))
		return find_path(root, name, pid, path);
	found = program_named(root, name);
	library_dirs(root, &dirs);
	for (size_t i = 0; !found && i < dirs.n; i++)
		found = library_in(root, dirs.at[i], name);
	strv_fini(&dirs);
	if (!found)
		return fail(ENOENT, "there is no program in $PATH and no library called '%s'; write its path, as ./%s", name, name);
	*path = pid ? take(found) : realpath(found, NULL);
	return *path ? 0 : errno == ENOMEM ? -ENOMEM : fail(errno, "%s: %m", found);
}

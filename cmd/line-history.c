/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/line-history.h"
#include "lib/base/io.h"
#include "lib/base/outfile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 4 << 20, MOST_LINES = 2 * HISTORY_LINES };

/* Makes all folders above the file. Returns false if one could not be made. */
static bool make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int ret;

		*slash = '\0';
		ret = mkdir(path, 0700);
		*slash = '/';
		if (ret && errno != EEXIST)
			return false;
	}
	return true;
}

char *history_path(const char *name)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *path = NULL;

	/* A path that is not absolute is ignored, as the standard demands. */
	if (state && state[0] == '/')
		path = str_printf("%s/ringside/%s-history", state, name);
	else if (home && home[0] == '/')
		path = str_printf("%s/.local/state/ringside/%s-history", home, name);
	if (path && make_folders(path))
		return path;
	free(path);
	return NULL;
}

/* Writes the shortened history. If that fails, the file stays as it is. */
static void shorten(const char *path, const strv_t *lines)
{
	struct outfile file = OUTFILE_NONE;
	struct str text = { 0 };

	vec_each (lines, line)
		str_addf(&text, "%s\n", *line);
	if (!text.oom && !outfile_open(&file, path) && !fchmod(file.fd, 0600) && !io_write(file.fd, str_text(&text), text.len))
		outfile_publish(&file);
	outfile_close(&file);
	str_fini(&text);
}

void history_read(const char *path, strv_t *lines)
{
	__cleanup(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	struct text text = { 0 }, rest, line;
	unsigned int n = 0, skip;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > MOST_BYTES || io_slurp(path, &text))
		return;
	for (rest = text; text_line(&rest, &line);)
		n++;
	skip = n > HISTORY_LINES ? n - HISTORY_LINES : 0;
	for (rest = text; text_line(&rest, &line);)
		if (skip)
			skip--;
		else if (line.size && !memchr(line.at, 0, line.size))
			strv_own(lines, strndup(line.at, line.size));
	free(text.at);
	if (n > MOST_LINES)
		shorten(path, lines);
}

void history_append(const char *path, const char *line)
{
	__cleanup(close_fd) int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	__cleanup(free_ptr) char *text = str_printf("%s\n", line);
	struct stat st;

	/* The line is written at once, so that lines of two programs do not mix. */
	if (fd >= 0 && text && !fstat(fd, &st) && S_ISREG(st.st_mode))
		io_write(fd, text, strlen(text));
}

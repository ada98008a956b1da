/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/err.h"
#include "lib/base/visible.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST = 4096 }; /* bytes of a message */

/* Writes to a terminal. Messages quote what files hold, so control characters are made visible. */
static ssize_t show(const char *line, size_t len)
{
	char text[VISIBLE_MOST * MOST];

	return write(STDERR_FILENO, text, (size_t)(visible_put(text, line, len, true, NULL) - text));
}

static void say(const char *prefix, const char *fmt, va_list ap)
{
	char line[MOST];
	size_t len, room = sizeof(line) - 1;
	int n;

	len = (size_t)snprintf(line, room, "ringside: %s", prefix);
	n = vsnprintf(line + len, room - len, fmt, ap);
	if (n < 0)
		return;
	len = MIN(len + (size_t)n, room - 1);
	line[len++] = '\n';
	/* When stderr is gone, there is nothing left to report this to. */
	if ((isatty(STDERR_FILENO) ? show(line, len) : write(STDERR_FILENO, line, len)) < 0)
		return;
}

int fail(int err, const char *fmt, ...)
{
	va_list ap;

	errno = err;
	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
	return -err;
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}

void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static void say(const char *prefix, const char *fmt, va_list ap)
{
	char line[4096];
	size_t len, room = sizeof(line) - 1;
	int n;

	len = (size_t)snprintf(line, room, "ringside: %s", prefix);
	n = vsnprintf(line + len, room - len, fmt, ap);
	if (n < 0)
		return;
	len = MIN(len + (size_t)n, room - 1);
	line[len++] = '\n';
	/* Nothing is left to tell it to when stderr is gone. */
	if (write(STDERR_FILENO, line, len) < 0)
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

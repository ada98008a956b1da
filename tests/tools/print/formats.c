/* SPDX-License-Identifier: GPL-2.0 */
#include "tests/tools/print/formats.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include <glob.h>
#include <stdio.h>
#include <traceevent/event-parse.h>

#define HEADING "system: "
#define EVENT "name: "

static int read_running(struct str *out)
{
	static const char pattern[] = "/sys/kernel/tracing/events/*/*/format";
	glob_t found = { 0 };

	if (glob(pattern, 0, NULL, &found))
		return fail(ENOENT, "%s: no such files; is tracefs mounted?", pattern);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *system = found.gl_pathv[i] + strlen("/sys/kernel/tracing/events/");
		struct text text;

		if (io_slurp(found.gl_pathv[i], &text))
			continue;
		str_addf(out, HEADING "%.*s\n", (int)strcspn(system, "/"), system);
		str_addn(out, text.at, text.size);
		free(text.at);
	}
	globfree(&found);
	return str_ok(out);
}

static int read_stream(FILE *in, struct str *out)
{
	char chunk[1 << 16];
	size_t n;

	while ((n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		str_addn(out, chunk, n);
	return str_ok(out);
}

int formats_read(const char *kernel, struct text *out)
{
	__cleanup(free_ptr) char *command = NULL;
	struct str text = { 0 };
	FILE *in;
	int err;

	if (!strcmp(kernel, "running")) {
		err = read_running(&text);
	} else if (str_ends(kernel, ".xz")) {
		command = str_printf("xz -dcq '%s'", kernel);
		in = command ? popen(command, "r") : NULL;
		err = in ? read_stream(in, &text) : -ENOMEM;
		if (in && pclose(in))
			err = fail(EIO, "%s: xz cannot read it", kernel);
	} else {
		err = io_slurp(kernel, out);
		return err ? fail(-err, "%s: %m", kernel) : 0;
	}
	out->size = text.len;
	out->at = str_take(&text);
	return err;
}

/* The line after @at that begins with @word, or @end. */
static const char *next_line(const char *at, const char *end, const char *word)
{
	while (at < end) {
		const char *newline = memchr(at, '\n', end - at);

		at = newline ? newline + 1 : end;
		if (str_starts(at, word))
			break;
	}
	return at;
}

int formats_each(const struct text *formats, int (*each)(void *ctx, const char *system, struct text *format), void *ctx)
{
	const char *at = formats->at, *end = at + formats->size, *next;
	int n = 0;

	for (; at < end; at = next) {
		size_t len = strcspn(at + strlen(HEADING), "\n");
		__cleanup(free_ptr) char *system = strndup(at + strlen(HEADING), len);
		const char *event = next_line(at, end, EVENT), *next_event;

		if (!system)
			return -ENOMEM;
		next = next_line(at, end, HEADING);
		for (; event < next; event = next_event, n++) {
			struct text format;

			next_event = MIN(next_line(event, end, EVENT), next);
			format = (struct text){ (char *)event, (size_t)(next_event - event) };
			if (each(ctx, system, &format))
				return -ENOMEM;
		}
	}
	return n;
}

static int parse(void *ctx, const char *system, struct text *format)
{
	tep_parse_event(ctx, format->at, format->size, system);
	return 0;
}

int formats_parse(struct tep_handle *tep, const struct text *formats)
{
	return formats_each(formats, parse, tep);
}

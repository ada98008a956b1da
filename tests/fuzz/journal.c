/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A journal that a dead recording has left: found in its folder and explained. It is not undone: it could name any setting of this machine.
 * An input is entries, each a byte for the kind, a path and a value with a NUL behind each; they get their sizes and sums, and the owner in
 * front. After a byte of 255 the rest stands in the file as it is.
 */
#include "lib/base/io.h"
#include "lib/tracefs/entries.h"
#include "lib/tracefs/journal.h"
#include "lib/tracefs/process.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct input {
	const char *at;
	size_t left;
};

/* Up to a NUL, in new memory. */
static char *take_text(struct input *in)
{
	size_t n = strnlen(in->at, in->left);
	char *text = strndup(in->at, n);

	in->at += MIN(n + 1, in->left);
	in->left -= MIN(n + 1, in->left);
	return text;
}

static void encode(struct input *in, struct str *out)
{
	__cleanup(free_ptr) char *boot = boot_id();
	__cleanup(free_ptr) char *owner = str_printf("999999999 1 %s", boot ? boot : "?");

	entry_encode(out, JOURNAL_OWNER, owner ? owner : "", "/nonexistent\nringside record");
	while (in->left) {
		uint8_t kind = (uint8_t)*in->at++;
		__cleanup(free_ptr) char *path = NULL, *value = NULL;

		in->left--;
		if (kind == 255)
			break;
		path = take_text(in);
		value = take_text(in);
		if (path && value)
			entry_encode(out, kind, path, value);
	}
	str_addn(out, in->at, in->left);
}

static void explain(const char *folder)
{
	journals_t all = { 0 };

	if (!journals_find(folder, &all)) {
		vec_each (&all, info) {
			strv_t lines = { 0 };

			journal_explain(info, &lines);
			strv_fini(&lines);
		}
		journals_owner(&all, "/nonexistent", "current_tracer");
	}
	journals_fini(&all);
	free(journals_stale(folder));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/ringside-fuzz-XXXXXX", path[64];
	struct input in = { (const char *)data, size };
	struct str file = { 0 };
	int fd;

	if (!mkdtemp(folder))
		return 0;
	snprintf(path, sizeof(path), "%s/journal-1-a", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	encode(&in, &file);
	if (fd >= 0 && !io_write(fd, str_text(&file), file.len))
		explain(folder);
	if (fd >= 0)
		close(fd);
	str_fini(&file);
	unlink(path);
	rmdir(folder);
	return 0;
}

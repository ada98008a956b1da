/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/tool-probes.h"
#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/tracefs/tracedir.h"

#include <ctype.h>
#include <unistd.h>

/* Returns where GROUP/EVENT begins in the value of --probe, or NULL if the probe has no such name. */
static const char *name_of(const char *probe)
{
	const char *at = strstr(probe, " name=");

	at = at ? at + strlen(" name=") : NULL;
	return at && memchr(at, '/', strcspn(at, " ")) ? at : NULL;
}

static bool is_part_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the word with each whole @event in it followed by @ours. NULL means that there is no memory. */
static char *replaced(const char *word, const char *event, const char *ours)
{
	const size_t n = strlen(event);
	struct str out = { 0 };
	const char *at = word;

	while (*at) {
		if (strncmp(at, event, n) == 0 && !is_part_of_name(at[n]) && (at == word || !is_part_of_name(at[-1]))) {
			str_addf(&out, "%s%s", event, ours);
			at += n;
		} else {
			str_addc(&out, *at++);
		}
	}
	return str_take(&out);
}

static int rename_event(strv_t *words, const char *event, const char *ours)
{
	vec_each (words, word) {
		char *text = strstr(*word, event) ? replaced(*word, event, ours) : NULL;

		if (!text && strstr(*word, event))
			return -ENOMEM;
		if (text) {
			free(*word);
			*word = text;
		}
	}
	return 0;
}

static int rename_taken(const struct tracedir *top, strv_t *words, const char *probe)
{
	const char *name = name_of(probe);
	__cleanup(free_ptr) char *path = name ? str_printf("events/%.*s", (int)strcspn(name, " "), name) : NULL;
	__cleanup(free_ptr) char *ours = str_printf("_%d", (int)getpid());

	if (!name)
		return 0;
	if (!path || !ours)
		return -ENOMEM;
	return tracedir_has(top, path) ? rename_event(words, strrchr(path, '/') + 1, ours) : 0;
}

int tool_probes_rename(strv_t *words)
{
	struct tracedir top = TRACEDIR_NONE;
	bool named = false;
	int err = 0;

	for (size_t i = 0; i + 1 < words->n; i++)
		named |= strcmp(words->at[i], "--probe") == 0 && name_of(words->at[i + 1]);
	/* A user who may not read the probes gets a message from the command. */
	if (!named || geteuid())
		return 0;
	err = tracedir_open(&top, NULL);
	if (err)
		return err;
	for (size_t i = 0; !err && i + 1 < words->n; i++)
		if (strcmp(words->at[i], "--probe") == 0)
			err = rename_taken(&top, words, words->at[i + 1]);
	tracedir_fini(&top);
	return err ? fail(-err, "out of memory") : 0;
}

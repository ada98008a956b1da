/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE /* memmem() */
#include "lib/tracefs/trigger.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"

/* Returns the length of the part of a trigger that tells its kind. An event cannot have two triggers of the same kind. */
static size_t kind_len(const char *trigger)
{
	size_t n = strcspn(trigger, ": \t[");

	if (str_starts(trigger, "enable_") || str_starts(trigger, "disable_")) {
		/* enable_event:system:name */
		for (int i = 0; i < 2 && trigger[n] == ':'; i++)
			n += 1 + strcspn(trigger + n + 1, ": \t");
	}
	return n;
}

int trigger_switches(const char *trigger, char **event)
{
	static const char *const kinds[] = { "enable_event:", "disable_event:" };

	*event = NULL;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		size_t n = strlen(kinds[i]);

		if (!str_starts(trigger, kinds[i]))
			continue;
		*event = strndup(trigger + n, kind_len(trigger) - n);
		return *event ? 0 : fail(ENOMEM, "out of memory");
	}
	return 0;
}

/* Returns the condition behind " if ". It is empty when there is none. */
static struct text condition_of(struct text trigger)
{
	const char *at = memmem(trigger.at, trigger.size, " if ", 4);
	struct text condition = { at ? (char *)at + 4 : trigger.at, at ? trigger.size - (size_t)(at + 4 - trigger.at) : 0 };

	/* The kernel drops blanks at the end. */
	while (condition.size && strchr(" \t", condition.at[condition.size - 1]))
		condition.size--;
	return condition;
}

enum trigger_there trigger_is_there(const char *text, const char *trigger)
{
	struct text rest = { (char *)text, strlen(text) }, line;
	const struct text want = condition_of((struct text){ (char *)trigger, strcspn(trigger, "\n") });
	size_t n = kind_len(trigger);

	if (n == 4 && memcmp(trigger, "hist", n) == 0)
		return TRIGGER_NOT_THERE;
	while (text_line(&rest, &line)) {
		const struct text has = condition_of(line);

		if (line.size >= n && memcmp(line.at, trigger, n) == 0 && kind_len(line.at) == n)
			return has.size == want.size && memcmp(has.at, want.at, has.size) == 0 ? TRIGGER_THERE : TRIGGER_OTHER;
	}
	return TRIGGER_NOT_THERE;
}

int trigger_check(const char *text, const char *trigger)
{
	static const char heading[] = "# Available triggers:\n#";
	__cleanup(free_ptr) char *word = strndup(trigger, strcspn(trigger, ": \t["));
	__cleanup(free_ptr) char *near = NULL;
	__cleanup(free_ptr) char *list = NULL;
	strv_t kinds = { 0 }, best = { 0 };
	bool has;

	if (!word)
		return fail(ENOMEM, "out of memory");
	if (!str_starts(text, heading))
		return 0;
	list = strdup(text + strlen(heading));
	for (char *rest = list, *kind; rest && (kind = strsep(&rest, " \n"));)
		if (*kind)
			strv_add(&kinds, kind);
	has = strv_has(&kinds, word);
	nearest_names(word, &kinds, 2, &best);
	near = best.n ? join_names(&best, "; nearest: ", "") : join_names(&kinds, "; there is ", "");
	strv_fini(&kinds);
	strv_fini(&best);
	return has ? 0 : fail(EINVAL, "there is no trigger '%s' in this kernel%s", word, near ? near : "");
}

/* Returns true if there are no triggers. The file then lists the kinds that there are. */
static bool nothing(const char *text)
{
	return *text == '#' || !*text;
}

int trigger_clear(const struct tracedir *dir, const char *file)
{
	__cleanup(free_ptr) char *text = NULL;
	struct text rest, line;
	int err = tracedir_read(dir, file, &text);

	if (err || nothing(text))
		return err;
	/* This write removes all histograms and nothing else. To remove a histogram with "!", its whole text would be needed. */
	err = tracedir_write(dir, file, NULL, true);
	rest = (struct text){ text, strlen(text) };
	while (text_line(&rest, &line)) {
		__cleanup(free_ptr) char *off = str_printf("!%.*s", (int)kind_len(line.at), line.at);
		int ret = off && str_starts(off, "!hist") ? 0 : off ? tracedir_write(dir, file, off, false) : -ENOMEM;

		err = err ? err : ret;
	}
	free(text);
	text = NULL;
	return err || tracedir_read(dir, file, &text) ? err : !nothing(text);
}

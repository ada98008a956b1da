/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/syscall-set.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"
#include "lib/event/syscalls-classes.h"

#include <regex.h>

/* Returns the calls of a class, or NULL if there is no such class. */
static const char *class_calls(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(syscall_classes); i++)
		if (strcmp(name, syscall_classes[i].name) == 0)
			return syscall_classes[i].calls;
	return strcmp(name, "net") == 0 ? class_calls("network") : NULL;
}

static bool class_has(const char *calls, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = strstr(calls, name); at; at = strstr(at + 1, name))
		if ((at == calls || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

/* Marks the call with a number. Returns what mark() returns. */
static int mark_number(const struct syscalls *calls, const char *word, bool *wanted)
{
	const unsigned long number = strtoul(word, NULL, 10);

	if (number >= calls->n)
		return 0;
	wanted[number] = true;
	return 1;
}

/* Marks in @wanted what the word names. Returns how many calls it names, or -errno after a message. */
static int mark(const struct syscalls *calls, const char *word, bool *wanted)
{
	const char *class = class_calls(*word == '%' ? word + 1 : word);
	regex_t regex;
	int found = 0;

	if (*word && !word[strspn(word, "0123456789")])
		return mark_number(calls, word, wanted);
	if (*word == '%' && !class)
		return fail(EINVAL,
			    "'%s': there is no such class of system calls; there is %%file, %%desc, %%process, %%network, %%signal, %%ipc, "
			    "%%memory, %%stat, %%lstat, %%fstat, %%%%stat, %%statfs, %%fstatfs, %%%%statfs, %%creds, %%clock and %%pure",
			    word);
	if (*word == '/' && regcomp(&regex, word + 1, REG_EXTENDED | REG_NOSUB))
		return fail(EINVAL, "'%s': not a regular expression", word);
	for (size_t i = 0; i < calls->n; i++) {
		const char *name = calls->all[i].name;

		if (!name)
			continue;
		if (*word == '/' ? regexec(&regex, name, 0, NULL, 0) == 0 : glob_match(word, name) || (class && class_has(class, name))) {
			wanted[i] = true;
			found++;
		}
	}
	if (*word == '/')
		regfree(&regex);
	return found;
}

static int unknown(const struct syscalls *calls, const char *word)
{
	__cleanup(free_ptr) char *near = syscall_nearest(calls, word);

	return fail(EINVAL, "'%s': there is no such system call%s", word, near ? near : "");
}

/* Cuts off strace's "@64", which says that a name is meant for 64-bit programs. All calls that have names here are of such programs. */
static int cut_kind(char *word)
{
	static const char of_64[] = "@64";
	char *kind = *word == '/' ? NULL : strchr(word, '@');

	if (kind && strcmp(kind, of_64) != 0)
		return fail(EINVAL, "'%s': the calls of 64-bit programs alone have names here: leave out %s, or say @64", word, kind);
	if (kind)
		*kind = '\0';
	return 0;
}

static int add_word(struct syscall_set *set, const struct syscalls *calls, const char *text)
{
	const bool maybe = *text == '?';
	__cleanup(free_ptr) char *own = strdup(text + maybe);
	const char *word = own;
	int found = own ? cut_kind(own) : -ENOMEM;

	if (found)
		return found;
	if (strcmp(word, "none") == 0)
		return 0;
	if (strcmp(word, "all") == 0)
		word = "*";
	found = mark(calls, word, set->wanted.at);
	return found < 0 ? found : found || maybe ? 0 : unknown(calls, word);
}

/* Adds the value of one -e. */
static int add_text(struct syscall_set *set, const struct syscalls *calls, const char *text)
{
	struct syscall_set one = { 0 };
	const char *equals = strchr(text, '=');
	strv_t words = { 0 };
	bool others;
	int err = 0;

	text = equals ? equals + 1 : text;
	others = *text == '!';
	for (size_t i = 0; !err && i < calls->n; i++)
		err = vec_push(&one.wanted, false);
	err = err ? err : strv_split(&words, text + others, ",");
	for (size_t i = 0; !err && i < words.n; i++)
		err = add_word(&one, calls, words.at[i]);
	if (!err && !words.n)
		err = fail(EINVAL, "'%s': which system calls?", text);
	for (size_t i = 0; !err && i < calls->n; i++)
		set->wanted.at[i] |= one.wanted.at[i] != others;
	syscall_set_fini(&one);
	strv_fini(&words);
	return err;
}

int syscall_set_init(struct syscall_set *set, const struct syscalls *calls, const strv_t *texts)
{
	int err = 0;

	*set = (struct syscall_set){ .all = !texts->n };
	if (texts->n && !calls->n)
		return fail(EINVAL, "'%s': the system calls of the recorded machine have no names here", texts->at[0]);
	for (size_t i = 0; !err && i < calls->n; i++)
		err = vec_push(&set->wanted, false);
	for (size_t i = 0; !err && i < texts->n; i++)
		err = add_text(set, calls, texts->at[i]);
	return err;
}

void syscall_set_fini(struct syscall_set *set)
{
	vec_fini(&set->wanted);
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/syscall-quals.h"
#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/event/meanings.h"

#include <strings.h>

/* The words of a set, each of which is a bit. Tables end with a row without a name. */
static const struct meaning statuses[] = {
	{ STATUS_SUCCESSFUL, "successful" },
	{ STATUS_FAILED, "failed" },
	{ STATUS_UNFINISHED, "unfinished" },
	{ 0, "unavailable" },
	{ 0, "detached" },
	{ 0, NULL }, /* strace shows the two statuses above only because it stops tasks; here no call has them */
};

/* The words with 0 are about lines that are never printed here. */
static const struct meaning silences[] = {
	{ QUIET_EXIT, "exit" },
	{ QUIET_EXIT, "exits" },
	{ QUIET_SUPERSEDED, "superseded" },
	{ QUIET_SUPERSEDED, "thread-execve" },
	{ 0, "attach" },
	{ 0, "personality" },
	{ 0, "path-resolution" },
	{ 0, "path-resolve" },
	{ 0, NULL },
};

static bool find_word(const struct meaning *rows, const char *word, uint64_t *bits)
{
	for (; rows->name; rows++) {
		if (strcmp(rows->name, word) != 0)
			continue;
		*bits |= rows->value;
		return true;
	}
	return false;
}

/* Finds a signal by its name, with or without SIG, or by its number. */
static bool find_signal(const char *word, uint64_t *bits)
{
	const char *name = strncasecmp(word, "SIG", 3) == 0 ? word + 3 : word;
	char *end;
	const unsigned long number = strtoul(word, &end, 10);

	if (*word >= '0' && *word <= '9' && !*end && number >= 1 && number <= 64) {
		*bits |= 1ULL << (number - 1);
		return true;
	}
	for (const struct meaning *row = signal_names; row->name; row++) {
		if (strcasecmp(row->name + 3, name) != 0)
			continue;
		*bits |= 1ULL << (row->value - 1);
		return true;
	}
	return false;
}

/* Reads "[!]WORD,...", "all" or "none". With @rows NULL, the words are signals. */
static int read_set(const char *whole, const char *text, const struct meaning *rows, uint64_t every, uint64_t *out)
{
	const bool others = *text == '!';
	strv_t words = { 0 };
	uint64_t bits = 0;
	int err = strv_split(&words, text + others, ",");

	if (!err && !words.n)
		err = fail(EINVAL, "-e %s: a word is missing behind the =", whole);
	for (size_t i = 0; !err && i < words.n; i++) {
		if (strcmp(words.at[i], "all") == 0)
			bits = every;
		else if (strcmp(words.at[i], "none") != 0 && !(rows ? find_word(rows, words.at[i], &bits) : find_signal(words.at[i], &bits)))
			err = fail(EINVAL, "-e %s: %s is none of %s", whole, words.at[i],
				   !rows	      ? "the signals"
				   : rows == statuses ? "successful, failed, unfinished, unavailable, detached, all and none"
						      : "exit, attach, personality, path-resolution, superseded, thread-execve, all and none");
	}
	strv_fini(&words);
	*out = others ? every & ~bits : bits;
	return err;
}

/* Reads the value of one -e. */
static int read_text(struct syscall_quals *quals, const char *text)
{
	static const struct {
		const char *name;
		enum { TRACE, SIGNAL, STATUS, QUIET } kind;
	} kinds[] = {
		{ "trace", TRACE },   { "t", TRACE },	  { "signal", SIGNAL }, { "signals", SIGNAL }, { "s", SIGNAL },
		{ "status", STATUS }, { "quiet", QUIET }, { "silent", QUIET },	{ "silence", QUIET },  { "q", QUIET },
	};
	const char *equals = strchr(text, '=');
	uint64_t bits;
	int err;

	if (!equals)
		return strv_add(&quals->trace, text);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (strlen(kinds[i].name) != (size_t)(equals - text) || strncmp(kinds[i].name, text, strlen(kinds[i].name)) != 0)
			continue;
		switch (kinds[i].kind) {
		case TRACE:
			return strv_add(&quals->trace, text);
		case SIGNAL:
			return read_set(text, equals + 1, NULL, UINT64_MAX, &quals->signals);
		case STATUS:
			err = read_set(text, equals + 1, statuses, STATUS_ALL, &bits);
			quals->statuses = (unsigned int)bits;
			return err;
		case QUIET:
			err = read_set(text, equals + 1, silences, QUIET_ALL, &bits);
			quals->silences = (unsigned int)bits;
			return err;
		}
	}
	return fail(EINVAL, "-e %s: only trace=, signal=, status= and quiet= are understood here, as in -e trace=%%file,close, -e !futex or -e signal=none",
		    text);
}

int syscall_quals_init(struct syscall_quals *quals, const strv_t *texts)
{
	int err = 0;

	*quals = (struct syscall_quals){ .signals = UINT64_MAX, .statuses = STATUS_ALL };
	for (size_t i = 0; !err && i < texts->n; i++)
		err = read_text(quals, texts->at[i]);
	return err;
}

void syscall_quals_fini(struct syscall_quals *quals)
{
	strv_fini(&quals->trace);
}

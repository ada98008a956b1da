/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/counts.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"

static const char *const of_names[] = { [COUNT_EVENT] = "event", [COUNT_COMM] = "comm", [COUNT_PID] = "pid", [COUNT_CPU] = "cpu", [COUNT_STACK] = "stack" };

static const char *const as_names[] = {
	[COUNT_HEX] = "hex",	       [COUNT_SYM] = "sym",   [COUNT_SYM_OFFSET] = "sym-offset", [COUNT_SYSCALL] = "syscall",
	[COUNT_EXECNAME] = "execname", [COUNT_LOG2] = "log2", [COUNT_BUCKETS] = "buckets",
};

/* Parses what stands behind the dot of a key. Returns 0 or a negative errno, with a message. */
static int parse_as(struct count_key *key, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t n = equals ? (size_t)(equals - word) : strlen(word);

	for (unsigned int i = COUNT_HEX; i < ARRAY_LEN(as_names); i++)
		if (strlen(as_names[i]) == n && strncmp(as_names[i], word, n) == 0)
			key->as = i;
	if (key->as == COUNT_PLAIN)
		return fail(EINVAL, "--by %s: .%s is not known; there is .hex, .sym, .sym-offset, .syscall, .execname, .log2 and .buckets=WIDTH", key->text,
			    word);
	if ((key->as == COUNT_BUCKETS) != (equals != NULL) || (equals && (parse_u64(equals + 1, &key->width) || !key->width)))
		return fail(EINVAL, "--by %s: .buckets=WIDTH takes a width from 1 on, and no other takes one", key->text);
	return 0;
}

static int parse_key(struct count_key *key)
{
	bool is_field = strncmp(key->text, "args.", 5) == 0;
	const char *name = is_field ? key->text + 5 : key->text, *dot = strchr(name, '.');

	key->field = strndup(name, dot ? (size_t)(dot - name) : strlen(name));
	if (!key->field)
		return -ENOMEM;
	key->of = COUNT_FIELD;
	for (unsigned int i = 0; !is_field && i < ARRAY_LEN(of_names); i++)
		if (strcmp(key->field, of_names[i]) == 0)
			key->of = i;
	if (!*key->field)
		return fail(EINVAL, "--by %s: a field or one of event, comm, pid, cpu and stack is wanted", key->text);
	if (dot && key->of != COUNT_FIELD)
		return fail(EINVAL, "--by %s: .%s is for fields; args.%s is the event's own", key->text, dot + 1, key->text);
	return dot ? parse_as(key, dot + 1) : 0;
}

int count_keys_parse(struct count_spec *spec, const char *text)
{
	strv_t words = { 0 };
	int err = strv_split(&words, text, ",");

	if (!err && !words.n)
		err = fail(EINVAL, "--by '%s': by what? A field, or one of event, comm, pid, cpu and stack", text);
	for (size_t i = 0; !err && i < words.n; i++) {
		struct count_key key = { .text = strdup(words.at[i]) };

		if (spec->keys.n == COUNT_MOST_KEYS)
			err = fail(EINVAL, "--by: at most %d keys", COUNT_MOST_KEYS);
		err = err ? err : key.text ? parse_key(&key) : -ENOMEM;
		vec_each (&spec->keys, other)
			if (!err && strcmp(other->text, key.text) == 0)
				err = fail(EINVAL, "--by %s is given twice", key.text);
		err = err ? err : vec_push(&spec->keys, key);
		if (err) {
			free(key.text);
			free(key.field);
		}
	}
	strv_fini(&words);
	return err;
}

bool count_by_stack(const struct count_spec *spec)
{
	vec_each (&spec->keys, key)
		if (key->of == COUNT_STACK)
			return true;
	return false;
}

int count_key_words(strv_t *out)
{
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_LEN(of_names); i++)
		err = strv_add(out, of_names[i]);
	return err;
}

void count_spec_fini(struct count_spec *spec)
{
	vec_each (&spec->keys, key) {
		free(key->text);
		free(key->field);
	}
	vec_fini(&spec->keys);
}

bool count_by_common(const struct count_spec *spec)
{
	vec_each (&spec->keys, key)
		if (key->of == COUNT_FIELD && str_starts(key->field, "common_"))
			return true;
	return spec->sum && str_starts(spec->sum, "common_");
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/pair-spec.h"
#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/data/metadata.h"
#include "lib/event/syscalls.h"

const struct pair_preset pair_presets[] = {
	{ "wakeup", "sched:sched_waking", "sched:sched_switch", "pid=next_pid", "next_pid", "from waking a task until it runs", NULL },
	{ "migrate", "sched:sched_migrate_task", "sched:sched_switch", "pid=next_pid", "next_pid", "from moving a task to another CPU until it runs", NULL },
	{ "syscall", "raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "common_pid", NULL, "system calls; syscall:NAME is one of them", NULL },
	{ "irq", "irq:irq_handler_entry", "irq:irq_handler_exit", "common_cpu,irq", NULL, "handlers of interrupts", "irq" },
	{ "softirq", "irq:softirq_entry", "irq:softirq_exit", "common_cpu,vec", NULL, "soft interrupts", "vec" },
	{ "block", "block:block_rq_issue", "block:block_rq_complete", "dev,sector", NULL, "requests of block devices, from the driver until they are done",
	  "dev" },
	{ "lock", "lock:contention_begin", "lock:contention_end", "common_pid,lock_addr", NULL, "waiting for locks of the kernel that others hold", NULL },
	{ .name = NULL },
};

const struct pair_preset *pair_preset_find(const char *name)
{
	for (const struct pair_preset *p = pair_presets; p->name; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

static const struct {
	const char *pid, *comm;
} task_fields[] = { { "pid", "comm" }, { "next_pid", "next_comm" }, { "prev_pid", "prev_comm" } };

const char *pair_key_comm(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(task_fields); i++)
		if (strcmp(task_fields[i].pid, key) == 0)
			return task_fields[i].comm;
	return NULL;
}

bool pair_key_names_task(const char *key)
{
	return pair_key_comm(key);
}

/* --- from events and keys ----------------------------------------------------------------------------------------- */

static int parse_side(struct pair_side *side, const char *option, const char *text)
{
	const char *slash = strchr(text, '/');
	size_t n = slash ? (size_t)(slash - text) : strlen(text);

	if (!n)
		return fail(EINVAL, "%s '%s': an event is wanted, as in sched:sched_waking or sys_exit/id == 0/", option, text);
	side->event = strndup(text, n);
	if (!side->event)
		return -ENOMEM;
	if (!slash)
		return 0;
	n = strlen(slash + 1);
	if (n < 2 || slash[n] != '/')
		return fail(EINVAL, "%s '%s': behind the event a filter stands between two /, as in sys_exit/id == 0/", option, text);
	side->filter = strndup(slash + 1, n - 1);
	return side->filter ? 0 : -ENOMEM;
}

static int parse_key(struct pair *pair, const char *word)
{
	const char *equals = strchr(word, '=');

	if (pair->nkeys == PAIR_MOST_KEYS)
		return fail(EINVAL, "%s: at most %d keys", pair->option, PAIR_MOST_KEYS);
	if (!*word || equals == word || (equals && !equals[1]))
		return fail(EINVAL, "%s %s: a field stands on both sides of =", pair->option, word);
	pair->from.keys[pair->nkeys] = strndup(word, equals ? (size_t)(equals - word) : strlen(word));
	pair->to.keys[pair->nkeys] = strdup(equals ? equals + 1 : word);
	pair->nkeys++;
	return pair->from.keys[pair->nkeys - 1] && pair->to.keys[pair->nkeys - 1] ? 0 : -ENOMEM;
}

static int parse_keys(struct pair *pair, const char *on)
{
	strv_t words = { 0 };
	int err = strv_split(&words, on, ",");

	if (!err && !words.n)
		err = fail(EINVAL, "%s '%s': by which field do the events belong together?", pair->option, on);
	vec_each (&words, word)
		err = err ? err : parse_key(pair, *word);
	strv_fini(&words);
	return err;
}

int pair_parse(struct pair *pair, const char *from, const char *to, const char *on)
{
	int err = parse_side(&pair->from, "--from", from);

	pair->option = "--on";
	err = err ? err : parse_side(&pair->to, "--to", to);
	return err ? err : parse_keys(pair, on);
}

/* --- by one word -------------------------------------------------------------------------------------------------- */

/*
 * Makes filters for both events that choose one system call. At its exit, rt_sigreturn has no number any more. It has restored the registers that the thread
 * had when the signal came, and the kernel has set the number to -1 (restore_sigcontext() in arch/x86/kernel/signal_64.c). Returns 0 or a negative errno,
 * with a message.
 */
static int choose_syscall(struct pair *pair, const char *name)
{
	const struct syscalls calls = syscalls_of(&(struct metadata){ 0 });
	int64_t number = syscall_number(&calls, name);

	if (number < 0) {
		__cleanup(free_ptr) char *near = syscall_nearest(&calls, name);

		return fail(EINVAL, "syscall:%s: there is no such system call%s", name, near ? near : "");
	}
	pair->by_number = true;
	pair->unnumbered = strcmp(name, "rt_sigreturn") == 0;
	pair->from.filter = str_printf("id == %lld", (long long)number);
	pair->to.filter = str_printf(pair->unnumbered ? "id == %lld || id == -1" : "id == %lld", (long long)number);
	return pair->from.filter && pair->to.filter ? 0 : -ENOMEM;
}

bool pair_is_syscall(const struct pair *pair)
{
	return pair->preset && strcmp(pair->preset->name, "syscall") == 0;
}

bool pair_key_is_switched(const char *event, const char *key)
{
	return strcmp(event, "sched_switch") == 0 && (strcmp(key, "next_pid") == 0 || strcmp(key, "prev_pid") == 0);
}

int pair_switch_key(const struct pair *pair)
{
	const struct pair_side *sides[] = { &pair->from, &pair->to };

	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		for (size_t k = 0; k < pair->nkeys; k++)
			if (pair_key_is_switched(pair_side_name(sides[i]), sides[i]->keys[k]))
				return (int)k;
	return -1;
}

int pair_parse_kind(struct pair *pair, const char *kind)
{
	__cleanup(free_ptr) char *name = strndup(kind, strcspn(kind, ":"));
	const struct pair_preset *preset = name ? pair_preset_find(name) : NULL;
	const char *more = strchr(kind, ':');
	int err;

	if (!name)
		return -ENOMEM;
	if (!preset || (more && strcmp(preset->name, "syscall") != 0))
		return 1;
	pair->name = strdup(kind);
	err = pair->name ? pair_parse(pair, preset->from, preset->to, preset->on) : -ENOMEM;
	pair->preset = preset;
	return err || !more ? err : choose_syscall(pair, more + 1);
}

/* --- as --pair has it --------------------------------------------------------------------------------------------- */

/* Cuts the next part off *@at, up to a comma. A comma inside of a filter does not count. Returns NULL if there are no more parts. */
static char *next_part(char **at)
{
	char *part = *at, *slash, *comma;

	if (!part)
		return NULL;
	comma = strchr(part, ',');
	slash = strchr(part, '/');
	if (slash && (!comma || slash < comma)) {
		slash = strstr(slash + 1, "/,");
		comma = slash ? slash + 1 : NULL;
	}
	*at = comma ? comma + 1 : NULL;
	if (comma)
		*comma = '\0';
	return part;
}

static int parse_parts(struct pair *pair, const char *spec, char *copy)
{
	char *equals = copy + strcspn(copy, "=,:/"), *at, *from, *to;
	const bool named = *equals == '=';
	int err;

	*equals = named ? '\0' : *equals;
	at = named ? equals + 1 : copy;
	from = next_part(&at);
	to = next_part(&at);
	if (!to || !*to || !*from || (at && !*at) || (named && !*copy))
		return fail(EINVAL,
			    "--pair %s: it is a kind that ringside-latency(1) names, as wakeup, or [NAME=]EVENT,EVENT[,KEY[=KEY2]...], as in "
			    "wait=sched:sched_waking,sched:sched_switch,pid=next_pid",
			    spec);
	err = parse_side(&pair->from, "--pair", from);
	err = err ? err : parse_side(&pair->to, "--pair", to);
	err = err ? err : parse_keys(pair, at ? at : "common_pid");
	if (!err)
		pair->name = named ? strdup(copy) : str_printf("%s..%s", pair_side_name(&pair->from), pair_side_name(&pair->to));
	return err || pair->name ? err : -ENOMEM;
}

int pair_parse_spec(struct pair *pair, const char *spec)
{
	__cleanup(free_ptr) char *copy = strdup(spec);
	int err = copy ? pair_parse_kind(pair, spec) : -ENOMEM;

	if (err <= 0)
		return err;
	pair->option = "--pair";
	return parse_parts(pair, spec, copy);
}

int pair_preset_missing(const struct pair_preset *preset, const char *path)
{
	return fail(ENOENT, "%s holds no %s: that is the time from %s to %s, and `ringside record -e %s -e %s` records both", path, preset->name, preset->from,
		    preset->to, preset->from, preset->to);
}

void pair_fini(struct pair *pair)
{
	struct pair_side *sides[] = { &pair->from, &pair->to };

	free(pair->name);
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		free(sides[i]->event);
		free(sides[i]->filter);
		for (size_t k = 0; k < PAIR_MOST_KEYS; k++)
			free(sides[i]->keys[k]);
	}
}

void pairs_fini(pairs_t *pairs)
{
	vec_each (pairs, pair)
		pair_fini(pair);
	vec_fini(pairs);
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/profile-pairs.h"
#include "lib/base/err.h"

#include <ctype.h>

static const struct {
	const char *hook;
	bool irq, first, wakeup;
	enum profile_value value;
} built_in[] = {
	{ "sched:sched_wakeup,pid,pid/sched:sched_switch,next_pid,s", false, false, true, VALUE_NUMBER },
	{ "sched:sched_wakeup_new,pid,pid/sched:sched_switch,next_pid,s", false, false, true, VALUE_NUMBER },
	{ "raw_syscalls:sys_enter,id/raw_syscalls:sys_exit,id", false, false, false, VALUE_NUMBER },
	{ "irq:softirq_raise,vec/irq:softirq_entry,vec,p", true, true, false, VALUE_SOFTIRQ },
	{ "irq:softirq_entry,vec/irq:softirq_exit,vec,p", true, false, false, VALUE_SOFTIRQ },
	{ "irq:irq_handler_entry,irq/irq:irq_handler_exit,irq,p", true, false, false, VALUE_NUMBER },
};

/* Cuts the next word off *@at, up to a comma. Returns NULL if there are no more words. */
static char *next_word(char **at)
{
	char *word = *at;
	size_t len;

	if (!word)
		return NULL;
	len = strcspn(word, ",");
	*at = word[len] ? word + len + 1 : NULL;
	word[len] = '\0';
	return word;
}

static int copy(char **out, const char *text)
{
	*out = text ? strdup(text) : NULL;
	return text && !*out ? -ENOMEM : 0;
}

/* Parses "EVENT,MATCH", which both sides of a pair have. Returns 0 or -errno. */
static int parse_side(struct profile_side *side, char **at)
{
	char *event = next_word(at), *match = next_word(at), *colon = event ? strchr(event, ':') : NULL;
	int err;

	if (!event || !match || !*event || !*match || (colon && (colon == event || !colon[1])))
		return -EINVAL;
	if (colon)
		*colon = '\0';
	err = copy(&side->system, colon ? event : NULL);
	err = err ? err : copy(&side->event, colon ? colon + 1 : event);
	return err ? err : copy(&side->match, match);
}

static int parse_flags(struct profile_pair *pair, const char *flags)
{
	for (; *flags; flags++) {
		switch (tolower((unsigned char)*flags)) {
		case 'p':
			pair->pinned = true;
			break;
		case 's':
			pair->stack = true;
			break;
		case 'g':
			pair->global = true;
			break;
		default:
			return -EINVAL;
		}
	}
	return 0;
}

static int parse_pair(struct profile_pair *pair, char *text)
{
	char *at = text, *end = strchr(text, '/'), *flags;
	int err;

	if (!end)
		return -EINVAL;
	*end++ = '\0';
	err = parse_side(&pair->start, &at);
	err = err ? err : copy(&pair->start.pid, next_word(&at));
	if (err || at)
		return err ? err : -EINVAL;
	at = end;
	err = parse_side(&pair->end, &at);
	flags = next_word(&at);
	err = err ? err : at ? -EINVAL : parse_flags(pair, flags ? flags : "");
	return err ? err : pair->global && pair->start.pid ? -EINVAL : 0;
}

static void fini_side(struct profile_side *side)
{
	free(side->system);
	free(side->event);
	free(side->match);
	free(side->pid);
}

static int add_pair(struct profile_pairs *pairs, const char *hook, struct profile_pair pair)
{
	__cleanup(free_ptr) char *text = strdup(hook);
	int err = text ? parse_pair(&pair, text) : -ENOMEM;

	err = err ? err : vec_push(&pairs->all, pair);
	if (err) {
		fini_side(&pair.start);
		fini_side(&pair.end);
	}
	return err != -EINVAL ? err
			      : fail(EINVAL,
				     "-H %s: it is [SYSTEM:]EVENT,FIELD[,PID-FIELD]/[SYSTEM:]EVENT,FIELD[,FLAGS], with the flags p, s, g "
				     "(g not with a PID-FIELD)",
				     hook);
}

int profile_pairs_init(struct profile_pairs *pairs, const strv_t *hooks)
{
	int err = 0;

	*pairs = (struct profile_pairs){ 0 };
	for (size_t i = 0; !err && i < ARRAY_LEN(built_in); i++)
		err = add_pair(
			pairs, built_in[i].hook,
			(struct profile_pair){ .irq = built_in[i].irq, .first = built_in[i].first, .wakeup = built_in[i].wakeup, .value = built_in[i].value });
	for (size_t i = 0; !err && i < hooks->n; i++)
		err = add_pair(pairs, hooks->at[i], (struct profile_pair){ .value = VALUE_HEX });
	return err;
}

void profile_pairs_fini(struct profile_pairs *pairs)
{
	vec_each (&pairs->all, pair) {
		fini_side(&pair->start);
		fini_side(&pair->end);
	}
	vec_fini(&pairs->all);
}

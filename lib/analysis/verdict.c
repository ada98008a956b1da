/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/verdict.h"

const char *cause_word(enum cause cause)
{
	static const char *const words[] = {
		[CAUSE_BLOCKED] = "blocked", [CAUSE_QUEUED] = "queued",	  [CAUSE_PREEMPTED] = "preempted",
		[CAUSE_IRQ] = "irq",	     [CAUSE_MORE] = "more calls", [CAUSE_CALLEE] = "slower callee",
		[CAUSE_OWN] = "own time",    [CAUSE_HELD] = "vcpu off",	  [CAUSE_UNKNOWN] = "unknown",
	};

	return words[cause];
}

/* --- which part grew ------------------------------------------------------------------------------------------------------ */

/* A call is compared with the typical call if it took longer by at least 1/LEAST_SHARE of its own time. */
enum { LEAST_SHARE = 5 };

static void compare(const struct cause_root *root, const struct cause_call *call, struct verdict *v)
{
	v->typical = causes_median(&root->total, root->calls);
	v->excess = call->total - MIN(call->total, v->typical);
	v->compared = v->excess && v->excess >= call->total / LEAST_SHARE;
}

/*
 * Returns how much longer a part is than usual, in ns. The result is negative if it is shorter. A damaged file can have times so long that their sum
 * overflows. So every time that is longer than 13 days is taken for 13 days.
 */
static int64_t growth(uint64_t now, uint64_t usual)
{
	const uint64_t most = UINT64_C(1) << 50;

	return (int64_t)MIN(now, most) - (int64_t)MIN(usual, most);
}

static enum cause_part largest(const struct cause_root *root, const struct cause_call *call, struct verdict *v)
{
	enum cause_part best = PART_SELF;
	int64_t most = INT64_MIN;

	for (enum cause_part part = 0; part < PARTS; part++) {
		int64_t more = growth(call->parts[part], v->compared ? causes_median(&root->parts[part], root->calls) : 0);

		if (more > most) {
			most = more;
			best = part;
		}
	}
	v->ns = (uint64_t)MAX(most, (int64_t)0);
	return best;
}

/* Adds up the facts of this kind that have the same culprit. Returns the longest fact of the culprit with the largest sum, or NULL if there is no fact. */
static const struct cause_fact *main_fact(const struct cause_call *call, uint8_t kind)
{
	const struct cause_fact *best = NULL;
	uint64_t most = 0;

	vec_each (&call->facts, fact) {
		uint64_t ns = 0;

		if (fact->kind != kind)
			continue;
		vec_each (&call->facts, other)
			if (other->kind == kind && other->who_is == fact->who_is && other->who == fact->who &&
			    (kind != PART_BLOCKED || other->where == fact->where))
				ns += other->ns;
		if (!best || ns > most || (ns == most && fact->ns > best->ns)) {
			best = fact;
			most = ns;
		}
	}
	return best;
}

/* --- down the tree -------------------------------------------------------------------------------------------------------- */

struct descent {
	const struct causes *causes;
	const struct cause_call *call;
	const struct cause_root *root;
	int64_t *own, *below; /* element i is for the node i: how much its self time grew, and how much this and the self times of all nodes below it grew */
};

static void weigh(const struct descent *d, bool compared)
{
	size_t n = d->call->nodes.n;

	for (size_t i = 0; i < n; i++) {
		const struct cause_node *node = &d->call->nodes.at[i];
		const struct quantiles *typical = &d->causes->typical.at[node->node].self;

		d->own[i] = growth(node->ns[PART_SELF], compared ? causes_median(typical, d->root->calls) : 0);
		d->below[i] = d->own[i];
	}
	for (size_t i = n; i-- > 1;)
		d->below[d->call->nodes.at[i].caller] += d->below[i];
}

/* Are these at least ten times as many calls as usual? Then their number matters, and not how long each of them took. */
static bool so_many(uint64_t calls, uint64_t usual)
{
	return calls / 10 >= usual;
}

/* Returns how much of a node's growth comes from more calls: the number of further calls, times their usual length. */
static double by_count(const struct descent *d, uint32_t i, uint64_t *usual)
{
	const struct cause_node *node = &d->call->nodes.at[i];
	const struct cause_typical *typical = &d->causes->typical.at[node->node];
	double grew = (double)MAX(d->below[i], (int64_t)0), mean;

	*usual = causes_median(&typical->calls, d->root->calls);
	if (node->calls <= *usual)
		return 0;
	if (so_many(node->calls, *usual))
		return grew;
	mean = (double)causes_median(&typical->total, d->root->calls) / (double)*usual;
	return MIN(grew, mean * (double)(node->calls - *usual));
}

/* A function that calls others more often also computes more itself. Returns how much of its own growth comes from this. */
static double own_by_count(const struct descent *d, uint32_t at, uint64_t calls, uint64_t usual)
{
	const struct cause_typical *typical = &d->causes->typical.at[d->call->nodes.at[at].node];
	double grew = (double)MAX(d->own[at], (int64_t)0), own = (double)causes_median(&typical->self, d->root->calls);

	if (!usual)
		return 0;
	return so_many(calls, usual) ? grew : MIN(grew, own * ((double)calls / (double)usual - 1));
}

/*
 * Does this function take longer because it called some function more often? Yes if these calls are at least 1/LEAST_OF_CALLS of the growth. Otherwise they
 * do not tell what the function computes: for example, the kernel's hooks at a switch are called a few times in passing. If there are at least MANY calls,
 * 1/LEAST_OF_MANY is enough. The tracer takes time for each call, and this time counts as their caller's own. If callees are short, it is most of the time.
 */
enum { LEAST_OF_CALLS = 20, LEAST_OF_MANY = 100, MANY = 100 };

static bool calls_more(const struct descent *d, uint32_t at, struct verdict *v)
{
	double grew = (double)d->below[at], explained = 0, most = 0;
	uint32_t best = 0;

	for (uint32_t i = at + 1; i < d->call->nodes.n; i++) {
		uint64_t usual;
		double ns;

		if (d->call->nodes.at[i].caller != at)
			continue;
		ns = by_count(d, i, &usual);
		explained += ns;
		if (ns <= most)
			continue;
		most = ns;
		best = i;
		v->usual = usual;
	}
	if (!best)
		return false;
	v->count = d->call->nodes.at[best].calls;
	if (explained * (so_many(v->count, v->usual) && v->count - v->usual >= MANY ? LEAST_OF_MANY : LEAST_OF_CALLS) < grew)
		return false;
	explained += own_by_count(d, at, v->count, v->usual);
	if (explained * 2 < grew)
		return false;
	v->index = best;
	v->ns = (uint64_t)explained;
	return true;
}

/* Returns the callee that has most of the growth together with the nodes below it, or 0 if none has grown. */
static uint32_t hottest(const struct descent *d, uint32_t at)
{
	uint32_t best = 0;

	for (uint32_t i = at + 1; i < d->call->nodes.n; i++)
		if (d->call->nodes.at[i].caller == at && d->below[i] > 0 && (!best || d->below[i] > d->below[best]))
			best = i;
	return best;
}

/* Goes down the tree to the function that has the growth. Returns true if this function was called more often. */
static bool descend(const struct descent *d, struct verdict *v)
{
	for (uint32_t at = 0, next;; at = next) {
		if (v->compared && calls_more(d, at, v))
			return true;
		next = hottest(d, at);
		if (next && d->below[next] > d->own[at])
			continue;
		v->index = at;
		v->ns = (uint64_t)MAX(d->own[at], (int64_t)0);
		return false;
	}
}

/* Returns what is needed to know when a task was off its CPU. */
static enum cause_need switches_need(const struct timed_facts *facts, const struct cause_call *call)
{
	return call->lacks ? NEED_WHOLE : facts->some ? NEED_FILTER : facts->ticks ? NEED_CLOCK : NEED_SWITCH;
}

static int ran(const struct causes *causes, const struct cause_call *call, const struct cause_root *root, struct verdict *v)
{
	const struct timed_facts facts = timed_facts_of(causes->timed, call->file);
	struct descent d = { .causes = causes, .call = call, .root = root };
	__cleanup(free_ptr) int64_t *own = calloc(call->nodes.n, sizeof(*own));
	__cleanup(free_ptr) int64_t *below = calloc(call->nodes.n, sizeof(*below));
	bool more;

	if (!own || !below)
		return -ENOMEM;
	d.own = own;
	d.below = below;
	weigh(&d, v->compared);
	more = descend(&d, v);
	if (more)
		v->cause = CAUSE_MORE;
	else
		v->cause = v->index && v->compared ? CAUSE_CALLEE : CAUSE_OWN;
	/* If the events of another cause are not recorded, that cause would look like the function's own time. */
	v->fact = main_fact(call, call->aside ? FACT_DEVICE : FACT_STILL);
	if (!call->aside && v->fact && v->fact->ns < v->ns / 2)
		v->fact = NULL;
	if (call->aside)
		v->need = v->fact ? NEED_NOTHING : NEED_TASK;
	else if (!more && (!facts.switches || call->lacks))
		v->need = switches_need(&facts, call);
	else if (!more && !v->fact && facts.hidden)
		v->need = NEED_HIDDEN;
	else if (!more && !v->fact && !facts.handlers && (!causes->graphed || call->placed))
		v->need = NEED_IRQS;
	if (v->need)
		v->cause = CAUSE_UNKNOWN;
	/* The result may be a little too large, because medians are rounded. */
	if (v->compared)
		v->ns = MIN(v->ns, v->excess);
	return 0;
}

/* In a guest: did the virtual CPU wait for a CPU of its host for at least half of the time? Then this is the cause. */
static bool held_up(const struct cause_call *call, enum cause_part part, struct verdict *v)
{
	const uint8_t kind = part == PART_SELF || part == PART_IRQ ? FACT_HELD : FACT_HELD_WAIT;
	uint64_t ns = 0;

	vec_each (&call->facts, fact)
		ns += fact->kind == kind ? fact->ns : 0;
	if (!ns || ns < v->ns / 2)
		return false;
	v->cause = CAUSE_HELD;
	v->fact = main_fact(call, kind);
	v->ns = MIN(ns, v->compared ? v->excess : call->total);
	return true;
}

int verdict_of(const struct causes *causes, const struct cause_call *call, struct verdict *v)
{
	static const enum cause of_part[] = { [PART_IRQ] = CAUSE_IRQ,
					      [PART_BLOCKED] = CAUSE_BLOCKED,
					      [PART_QUEUED] = CAUSE_QUEUED,
					      [PART_PREEMPTED] = CAUSE_PREEMPTED,
					      [PART_OFF] = CAUSE_UNKNOWN };
	const struct cause_root *root = &causes->roots.at[call->root];
	const struct timed_facts facts = timed_facts_of(causes->timed, call->file);
	enum cause_part part;

	*v = (struct verdict){ 0 };
	compare(root, call, v);
	part = largest(root, call, v);
	if (held_up(call, part, v))
		return 0;
	if (part == PART_SELF)
		return ran(causes, call, root, v);
	if (v->compared)
		v->ns = MIN(v->ns, v->excess);
	v->cause = of_part[part];
	v->fact = main_fact(call, (uint8_t)part);
	if (part == PART_OFF)
		v->need = !facts.switches ? switches_need(&facts, call) : !facts.wakeups ? NEED_WAKING : NEED_LUCK;
	else if ((part == PART_QUEUED || part == PART_PREEMPTED) && v->fact && !v->fact->who_is)
		v->need = NEED_OTHERS;
	return 0;
}

int verdicts_new(const struct causes *causes, struct verdict **out)
{
	struct verdict *verdicts = calloc(causes->kept.n + 1, sizeof(*verdicts));
	int err = verdicts ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < causes->kept.n; i++)
		err = verdict_of(causes, causes->kept.at[i], &verdicts[i]);
	if (err)
		free(take(verdicts));
	*out = verdicts;
	return err;
}

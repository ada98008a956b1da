/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/cause-keep.h"
#include "lib/analysis/cause-facts.h"

void cause_call_free(struct cause_call *call)
{
	if (!call)
		return;
	vec_fini(&call->nodes);
	vec_fini(&call->facts);
	free(call);
}

int cause_spare(struct causes *causes, struct cause_call *call)
{
	int err = vec_push(&causes->spare, call);

	if (err)
		cause_call_free(call);
	return err;
}

/*
 * Makes the parts of the call add up to its total. If clocks differ a little, the sum may be smaller or larger. What is missing becomes the function's own
 * time, and what is too much is taken away from the parts.
 */
static void add_up(struct cause_call *call)
{
	uint64_t sum = 0;

	memset(call->parts, 0, sizeof(call->parts));
	vec_each (&call->nodes, node)
		for (unsigned int part = 0; part < PARTS; part++) {
			call->parts[part] += node->ns[part];
			sum += node->ns[part];
		}
	if (sum < call->total) {
		call->nodes.at[0].ns[PART_SELF] += call->total - sum;
		call->parts[PART_SELF] += call->total - sum;
	}
	for (size_t i = 0; i < call->nodes.n * PARTS && sum > call->total; i++) {
		uint64_t *ns = &call->nodes.at[i % call->nodes.n].ns[i / call->nodes.n], less = MIN(*ns, sum - call->total);

		*ns -= less;
		call->parts[i / call->nodes.n] -= less;
		sum -= less;
	}
}

/* Adds a value to a distribution. A value of 0 is left out: see causes_median(). */
static int count(struct quantiles *q, uint64_t value)
{
	return value ? quantiles_add(q, value) : 0;
}

static int add_typical(struct causes *causes, const struct cause_call *call)
{
	struct cause_root *root = &causes->roots.at[call->root];
	int err = count(&root->total, call->total);

	root->calls++;
	for (unsigned int part = 0; !err && part < PARTS; part++)
		err = count(&root->parts[part], call->parts[part]);
	vec_each (&call->nodes, node) {
		struct cause_typical *typical = &causes->typical.at[node->node];

		err = err ? err : count(&typical->calls, node->calls);
		err = err ? err : count(&typical->total, node->total);
		err = err ? err : count(&typical->self, node->ns[PART_SELF]);
	}
	return err;
}

/* Is @a before @b in the heap? The fastest call that is kept is at its top. Of calls that took the same time, the latest one comes first. */
static bool faster(const struct cause_call *a, const struct cause_call *b)
{
	return a->total != b->total ? a->total < b->total : a->ns > b->ns;
}

static void sink(struct causes *causes, size_t i)
{
	struct cause_call **heap = causes->kept.at;

	for (size_t child; (child = i * 2 + 1) < causes->kept.n; i = child) {
		if (child + 1 < causes->kept.n && faster(heap[child + 1], heap[child]))
			child++;
		if (!faster(heap[child], heap[i]))
			return;
		swap(heap[child], heap[i]);
	}
}

static int keep_slow(struct causes *causes, struct cause_call *call)
{
	struct cause_call **heap;
	size_t i = causes->kept.n;

	if (call->total <= causes->opt.over && causes->opt.over)
		return cause_spare(causes, call);
	causes->roots.at[call->root].over++;
	if (i == causes->opt.most) {
		heap = causes->kept.at;
		if (!faster(heap[0], call))
			return cause_spare(causes, call);
		swap(heap[0], call);
		sink(causes, 0);
		return cause_spare(causes, call);
	}
	if (vec_push(&causes->kept, call)) {
		cause_call_free(call);
		return -ENOMEM;
	}
	heap = causes->kept.at;
	for (; i && faster(heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap(heap[i], heap[(i - 1) / 2]);
	return 0;
}

int cause_keep(struct causes *causes, struct cause_call *call)
{
	int err;

	add_up(call);
	cause_facts_fit(call);
	err = add_typical(causes, call);
	if (err) {
		cause_call_free(call);
		return err;
	}
	return keep_slow(causes, call);
}

static int by_total(const void *a, const void *b)
{
	const struct cause_call *x = *(struct cause_call *const *)a, *y = *(struct cause_call *const *)b;

	return faster(x, y) ? 1 : faster(y, x) ? -1 : 0;
}

/* Makes the parts of the time off the CPU, which are not known, parts of the time in which the task ran. */
static void forget_off(uint64_t parts[PARTS])
{
	for (enum cause_part part = 0; part < PARTS; part++) {
		if (part == PART_SELF || part == PART_IRQ)
			continue;
		parts[PART_SELF] += parts[part];
		parts[part] = 0;
	}
}

/* Finds out which calls are of tasks that lack switches. It is not known how long such a call was off the CPU. */
static void find_lacking(struct causes *causes)
{
	for (unsigned int file = 0; file < causes->inputs->n; file++)
		timed_find_lacking(causes->timed, file, NULL, NULL);
	vec_each (&causes->kept, at) {
		struct cause_call *call = *at;

		call->lacks = !call->aside && timed_lacks(causes->timed, call->person);
		if (!call->lacks)
			continue;
		forget_off(call->parts);
		vec_each (&call->nodes, node)
			forget_off(node->ns);
	}
}

void causes_sort(struct causes *causes)
{
	find_lacking(causes);
	/* That events were missing during a call may have become known only after the call's end. */
	vec_each (&causes->kept, call)
		if (!(*call)->unseen)
			(*call)->unseen = (uint8_t)vcpus_missed(causes->vcpus, (*call)->file, (*call)->ns, (*call)->ns + (*call)->total);
	if (causes->kept.n)
		qsort(causes->kept.at, causes->kept.n, sizeof(*causes->kept.at), by_total);
}

uint64_t causes_median(const struct quantiles *q, uint64_t n)
{
	struct quantiles_bucket bucket = { 0 };
	uint64_t rank = (n + 1) / 2, zeros = n - MIN(n, q->n), seen = 0;

	if (!n || rank <= zeros)
		return 0;
	while (quantiles_each(q, &bucket)) {
		seen += bucket.count;
		if (seen >= rank - zeros)
			return MIN(MAX(bucket.low + (bucket.high - bucket.low) / 2, q->min), q->max);
	}
	return q->max;
}

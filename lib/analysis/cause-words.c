/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/cause-words.h"

static const char *comm_of(const struct causes *causes, uint32_t person)
{
	const struct timed_person *who = timed_person(causes->timed, person);

	return comms_find(causes->inputs->at[who->file].trace->comms, who->pid);
}

static bool is_idle(const struct causes *causes, uint32_t person)
{
	return !timed_person(causes->timed, person)->pid;
}

void words_task(const struct causes *causes, uint32_t person, struct str *out)
{
	if (is_idle(causes, person))
		str_add(out, "the idle task");
	else
		str_addf(out, "%s-%d", comm_of(causes, person), timed_person(causes->timed, person)->pid);
}

void words_who(const struct causes *causes, const struct cause_fact *fact, struct str *out)
{
	const char *text = fact->who_is == WHO_IRQ || fact->who_is == WHO_TEXT ? meanwhile_text(causes->meanwhile, fact->who) : "";

	if (fact->who_is == WHO_TASK)
		words_task(causes, fact->who, out);
	else if (fact->who_is == WHO_IRQ && (!*text || strstr(text, " < ")))
		str_addf(out, "%s%s%.*s",
			 fact->irq == CALL_IN_SOFTIRQ ? "a soft interrupt"
			 : fact->irq == CALL_IN_NMI   ? "an NMI"
						      : "a hard interrupt",
			 *text ? " in " : "", (int)strcspn(text, " "), text);
	else
		str_add(out, text);
}

static const char *text_of(const struct causes *causes, uint32_t text)
{
	return meanwhile_text(causes->meanwhile, text);
}

/* Adds " in A below B" if @where is "A < B < C". */
static void add_where(struct str *out, const char *where)
{
	const char *first = strstr(where, " < "), *second = first ? strstr(first + 3, " < ") : NULL;

	if (!*where)
		return;
	str_add(out, " in ");
	str_addn(out, where, first ? (size_t)(first - where) : strlen(where));
	if (!first)
		return;
	str_add(out, " below ");
	str_addn(out, first + 3, second ? (size_t)(second - first - 3) : strlen(first + 3));
}

/* --- verdicts ------------------------------------------------------------------------------------------------------------- */

static const char *function_of(const struct causes *causes, const struct cause_call *call, const struct verdict *v)
{
	return causes_name(causes, call->nodes.at[v->index].node);
}

void words_culprit(const struct causes *causes, const struct cause_call *call, const struct verdict *v, struct str *out)
{
	if (v->cause == CAUSE_OWN && v->fact)
		words_who(causes, v->fact, out);
	else if (v->cause == CAUSE_MORE || v->cause == CAUSE_CALLEE || v->cause == CAUSE_OWN)
		str_add(out, function_of(causes, call, v));
	else if (v->cause != CAUSE_UNKNOWN && v->fact)
		words_who(causes, v->fact, out);
}

/* Adds who the culprit was. A task is named without its pid, so that the tasks of one name have the same text. */
static void add_kind_of(const struct causes *causes, const struct cause_fact *fact, struct str *out)
{
	if (fact->who_is != WHO_TASK)
		words_who(causes, fact, out);
	else
		str_add(out, is_idle(causes, fact->who) ? "the idle task" : comm_of(causes, fact->who));
}

void words_cause(const struct causes *causes, const struct cause_call *call, const struct verdict *v, struct str *out)
{
	static const char *const links[] = { [CAUSE_QUEUED] = " behind ", [CAUSE_PREEMPTED] = " by ", [CAUSE_IRQ] = " ", [CAUSE_HELD] = " behind " };

	/* An interrupt without a known name is called "irq 24". Then the number is the whole name. */
	if (v->cause == CAUSE_IRQ && v->fact && v->fact->who_is && str_starts(text_of(causes, v->fact->who), "irq ")) {
		words_who(causes, v->fact, out);
		return;
	}
	str_add(out, cause_word(v->cause));
	if (v->cause == CAUSE_OWN && v->fact && v->fact->kind == FACT_STILL)
		str_add(out, ": its task still ran at first");
	else if (v->cause == CAUSE_OWN && v->fact) {
		str_add(out, " of ");
		words_who(causes, v->fact, out);
	} else if (v->cause == CAUSE_BLOCKED && v->fact)
		add_where(out, text_of(causes, v->fact->where));
	else if (v->cause == CAUSE_MORE || v->cause == CAUSE_CALLEE || (v->cause == CAUSE_OWN && v->index))
		str_addf(out, "%s %s", v->cause == CAUSE_OWN || v->cause == CAUSE_MORE ? " of" : "", function_of(causes, call, v));
	else if (v->cause == CAUSE_UNKNOWN && v->fact && *text_of(causes, v->fact->where)) {
		str_add(out, ", off the CPU");
		add_where(out, text_of(causes, v->fact->where));
	} else if (v->cause < ARRAY_LEN(links) && v->fact && v->fact->who_is) {
		str_add(out, links[v->cause]);
		add_kind_of(causes, v->fact, out);
	}
}

void words_need(enum cause_need need, const struct causes *causes, const struct cause_root *root, struct str *out)
{
	static const char *const why[] = {
		[NEED_SWITCH] = "when and why a task was off its CPU is not known, as no sched_switch was recorded",
		[NEED_CLOCK] = "when and why a task was off its CPU is not known, as " INPUT_TICKS,
		[NEED_FILTER] = "when and why a task was off its CPU is not known, as " INPUT_SOME_SWITCHES,
		[NEED_WHOLE] =
			"when and why a task was off its CPU is not known, as only some of its switches were recorded; `record -e sched` without -F, -P and "
			"-f records all",
		[NEED_WAKING] = "whether a task slept or waited for its CPU is not known, as no sched_waking was recorded",
		[NEED_HIDDEN] = "whether interrupts ran on top of a call is not known, as " INPUT_NO_INTERRUPTS,
		[NEED_IRQS] = "whether interrupts ran on top of a call is not known, as neither their events nor functions were recorded",
		[NEED_OTHERS] =
			"who had the CPU meanwhile is not known, as other tasks were not recorded (-F and -P leave them out) or their switches were lost",
		[NEED_TASK] = "asynchronous calls go on beside what their task does, so nothing that happens to the task explains them",
		[NEED_LUCK] = "the wakeup of a task is not in the recording: it was lost, or happened where nothing was recorded",
	};
	/* Is used instead of the text above if the options can have left out all records of these events. */
	static const char *const left_out[NEED_LUCK + 1] = {
		[NEED_SWITCH] = "when and why a task was off its CPU is not known, as the options leave no sched_switch of what was recorded; if none was",
		[NEED_WAKING] = "whether a task slept or waited for its CPU is not known, as the options leave no wakeups of what was recorded; if none were",
		[NEED_IRQS] = "whether interrupts ran on top of a call is not known, as the options leave neither their events nor functions of what was "
			      "recorded; if none were",
		[NEED_LUCK] = "the wakeup of a task is not known: it was lost, it happened where nothing was recorded, or the options leave it out",
	};
	const bool left = causes->inputs->at[0].narrowed && left_out[need];

	str_add(out, left ? left_out[need] : why[need]);
	if (need == NEED_LUCK || need == NEED_TASK || need == NEED_WHOLE || need == NEED_FILTER || need == NEED_HIDDEN || need == NEED_CLOCK)
		return;
	if (root->named && causes_name(causes, root->node)[0] != '[')
		str_addf(out, "%s `ringside record --why %s COMMAND` records what is missing", left ? "," : ";", causes_name(causes, root->node));
	else
		str_addf(out, "%s record again, with -e sched -e irq as well", left ? "," : ";");
}

/* --- facts ---------------------------------------------------------------------------------------------------------------- */

static void add_share(struct str *out, uint64_t ns, uint64_t of)
{
	duration_add(out, ns);
	if (of)
		str_addf(out, " (%.0f %%)", (double)ns * 100 / (double)of);
}

static void add_prios(struct str *out, const struct cause_fact *fact)
{
	if (fact->prio >= 0 && fact->own_prio >= 0)
		str_addf(out, ", priority %d (the waiting task has %d)", fact->prio, fact->own_prio);
	else if (fact->prio >= 0)
		str_addf(out, ", priority %d", fact->prio);
}

static void add_times(struct str *out, uint64_t times)
{
	if (times != 1)
		str_addf(out, ", %llu times", (unsigned long long)times);
}

static void add_waker(const struct causes *causes, const struct cause_fact *fact, struct str *out)
{
	if (!fact->who_is) {
		str_add(out, ", who woke it is not known");
		return;
	}
	str_add(out, ", woken by ");
	words_who(causes, fact, out);
	add_where(out, text_of(causes, fact->from));
}

/* Adds "device 8,0 had 3 other requests to do when this one came, and completed 5 others meanwhile; this one had waited 1.2 ms in a queue before". */
static void add_device(const struct causes *causes, const struct cause_fact *fact, struct str *out)
{
	words_who(causes, fact, out);
	str_addf(out, " had %llu other request%s to do when this one came, and completed %llu other%s meanwhile", (unsigned long long)fact->times,
		 fact->times == 1 ? "" : "s", (unsigned long long)fact->served, fact->served == 1 ? "" : "s");
	if (!fact->before)
		return;
	str_add(out, "; this one had waited ");
	duration_add(out, fact->before);
	str_add(out, " in a queue before");
}

/* Adds "the virtual CPU was off CPU 1 of its host, which ran stress-5". */
static void add_held(const struct causes *causes, const struct cause_fact *fact, struct str *out)
{
	if (fact->kind == FACT_HALTED) {
		str_add(out, " the thread that is the virtual CPU slept on its host: ");
		words_who(causes, fact, out);
		return;
	}
	str_addf(out, " the virtual CPU was off CPU %u of its host, ", fact->cpu);
	if (!fact->who_is) {
		str_add(out, "and who ran there is not known");
		return;
	}
	str_add(out, "which ran ");
	words_who(causes, fact, out);
	add_prios(out, fact);
}

void words_fact(const struct causes *causes, const struct cause_fact *fact, uint64_t of, struct str *out)
{
	if (fact->kind == FACT_FAULT) {
		str_addf(out, "%llu page fault%s ", (unsigned long long)fact->times, fact->times == 1 ? "" : "s");
		words_who(causes, fact, out);
		return;
	}
	if (fact->kind == FACT_DEVICE) {
		add_device(causes, fact, out);
		return;
	}
	add_share(out, fact->ns, of);
	if (fact->kind == FACT_STILL) {
		str_addf(out, " until its task left CPU %u, where it still ran when this began", fact->cpu);
		return;
	}
	if (fact->kind == FACT_HELD || fact->kind == FACT_HELD_WAIT || fact->kind == FACT_HALTED) {
		add_held(causes, fact, out);
		add_times(out, fact->times);
		return;
	}
	if (fact->kind == PART_BLOCKED || fact->kind == PART_OFF)
		add_where(out, text_of(causes, fact->where));
	if (fact->kind == PART_BLOCKED)
		add_waker(causes, fact, out);
	if (fact->kind == PART_QUEUED || fact->kind == PART_PREEMPTED) {
		str_addf(out, " on CPU %u: ", fact->cpu);
		if (fact->who_is)
			words_who(causes, fact, out);
		else
			str_add(out, "who ran there is not known");
		/* The idle task runs only if no other task can run, whatever priority the kernel records for it. */
		if (fact->who_is != WHO_TASK || !is_idle(causes, fact->who))
			add_prios(out, fact);
	}
	if (fact->kind == PART_IRQ || fact->kind == FACT_LOCK) {
		str_add(out, " ");
		words_who(causes, fact, out);
	}
	add_times(out, fact->times);
}

void words_link(const struct causes *causes, const struct chain_link *link, struct str *out)
{
	const struct {
		uint64_t ns;
		const char *word;
	} did[] = { { link->blocked, "slept" },
		    { link->queued, "waited for a CPU" },
		    { link->preempted, "was preempted" },
		    { link->ran, "ran" },
		    { link->merged, "has more switches than are kept in" },
		    { link->unknown, "is not known" } };
	const char *comma = " ";

	words_task(causes, link->person, out);
	for (size_t i = 0; i < ARRAY_LEN(did); i++) {
		if (!did[i].ns)
			continue;
		str_addf(out, "%s%s ", comma, did[i].word);
		duration_add(out, did[i].ns);
		if (i == 0)
			add_where(out, text_of(causes, link->where));
		comma = ", ";
	}
	if (!link->blocked || !link->waker.known)
		return;
	str_add(out, ", woken by ");
	if (link->waker.irq) {
		words_who(causes, &(struct cause_fact){ .who_is = WHO_IRQ, .irq = link->waker.irq, .who = link->waker.from }, out);
	} else {
		words_task(causes, link->waker.person, out);
		add_where(out, text_of(causes, link->waker.from));
	}
}

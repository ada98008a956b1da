/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says in words what is known of slow calls (lib/analysis/causes.h). A fact is something that happened to a call. A verdict tells why a call was slow. The
 * functions with @out append to @out.
 */
#ifndef RINGSIDE_CAUSE_WORDS_H
#define RINGSIDE_CAUSE_WORDS_H

#include "lib/analysis/verdict.h"
#include "lib/base/duration.h"

/* Appends the name of a task: "cat-123", "the idle task". @person is the number of a struct timed_person (lib/analysis/timed.h). */
void words_task(const struct causes *causes, uint32_t person, struct str *out);

/*
 * Appends the culprit of a fact: the task or the interrupt that has caused the fact. For some facts, the culprit is a lock, a block device or a kind of page
 * fault, and its name is appended. Appends nothing when the culprit is not known.
 */
void words_who(const struct causes *causes, const struct cause_fact *fact, struct str *out);

/*
 * Appends the culprit that the verdict (lib/analysis/verdict.h) names, in one word or two. This is for the column "culprit". Appends nothing when the culprit
 * is not known.
 */
void words_culprit(const struct causes *causes, const struct cause_call *call, const struct verdict *v, struct str *out);

/*
 * Appends the cause of the call's time in a few words, such as "blocked in io_schedule below filemap_read". The words are the same for all calls with the same
 * cause.
 */
void words_cause(const struct causes *causes, const struct cause_call *call, const struct verdict *v, struct str *out);

/*
 * Appends a sentence about those calls of the function @root for which verdict.need is @need. The sentence says what is not known of these calls and why.
 * If a new recording would help, the sentence also says how to record what is missing. @need must not be NEED_NOTHING.
 */
void words_need(enum cause_need need, const struct causes *causes, const struct cause_root *root, struct str *out);

/*
 * Appends a fact as a line, such as "in pipe_read, woken by holder-12 on CPU 1 in pipe_write". A percentage in the line is the share of the fact's
 * time in @of ns. If @of is 0, the line has no percentage.
 */
void words_fact(const struct causes *causes, const struct cause_fact *fact, uint64_t of, struct str *out);

/* Appends what a waker did while a task waited for the waker, such as "holder-12 slept 50 ms in hrtimer_nanosleep, ran 1 ms". */
void words_link(const struct causes *causes, const struct chain_link *link, struct str *out);

/*
 * Appends a description of a call: a small tree of the parts of the call's time. Each part comes with the facts about it. @number is the call's number in the
 * output. If @full is true, the call tree is appended, too. If @utf8 is true, the terminal can show more than ASCII.
 */
void cause_call_text(const struct causes *causes, const struct cause_call *call, const struct verdict *v, uint64_t number, bool full, bool utf8,
		     struct str *out);

/*
 * Sums up all calls in causes->kept. @verdicts[i] is the verdict on the call i. For each cause there is a line that says how many calls have this cause. Calls
 * that are faster than the typical call (verdict_is_faster()) have no cause. If there are calls without a cause, one more line tells their number. Returns 0 or
 * -ENOMEM.
 */
int cause_summary(const struct causes *causes, const struct verdict *verdicts, struct str *out);

/*
 * Appends a line for each function that was asked for and has complete calls. The line says how many complete calls there are, and how long they usually take.
 */
void cause_functions(const struct causes *causes, struct str *out);

/*
 * Calls @say once for each need (enum cause_need) that occurs in @verdicts, except NEED_NOTHING. @say gets the sentence of words_need() about this need.
 * @verdicts[i] is the verdict on the call i in causes->kept. If events of a guest's host are missing (cause_call.unseen), the last sentence says so.
 */
void cause_needs(const struct causes *causes, const struct verdict *verdicts, void (*say)(void *ctx, const char *text), void *ctx);

#endif

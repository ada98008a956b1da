/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/timeline.h"

/*
 * Raises the limit *@most if folding has left so many elements (@n) that little room is left. With many tasks, each has something that cannot be folded with
 * that of another task. Without a higher limit, folding would be tried again for each further element.
 */
static void make_room(size_t *most, size_t n)
{
	*most = MAX(*most, n * 2);
}

/* At first, everything shorter than this is folded. Then the length is doubled again and again. */
enum { FIRST_NS = 128 };

static uint64_t longer(uint64_t shorter)
{
	return shorter ? shorter * 2 : FIRST_NS;
}

/* Can the two bars of folded calls become one? They can if they are at the same depth and not far from each other. */
static bool joins(const struct timeline_slice *before, const struct timeline_slice *slice, uint64_t shorter)
{
	const uint64_t end = before->start + before->length;

	return before->folded && slice->folded && before->depth == slice->depth && slice->start >= before->start &&
	       (slice->start <= end || slice->start - end < shorter);
}

/*
 * Puts a slice into @out, or folds it if it is too short. Callees end before their caller, so the callees of a folded call are the last slices in @out.
 * Returns how many slices @out has then.
 */
static size_t fold_one(struct timeline_slice *out, size_t n, struct timeline_slice slice, uint64_t shorter)
{
	if (slice.length >= shorter && !slice.folded) {
		out[n++] = slice;
		return n;
	}
	slice.folded = MAX(slice.folded, 1u);
	while (n && out[n - 1].depth > slice.depth && out[n - 1].start >= slice.start) {
		slice.folded += MAX(out[n - 1].folded, 1u);
		n--;
	}
	if (n && joins(&out[n - 1], &slice, shorter)) {
		struct timeline_slice *before = &out[n - 1];

		before->length = MAX(before->start + before->length, slice.start + slice.length) - before->start;
		before->folded += slice.folded;
		return n;
	}
	slice.callees = slice.irq = slice.off = 0;
	slice.cut = 0;
	out[n++] = slice;
	return n;
}

static void fold_track(struct timeline *timeline, struct timeline_track *track, uint64_t shorter)
{
	size_t n = 0;

	for (size_t i = 0; i < track->slices.n; i++)
		n = fold_one(track->slices.at, n, track->slices.at[i], shorter);
	timeline->nslices -= track->slices.n - n;
	track->slices.n = n;
}

void timeline_fold_slices(struct timeline *timeline)
{
	const size_t wanted = timeline->nslices / 2;

	while (timeline->nslices > wanted && timeline->slices.shorter < timeline->last) {
		timeline->slices.shorter = longer(timeline->slices.shorter);
		vec_each (&timeline->tracks, track)
			fold_track(timeline, track, timeline->slices.shorter);
	}
	make_room(&timeline->opt.most_slices, timeline->nslices);
	timeline->slices.n = 0;
	vec_each (&timeline->tracks, track)
		vec_each (&track->slices, slice)
			timeline->slices.n += slice->folded;
}

static void fold_cpu(struct timeline *timeline, struct timeline_cpu *cpu, uint64_t shorter)
{
	size_t n = 0;

	for (size_t i = 0; i < cpu->runs.n; i++) {
		struct timeline_run run = cpu->runs.at[i], *before = n ? &cpu->runs.at[n - 1] : NULL;

		if (run.length >= shorter && !run.folded) {
			cpu->runs.at[n++] = run;
			continue;
		}
		run.folded = MAX(run.folded, 1u);
		run.track = TIMELINE_NONE;
		if (before && before->folded && run.start - before->start - before->length < shorter) {
			before->length = run.start + run.length - before->start;
			before->folded += run.folded;
		} else {
			cpu->runs.at[n++] = run;
		}
	}
	timeline->nruns -= cpu->runs.n - n;
	cpu->runs.n = n;
}

/* Removes the waits that are shorter than @shorter. This is needed because there are about as many waits as runs. */
static void fold_waits(struct timeline *timeline, uint64_t shorter)
{
	vec_each (&timeline->tracks, track) {
		size_t n = 0;

		vec_each (&track->waits, wait)
			if (wait->length >= shorter)
				track->waits.at[n++] = *wait;
		track->waits.n = n;
	}
}

void timeline_fold_runs(struct timeline *timeline)
{
	const size_t wanted = timeline->nruns / 2;

	while (timeline->nruns > wanted && timeline->runs.shorter < timeline->last) {
		timeline->runs.shorter = longer(timeline->runs.shorter);
		vec_each (&timeline->cpus, cpu)
			fold_cpu(timeline, cpu, timeline->runs.shorter);
		fold_waits(timeline, timeline->runs.shorter);
	}
	make_room(&timeline->opt.most_runs, timeline->nruns);
	timeline->runs.n = 0;
	vec_each (&timeline->cpus, cpu)
		vec_each (&cpu->runs, run)
			timeline->runs.n += run->folded;
}

/* Folds an event that comes soon after a kept event of the same kind and task into the kept one. If memory runs out, events stay as they are. */
static void fold_marks_within(struct timeline *timeline, uint64_t shorter)
{
	VEC(size_t) last = { 0 };
	struct keys kinds = { 0 };
	size_t n = 0;

	vec_each (&timeline->marks, mark) {
		const int64_t kind = keys_element(&kinds, &last, ((struct key){ mark->track, mark->event }), n);
		struct timeline_mark *before = kind >= 0 ? &timeline->marks.at[last.at[kind]] : mark;

		if (kind >= 0 && last.at[kind] < n && mark->at - before->at < shorter) {
			before->folded += 1 + mark->folded;
			free(mark->text);
			continue;
		}
		if (kind >= 0)
			last.at[kind] = n;
		timeline->marks.at[n++] = *mark;
	}
	timeline->marks.n = n;
	vec_fini(&last);
	keys_fini(&kinds);
}

void timeline_fold_marks(struct timeline *timeline)
{
	const size_t wanted = timeline->marks.n / 2;

	while (timeline->marks.n > wanted && timeline->marks_folded.shorter < timeline->last) {
		timeline->marks_folded.shorter = longer(timeline->marks_folded.shorter);
		fold_marks_within(timeline, timeline->marks_folded.shorter);
	}
	make_room(&timeline->opt.most_marks, timeline->marks.n);
	timeline->marks_folded.n = 0;
	vec_each (&timeline->marks, mark)
		timeline->marks_folded.n += mark->folded;
}

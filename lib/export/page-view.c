/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/page-view.h"
#include "lib/analysis/lacking.h"
#include "lib/base/err.h"
#include "lib/export/flame-view.h"
#include "lib/export/page-data.h"
#include "lib/export/page-slow.h"

enum { MOST_TRIES = 24 };

/* The most bytes of the tree of calls. Rarer paths are folded while the tree grows, because a page has no room for more. */
enum { MOST_TREE = 24 << 20 };

static const char *const part_names[PAGE_PARTS] = {
	[PAGE_HEAD] = "head", [PAGE_SLICES] = "slices", [PAGE_CPUS] = "cpus", [PAGE_MARKS] = "marks", [PAGE_FLAME] = "flame", [PAGE_SLOW] = "slow",
};

struct page {
	struct handler handler; /* first */
	struct paths *paths;
	struct timeline *timeline;
};

static int take_records(struct handler *h, const struct batch *batch)
{
	struct page *page = container_of(h, struct page, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = timeline_record(page->timeline, &batch->records[i]);
	return err;
}

static int take_end(struct handler *h)
{
	return timeline_end(container_of(h, struct page, handler)->timeline);
}

static void page_free(struct handler *h)
{
	struct page *page = container_of(h, struct page, handler);

	timeline_free(page->timeline);
	paths_free(page->paths);
	free(page);
}

static int make(struct handler **out, struct reading *reading, __unused void *options)
{
	const struct paths_options paths = { .by = PATHS_TASK, .select = &reading->select, .graph = { MOST_TREE, .functions_together = true } };
	struct page *page = calloc(1, sizeof(*page));
	struct calls *calls = reading_calls(reading);
	int err = page && calls ? paths_new(&page->paths, calls, &reading->inputs, &paths) : -ENOMEM;

	err = err ? err : lacking_leave_out(reading);
	err = err ? err : timeline_new(&page->timeline, &reading->inputs, calls, page->paths, &(struct timeline_options){ 0 });
	if (err) {
		if (page)
			page_free(&page->handler);
		return err;
	}
	page->handler = (struct handler){ .records = take_records, .end = take_end, .free = page_free };
	*out = &page->handler;
	return 0;
}

/* Frees the parts that are made anew after folding. What was found about slow calls stays. */
static void forget(struct document_part parts[PAGE_PARTS])
{
	for (unsigned int i = 0; i < PAGE_SLOW; i++)
		str_fini(&parts[i].data);
}

/* Folds the part that takes most room. Returns false if nothing can be folded. */
static bool make_smaller(struct page *page, const struct document_part parts[PAGE_PARTS], bool *both)
{
	struct timeline *timeline = page->timeline;
	enum page_part most = PAGE_SLICES;
	const size_t before = timeline->nslices + timeline->nruns + timeline->marks.n;
	const bool both_before = *both;

	for (enum page_part i = PAGE_SLICES; i < PAGE_SLOW; i++)
		if (parts[i].data.len > parts[most].data.len)
			most = i;
	if (most == PAGE_FLAME)
		*both = false;
	if (most == PAGE_CPUS)
		timeline_fold_runs(timeline);
	if (most == PAGE_MARKS)
		timeline_fold_marks(timeline);
	if (most == PAGE_SLICES || (most == PAGE_FLAME && !both_before))
		timeline_fold_slices(timeline);
	return *both != both_before || timeline->nslices + timeline->nruns + timeline->marks.n < before;
}

/* Leaves out the slow calls, which is the last way to make the page smaller. Returns false if that has been done already. */
static bool leave_out_slow(struct document_part *part, bool *slow, int *err)
{
	if (!*slow)
		return false;
	*slow = false;
	str_fini(&part->data);
	*err = page_slow_left_out(&part->data);
	*err = *err ? *err : document_pack(part);
	return true;
}

static int write_page(struct page *page, struct reading *reading, const struct page_view *view)
{
	struct document_part parts[PAGE_PARTS] = { 0 };
	bool both = true, slow = true;
	int err;

	for (unsigned int i = 0; i < PAGE_PARTS; i++)
		parts[i].name = part_names[i];
	err = page_slow(page->timeline, reading, &parts[PAGE_SLOW].data);
	err = err ? err : document_pack(&parts[PAGE_SLOW]);
	for (unsigned int try = 0; !err; try++) {
		err = page_data(page->timeline, reading, parts);
		err = err ? err : flame_calls_data(page->paths, reading, both, &parts[PAGE_FLAME].data);
		err = err ? err : document_pack(&parts[PAGE_FLAME]);
		if (err || document_size(DOCUMENT_PAGE, parts, PAGE_PARTS) <= view->most_bytes)
			break;
		if (try == MOST_TRIES || !(make_smaller(page, parts, &both) || leave_out_slow(&parts[PAGE_SLOW], &slow, &err)))
			err = fail(EFBIG, "a page of all that would be of %llu bytes, however much is folded: narrow it with --since, --until, --cpu or --pid",
				   (unsigned long long)document_size(DOCUMENT_PAGE, parts, PAGE_PARTS));
		else
			forget(parts);
	}
	if (!err) {
		err = document_write(reading->out, DOCUMENT_PAGE, parts, PAGE_PARTS);
		if (err && err != -EPIPE && err != -ENOMEM)
			fail(-err, "writing the page: %m");
	}
	forget(parts);
	str_fini(&parts[PAGE_SLOW].data);
	return err;
}

/* Refuses tasks that do not exist, because the page would show nothing but what the CPUs ran. */
static int check_tasks(const struct page *page, const struct reading *reading)
{
	const struct select_options *select = &reading->select;
	const struct {
		const char *option;
		const strv_t *values;
	} rows[] = { { "--pid", &select->pids }, { "--tid", &select->tids }, { "--comm", &select->comms } };
	struct str asked = { 0 };
	int err;

	vec_each (&page->timeline->tracks, track)
		if (select_task(select, comms_find(reading->inputs.at[track->file].trace->comms, track->pid), track->pid))
			return 0;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		vec_each (rows[i].values, value)
			str_addf(&asked, "%s%s %s", asked.len ? " " : "", rows[i].option, *value);
	err = !asked.len
		      ? 0
		      : fail(ESRCH,
			     "%s: no record of such a task is among those that are wanted of %s; `ringside count --by pid,comm` lists the tasks that are there",
			     str_text(&asked), reading->inputs.at[0].path);
	str_fini(&asked);
	return err;
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	struct page *page = container_of(h, struct page, handler);
	struct page_view *view = options;
	int err;

	view->empty = !reading->pass.passed;
	err = view->empty ? 0 : check_tasks(page, reading);
	err = err || view->empty ? err : write_page(page, reading, view);
	view->done = !view->empty && !err;
	return err;
}

const struct analysis page_analysis = {
	.name = "page",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_STAYS | ANALYSIS_SUMS,
	.folds = calls_fold,
	.make = make,
	.show = show,
};

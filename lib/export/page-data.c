/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/page-data.h"
#include "lib/base/quote.h"
#include "lib/export/about.h"
#include "lib/export/columns.h"
#include "lib/export/flame-data.h"

/* --- the head, JSON --------------------------------------------------------------------------------------------------------- */

static void put_track(const struct timeline *timeline, const struct timeline_track *track, struct str *out)
{
	const struct trace *trace = timeline->inputs->at[track->file].trace;
	const struct timed_facts facts = timed_facts_of(timeline->paths->timed, track->file);

	str_add(out, "{\"comm\":");
	quote_json(comms_find(trace->comms, track->pid), out);
	str_addf(out, ",\"pid\":%d,\"cpu\":%u,\"file\":%u,\"buffer\":", track->pid, track->cpu, track->file);
	quote_json(timeline->inputs->at[track->file].file->buffers.at[track->buffer].name, out);
	str_addf(out, ",\"offKnown\":%s,\"irqKnown\":%s,\"aside\":%s,\"slices\":%zu,\"waits\":%zu}",
		 timed_off_known(&facts) && !track->async && !track->lacks ? "true" : "false", facts.irq && !track->async ? "true" : "false",
		 track->aside ? "true" : "false", track->slices.n, track->waits.n);
}

static void put_folded(const char *name, const struct timeline_folded *folded, struct str *out)
{
	str_addf(out, "\"%s\":{\"n\":%llu,\"shorter\":%llu}", name, (unsigned long long)folded->n, (unsigned long long)folded->shorter);
}

static void put_lists(const struct timeline *timeline, struct str *out)
{
	str_add(out, ",\"tracks\":[");
	vec_each (&timeline->tracks, track) {
		str_add(out, track == timeline->tracks.at ? "" : ",");
		put_track(timeline, track, out);
	}
	str_add(out, "],\"cpus\":[");
	vec_each (&timeline->cpus, cpu)
		str_addf(out, "%s{\"cpu\":%u,\"file\":%u,\"runs\":%zu,\"irqs\":%zu,\"losses\":%zu}", cpu == timeline->cpus.at ? "" : ",", cpu->cpu, cpu->file,
			 cpu->runs.n, cpu->irqs.n, cpu->losses.n);
	str_add(out, "],\"folded\":{");
	put_folded("slices", &timeline->slices, out);
	str_add(out, ",");
	put_folded("runs", &timeline->runs, out);
	str_add(out, ",");
	put_folded("marks", &timeline->marks_folded, out);
	str_add(out, "}");
}

static int put_head(const struct timeline *timeline, struct reading *reading, struct str *out)
{
	const strv_t *graph_names = &timeline->paths->graph->names;
	const struct timed_facts facts = timed_facts_least(timeline->paths->timed);
	struct name_table names = { 0 };
	int err = 0;

	/* All names of a graph are different, so they keep their numbers. */
	vec_each (graph_names, name)
		err = err ? err : name_table_add(&names, *name) < 0 ? -ENOMEM : 0;
	name_table_rooms(&names, timeline->inputs);
	str_add(out, "{\"version\":1,\"about\":");
	err = err ? err : about_json(reading, out);
	str_addf(out, ",\"first\":\"%llu\",\"span\":%llu,\"facts\":{\"switches\":%s,\"wakeups\":%s,\"guessed\":%s}", (unsigned long long)timeline->first,
		 (unsigned long long)(timeline->last - MIN(timeline->last, timeline->first)), facts.switches ? "true" : "false",
		 facts.wakeups ? "true" : "false", facts.guessed ? "true" : "false");
	put_lists(timeline, out);
	str_add(out, ",");
	name_table_json(&names, out);
	str_add(out, "}");
	name_table_fini(&names);
	return err ? err : str_ok(out);
}

/* --- rows -------------------------------------------------------------------------------------------------------------------- */

/* Returns the time since the first record. What began before it, as far as that is possible, begins with it. */
static uint64_t since_first(const struct timeline *timeline, uint64_t ns)
{
	return ns - MIN(ns, timeline->first);
}

/* Puts the slices. The columns are in the order that page-data.js expects. */
static void put_slices(const struct timeline *timeline, struct str *out)
{
	struct columns columns = { 0 };

	vec_each (&timeline->tracks, track) {
		vec_each (&track->slices, slice) {
			columns_put_difference(&columns, 0, since_first(timeline, slice->start));
			columns_put(&columns, 1, slice->length);
			columns_put(&columns, 2, slice->name);
			columns_put(&columns, 3, slice->depth);
			columns_put(&columns, 4, slice->cpu);
			columns_put(&columns, 5, slice->cut);
			columns_put(&columns, 6, slice->folded);
			columns_put(&columns, 7, slice->callees);
			columns_put(&columns, 8, slice->off);
			columns_put(&columns, 9, slice->irq);
		}
	}
	columns_take(&columns, out);
	vec_each (&timeline->tracks, track) {
		vec_each (&track->waits, wait) {
			columns_put_difference(&columns, 0, since_first(timeline, wait->start));
			columns_put(&columns, 1, wait->length);
			columns_put(&columns, 2, wait->state);
			columns_put(&columns, 3, wait->by);
			columns_put(&columns, 4, wait->from);
		}
	}
	columns_take(&columns, out);
}

static void put_cpus(const struct timeline *timeline, struct str *out)
{
	struct columns runs = { 0 }, irqs = { 0 }, losses = { 0 };

	vec_each (&timeline->cpus, cpu) {
		vec_each (&cpu->runs, run) {
			columns_put_difference(&runs, 0, since_first(timeline, run->start));
			columns_put(&runs, 1, run->length);
			/* 0 means several tasks. */
			columns_put(&runs, 2, run->track == TIMELINE_NONE ? 0 : run->track + 1);
			columns_put(&runs, 3, run->folded);
		}
		vec_each (&cpu->irqs, irq) {
			columns_put_difference(&irqs, 0, since_first(timeline, irq->start));
			columns_put(&irqs, 1, irq->length);
			columns_put(&irqs, 2, irq->name);
			columns_put(&irqs, 3, irq->soft);
		}
		vec_each (&cpu->losses, loss) {
			columns_put_difference(&losses, 0, since_first(timeline, loss->start));
			columns_put(&losses, 1, loss->length);
			/* 0 means that the number is not known. */
			columns_put(&losses, 2, loss->events == LOST_UNKNOWN ? 0 : (uint64_t)loss->events + 1);
		}
	}
	columns_take(&runs, out);
	columns_take(&irqs, out);
	columns_take(&losses, out);
}

/* Puts the marks. The texts follow the columns, each with a NUL at its end. */
static void put_marks(const struct timeline *timeline, struct str *out)
{
	struct columns columns = { 0 };

	vec_each (&timeline->marks, mark) {
		columns_put_difference(&columns, 0, since_first(timeline, mark->at));
		columns_put(&columns, 1, mark->track);
		columns_put(&columns, 2, mark->event);
		columns_put(&columns, 3, mark->cpu);
		columns_put(&columns, 4, mark->folded);
	}
	columns_take(&columns, out);
	vec_each (&timeline->marks, mark)
		str_addn(out, mark->text, strlen(mark->text) + 1);
}

/* Each part is packed before the next one is made, because unpacked parts take several times as much memory. */
int page_data(const struct timeline *timeline, struct reading *reading, struct document_part parts[PAGE_PARTS])
{
	static void (*const put[])(const struct timeline *timeline, struct str *out) = {
		[PAGE_SLICES] = put_slices,
		[PAGE_CPUS] = put_cpus,
		[PAGE_MARKS] = put_marks,
	};
	int err = put_head(timeline, reading, &parts[PAGE_HEAD].data);

	err = err ? err : document_pack(&parts[PAGE_HEAD]);
	for (unsigned int i = PAGE_SLICES; !err && i < PAGE_FLAME; i++) {
		put[i](timeline, &parts[i].data);
		err = str_ok(&parts[i].data);
		err = err ? err : document_pack(&parts[i]);
	}
	return err;
}

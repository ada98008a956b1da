/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/run.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/base/now.h"
#include "lib/record/probes.h"
#include "lib/record/whom.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/select.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static bool wants_all_formats(const struct record_spec *spec)
{
	if (spec->all_formats)
		return true;
	vec_each (&spec->buffers, buffer)
		vec_each (&buffer->events, event)
			if (strcmp(event->pattern, "all") == 0)
				return true;
	return false;
}

static int describe_events(struct run *run)
{
	bool all = wants_all_formats(run->spec);
	strv_t events = { 0 };
	int err = all ? 0 : spec_events(run->spec, &events);

	if (!err)
		err = meta_formats(&run->meta, session_dir(run->session), &events, all);
	if (!err)
		err = probes_describe(run->spec, &run->meta);
	strv_fini(&events);
	return err;
}

static int describe_buffers(struct run *run)
{
	vec_each (&run->armed, one) {
		struct write_buffer buffer = { .page_size = one->page_size };
		/* A private instance that replaces the top buffer has the recording's main data. In the file, that buffer has no name. */
		const char *name = one->spec->name ? one->inst->name : "";

		/* Other programs look for a tracer's text only in the main buffer, and version 6 has no other place for it. */
		if (run->spec->latency && run->armed.n == 1)
			name = "";
		if (strv_add(&run->out->names, name) || strv_add(&run->clocks, one->clock))
			return fail(ENOMEM, "no memory for the list of buffers");
		buffer.name = run->out->names.at[run->out->names.n - 1];
		buffer.clock = run->clocks.at[run->clocks.n - 1];
		if (vec_push(&run->buffers, buffer))
			return fail(ENOMEM, "no memory for the list of buffers");
	}
	return 0;
}

int run_describe(struct run *run)
{
	const struct record_spec *spec = run->spec;
	const struct armed *first = &run->armed.at[0];
	int err = meta_machine(&run->meta, first->inst, spec->program);

	if (!err)
		err = describe_events(run);
	if (!err)
		err = meta_kallsyms(&run->meta, run->session);
	meta_modules_changed(&run->modules);
	if (!err && spec->date)
		err = meta_date(&run->meta, run->session, first->clock);
	vec_each (&run->armed, one)
		if (!err && spec->tsc2nsec)
			err = meta_tsc2nsec(&run->meta, one->clock);
	run->meta.ts_offset = spec->ts_offset;
	vec_each (&spec->hooks, hook)
		err = err ? err : strv_add(&run->meta.hooks, *hook);
	if (!err)
		err = describe_buffers(run);
	return err;
}

int run_leave_out(struct run *run, const pid_t *tids, size_t n)
{
	pid_t *pids = calloc(n + 3, sizeof(*pids));
	int err;

	if (!pids)
		return fail(ENOMEM, "no memory for the list of threads");
	memcpy(pids, tids, n * sizeof(*pids));
	pids[n] = getpid();
	pids[n + 1] = session_guard(run->session);
	pids[n + 2] = run->spaces ? spaces_tid(run->spaces) : 0;
	err = arm_without(&run->armed, run->spec, pids, n + 3);
	free(pids);
	return err;
}

static void moved(void *ctx)
{
	const struct run *run = ctx;

	if (run->packer)
		packer_wake(run->packer);
	if (run->sender)
		sender_wake(run->sender);
	if (run->wire)
		wire_wake(run->wire);
}

static int open_packer(struct run *run)
{
	__cleanup(free_ptr) uint32_t *page_sizes = calloc(run->lanes.n + 1, sizeof(*page_sizes));
	__cleanup(free_ptr) int *files = calloc(run->lanes.n + 1, sizeof(*files));
	const struct codec *codec = codec_find(run->spec->compression);
	struct packer_config config = { .codec = codec, .recorder = run->recorder, .meta = &run->meta, .page_sizes = page_sizes, .files = files };

	if (!run_packs(run->spec))
		return 0;
	if (!page_sizes || !files)
		return fail(ENOMEM, "no memory for the list of CPUs");
	for (size_t i = 0; i < run->lanes.n; i++) {
		page_sizes[i] = run->armed.at[run->lanes.at[i].buffer].page_size;
		files[i] = spool_make_beside(&run->spool, recorder_path(run->recorder, i), SPOOL_PACKED);
	}
	return packer_open(&run->packer, &config);
}

static int leave_threads_out(struct run *run)
{
	size_t n = recorder_lanes(run->recorder), packing = run->sender || run->wire ? run->nsending : 0;
	const pid_t *tids = run->packer ? packer_tids(run->packer, &packing) : run->sending;
	__cleanup(free_ptr) pid_t *all = calloc(n + packing + 1, sizeof(*all));

	if (!all)
		return fail(ENOMEM, "no memory for the list of threads");
	memcpy(all, recorder_tids(run->recorder), n * sizeof(*all));
	if (packing)
		memcpy(all + n, tids, packing * sizeof(*all));
	return run_leave_out(run, all, n + packing);
}

/* Returns about how much space the file needs beside the trace data. The spool's "meta" may be packed (run->meta_size) when the file will not be. */
static uint64_t meta_room(const struct run *run)
{
	uint64_t size = run->meta_size + (4 << 20);

	if (run_compresses(run->spec))
		return size;
	size += run->meta.kallsyms.size + run->meta.printk_formats.size;
	vec_each (&run->meta.formats, format)
		size += format->format.size;
	return size;
}

/* The most bytes that may wait to be packed. If an eighth of the free space is less, that is the limit. */
#define HANDOVER_BYTES (64ull << 20)

int run_recorder(struct run *run)
{
	const struct record_spec *spec = run->spec;
	struct recorder_config config = {
		.max_bytes = spec->max_kb * 1024,
		.interval_ns = spec->interval_ns,
		.drain_bytes = spec->join == JOIN_READ ? run_largest_ring(run) : 0,
		.rt_priority = spec->rt_priority,
		.no_splice = spec->no_splice,
		.handover_bytes = MIN(HANDOVER_BYTES, io_space(run->spool.fd) / 8),
		.reserve_bytes = meta_room(run),
		.reserve_percent = run_compresses(spec) ? 50 : 100,
		.gates = run->gates,
		.ngates = run->armed.n,
		.moved = moved,
		.ctx = run,
	};
	lanespecs_t lanes = { 0 };
	int err = spec->latency ? 0 : run_add_lanes(run, &lanes);

	if (!err) {
		err = recorder_open(&run->recorder, &lanes, &config);
		if (err)
			return err;
		run->trouble = recorder_event(run->recorder);
		run_save_pipes(run);
		return open_packer(run) ?: leave_threads_out(run) ?: run_make_links(run);
	}
	vec_each (&lanes, lane)
		lane_spec_fini(lane);
	vec_fini(&lanes);
	return err;
}

enum { LEAST_EVENT = 12 }; /* see cpu_outcome.stolen */

/* Counts what the lane has recorded since it was armed. */
static int count(const struct run *run, size_t i, struct cpu_outcome *out)
{
	const struct run_lane *lane = &run->lanes.at[i];
	const struct cpu_stats *before = &lane->before;
	struct lane_result moved = { 0 };
	struct cpu_stats now;
	int err = meta_cpu_stats(&run->armed.at[lane->buffer].inst->dir, lane->cpu, &now);

	if (run->recorder)
		recorder_result(run->recorder, i, &moved);
	*out = (struct cpu_outcome){ .buffer = run->out->names.at[lane->buffer], .cpu = lane->cpu, .bytes = moved.size, .dropped = moved.dropped };
	if (err)
		return err;
	out->events = now.read - before->read;
	if (run->recorder && !run->spec->snapshot)
		out->stolen = out->events - MIN(out->events, (moved.size + moved.dropped) / LEAST_EVENT);
	if (run->spec->join == JOIN_NOT)
		out->events += now.entries - before->entries;
	out->lost = now.overrun + now.commit_overrun + now.dropped - before->overrun - before->commit_overrun - before->dropped;
	return 0;
}

static void tick(void *ctx, uint64_t elapsed_ns)
{
	struct run *run = ctx;
	struct record_status now = { .elapsed_ns = elapsed_ns };

	run_names_look(run);
	if (!run->hooks->live)
		return;
	for (size_t i = 0; i < run->lanes.n; i++) {
		struct cpu_outcome one;

		if (count(run, i, &one))
			return;
		now.events += one.events;
		now.lost += one.lost;
		now.bytes += one.bytes;
	}
	run->hooks->live(run->hooks->ctx, &now);
}

/* Returns true if nothing is recorded because the kernel itself counts the events. */
static bool only_counts(const struct record_spec *spec)
{
	vec_each (&spec->buffers, buffer) {
		if (buffer->tracer)
			return false;
		vec_each (&buffer->events, event)
			if (!event->counted)
				return false;
	}
	return true;
}

/*
 * Turns tracing on and lets the command go. If there is a command, it turns tracing on itself, so that nothing that the kernel does before is recorded. When
 * the kernel only counts events, we turn tracing on: such events are counted whether tracing is on or not, so a write by the command would be counted, too.
 */
static int let_go(struct run *run, bool on)
{
	bool itself = run->workload && on && !only_counts(run->spec);
	int err = 0;

	vec_each (&run->armed, one)
		if (!err && on && !itself)
			err = instance_on(one->inst, true);
	if (!err && run->workload)
		err = workload_release(run->workload, run->gates, itself ? run->armed.n : 0);
	return err;
}

int run_start(struct run *run)
{
	int err;

	if (run->recorder)
		recorder_start(run->recorder);
	if (run->sender)
		sender_start(run->sender, run->recorder);
	if (run->wire)
		wire_start(run->wire, run->recorder);
	/* With `set`, somebody else decides whether tracing is on. */
	err = let_go(run, run->spec->join != JOIN_ADD);
	run->out->ran = !err;
	return err ? err : arm_release(&run->armed, run->spec);
}

static int stop(struct run *run)
{
	int err = arm_hold(&run->armed, run->spec);

	vec_each (&run->armed, one) {
		int ret = instance_on(one->inst, false);

		err = err ? err : ret;
	}
	arm_writers_done();
	return err;
}

/* Latency tracers have a buffer of their own, which can be read only as text. */
static int take_texts(struct run *run)
{
	int err = 0;

	vec_each (&run->armed, one) {
		struct text text = { 0 };

		if (!err)
			err = io_slurp_at(one->inst->dir.fd, "trace", &text);
		if (!err)
			err = vec_push(&run->texts, text);
		if (err)
			return refused(&one->inst->dir, "trace", -err);
		run->out->bytes += text.size;
	}
	for (size_t i = 0; i < run->texts.n; i++)
		run->buffers.at[i].latency = &run->texts.at[i];
	return 0;
}

int run_take(struct run *run)
{
	run->out->ran = true;
	recorder_start(run->recorder);
	return run->spec->latency ? take_texts(run) : 0;
}

static void outlasted(void *ctx)
{
	wire_command_ended(((struct run *)ctx)->wire);
}

/* Returns a descriptor that shows when the receiver of the recording has gone. Returns NULL when the recording goes into a file. */
static const int *reader_of(const struct run *run)
{
	if (run->sender)
		return sender_broken(run->sender);
	if (run->wire)
		return wire_broken(run->wire);
	return run->outlet.fd >= 0 ? &run->outlet.fd : NULL;
}

/* Called when all is armed. Makes the last changes, and then waits until the machine that asked for the recording says when to begin. */
static int get_ready(struct run *run)
{
	int err = run->hooks->ready ? run->hooks->ready(run->hooks->ctx, run->armed.at[0].inst) : 0;

	return err || !run->wire ? err : wire_await(run->wire, &run->watch);
}

int run_trace(struct run *run)
{
	struct watch_for what = {
		.command = run->workload,
		.outlasted = run->wire ? outlasted : NULL,
		.recorder = run->trouble,
		.output = reader_of(run),
		.pids = run->spec->pids.at,
		.npids = run->spec->pids.n,
		.whole = run->spec->children,
		.duration_ns = run->spec->duration_ns,
		.tick = run->hooks->live || run->names ? tick : NULL,
		.ctx = run,
	};
	int err = get_ready(run), stopped;
	uint64_t begin = now_ns();

	err = err ? err : run_start(run);
	if (!err && run->sender)
		err = sender_begun(run->sender);

	if (err && run->out->ran)
		stop(run);
	if (err)
		return err;
	if (run->wire)
		wire_begun(run->wire);
	if (run->hooks->begun)
		run->hooks->begun(run->hooks->ctx);
	err = watch_wait(&run->watch, &what, &run->out->end);
	stopped = stop(run);
	if (run->wire)
		wire_ended(run->wire);
	run->out->elapsed_ns = now_ns() - begin;
	if (run->workload && (run->out->end == END_SIGNAL || run->out->end == END_READER)) {
		run->out->status = STATUS_SIGNAL + SIGTERM;
		workload_signal(run->workload, SIGTERM);
	}
	if (run->hooks->ended)
		run->hooks->ended(run->hooks->ctx);
	return err ? err : stopped;
}

int run_count(struct run *run)
{
	for (size_t i = 0; i < run->lanes.n; i++) {
		struct cpu_outcome one;
		int err = count(run, i, &one);

		if (err)
			return err;
		one.buffer_kb = run_ring_kb(&run->armed.at[run->lanes.at[i].buffer].inst->dir, one.cpu);
		run->out->bytes += one.bytes;
		if (vec_push(&run->out->cpus, one))
			return fail(ENOMEM, "no memory for the counts");
	}
	return 0;
}

static bool named(const struct record_spec *spec, const char *function)
{
	vec_each (&spec->buffers, buffer)
		if (strv_has(&buffer->graph, function) || strv_has(&buffer->functions, function))
			return true;
	return false;
}

/* Looks for functions with names like those that were to be traced: the user may have meant one of them. */
static void find_similar(struct run *run)
{
	enum { MOST = 4 };
	strv_t found = { 0 }, *similar = &run->out->similar;

	vec_each (&run->spec->buffers, buffer)
		vec_each (buffer->graph.n ? &buffer->graph : &buffer->functions, name) {
			__cleanup(free_ptr) char *glob = str_printf("%s*", *name);

			if (glob && !glob_is(*name) && !strchr(*name, ':'))
				functions_find(session_dir(run->session), glob, &found);
		}
	vec_each (&found, name)
		if (similar->n < MOST && !named(run->spec, *name))
			strv_add(similar, *name);
	strv_fini(&found);
}

static void find_pointer(struct run *run)
{
	vec_each (&run->spec->buffers, buffer)
		vec_each (&buffer->events, event)
			vec_each (&event->found, name)
				if (event->filter && !run->out->pointer)
					run->out->pointer = event_filter_pointer(session_dir(run->session), *name, event->filter);
}

/* When no event came, looks for reasons. */
static void explain_emptiness(struct run *run)
{
	vec_each (&run->out->cpus, cpu)
		if (cpu->events)
			return;
	find_similar(run);
	find_pointer(run);
}

int run_finish(struct run *run)
{
	int err = recorder_stop(run->recorder), ret = run_count(run), packed;

	vec_each (&run->armed, one)
		if (!ret && !run->spec->snapshot)
			ret = meta_cpustat(&run->meta, one->inst);
	if (!ret)
		ret = meta_end(&run->meta, session_dir(run->session));
	if (!ret)
		ret = run_names_end(run);
	if (!ret && run->spec->proc_map)
		ret = run_maps_end(run);
	if (!ret)
		ret = run_spaces_end(run);
	if (!ret)
		explain_emptiness(run);
	packed = packer_stop(run->packer);
	err = err ? err : packed;
	if (!ret && meta_modules_changed(&run->modules)) {
		run->new_symbols = true;
		ret = meta_kallsyms(&run->meta, run->session);
	}
	return err ? err : ret;
}

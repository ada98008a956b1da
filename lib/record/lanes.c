/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the lanes of a recording. A lane is one CPU of one buffer: what is read, where the data go, and what happens to them when we are killed. */
#include "lib/record/run.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/record/links.h"
#include "lib/record/rest.h"
#include <fcntl.h>
#include <stdio.h>

int run_open_lane(struct run *run, unsigned int buffer, unsigned int cpu)
{
	struct instance *inst = run->armed.at[buffer].inst;
	struct run_lane lane = { .buffer = buffer, .cpu = cpu };
	char file[64];
	int err = meta_cpu_stats(&inst->dir, cpu, &lane.before);

	/* With JOIN_READ, the events that are already in the buffer count. */
	if (run->spec->join == JOIN_READ)
		lane.before = (struct cpu_stats){ .read = lane.before.read };
	if (run->spec->as_is)
		lane.before.entries = 0;

	if (err || vec_push(&run->lanes, lane))
		return err ? err : fail(ENOMEM, "no memory for the list of CPUs");
	snprintf(file, sizeof(file), "per_cpu/cpu%u/%s", cpu, run->spec->snapshot ? "snapshot_raw" : "trace_pipe_raw");
	return instance_fd(inst, file, O_RDONLY | O_NONBLOCK);
}

bool run_compresses(const struct record_spec *spec)
{
	return spec->version >= 7 && strcmp(spec->compression, "none") != 0;
}

bool run_packs(const struct record_spec *spec)
{
	return run_compresses(spec) && !spec->max_kb && !spec->network && !spec->wire && spec->join != JOIN_READ;
}

uint64_t run_ring_kb(const struct tracedir *dir, unsigned int cpu)
{
	__cleanup(free_ptr) char *text = NULL;
	char file[64];

	snprintf(file, sizeof(file), "per_cpu/cpu%u/buffer_size_kb", cpu);
	return tracedir_read(dir, file, &text) ? 0 : strtoull(text, NULL, 10);
}

/*
 * Returns the full path of the file in which the guard saves the rest of the lane, in new memory. @spool is the path of the lane's spool. NULL: out of
 * memory.
 */
static char *rest_path(const struct run *run, const char *spool)
{
	__cleanup(free_ptr) char *rest = str_printf("%s" SPOOL_REST, strrchr(spool, '/') + 1);

	return rest ? spool_path(&run->spool, rest) : NULL;
}

/* Asks the guard to save the rest of the lane's ring buffer if we are killed. The guard writes it to a file beside the lane's spool. */
static int save_ring(struct run *run, const struct lane_spec *lane)
{
	const struct instance *inst = run->armed.at[lane->buffer].inst;
	__cleanup(free_ptr) char *to = rest_path(run, lane->path);
	__cleanup(close_fd) int fd = spool_make_beside(&run->spool, lane->path, SPOOL_REST);
	int err = fd < 0 ? fd : to ? rest_begin(fd) : -ENOMEM;
	char file[64];

	if (err)
		return fail(-err, "cannot make %s" SPOOL_REST ": %s", lane->path, strerror(-err));
	snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", lane->cpu);
	return session_save(run->session, inst->name, file, lane->page_size, MAX(2048 * run_ring_kb(&inst->dir, lane->cpu), MOST_SAVED), to);
}

void run_save_pipes(struct run *run)
{
	size_t n = run->spec->join == JOIN_READ ? 0 : recorder_lanes(run->recorder);

	for (size_t i = 0; i < n; i++) {
		__cleanup(free_ptr) char *to = rest_path(run, recorder_path(run->recorder, i));
		int pipe = recorder_pipe(run->recorder, i);

		if (to && pipe >= 0)
			session_save_pipe(run->session, pipe, to);
	}
}

static int add_lane(struct run *run, lanespecs_t *lanes, unsigned int buffer, unsigned int cpu)
{
	struct lane_spec lane = { .buffer = buffer, .cpu = cpu, .page_size = run->armed.at[buffer].page_size, .out = -1, .handover = -1 };
	int err;

	lane.in = run_open_lane(run, buffer, cpu);
	if (lane.in < 0)
		return lane.in;
	lane.out = spool_file(&run->spool, run->out->names.at[buffer], cpu, &lane.path);
	if (lane.out >= 0 && run_packs(run->spec))
		lane.handover = spool_make_beside(&run->spool, lane.path, SPOOL_HANDED);
	err = lane.out < 0 ? lane.out : 0;
	if (!err && run->spec->join != JOIN_READ)
		err = save_ring(run, &lane);
	if (!err && vec_push(lanes, lane))
		err = fail(ENOMEM, "no memory for the list of CPUs");
	if (err)
		lane_spec_fini(&lane);
	return err;
}

int run_add_lanes(struct run *run, lanespecs_t *lanes)
{
	int err = 0;

	for (unsigned int i = 0; i < run->armed.n && !err; i++) {
		cpulist_t cpus = { 0 };

		err = meta_cpus(&run->armed.at[i].inst->dir, &cpus);
		vec_each (&cpus, cpu)
			if (!err)
				err = add_lane(run, lanes, i, *cpu);
		vec_fini(&cpus);
	}
	return err;
}

uint64_t run_largest_ring(const struct run *run)
{
	uint64_t kb = 0;

	vec_each (&run->armed, one) {
		cpulist_t cpus = { 0 };

		meta_cpus(&one->inst->dir, &cpus);
		vec_each (&cpus, cpu)
			kb = MAX(kb, run_ring_kb(&one->inst->dir, *cpu));
		vec_fini(&cpus);
	}
	return kb * 1024;
}

/* Makes the links "FILE.cpuN". There are none when the file goes to standard output. */
int run_make_links(struct run *run)
{
	size_t n = run->spec->join == JOIN_READ || run->outlet.fd >= 0 ? 0 : recorder_lanes(run->recorder);
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = links_make(&run->spool, run->spec->output, strrchr(recorder_path(run->recorder, i), '/') + 1);
	return err;
}

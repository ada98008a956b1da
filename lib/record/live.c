/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/live.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/record/run.h"
#include <dirent.h>
#include <poll.h>

/* Opens the lanes of all buffers, and lists their CPUs in run->buffers. */
static int open_lanes(struct run *run, taplanes_t *lanes)
{
	int err = 0;

	for (unsigned int i = 0; i < run->armed.n && !err; i++) {
		cpulist_t cpus = { 0 };

		err = meta_cpus(&run->armed.at[i].inst->dir, &cpus);
		vec_each (&cpus, cpu) {
			struct tap_lane lane = { .page_size = run->armed.at[i].page_size };

			if (err)
				break;
			lane.in = run_open_lane(run, i, *cpu);
			err = lane.in < 0 ? lane.in : vec_push(lanes, lane);
			if (err)
				close_fd(&lane.in);
			else
				err = vec_push(&run->buffers.at[i].cpus, (struct write_cpu){ .cpu = *cpu, .fd = -1 });
		}
		vec_fini(&cpus);
	}
	return err == -ENOMEM ? fail(ENOMEM, "no memory for the list of CPUs") : err;
}

/* Leaves all threads that we have now out of the trace. */
static int our_threads(struct run *run)
{
	VEC(pid_t) tids = { 0 };
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	int err = 0;

	while (dir && (entry = readdir(dir)) && !err)
		if (entry->d_name[0] != '.')
			err = vec_push(&tids, (pid_t)strtol(entry->d_name, NULL, 10));
	if (dir)
		closedir(dir);
	err = err ? fail(ENOMEM, "no memory for the list of threads") : run_leave_out(run, tids.at, tids.n);
	vec_fini(&tids);
	return err;
}

static int set_up(struct run *run, struct live_reader *reader, struct tap **tap)
{
	taplanes_t lanes = { 0 };
	struct live_source source = { .meta = &run->meta, .top = session_dir(run->session) };
	int err = run_arm(run);

	if (!err)
		err = run_describe(run);
	if (!err)
		err = run_spaces_begin(run);
	if (!err && run->spaces) {
		source.maps = run_spaces_news;
		source.maps_ctx = run;
	}
	if (!err)
		err = open_lanes(run, &lanes);
	source.buffers = run->buffers.at;
	source.nbuffers = run->buffers.n;
	source.command = run->workload;
	if (!err)
		err = reader->open(reader->ctx, &source);
	if (err) {
		vec_each (&lanes, lane)
			close_fd(&lane->in);
		vec_fini(&lanes);
		return err;
	}
	err = tap_open(tap, &lanes, &reader->tap);
	if (err)
		return err;
	run->trouble = tap_event(*tap);
	err = our_threads(run);
	if (!err)
		err = arm_without_waking(&run->armed, run->spec, tap_tid(*tap));
	return err ? err : run_interrupted(run);
}

/* Reads all that is left. If another signal comes meanwhile, the rest is not read. */
static int stop_reading(struct run *run, struct tap *tap)
{
	struct pollfd fds[] = { { .fd = tap_event(tap), .events = POLLIN }, { .fd = run->watch.signals, .events = POLLIN } };

	tap_ask(tap);
	while (!fds[0].revents) {
		if (poll(fds, ARRAY_LEN(fds), -1) > 0 && fds[1].revents && watch_interrupted(&run->watch)) {
			run->out->cut_short = true;
			run->out->hangs = !tap_abandon(tap);
			return 0;
		}
	}
	return tap_stop(tap);
}

static int live_all(struct run *run, struct live_reader *reader, struct tap **tap)
{
	int err = run_find_command(run), done, read;

	if (!err)
		err = run_open(run);
	if (!err)
		err = set_up(run, reader, tap);
	if (!err)
		err = run_trace(run);
	if (!run->out->ran)
		return err;
	read = stop_reading(run, *tap);
	done = run_count(run);
	err = err ? err : done;
	done = run_leave(run);
	err = err ? err : done;
	/* The reader of our output has gone, so nobody waits for the status of the command. */
	if (read == -EPIPE) {
		run->out->status = 0;
		return err;
	}
	err = err ? err : read;
	done = run_conclude(run);
	return err ? err : done;
}

int live(struct record_spec *spec, const struct record_hooks *hooks, struct live_reader *reader, struct record_outcome *out)
{
	struct run run = RUN(spec, hooks, out);
	struct tap *tap = NULL;
	int err;

	*out = (struct record_outcome){ 0 };
	reader->tap.ctx = reader->ctx;
	err = live_all(&run, reader, &tap);
	if (!out->hangs) {
		tap_close(tap);
		reader->close(reader->ctx);
	}
	run_fini(&run);
	return err;
}

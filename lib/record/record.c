/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/record.h"

#include "lib/base/err.h"
#include "lib/record/run.h"

#include <sys/resource.h>
#include <pthread.h>

void record_outcome_fini(struct record_outcome *out)
{
	vec_fini(&out->cpus);
	strv_fini(&out->names);
	strv_fini(&out->similar);
}

/* What can be found wrong without a look at the kernel. */
static int check_outside(struct run *run)
{
	const struct record_spec *spec = run->spec;
	int err = 0;

	if (spec->argv) {
		err = workload_find(spec->argv[0], &run->command);
		if (err == -ENOENT)
			run->out->status = STATUS_NOT_FOUND;
		if (err == -EACCES)
			run->out->status = STATUS_NOT_EXECUTABLE;
	}
	if (!err && spec->user)
		err = workload_user_check(spec->user);
	return err ? err : output_check(spec->output);
}

static int interrupted(struct run *run)
{
	int signal = watch_interrupted(&run->watch);

	if (!signal)
		return 0;
	run->out->status = STATUS_SIGNAL + signal;
	return fail(EINTR, "interrupted before anything was recorded");
}

/*
 * Each CPU takes a few descriptors, and a machine of hundreds of them more than the usual 1024. After the command was forked: it keeps
 * the limit that it was given.
 */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int set_up(struct run *run)
{
	const struct record_spec *spec = run->spec;
	char *said = NULL;
	int err = spec_check(run->spec, session_dir(run->session));

	if (!err)
		err = spool_make(&run->spool, spec->output, spec->temp);
	if (!err && spec->argv)
		err = workload_hold(&run->workload, run->command, spec->argv, spec->user);
	raise_descriptors();
	if (!err)
		err = interrupted(run);
	if (!err)
		err = arm(run->session, spec, run->workload ? workload_pid(run->workload) : 0, &run->armed, &said);
	if (!err && said && run->hooks->said)
		run->hooks->said(run->hooks->ctx, said);
	free(said);
	if (!err)
		err = run_describe(run);
	if (!err)
		err = run_recorder(run);
	if (!err && run->spec->proc_map)
		err = run_maps_begin(run);
	return err ? err : interrupted(run);
}

/* Puts the kernel back. */
static int leave(struct run *run)
{
	struct session *s = run->session;

	if (s && run->spec->keep && run->out->ran)
		session_keep(s);
	armed_fini(&run->armed);
	run->session = NULL;
	return session_close(s);
}

/* Leaving at one side, while the file is written at the other: each may take seconds, and neither waits for the other. */
struct leaving {
	struct run *run;
	pthread_t thread;
	bool threaded;
	int err;
};

static void *leaving_main(void *arg)
{
	struct leaving *l = arg;

	l->err = leave(l->run);
	return NULL;
}

static void leave_begin(struct leaving *l, struct run *run)
{
	l->run = run;
	l->threaded = pthread_create(&l->thread, NULL, leaving_main, l) == 0;
	if (!l->threaded)
		leaving_main(l);
}

static int leave_end(struct leaving *l)
{
	if (l->threaded)
		pthread_join(l->thread, NULL);
	return l->err;
}

static void run_fini(struct run *run)
{
	workload_free(run->workload);
	recorder_close(run->recorder);
	leave(run);
	spool_fini(&run->spool);
	metadata_fini(&run->meta);
	vec_each (&run->buffers, buffer)
		vec_fini(&buffer->cpus);
	vec_fini(&run->buffers);
	strv_fini(&run->clocks);
	vec_fini(&run->before);
	vec_each (&run->maps, map)
		free(map->block);
	vec_fini(&run->maps);
	free(run->modules.at);
	free(run->gates);
	free(run->command);
	watch_close(&run->watch);
}

/*
 * The command's fate. One that still runs after its recording is waited for, as its status is to be ours; unless a
 * signal ended the recording: then it has been told to end, and we do so at once.
 */
static int conclude(struct run *run)
{
	struct record_outcome *out = run->out;
	struct watch_for what = { .command = run->workload, .recorder = -1 };
	enum watch_end end;
	int err = 0;

	out->still_running = run->workload && !workload_ended(run->workload);
	if (run->hooks->done)
		run->hooks->done(run->hooks->ctx, out);
	if (out->still_running && out->end != END_SIGNAL) {
		out->status = STATUS_SIGNAL + SIGTERM;
		err = watch_wait(&run->watch, &what, &end);
		if (!err && end == END_SIGNAL)
			workload_signal(run->workload, SIGTERM);
	}
	if (run->workload && workload_ended(run->workload))
		out->status = workload_status(run->workload);
	return err;
}

static int record_all(struct run *run)
{
	struct leaving leaving = { 0 };
	int err = check_outside(run), done;

	if (!err)
		err = watch_open(&run->watch);
	if (!err)
		err = session_open(&run->session, &(struct session_opts){ 0 });
	if (!err)
		err = set_up(run);
	if (!err)
		err = run_trace(run);
	if (!run->out->ran) {
		/* Nothing was recorded: nothing is to stay. */
		recorder_close(run->recorder);
		run->recorder = NULL;
		spool_remove(&run->spool);
		return err;
	}
	done = run_finish(run);
	err = err ? err : done;
	leave_begin(&leaving, run);
	done = run_save(run);
	err = err ? err : done;
	done = leave_end(&leaving);
	err = err ? err : done;
	done = conclude(run);
	return err ? err : done;
}

int record(struct record_spec *spec, const struct record_hooks *hooks, struct record_outcome *out)
{
	struct run run = {
		.spec = spec, .hooks = hooks, .out = out, .watch = WATCH_NONE, .spool = SPOOL_NONE,
	};
	int err;

	*out = (struct record_outcome){ 0 };
	err = record_all(&run);
	run_fini(&run);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* The steps around tracing that every run takes, from the command line to the armed kernel, and back. */
#include "lib/record/run.h"

#include "lib/base/err.h"
#include <sys/resource.h>

int run_find_command(struct run *run)
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
	return err;
}

int run_open(struct run *run)
{
	int err = watch_open(&run->watch);

	if (!err)
		err = session_open(&run->session, &(struct session_opts){ 0 });
	if (!err)
		session_warn(run->session);
	return err ? err : spec_check(run->spec, session_dir(run->session));
}

int run_interrupted(struct run *run)
{
	int signal = watch_interrupted(&run->watch);

	if (!signal)
		return 0;
	run->out->status = STATUS_SIGNAL + signal;
	return fail(EINTR, "interrupted before tracing began");
}

/*
 * Raises the limit of descriptors. Each CPU takes a few, and a machine with hundreds of CPUs needs more than the usual 1024. Called after the command was
 * forked, so the command keeps the limit that it was given.
 */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int list_gates(struct run *run)
{
	run->gates = calloc(run->armed.n, sizeof(*run->gates));
	if (!run->gates)
		return fail(ENOMEM, "no memory for the list of buffers");
	for (size_t i = 0; i < run->armed.n; i++)
		run->gates[i] = run->armed.at[i].gate;
	return 0;
}

int run_arm(struct run *run)
{
	const struct record_spec *spec = run->spec;
	char *said = NULL;
	int err = 0;

	if (spec->argv)
		err = workload_hold(&run->workload, run->command, spec->argv, spec->user);
	raise_descriptors();
	if (!err)
		err = run_interrupted(run);
	if (!err && run->hooks->prepare)
		err = run->hooks->prepare(run->hooks->ctx, run->session);
	if (!err)
		err = arm(run->session, spec, run->workload ? workload_pid(run->workload) : 0, &run->armed, &said);
	if (!err && said && run->hooks->said)
		run->hooks->said(run->hooks->ctx, said);
	free(said);
	return err ? err : list_gates(run);
}

int run_leave(struct run *run)
{
	struct session *s = run->session;

	if (s && run->spec->keep && run->out->ran)
		session_keep(s);
	armed_fini(&run->armed);
	run->session = NULL;
	return session_close(s);
}

int run_conclude(struct run *run)
{
	struct record_outcome *out = run->out;
	struct watch_for what = { .command = run->workload, .recorder = -1 };
	enum watch_end end;
	int err = 0;

	out->still_running = run->workload && !workload_ended(run->workload);
	if (run->hooks->done)
		run->hooks->done(run->hooks->ctx, out);
	if (out->still_running && out->end != END_SIGNAL && out->end != END_READER) {
		out->status = STATUS_SIGNAL + SIGTERM;
		err = watch_wait(&run->watch, &what, &end);
		if (!err && end == END_SIGNAL)
			workload_signal(run->workload, SIGTERM);
	}
	if (run->workload && workload_ended(run->workload))
		out->status = workload_status(run->workload);
	return err;
}

void run_fini(struct run *run)
{
	workload_free(run->workload);
	packer_close(run->packer);
	outlet_close(&run->outlet);
	sender_close(run->sender);
	wire_close(run->wire);
	recorder_close(run->recorder);
	run_leave(run);
	spool_fini(&run->spool);
	metadata_fini(&run->meta);
	vec_each (&run->buffers, buffer)
		vec_fini(&buffer->cpus);
	vec_fini(&run->buffers);
	strv_fini(&run->clocks);
	vec_each (&run->texts, text)
		free(text->at);
	vec_fini(&run->texts);
	vec_fini(&run->lanes);
	vec_each (&run->maps, map)
		free(map->block);
	vec_fini(&run->maps);
	names_free(run->names);
	spaces_close(run->spaces);
	free(run->modules.at);
	free(run->gates);
	free(run->command);
	watch_close(&run->watch);
}

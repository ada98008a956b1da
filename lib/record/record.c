/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/record.h"

#include "lib/base/err.h"
#include "lib/record/run.h"

#include <pthread.h>

void record_outcome_fini(struct record_outcome *out)
{
	vec_fini(&out->cpus);
	strv_fini(&out->names);
	strv_fini(&out->similar);
	free(out->pointer);
	advice_fini(&out->advice);
}

/* The host's clock is the first buffer's. Any of its CPUs can read it. */
static int prepare_wire(struct run *run)
{
	const struct armed *first = &run->armed.at[0];
	__cleanup(free_ptr) char *meta = spool_path(&run->spool, "meta");
	__cleanup(free_ptr) char *stats = str_printf("%s/per_cpu/cpu0/stats", first->inst->dir.path);

	if (!meta || !stats)
		return fail(ENOMEM, "no memory for file names");
	run->nsending = WIRE_THREADS;
	return wire_prepare(run->wire, &(struct wire_setup){ .meta = meta, .stats = stats, .ns = clock_is_ns(first->clock) }, run->sending);
}

static int prepare_sender(struct run *run)
{
	const struct armed *first = &run->armed.at[0];
	__cleanup(free_ptr) char *stats = str_printf("%s/per_cpu/cpu0/stats", first->inst->dir.path);
	const struct sender_clock clock = { .name = first->clock, .stats = stats };

	if (!stats)
		return fail(ENOMEM, "no memory for file names");
	return sender_prepare(run->sender, &run->meta, first->page_size, &clock, run->sending, &run->nsending);
}

static int set_up(struct run *run)
{
	const struct record_spec *spec = run->spec;
	int err = spool_make(&run->spool, spec->output, spec->temp);

	if (!err)
		err = run_arm(run);
	if (!err)
		err = run_describe(run);
	if (!err)
		err = spool_save_meta(&run->spool, &run->meta, run->buffers.at, run->buffers.n, &run->meta_size);
	if (!err && spec->join != JOIN_READ)
		err = run_names_begin(run);
	if (!err)
		err = run_spaces_begin(run);
	/* A peer that takes no second part of the metadata gets the names that the kernel knows by now. */
	if (!err && spec->peer && !spec->peer->sequel)
		err = meta_end(&run->meta, session_dir(run->session));
	if (!err && run->sender)
		err = prepare_sender(run);
	if (!err && run->wire)
		err = prepare_wire(run);
	if (!err)
		err = run_recorder(run);
	if (!err && spec->proc_map)
		err = run_maps_begin(run);
	return err ? err : run_interrupted(run);
}

/*
 * If less than SOON is left to pack, packing takes less than a second. Then the file is made first, and the kernel is put back after it. If more is left,
 * both are done at once, so that neither waits for the other.
 */
#define SOON (256u << 20)

/* The space that packed symbols and formats may take. */
#define LEAST_PACKED (3u << 20)

/* A thread that puts the kernel back while the file is being written. */
struct leaving {
	struct run *run;
	pthread_t thread;
	bool threaded;
	int err;
};

static void *leaving_main(void *arg)
{
	struct leaving *l = arg;

	l->err = run_leave(l->run);
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

/*
 * Checks that the output has space. What is taken out of a buffer may be little, and symbols and formats are then packed. So less space is demanded in that
 * case.
 */
static int check_output(const struct run *run)
{
	const struct record_spec *spec = run->spec;
	bool little = spec->join == JOIN_READ && spec->version == 7 && spec->compression && strcmp(spec->compression, "none");

	return output_check_space(spec->output, little ? LEAST_PACKED : OUTPUT_LEAST_SPACE, run->outlet.path ? OUTPUT_NAME_TEMP : OUTPUT_NAME_FILE);
}

static int record_all(struct run *run)
{
	struct leaving leaving = { 0 };
	/* The greeting is sent first. If anything fails from then on, the other machine knows that there is a ringside here. */
	int err = run->spec->wire ? wire_open(&run->wire, run->spec) : 0, done;

	if (!err)
		err = run_find_command(run);
	if (!err)
		err = outlet_open(&run->outlet, run->spec);
	if (!err)
		err = check_output(run);
	if (!err)
		err = run_open(run);
	if (!err && run->spec->network)
		err = sender_open(&run->sender, run->spec->network, run->spec->vsock, run->spec->peer);
	if (!err)
		err = set_up(run);
	if (!err)
		err = run->spec->join == JOIN_READ ? run_take(run) : run_trace(run);
	if (!run->out->ran) {
		/* Nothing was recorded, so nothing is left behind. */
		packer_close(run->packer);
		sender_close(run->sender);
		wire_close(run->wire);
		recorder_close(run->recorder);
		run->sender = NULL;
		run->wire = NULL;
		run->packer = NULL;
		run->recorder = NULL;
		spool_remove(&run->spool);
		return err;
	}
	done = run_finish(run);
	err = err ? err : done;
	/* The recorder that asked this agent may look at the kernel as soon as it has heard of the end. So the kernel is put back before. */
	if (run->spec->peer) {
		sender_quit_clocks(run->sender);
		done = run_leave(run);
		err = err ? err : done;
	} else if (run_unpacked(run) > SOON)
		leave_begin(&leaving, run);
	done = run->sender ? run_send(run) : run->wire ? run_wire(run) : run_save(run);
	err = err ? err : done;
	done = leaving.run ? leave_end(&leaving) : run_leave(run);
	err = err ? err : done;
	run_explain_losses(run);
	if (run->out->size) {
		done = outlet_send(&run->outlet, &run->watch);
		if (done)
			run->out->size = 0;
		err = err ? err : done;
	}
	done = run_conclude(run);
	return err ? err : done;
}

int record(struct record_spec *spec, const struct record_hooks *hooks, struct record_outcome *out)
{
	struct run run = RUN(spec, hooks, out);
	int err;

	*out = (struct record_outcome){ 0 };
	err = record_all(&run);
	run_fini(&run);
	return err;
}

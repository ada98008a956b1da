/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/run.h"

#include "lib/base/err.h"
#include "lib/base/now.h"
#include "lib/data/assemble.h"

/* Leaves out what was sent. A sub-buffer that was sent only in part stays, because the listener has not received it completely. */
static void leave_out_sent(const struct run *run, size_t lane, struct write_cpu *cpu)
{
	uint64_t sent = run->sender ? sender_sent(run->sender, lane) : wire_sent(run->wire, lane);

	sent -= sent % run->armed.at[run->lanes.at[lane].buffer].page_size;
	cpu->offset += sent;
	cpu->size -= sent;
}

static int add_spools(struct run *run)
{
	for (size_t i = 0; i < recorder_lanes(run->recorder); i++) {
		struct write_cpu cpu = { .part = packer_part(run->packer, i) };
		struct lane_result lane;

		recorder_result(run->recorder, i, &lane);
		cpu.cpu = lane.cpu;
		cpu.fd = lane.fd;
		cpu.offset = lane.offset;
		cpu.size = lane.size;
		if (run->sender || run->wire)
			leave_out_sent(run, i, &cpu);
		if (cpu.size && vec_push(&run->buffers.at[lane.buffer].cpus, cpu))
			return fail(ENOMEM, "no memory for the list of CPUs");
	}
	return 0;
}

uint64_t run_unpacked(const struct run *run)
{
	uint64_t bytes = recorder_bytes(run->recorder);

	for (size_t i = 0; i < recorder_lanes(run->recorder); i++)
		bytes -= packed_part_plain(packer_part(run->packer, i));
	return bytes;
}

/* Called while the file is written. A signal now means that somebody is in a hurry. */
static int progress(void *ctx, uint64_t done, uint64_t total)
{
	struct run *run = ctx;

	if (watch_interrupted(&run->watch))
		return fail(EINTR, "interrupted while %s was being written", run->spec->output);
	if (run->hooks->saving)
		run->hooks->saving(run->hooks->ctx, done, total);
	return 0;
}

static int save(struct run *run)
{
	struct write_options how = {
		.version = run->spec->version,
		.codec = codec_find(run->spec->compression),
		.section = run->new_symbols ? NULL : packer_symbols(run->packer),
		.progress = progress,
		.ctx = run,
	};
	int err = pool_new(&how.pool, pool_default_threads());

	if (err)
		return fail(-err, "cannot start threads for compressing: %s", strerror(-err));
	err = assemble(run->spec->output, &run->meta, run->buffers.at, run->buffers.n, &how, &run->out->size);
	pool_free(how.pool);
	return err;
}

int run_save(struct run *run)
{
	uint64_t begin = now_ns();
	int err = add_spools(run);

	/* A signal that came together with the end of the command has been obeyed already. */
	watch_interrupted(&run->watch);

	if (!err)
		err = save(run);
	if (!err)
		spool_remove(&run->spool);
	else
		note("what was recorded is in %s: `ringside restore` makes a file of it", run->spool.path);
	run->out->saving_ns = now_ns() - begin;
	return err;
}

int run_wire(struct run *run)
{
	__cleanup(free_ptr) char *meta = spool_path(&run->spool, "meta");
	uint64_t events = 0, lost = 0, size;
	int err = meta ? spool_save_meta(&run->spool, &run->meta, run->buffers.at, run->buffers.n, &size) : fail(ENOMEM, "no memory for a file name");

	vec_each (&run->out->cpus, cpu) {
		events += cpu->events;
		lost += cpu->lost;
	}
	if (!err)
		err = wire_finish(run->wire, meta, events, lost);
	/* A signal to end changes nothing any more, now that the recording has ended. */
	watch_interrupted(&run->watch);
	if (err) {
		if (!run_save(run))
			note("what was not sent is in %s", run->spec->output);
		return err;
	}
	spool_remove(&run->spool);
	run->out->sent = true;
	return 0;
}

int run_send(struct run *run)
{
	int err = sender_finish(run->sender, &run->meta), saved;

	/* An agent does not keep what its peer did not take. */
	if (!err || run->spec->peer) {
		spool_remove(&run->spool);
		run->out->sent = !err;
		return err;
	}
	saved = run_save(run);
	if (!saved)
		note("the part that the listener has not received is in %s", run->spec->output);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/rewrite.h"
#include "lib/base/err.h"

static int out_of_memory(const struct datfile *file)
{
	return fail(ENOMEM, "%s: no memory for the list of CPUs", file->path);
}

/* Room for all sources at once: the writer's rows point at them. */
static int reserve(struct rewrite *out, const struct datfile *file)
{
	size_t n = 0;

	vec_each (&file->buffers, buf)
		n += buf->cpus.n;
	return vec_reserve(&out->sources, n) ? out_of_memory(file) : 0;
}

static int add_packed(struct rewrite *out, const struct datfile *file, const struct datbuf *buf,
		      const struct datcpu *cpu, struct write_cpu *row)
{
	struct source *source = &out->sources.at[out->sources.n++];
	struct span damage;
	int err = source_open(source, file, buf, cpu);

	if (!err)
		err = source_plain_size(source, &row->size, &damage);
	if (!err && damage.damage) {
		fail(EINVAL, "%s: the data of CPU %u%s%s are damaged at offset %llu: %s", file->path, cpu->cpu,
		     buf->name[0] ? " of instance " : "", buf->name, (unsigned long long)damage.damage_offset,
		     damage.damage);
		out->damaged = true;
	}
	row->packed = source;
	return err;
}

static int add_cpu(struct rewrite *out, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu,
		   struct write_buffer *to)
{
	struct write_cpu row = { cpu->cpu, file->fd, cpu->offset, cpu->size };
	int err = buf->compressed && cpu->size ? add_packed(out, file, buf, cpu, &row) : 0;

	/* A file that was cut off ends in the middle of a sub-buffer. */
	if (!row.packed)
		row.size -= row.size % buf->page_size;
	if (err)
		return err;
	return vec_push(&to->cpus, row) ? out_of_memory(file) : 0;
}

int rewrite_init(struct rewrite *out, const struct datfile *file)
{
	int err;

	*out = (struct rewrite){ .damaged = file->damaged };
	err = reserve(out, file);
	vec_each (&file->buffers, buf) {
		struct write_buffer to = {
			.name = buf->name,
			.clock = buf->clock,
			.page_size = buf->page_size,
			.latency = buf->latency ? &buf->text : NULL,
		};

		vec_each (&buf->cpus, cpu)
			err = err ? err : add_cpu(out, file, buf, cpu, &to);
		if (!err && vec_push(&out->buffers, to))
			err = out_of_memory(file);
		if (err) {
			vec_fini(&to.cpus);
			break;
		}
	}
	return err;
}

void rewrite_fini(struct rewrite *rewrite)
{
	vec_each (&rewrite->buffers, buffer)
		vec_fini(&buffer->cpus);
	vec_fini(&rewrite->buffers);
	vec_fini(&rewrite->sources);
}

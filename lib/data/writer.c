/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/format.h"
#include "lib/data/writer-out.h"
#include "lib/base/err.h"

static int check_cpu(struct out *out, const struct write_buffer *buffer, const struct write_cpu *cpu)
{
	if (cpu != buffer->cpus.at && cpu->cpu <= cpu[-1].cpu)
		return fail(EINVAL, "%s: CPU %u comes after CPU %u", out->path, cpu->cpu, cpu[-1].cpu);
	if (cpu->size % buffer->page_size)
		return fail(EINVAL, "%s: CPU %u: %llu bytes are no whole sub-buffers of %u", out->path, cpu->cpu, (unsigned long long)cpu->size,
			    buffer->page_size);
	out->ncpus = MAX(out->ncpus, cpu->cpu + 1);
	out->total += cpu->size;
	return 0;
}

static int check(struct out *out)
{
	const struct metadata *meta = out->meta;
	int err = 0;

	if (!meta->page_size)
		return fail(EINVAL, "%s: the size of sub-buffers is not known", out->path);
	if (meta->kallsyms.size > UINT32_MAX || meta->printk_formats.size > UINT32_MAX)
		return fail(EFBIG, "%s: symbols or printk formats of 4 GiB and more", out->path);
	out->ncpus = meta->ncpus;
	for (size_t i = 0; i < out->nbuffers; i++) {
		const struct write_buffer *buffer = &out->buffers[i];

		if (buffer->latency) {
			out->total += buffer->latency->size;
			continue;
		}
		if (!buffer->page_size)
			return fail(EINVAL, "%s: the size of the sub-buffers of '%s' is not known", out->path, buffer->name);
		for (size_t c = 0; !err && c < buffer->cpus.n; c++)
			err = check_cpu(out, buffer, &buffer->cpus.at[c]);
	}
	return err;
}

static int write_prefix(struct out *out)
{
	const struct metadata *meta = out->meta;
	struct block b = { .big_endian = meta->big_endian };
	int err;

	str_addn(&b.bytes, DAT_MAGIC, DAT_MAGIC_SIZE);
	put_string(&b, out->how->version == 6 ? "6" : "7");
	str_addc(&b.bytes, meta->big_endian ? 1 : 0);
	str_addc(&b.bytes, (char)(meta->user_long_size ? meta->user_long_size : sizeof(long)));
	put_u32(&b, meta->page_size);
	err = out_block(out, &b);
	str_fini(&b.bytes);
	return err;
}

int datfile_write(int fd, const char *path, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers, const struct write_options *how)
{
	struct out out = {
		.fd = fd,
		.path = path,
		.meta = meta,
		.buffers = buffers,
		.nbuffers = nbuffers,
		.how = how,
	};
	int err;

	if (how->version != 6 && how->version != 7)
		return fail(EINVAL, "%s: there is no file version %u; 6 and 7 can be written", path, how->version);
	err = check(&out);
	if (!err)
		err = write_prefix(&out);
	if (err)
		return err;
	return how->version == 6 ? write_v6(&out) : write_v7(&out);
}

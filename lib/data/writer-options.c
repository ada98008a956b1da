/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/format.h"
#include "lib/data/writer-out.h"

#include <inttypes.h>
#include <stdio.h>

void put_option(struct block *b, uint16_t id, const struct block *data)
{
	const struct text text = { data->bytes.at, data->bytes.len };

	put_u16(b, id);
	put_sized32(b, &text);
	b->bytes.oom |= data->bytes.oom;
}

static void put_text_option(struct block *b, uint16_t id, const struct text *text)
{
	put_u16(b, id);
	put_u32(b, (uint32_t)text->size + 1);
	put_text(b, text);
	str_addn(&b->bytes, "", 1);
}

static void put_string_option(struct block *b, uint16_t id, const char *string)
{
	const struct text text = { (char *)string, strlen(string) };

	put_text_option(b, id, &text);
}

static void put_texts(struct block *b, const struct metadata *meta)
{
	const struct {
		uint16_t id;
		const struct text *text;
	} rows[] = {
		{ DAT_TRACECLOCK, &meta->trace_clock },
		{ DAT_UNAME, &meta->uname },
		{ DAT_VERSION, &meta->version },
		{ DAT_LAST_BOOT_INFO, &meta->last_boot },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].text->size)
			put_text_option(b, rows[i].id, rows[i].text);
}

static void put_lists(struct block *b, const struct metadata *meta)
{
	const struct {
		uint16_t id;
		const strv_t *list;
	} rows[] = {
		{ DAT_CPUSTAT, &meta->cpustat },
		{ DAT_HOOK, &meta->hooks },
		{ DAT_PROCMAPS, &meta->procmaps },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		vec_each (rows[i].list, string)
			put_string_option(b, rows[i].id, *string);
}

/* Programs that read the file parse the number with strtoll(), which does not take two's complement for a negative number. */
static void put_date(struct block *b, int64_t us)
{
	char text[32];

	snprintf(text, sizeof(text), "%s0x%" PRIx64, us < 0 ? "-" : "", us < 0 ? -(uint64_t)us : (uint64_t)us);
	put_string_option(b, DAT_DATE, text);
}

static void put_offset(struct block *b, int64_t offset)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, offset);
	put_string_option(b, DAT_OFFSET, text);
}

static void put_tsc2nsec(struct block *b, const struct tsc2nsec *tsc)
{
	put_u16(b, DAT_TSC2NSEC);
	put_u32(b, 16);
	put_u32(b, tsc->mult);
	put_u32(b, tsc->shift);
	put_u64(b, tsc->offset);
}

static void put_time_shift(struct block *b, const struct time_shift *shift)
{
	struct block data = { .big_endian = b->big_endian };

	put_u64(&data, shift->peer_id);
	put_u32(&data, shift->flags);
	put_u32(&data, (uint32_t)shift->cpus.n);
	vec_each (&shift->cpus, cpu) {
		put_u32(&data, (uint32_t)cpu->samples.n);
		vec_each (&cpu->samples, s)
			put_u64(&data, (uint64_t)s->time);
		vec_each (&cpu->samples, s)
			put_u64(&data, (uint64_t)s->offset);
		vec_each (&cpu->samples, s)
			put_u64(&data, (uint64_t)s->scaling);
	}
	vec_each (&shift->cpus, cpu)
		vec_each (&cpu->samples, s)
			put_u64(&data, (uint64_t)s->fraction);
	put_option(b, DAT_TIME_SHIFT, &data);
	str_fini(&data.bytes);
}

static void put_guest(struct block *b, const struct guest *guest)
{
	struct block data = { .big_endian = b->big_endian };

	put_string(&data, guest->name);
	put_u64(&data, guest->trace_id);
	put_u32(&data, (uint32_t)guest->cpus.n);
	vec_each (&guest->cpus, cpu) {
		put_u32(&data, cpu->cpu);
		put_u32(&data, (uint32_t)cpu->pid);
	}
	put_option(b, DAT_GUEST, &data);
	str_fini(&data.bytes);
}

static void put_trace_id(struct block *b, uint64_t id)
{
	put_u16(b, DAT_TRACEID);
	put_u32(b, 8);
	put_u64(b, id);
}

void put_options(struct block *b, const struct metadata *meta)
{
	put_texts(b, meta);
	if (meta->has_date)
		put_date(b, meta->date_us);
	if (meta->ts_offset)
		put_offset(b, meta->ts_offset);
	if (meta->trace_id)
		put_trace_id(b, meta->trace_id);
	if (meta->tsc2nsec.present)
		put_tsc2nsec(b, &meta->tsc2nsec);
	if (meta->time_shift.present)
		put_time_shift(b, &meta->time_shift);
	vec_each (&meta->guests, guest)
		put_guest(b, guest);
	put_lists(b, meta);
	vec_each (&meta->unknown, option) {
		put_u16(b, option->id);
		put_sized32(b, &option->data);
	}
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/page.h"
#include "lib/base/err.h"
#include "lib/data/bytes.h"
#include "lib/data/format.h"
#include "lib/data/page-bits.h"

#include <stdio.h>

/* Finds the line of the field @name, such as "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;". Returns false if there is none. */
static bool find_field(const struct text *text, const char *name, unsigned int *offset, unsigned int *size)
{
	struct text rest = *text, line;

	while (text_line(&rest, &line)) {
		char copy[128], *semicolon, *word;

		snprintf(copy, sizeof(copy), "%.*s", prec(line.size), line.at);
		semicolon = strchr(copy, ';');
		if (!semicolon)
			continue;
		*semicolon = '\0';
		word = strrchr(copy, ' ');
		if (word && strcmp(word + 1, name) == 0)
			return sscanf(semicolon + 1, " offset:%u; size:%u", offset, size) == 2;
	}
	return false;
}

int page_format_parse(struct page_format *out, const struct text *header_page, bool big_endian, uint8_t long_size)
{
	unsigned int commit_offset = 8, commit_size = long_size, data_offset = 8 + long_size;
	unsigned int data_size = 4096 - data_offset;

	if (header_page->size &&
	    (!find_field(header_page, "commit", &commit_offset, &commit_size) || !find_field(header_page, "data", &data_offset, &data_size)))
		return fail(EINVAL, "the trace's header_page names no fields 'commit' and 'data': its pages cannot be read");
	if ((commit_size != 4 && commit_size != 8) || commit_offset < 8 || commit_offset > DAT_MIN_PAGE || data_offset < commit_offset + commit_size ||
	    data_offset > DAT_MIN_PAGE || data_offset % 4)
		return fail(EINVAL, "the trace's header_page makes no sense (commit at %u of %u bytes, data at %u): its pages cannot be read", commit_offset,
			    commit_size, data_offset);
	*out = (struct page_format){
		.big_endian = big_endian,
		.commit_size = (uint8_t)commit_size,
		.commit_offset = (uint16_t)commit_offset,
		.data_offset = (uint16_t)data_offset,
		.page_size = data_offset + data_size,
	};
	return 0;
}

static int64_t lost_count(const struct page_format *fmt, const uint8_t *at)
{
	int64_t n = fmt->commit_size == 8 ? (int64_t)get64(at, fmt->big_endian) : (int32_t)get32(at, fmt->big_endian);

	return n > 0 ? n : LOST_UNKNOWN;
}

void page_info_read(const struct page_format *fmt, const uint8_t *page, size_t size, struct page_info *info)
{
	const uint8_t *at = page + fmt->commit_offset;
	size_t room = size - fmt->data_offset;
	uint32_t commit;

	commit = fmt->commit_size == 8 ? (uint32_t)get64(at, fmt->big_endian) : get32(at, fmt->big_endian);
	info->ts = get64(page, fmt->big_endian);
	info->used = commit & COMMIT_USED;
	info->lost = commit & COMMIT_LOST ? LOST_UNKNOWN : 0;
	if (info->lost && (commit & COMMIT_LOST_STORED) && info->used <= room && room - info->used >= fmt->commit_size)
		info->lost = lost_count(fmt, page + fmt->data_offset + info->used);
}

/* This is the result of reading an event that is not plain data, such as a time stamp. */
struct special {
	uint64_t ts;	     /* the time after the event */
	const uint8_t *data; /* NULL: the event has no data and only sets the time */
	uint32_t size;
	const uint8_t *next; /* NULL: the event is damaged */
};

static struct special read_special(const uint8_t *at, const uint8_t *end, unsigned int type, uint32_t delta, bool big_endian, uint64_t ts)
{
	struct special s = { .ts = ts, .next = at + 8 };
	uint32_t word;

	if (type == PADDING && !delta)
		return (struct special){ .ts = ts, .next = end };
	if (end - at < 8)
		return (struct special){ 0 };
	word = get32(at + 4, big_endian);
	switch (type) {
	case TIME_EXTEND:
		s.ts += ((uint64_t)word << TIME_BITS) + delta;
		break;
	case TIME_STAMP:
		s.ts = (ts >> ABSOLUTE_BITS << ABSOLUTE_BITS) | ((((uint64_t)word << TIME_BITS) + delta) & ((1ULL << ABSOLUTE_BITS) - 1));
		break;
	default: /* the event was discarded, or it has data with their length (which counts this word) in front */
		s.ts += delta;
		if (word < 4 || word - 4 > (uint64_t)(end - s.next))
			return (struct special){ 0 };
		if (type != PADDING) {
			s.data = s.next;
			s.size = word - 4;
		}
		s.next += ((uint64_t)word - 4 + 3) & ~3ULL;
		break;
	}
	return s;
}

/* Decodes the events of a page. The compiler makes one copy of this for each of the two callers, in which @big_endian is a constant. */
static inline __attribute__((always_inline)) const uint8_t *decode(const uint8_t *at, const uint8_t *end, uint64_t ts, bool big_endian, struct record **out)
{
	struct record *rec = *out;

	while (end - at >= 4) {
		uint32_t head = get32(at, big_endian);
		uint32_t type = big_endian ? head >> 27 : head & 31;
		uint32_t delta = big_endian ? head & ((1U << 27) - 1) : head >> 5;
		uint32_t size = type * 4;
		const uint8_t *data = at + 4;

		if (likely(type - 1 < LAST_DATA)) {
			if (unlikely(size > (size_t)(end - data)))
				break;
			ts += delta;
			at = data + size;
		} else {
			struct special s = read_special(at, end, type, delta, big_endian, ts);

			if (!s.next)
				break;
			ts = s.ts;
			at = s.next;
			if (!s.data)
				continue;
			data = s.data;
			size = s.size;
		}
		*rec++ = (struct record){ .ts = ts, .data = data, .size = size };
	}
	*out = rec;
	return at;
}

int page_decode(const struct page_format *fmt, const void *page, size_t size, struct page_info *info, recordvec_t *out, size_t *bad)
{
	const uint8_t *at = page, *end;
	struct record *rec;
	size_t before = out->n, used;

	*info = (struct page_info){ 0 };
	*bad = fmt->commit_offset;
	if (size < fmt->data_offset)
		return -EINVAL;
	page_info_read(fmt, at, size, info);
	used = MIN(info->used, size - fmt->data_offset);
	/* The page claims to have more data than it can hold. This is damage, unless the page was cut off. */
	if (used < info->used && size >= fmt->page_size)
		return -EINVAL;
	/* An event with data has at least two words: a header and one word of data, or a header and its length. */
	if (vec_reserve(out, used / 8 + 1))
		return -ENOMEM;
	rec = out->at + out->n;
	at += fmt->data_offset;
	end = at + used;
	at = fmt->big_endian ? decode(at, end, info->ts, true, &rec) : decode(at, end, info->ts, false, &rec);
	out->n = (size_t)(rec - out->at);
	if (out->n > before) {
		rec = out->at + before;
		rec->flags = RECORD_PAGE | (info->lost ? RECORD_LOST : 0);
		rec->lost = info->lost;
	}
	/* An event whose length is no multiple of 4 may end at the end of the page. Then @at is behind the end. */
	at = MIN(at, end);
	*bad = (size_t)(at - (const uint8_t *)page);
	return at < end || used < info->used ? -EINVAL : 0;
}

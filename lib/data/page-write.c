/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/page-write.h"
#include "lib/data/bytes.h"
#include "lib/data/page-bits.h"

int page_writer_init(struct page_writer *out, const struct page_format *format)
{
	*out = (struct page_writer){ .format = *format, .page = malloc(format->page_size) };
	return out->page ? 0 : -ENOMEM;
}

void page_writer_fini(struct page_writer *writer)
{
	free(writer->page);
	*writer = (struct page_writer){ 0 };
}

/* Returns how many bytes a page has for events. If the number of lost events is to be stored, its place behind the events is kept free. */
static uint32_t room(const struct page_writer *writer)
{
	return writer->format.page_size - writer->format.data_offset - (writer->lost > 0 ? writer->format.commit_size : 0);
}

static void begin(struct page_writer *writer, const struct record *rec)
{
	memset(writer->page, 0, writer->format.page_size);
	put64(writer->page, rec->ts, writer->format.big_endian);
	writer->used = 0;
	writer->ts = rec->ts;
	writer->lost = rec->flags & RECORD_LOST ? rec->lost : 0;
	writer->begun = true;
}

static void put_word(struct page_writer *writer, uint32_t word)
{
	put32(writer->page + writer->format.data_offset + writer->used, word, writer->format.big_endian);
	writer->used += 4;
}

static void put_head(struct page_writer *writer, uint32_t type, uint32_t delta)
{
	put_word(writer, writer->format.big_endian ? type << TIME_BITS | delta : delta << 5 | type);
}

bool page_writer_add(struct page_writer *writer, const struct record *rec)
{
	bool empty = !writer->begun, is_short = rec->size && rec->size % 4 == 0 && rec->size / 4 <= LAST_DATA;
	uint64_t delta = rec->ts - writer->ts;
	uint32_t need = 4 + (is_short ? 0 : 4) + ((rec->size + 3) & ~3U);

	if (!empty && ((rec->flags & RECORD_LOST) || delta >> ABSOLUTE_BITS))
		return false; /* this is also true if time goes back; only a new page can begin with any time */
	if (empty) {
		begin(writer, rec);
		delta = 0;
	}
	if (rec->flags & RECORD_NODATA)
		return true;
	need += delta >> TIME_BITS ? 8 : 0;
	/* If there is no room for the number of lost events, the page only tells that events were lost. */
	if (empty && writer->lost && need > room(writer))
		writer->lost = LOST_UNKNOWN;
	if (rec->size > writer->format.page_size || need > room(writer) - writer->used) {
		writer->begun = !empty;
		return false;
	}
	if (delta >> TIME_BITS) {
		put_head(writer, TIME_EXTEND, delta & ((1U << TIME_BITS) - 1));
		put_word(writer, (uint32_t)(delta >> TIME_BITS));
		delta = 0;
	}
	put_head(writer, is_short ? rec->size / 4 : 0, (uint32_t)delta);
	if (!is_short)
		put_word(writer, rec->size + 4);
	memcpy(writer->page + writer->format.data_offset + writer->used, rec->data, rec->size);
	writer->used += (rec->size + 3) & ~3U;
	writer->ts = rec->ts;
	return true;
}

static void put_long(const struct page_writer *writer, uint8_t *at, uint64_t value)
{
	if (writer->format.commit_size == 8)
		put64(at, value, writer->format.big_endian);
	else
		put32(at, (uint32_t)value, writer->format.big_endian);
}

void page_writer_end(struct page_writer *writer)
{
	uint64_t commit = writer->used;

	if (writer->lost)
		commit |= COMMIT_LOST;
	if (writer->lost > 0) {
		commit |= COMMIT_LOST_STORED;
		put_long(writer, writer->page + writer->format.data_offset + writer->used, (uint64_t)writer->lost);
	}
	put_long(writer, writer->page + writer->format.commit_offset, commit);
	writer->begun = false;
}

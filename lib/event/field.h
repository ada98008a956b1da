/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds a field of an event by its name, such as prev_pid, in the event's format file (events/SYSTEM/NAME/format in tracefs). The print format in this
 * file is not used.
 */
#ifndef RINGSIDE_FIELD_H
#define RINGSIDE_FIELD_H

#include "lib/base/str.h"

struct field {
	uint16_t offset; /* bytes from the beginning of the payload (record.data, lib/data/record.h) */
	uint16_t size;	 /* the size in bytes; if .found is true, 0 means that the field takes the rest of the payload */
	bool is_signed;
	bool dynamic; /* __data_loc: the field holds the offset and the length of the data */
	bool found;   /* false: the format has no such field */
};

/*
 * Reads the lines "name:" and "ID:", in this order. *@name is a copy that the caller frees. Returns 0 or -ENOMEM. Returns -EINVAL when one of these lines is
 * missing, and when the ID is not a number that fits into *@id.
 */
int format_head(const struct text *format, char **name, uint16_t *id);

/* Finds the field @name in the text of a format or of header_page. Returns false when there is none. */
bool format_field(const struct text *format, const char *name, struct field *out);

/*
 * Reads the number that is stored in the @size bytes at @at. @swap is true when the number is not in this machine's byte order. Returns 0 when @size is
 * not 1, 2, 4 or 8.
 */
static inline uint64_t load(const void *at, unsigned int size, bool swap)
{
	uint64_t v8;
	uint32_t v4;
	uint16_t v2;

	switch (size) {
	case 8:
		memcpy(&v8, at, 8);
		return swap ? __builtin_bswap64(v8) : v8;
	case 4:
		memcpy(&v4, at, 4);
		return swap ? __builtin_bswap32(v4) : v4;
	case 2:
		memcpy(&v2, at, 2);
		return swap ? __builtin_bswap16(v2) : v2;
	case 1:
		return *(const uint8_t *)at;
	default:
		return 0;
	}
}

/*
 * Reads the field's number, sign-extended when it is signed. Returns false when f->size is 0, or when the payload of @size bytes ends before the
 * field's end.
 */
static inline bool field_get(const struct field *f, const void *data, size_t size, bool swap, uint64_t *out)
{
	uint64_t v;

	if (unlikely((size_t)f->offset + f->size > size || !f->size))
		return false;
	v = load((const char *)data + f->offset, f->size, swap);
	if (f->is_signed && f->size < 8) {
		unsigned int shift = 64 - 8 * f->size;

		v = (uint64_t)((int64_t)(v << shift) >> shift);
	}
	*out = v;
	return true;
}

/* Reads the field's number, whose @size bytes (4 or 8) are in this machine's byte order. The caller has checked that the field is inside the payload. */
static inline uint64_t field_plain(const struct field *f, const void *data, unsigned int size)
{
	return load((const char *)data + f->offset, size, false);
}

#endif

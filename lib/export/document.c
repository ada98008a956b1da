/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/export/document.h"
#include "lib/base/io.h"
#include "lib/data/codec.h"

#include <stdio.h>

/* The place of the data in a page: see lib/export/web/bundle. */
#define PLACE "<!-- data -->\n"

/* The assembler includes the files. The Makefile makes them first, and says where they are. */
#define PAGE(name) \
	__asm__(".pushsection .rodata\n" \
		".globl ringside_web_" #name "\nringside_web_" #name ":\n" \
		".incbin \"" #name ".html\"\n" \
		".globl ringside_web_" #name "_end\nringside_web_" #name "_end:\n" \
		".byte 0\n.popsection\n"); \
	extern const char ringside_web_##name[], ringside_web_##name##_end[]

PAGE(flame);
PAGE(page);

struct page {
	const char *front, *behind; /* the text before the data, and the text after it */
	size_t front_size, behind_size;
};

static struct page page_of(enum document_page which)
{
	const char *at = which == DOCUMENT_FLAME ? ringside_web_flame : ringside_web_page;
	const char *end = which == DOCUMENT_FLAME ? ringside_web_flame_end : ringside_web_page_end;
	const char *place = memmem(at, (size_t)(end - at), PLACE, strlen(PLACE));

	return (struct page){ at, place + strlen(PLACE), (size_t)(place - at), (size_t)(end - place) - strlen(PLACE) };
}

static void put_base64(const unsigned char *from, size_t n, struct str *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	if (!str_room(out, (n + 2) / 3 * 4)) {
		out->oom = true;
		return;
	}
	for (size_t i = 0; i < n; i += 3) {
		uint32_t bits = (uint32_t)from[i] << 16 | (i + 1 < n ? (uint32_t)from[i + 1] << 8 : 0) | (i + 2 < n ? from[i + 2] : 0);
		char *to = out->at + out->len;

		to[0] = digits[bits >> 18];
		to[1] = digits[bits >> 12 & 63];
		to[2] = i + 1 < n ? digits[bits >> 6 & 63] : '=';
		to[3] = i + 2 < n ? digits[bits & 63] : '=';
		out->len += 4;
	}
	out->at[out->len] = '\0';
}

int document_pack(struct document_part *part)
{
	const struct codec *zlib = codec_find("zlib");
	size_t room = zlib->bound(part->data.len);
	__cleanup(free_ptr) unsigned char *packed = malloc(room);
	struct str text = { 0 };
	ssize_t n = packed ? 0 : -ENOMEM;

	if (!n)
		n = zlib->pack(NULL, str_text(&part->data), part->data.len, packed, room, zlib->default_level);
	if (n < 0)
		return (int)n;
	str_fini(&part->data);
	put_base64(packed, (size_t)n, &text);
	part->data = text;
	return str_ok(&text);
}

static void put_frame(const struct document_part *part, struct str *out)
{
	str_addf(out, "<script type=\"text/plain\" id=\"data-%s\">", part->name);
}

#define PART_END "</script>\n"

size_t document_size(enum document_page which, const struct document_part *parts, size_t n)
{
	const struct page page = page_of(which);
	size_t size = page.front_size + page.behind_size;

	for (size_t i = 0; i < n; i++) {
		struct str frame = { 0 };

		put_frame(&parts[i], &frame);
		size += frame.len + parts[i].data.len + strlen(PART_END);
		str_fini(&frame);
	}
	return size;
}

int document_write(int fd, enum document_page which, const struct document_part *parts, size_t n)
{
	const struct page page = page_of(which);
	int err = io_write(fd, page.front, page.front_size);

	for (size_t i = 0; !err && i < n; i++) {
		struct str frame = { 0 };

		put_frame(&parts[i], &frame);
		err = str_ok(&frame);
		err = err ? err : io_write(fd, str_text(&frame), frame.len);
		err = err ? err : io_write(fd, str_text(&parts[i].data), parts[i].data.len);
		err = err ? err : io_write(fd, PART_END, strlen(PART_END));
		str_fini(&frame);
	}
	return err ? err : io_write(fd, page.behind, page.behind_size);
}

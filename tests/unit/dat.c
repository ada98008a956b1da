/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "tests/unit/dat.h"
#include "lib/base/io.h"
#include "lib/data/codec.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static void put(struct dat *d, uint64_t v, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		str_addc(&d->s, (char)(v >> 8 * (d->big ? n - 1 - i : i)));
}

void dat_put8(struct dat *d, uint8_t v)
{
	put(d, v, 1);
}

void dat_put16(struct dat *d, uint16_t v)
{
	put(d, v, 2);
}

void dat_put32(struct dat *d, uint32_t v)
{
	put(d, v, 4);
}

void dat_put64(struct dat *d, uint64_t v)
{
	put(d, v, 8);
}

void dat_text(struct dat *d, const char *text)
{
	str_addn(&d->s, text, strlen(text) + 1);
}

void dat_sized(struct dat *d, unsigned int bytes, const char *text)
{
	put(d, strlen(text), bytes);
	str_add(&d->s, text);
}

void dat_align(struct dat *d, size_t to)
{
	while (d->s.len % to)
		dat_put8(d, 0);
}

static void patch(struct dat *d, size_t at, uint64_t v, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		d->s.at[at + i] = (char)(v >> 8 * (d->big ? n - 1 - i : i));
}

void dat_patch32(struct dat *d, size_t at, uint32_t v)
{
	patch(d, at, v, 4);
}

void dat_patch64(struct dat *d, size_t at, uint64_t v)
{
	patch(d, at, v, 8);
}

const char *header_page_text(const struct dat *d)
{
	static char text[400];

	snprintf(text, sizeof(text),
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
		 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		 "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
		 d->long_size, 8 + d->long_size, (unsigned int)d->page_size - 8 - d->long_size);
	return text;
}

void dat_page(struct dat *d, uint64_t ts)
{
	d->page = d->s.len;
	dat_put64(d, ts);
	put(d, 0, d->long_size);
}

void dat_event(struct dat *d, unsigned int type_len, uint32_t delta)
{
	dat_put32(d, d->big ? type_len << 27 | delta : delta << 5 | type_len);
}

void dat_record(struct dat *d, uint32_t delta, unsigned int words, uint16_t id)
{
	dat_event(d, words, delta);
	dat_put16(d, id);
	dat_put16(d, 0);
	for (unsigned int i = 1; i < words; i++)
		dat_put32(d, i);
}

void dat_entry(struct dat *d, uint32_t delta, uint32_t pid, uint64_t func)
{
	dat_event(d, 5, delta);
	dat_put16(d, 11);
	dat_put16(d, 0);
	dat_put32(d, pid);
	dat_put64(d, func);
	dat_put32(d, 0);
}

void dat_exit(struct dat *d, uint32_t delta, uint32_t pid, uint64_t func)
{
	dat_event(d, 10, delta);
	dat_put16(d, 10);
	dat_put16(d, 0);
	dat_put32(d, pid);
	dat_put64(d, func);
	dat_put64(d, 0);
	dat_put64(d, 100);
	dat_put64(d, 200);
}

void dat_page_end(struct dat *d, int64_t lost)
{
	size_t used = d->s.len - d->page - 8 - d->long_size;
	uint32_t commit = (uint32_t)used | (lost ? 1U << 31 : 0) | (lost > 0 ? 1U << 30 : 0);

	patch(d, d->page + 8, commit, d->long_size);
	if (lost > 0)
		put(d, (uint64_t)lost, d->long_size);
	while (d->s.len < d->page + d->page_size)
		dat_put8(d, 0);
}

/* Version 7's sections and version 6's parts are the same bytes. */
static void put_headers(struct dat *d)
{
	dat_text(d, "header_page");
	dat_sized(d, 8, header_page_text(d));
	dat_text(d, "header_event");
	dat_sized(d, 8, "# compressed entry header\n");
}

static void put_ftrace(struct dat *d)
{
	dat_put32(d, 2);
	dat_sized(d, 8, "name: funcgraph_entry\nID: 11\nformat:\n");
	dat_sized(d, 8, "name: funcgraph_exit\nID: 10\nformat:\n");
}

static void put_formats(struct dat *d)
{
	dat_put32(d, 2);
	dat_text(d, "sched");
	dat_put32(d, 2);
	dat_sized(d, 8, "name: sched_switch\nID: 314\nformat:\n");
	dat_sized(d, 8, "name: sched_waking\nID: 315\nformat:\n");
	dat_text(d, "irq");
	dat_put32(d, 1);
	dat_sized(d, 8, "name: irq_handler_entry\nID: 120\nformat:\n");
}

static void put_kallsyms(struct dat *d)
{
	dat_sized(d, 4, "ffffffff81000000 T _text\n");
}

static void put_printk(struct dat *d)
{
	dat_sized(d, 4, "0xffffffff82000000 : \"hello\"\n");
}

static void put_cmdlines(struct dat *d)
{
	dat_sized(d, 8, "1 init\n42 answer\n");
}

static void (*const parts[])(struct dat *d) = {
	put_headers, put_ftrace, put_formats, put_kallsyms, put_printk, put_cmdlines,
};

static void put_prefix(struct dat *d, const char *version)
{
	str_clear(&d->s);
	str_add(&d->s, "\x17\x08\x44tracing");
	dat_text(d, version);
	dat_put8(d, d->big);
	dat_put8(d, (uint8_t)d->long_size);
	dat_put32(d, (uint32_t)d->page_size);
}

static void put_option(struct dat *d, uint16_t id, const char *text)
{
	dat_put16(d, id);
	dat_put32(d, (uint32_t)strlen(text) + 1);
	dat_text(d, text);
}

/* The table of a version 6 buffer, its clock, and the pages. */
static void put_table(struct dat *d, const struct dat_buffer *b)
{
	size_t table = d->s.len;

	for (size_t i = 0; i < b->cpus.n; i++) {
		dat_put64(d, 0);
		dat_put64(d, b->cpus.at[i].pages.len);
	}
	dat_sized(d, 8, "[local]");
	for (size_t i = 0; i < b->cpus.n; i++) {
		dat_align(d, d->page_size);
		dat_patch64(d, table + 16 * i, d->s.len);
		str_addn(&d->s, str_text(&b->cpus.at[i].pages), b->cpus.at[i].pages.len);
	}
}

void dat6_file(struct dat *d, const struct dat_buffer *buffers, size_t n)
{
	size_t offsets[8];

	put_prefix(d, "6");
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		parts[i](d);
	dat_put32(d, (uint32_t)buffers[0].cpus.n);
	str_addn(&d->s, "options  ", 10);
	put_option(d, 4, "[local] global boot");
	for (size_t i = 1; i < n; i++) {
		dat_put16(d, 3);
		dat_put32(d, 8 + (uint32_t)strlen(buffers[i].name) + 1);
		offsets[i] = d->s.len;
		dat_put64(d, 0);
		dat_text(d, buffers[i].name);
		dat_put16(d, 8);
		dat_put32(d, 4);
		dat_put32(d, (uint32_t)buffers[i].cpus.n);
	}
	dat_put16(d, 0);
	str_addn(&d->s, "flyrecord", 10);
	put_table(d, &buffers[0]);
	for (size_t i = 1; i < n; i++) {
		dat_patch64(d, offsets[i], d->s.len);
		str_addn(&d->s, "flyrecord", 10);
		put_table(d, &buffers[i]);
	}
}

/* Section header; returns where its size is to be patched. */
static size_t put_section(struct dat *d, uint16_t id, bool packed)
{
	dat_put16(d, id);
	dat_put16(d, packed);
	dat_put32(d, 0xffffffff);
	dat_put64(d, 0);
	return d->s.len;
}

static void end_section(struct dat *d, size_t body)
{
	dat_patch64(d, body - 8, d->s.len - body);
}

/* {packed size, size, bytes} of @text. */
static void put_packed(struct dat *d, const struct codec *codec, const char *text, size_t size)
{
	size_t room = codec->bound(size);
	char *out = malloc(room);
	ssize_t n = codec->pack(NULL, text, size, out, room, codec->default_level);

	dat_put32(d, (uint32_t)n);
	dat_put32(d, (uint32_t)size);
	str_addn(&d->s, out, (size_t)n);
	free(out);
}

static size_t put_pages(struct dat *d, const struct codec *codec, const struct str *pages, size_t chunk)
{
	size_t at = d->s.len;

	if (!codec) {
		str_addn(&d->s, str_text(pages), pages->len);
		return pages->len;
	}
	dat_put32(d, (uint32_t)((pages->len + chunk - 1) / chunk));
	for (size_t i = 0; i < pages->len; i += chunk)
		put_packed(d, codec, pages->at + i, MIN(chunk, pages->len - i));
	return d->s.len - at - 4;
}

static size_t put_parts(struct dat *d, const struct codec *codec, size_t *offsets)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct dat part = { .big = d->big, .long_size = d->long_size, .page_size = d->page_size };
		size_t body;

		offsets[i] = d->s.len;
		body = put_section(d, (uint16_t)(16 + i), codec != NULL);
		parts[i](&part);
		if (codec)
			put_packed(d, codec, part.s.at, part.s.len);
		else
			str_addn(&d->s, part.s.at, part.s.len);
		end_section(d, body);
		str_fini(&part.s);
	}
	return ARRAY_LEN(parts);
}

/* The end of a section of options; returns where the offset of the next one is to be patched. */
static size_t put_done(struct dat *d, size_t body)
{
	dat_put16(d, 0);
	dat_put32(d, 8);
	dat_put64(d, 0);
	end_section(d, body);
	return d->s.len - 8;
}

void dat7_file(struct dat *d, const struct dat_buffer *buffers, size_t n, const char *name, size_t chunk_pages)
{
	const struct codec *codec = strcmp(name, "none") ? codec_find(name) : NULL;
	size_t offsets[8], next, body, nparts;

	put_prefix(d, "7");
	dat_text(d, name);
	dat_text(d, codec ? codec->version() : "");
	next = d->s.len;
	dat_put64(d, 0);
	nparts = put_parts(d, codec, offsets);
	dat_patch64(d, next, d->s.len);
	body = put_section(d, 0, false);
	for (size_t i = 0; i < nparts; i++) {
		dat_put16(d, (uint16_t)(16 + i));
		dat_put32(d, 8);
		dat_put64(d, offsets[i]);
	}
	put_option(d, 4, "[local] global boot");
	next = put_done(d, body);
	for (size_t b = 0; b < n; b++) {
		size_t at[300], size[300], section = d->s.len;

		body = put_section(d, 3, codec != NULL);
		for (size_t i = 0; i < buffers[b].cpus.n; i++) {
			dat_align(d, d->page_size);
			at[i] = d->s.len;
			size[i] = put_pages(d, codec, &buffers[b].cpus.at[i].pages, chunk_pages * d->page_size);
		}
		end_section(d, body);
		dat_patch64(d, next, d->s.len);
		body = put_section(d, 0, false);
		dat_put16(d, 3);
		dat_put32(d, (uint32_t)(8 + strlen(buffers[b].name) + 1 + 6 + 8 + 20 * buffers[b].cpus.n));
		dat_put64(d, section);
		dat_text(d, buffers[b].name);
		dat_text(d, "local");
		dat_put32(d, (uint32_t)d->page_size);
		dat_put32(d, (uint32_t)buffers[b].cpus.n);
		for (size_t i = 0; i < buffers[b].cpus.n; i++) {
			dat_put32(d, buffers[b].cpus.at[i].cpu);
			dat_put64(d, at[i]);
			dat_put64(d, size[i]);
		}
		next = put_done(d, body);
	}
}

const char *dat_save(const struct dat *d)
{
	static char path[] = "/tmp/ringside-unit-XXXXXX";
	int fd;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || io_write(fd, d->s.at, d->s.len))
		abort();
	close(fd);
	return path;
}

/* What stderr was, and the file that takes its place. */
static int saved = -1, captured = -1;

void messages_begin(void)
{
	saved = dup(2);
	captured = memfd_create("messages", MFD_CLOEXEC);
	dup2(captured, 2);
}

char *messages_end(void)
{
	char *text = calloc(1, 65536);

	dup2(saved, 2);
	if (text && io_pread(captured, text, 65535, 0) < 0)
		text[0] = '\0';
	close(saved);
	close(captured);
	return text;
}

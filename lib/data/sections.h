/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares the parsers for those parts of a file that are the same in both versions. Only the reader uses them. Each parser fills in the metadata from
 * a cursor. A failure sets .err of the cursor, and what was read before it is kept.
 */
#ifndef RINGSIDE_SECTIONS_H
#define RINGSIDE_SECTIONS_H

#include "lib/data/cursor.h"
#include "lib/data/format.h"
#include "lib/data/reader.h"

struct section_kind {
	uint16_t id;
	void (*parse)(struct cursor *c, struct metadata *meta);
};

/* The kinds of parts. Version 6 has the first SECTIONS_V6 of them, in this order. A row without .parse ends the array. */
extern const struct section_kind section_kinds[];
#define SECTIONS_V6 6

/* Tells where the data of an option or an instance are, when they are not in the option itself. Such pointers are collected while options are read. */
struct section_pointer {
	uint16_t id;
	uint64_t offset; /* version 7: where the section's header is; version 6: where the table of the instance's CPUs is */
	char *name;	 /* version 6: the name of the instance */
	uint32_t ncpus;	 /* version 6: how many CPUs are in that table */
	size_t buffer;	 /* version 7: index into the file's buffers */
};

struct options {
	struct datfile *file;
	VEC(struct section_pointer) pointers;
	bool has_clock; /* TRACECLOCK was seen */
};

void options_fini(struct options *options);

/*
 * Reads one option of @size bytes at @c. Data that the option does not use are skipped. Damage inside of the option is reported, and the option is
 * skipped; c->err is set only when the options behind this one cannot be read, or memory ran out.
 */
void option_parse(struct options *options, struct cursor *c, uint16_t id, uint32_t size);

/*
 * These read a file of version 6 or 7 for datfile_open(). They return 0, -ENOMEM, or another -errno after a message when nothing of the file can be
 * used.
 */
int dat6_read(struct datfile *file, struct cursor *c);
int dat7_read(struct datfile *file, struct cursor *c);

/*
 * Adds the buffer whose data are in @section of a file of version 7, when the option that describes the buffer is missing. What that option would say
 * is worked out from the data, as far as possible (salvage.c). The section must end within the file, and the metadata in front of it must have been
 * read. Returns 0 or -ENOMEM.
 */
int dat7_salvage(struct datfile *file, const struct datsection *section);

/*
 * Lets a job of file->pool read kallsyms by calling @read with @offset. Returns false when no job was started: there is no pool, kallsyms already has a
 * job, or memory ran out. Then the caller has to read kallsyms itself. The job has a struct datfile of its own and prints no messages. If the job meets
 * a fault, datfile_ready() reads kallsyms again and prints the messages.
 */
bool ahead_begin(struct datfile *file, uint64_t offset, int (*read)(struct datfile *file, uint64_t offset));

/* Waits for the job, if there is one, and frees what it has read. */
void ahead_end(struct datfile *file);

/* The functions below are in reader.c and serve both versions. */

/* Adds a section to file->sections, for `ringside dump`; @name is copied. Returns 0 or -ENOMEM. */
int datfile_note(struct datfile *file, uint16_t id, uint16_t flags, const char *name, uint64_t offset, uint64_t size, uint64_t plain_size);

/* Appends the data of a CPU to @buf. Data that go beyond the file's end are cut there, with a message. Returns 0 or -ENOMEM. */
int datbuf_add_cpu(struct datfile *file, struct datbuf *buf, uint32_t cpu, uint64_t offset, uint64_t size);

/*
 * Sorts the CPUs of @buf. If a CPU is listed more than once, only its data with the lowest offset stay. If the page size is impossible, no CPU stays. In
 * both cases file->damaged is set, and a message is printed.
 */
void datbuf_finish(struct datfile *file, struct datbuf *buf);
void datbuf_fini(struct datbuf *buf);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares the parsers for the parts of a trace.dat that are the same in the versions 6 and 7. Only the reader (lib/data/reader.h) uses this header. Each
 * parser fills in the metadata from a cursor (lib/data/cursor.h). A failure sets .err of the cursor. What was read before the failure is kept.
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

/* These are the kinds of parts. Version 6 has only the first SECTIONS_V6 of them, in this order. A row without .parse ends the array. */
extern const struct section_kind section_kinds[];
#define SECTIONS_V6 6

/*
 * Some options only point to data elsewhere in the file. For each of these options, a struct section_pointer tells where the data are. The pointers are
 * collected while options are read.
 */
struct section_pointer {
	uint16_t id;
	uint64_t offset; /* version 7: the offset of the section's header; version 6: the offset of the table of the instance's CPUs */
	char *name;	 /* version 6: the name of the instance */
	uint32_t ncpus;	 /* version 6: how many CPUs are in that table */
	size_t buffer;	 /* version 7: index into the file's buffers */
};

struct options {
	struct datfile *file;
	VEC(struct section_pointer) pointers;
	bool has_clock; /* the option TRACECLOCK was read */
};

void options_fini(struct options *options);

/*
 * Reads one option of @size bytes at @c. Data that the option does not use are skipped. Damage inside of the option is reported, and the option is
 * skipped. c->err is set only when the options behind this option cannot be read, or when memory ran out.
 */
void option_parse(struct options *options, struct cursor *c, uint16_t id, uint32_t size);

/*
 * These functions read a file of version 6 or 7 for datfile_open(). They return 0 or -ENOMEM. If nothing of the file can be used, they return another
 * -errno after a message.
 */
int dat6_read(struct datfile *file, struct cursor *c);
int dat7_read(struct datfile *file, struct cursor *c);

/*
 * This is for a file of version 7 in which the option that describes a buffer is missing. @section has the data of the buffer. The function adds the
 * buffer to @file. As far as possible, it works out from the data what the missing option would say (salvage.c). The section must end within the
 * file, and the metadata in front of it must have been read. Returns 0 or -ENOMEM.
 */
int dat7_salvage(struct datfile *file, const struct datsection *section);

/*
 * Starts a job of file->pool that reads kallsyms. The job calls @read with @offset. Returns false if there is no pool, if a job for kallsyms was started
 * before, or if memory ran out. In these cases, no job has been started, and the caller has to read kallsyms itself. The job has a struct datfile of its own
 * and prints no messages. If the job meets a fault, datfile_ready() reads kallsyms again and prints the messages.
 */
bool ahead_begin(struct datfile *file, uint64_t offset, int (*read)(struct datfile *file, uint64_t offset));

/* Waits for the job, if there is one, and frees what it has read. */
void ahead_end(struct datfile *file);

/* The functions below are in reader.c and serve both versions. */

/* Adds a section to file->sections, for `ringside dump`. @name is copied. Returns 0 or -ENOMEM. */
int datfile_note(struct datfile *file, uint16_t id, uint16_t flags, const char *name, uint64_t offset, uint64_t size, uint64_t plain_size);

/* Appends the data of a CPU to @buf. If the data reach beyond the file's end, they are cut off there, and a message is printed. Returns 0 or -ENOMEM. */
int datbuf_add_cpu(struct datfile *file, struct datbuf *buf, uint32_t cpu, uint64_t offset, uint64_t size);

/*
 * Sorts the CPUs of @buf. If a CPU is listed more than once, only the data at the lowest offset stay. If the page size is impossible, no CPU stays. In both
 * cases file->damaged is set, and a message is printed.
 */
void datbuf_finish(struct datfile *file, struct datbuf *buf);
void datbuf_fini(struct datbuf *buf);

#endif

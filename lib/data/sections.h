/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside the reader: the parsers of the parts that a file consists of, the same in both versions. Each fills
 * the metadata from a cursor; failures stay in the cursor (.err), and what was read before them is kept.
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

/* In the order of version 6; the first SECTIONS_V6 are in it. Ends with a row without .parse. */
extern const struct section_kind section_kinds[];
#define SECTIONS_V6 6

/* An option or instance that needs more than its own data, collected while options are read. */
struct section_pointer {
	uint16_t id;
	uint64_t offset;	/* of the section's header, or of a version 6 instance's table */
	char *name;		/* version 6: of the instance */
	uint32_t ncpus;		/* version 6: of the instance's table */
	size_t buffer;		/* version 7: index into the file's buffers */
};

struct options {
	struct datfile *file;
	VEC(struct section_pointer) pointers;
	bool has_clock;		/* TRACECLOCK was seen */
};

void options_fini(struct options *options);

/*
 * One option of @size bytes at @c. The data that the option does not use is skipped. Damage inside of it is
 * reported and skipped as well; c->err is set only when the options cannot be read on.
 */
void option_parse(struct options *options, struct cursor *c, uint16_t id, uint32_t size);

/* The parts of datfile_open(): 0, or -errno after a message when nothing of the file is of use. */
int dat6_read(struct datfile *file, struct cursor *c);
int dat7_read(struct datfile *file, struct cursor *c);

/*
 * The buffer in @section (of version 7, not beyond the file's end), whose option is not there: what its data tell (salvage.c). Needs all that
 * comes before them in the metadata. 0 or -ENOMEM.
 */
int dat7_salvage(struct datfile *file, const struct datsection *section);

/*
 * Has a job of file->pool read kallsyms with @read, which is given the offset and reads into the metadata. False: in the ordinary way, please.
 * The job has a struct datfile of its own and is silent: if anything is wrong, datfile_ready() reads again and says what.
 */
bool ahead_begin(struct datfile *file, uint64_t offset, int (*read)(struct datfile *file, uint64_t offset));

/* Waits for the job, if there is one, and drops what it has read. */
void ahead_end(struct datfile *file);

/* The rest of reader.c that the versions share. */

/* Notes a section for dump; @name is copied. */
int datfile_note(struct datfile *file, uint16_t id, uint16_t flags, const char *name,
		 uint64_t offset, uint64_t size, uint64_t plain_size);

/* Appends a CPU's data to @buf, cut at the file's end with a message. 0 or -ENOMEM. */
int datbuf_add_cpu(struct datfile *file, struct datbuf *buf, uint32_t cpu, uint64_t offset,
		   uint64_t size);

/* Sorts the CPUs, drops doubles; checks the page size. */
void datbuf_finish(struct datfile *file, struct datbuf *buf);
void datbuf_fini(struct datbuf *buf);

#endif

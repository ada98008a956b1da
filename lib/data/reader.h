/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a trace.dat file, version 6 or 7: the contents of its sections, and where each CPU's pages are. */
#ifndef RINGSIDE_READER_H
#define RINGSIDE_READER_H

#include "lib/base/pool.h"
#include "lib/data/codec.h"
#include "lib/data/metadata.h"

/* One CPU's pages in the file: plain, or a list of compressed chunks. */
struct datcpu {
	uint32_t cpu;
	/*
	 * Where the data of the CPU are in the file. If the file is truncated, .size counts only the bytes that the file has. For compressed data, .size does
	 * not count the first 4 bytes (see DAT_CHUNK_HEADER in lib/data/format.h).
	 */
	uint64_t offset, size;
};

/* A buffer: the top one, or an instance. */
struct datbuf {
	char *name;	    /* "" for the top buffer */
	char *clock;	    /* the name of its clock; NULL: the clock of the metadata */
	uint32_t page_size; /* bytes of each sub-buffer */
	bool compressed;
	VEC(struct datcpu) cpus; /* in ascending order of .cpu; CPUs without data may be missing */
	bool latency;		 /* the buffer has the text of a latency tracer, .text, instead of pages */
	struct text text;
};

/* A section or an option as it was found in the file, for `ringside dump`. */
struct datsection {
	uint16_t id; /* enum dat_section in format.h */
	uint16_t flags;
	char *name;	     /* for people: "event formats", "option CPUSTAT", "buffer flyrecord alpha" */
	uint64_t offset;     /* of its header (or of its first byte in version 6) */
	uint64_t size;	     /* bytes in the file after the header */
	uint64_t plain_size; /* bytes when unpacked */
};

struct datfile {
	char *path;
	int fd; /* owned */
	uint64_t size;
	unsigned int version;	   /* 6 or 7 */
	const struct codec *codec; /* NULL: none */
	char *codec_version;
	struct metadata meta;
	VEC(struct datbuf) buffers; /* in the file's order */
	VEC(struct datsection) sections;
	/*
	 * In a file of version 7, the sections lie end to end. This is the offset behind the last one that is whole. If it is less than .size, the file has
	 * been cut off inside a section.
	 */
	uint64_t sections_end;
	bool damaged; /* the file is damaged: a message has said what is damaged, and this struct has what could be read */
	/* Only the reader uses these. */
	struct pool *pool;   /* NULL: nothing is read ahead */
	struct ahead *ahead; /* NULL: no job is reading */
	bool quiet;	     /* no messages are printed */
};

/*
 * Opens @path and reads everything but the trace data. Unknown options and sections are skipped, with one warning for each kind. A damaged or truncated
 * file is opened, too, if a part of it can be used; .damaged is set then, and messages say what is damaged. Returns 0, or after a message -EINVAL (the file
 * is no trace.dat, or nothing in it can be used), -ENOMEM, or the -errno of open() or read(). After 0 the caller has to call datfile_close(). After a
 * failure *@out is as it was.
 */
int datfile_open(struct datfile **out, const char *path);

/*
 * datfile_open_ahead() does what datfile_open() does, but a job of @pool may still be reading meta.kallsyms, which may be used only after
 * datfile_ready(). @pool must live as long as the file. datfile_ready() waits for that job and runs other jobs of @pool meanwhile. It reports damage
 * in what the job has read. It returns 0, or -ENOMEM after a message.
 */
int datfile_open_ahead(struct datfile **out, const char *path, struct pool *pool);
int datfile_ready(struct datfile *file);

/* Closes the file and frees everything. Accepts NULL. */
void datfile_close(struct datfile *file);

/*
 * Reads and unpacks what @section, one of the sections of a file of version 7, holds. The caller frees *@out. Returns 0, or
 * -errno after a message.
 */
int datfile_load(struct datfile *file, const struct datsection *section, struct text *out);

#endif

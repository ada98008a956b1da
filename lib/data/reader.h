/* SPDX-License-Identifier: GPL-2.0 */
/* Opens a trace.dat file of version 6 or 7, reads the contents of its sections, and finds out where each CPU's pages are. */
#ifndef RINGSIDE_READER_H
#define RINGSIDE_READER_H

#include "lib/base/pool.h"
#include "lib/data/codec.h"
#include "lib/data/metadata.h"

/* These are the pages of one CPU of a buffer. In the file, the pages are plain or are in a list of compressed chunks (datbuf.compressed). */
struct datcpu {
	uint32_t cpu;
	/*
	 * Where the data of the CPU are in the file. If the file is truncated, .size counts only the bytes that the file has. For compressed data, .size does
	 * not include the first 4 bytes (see DAT_CHUNK_HEADER in lib/data/format.h).
	 */
	uint64_t offset, size;
};

/* This is a buffer: the top buffer, or an instance. */
struct datbuf {
	char *name;	    /* "" for the top buffer */
	char *clock;	    /* the name of its clock; NULL: the clock of the metadata */
	uint32_t page_size; /* bytes of each sub-buffer */
	bool compressed;
	VEC(struct datcpu) cpus; /* in ascending order of .cpu; CPUs without data may be missing */
	bool latency;		 /* true: the buffer has no pages; .text is the text of a latency tracer */
	struct text text;
};

/* This is a section or an option as it was found in the file. It is for `ringside dump`. */
struct datsection {
	uint16_t id; /* enum dat_section in format.h */
	uint16_t flags;
	char *name;	     /* the name that is printed: "event formats", "option CPUSTAT", "buffer flyrecord alpha" */
	uint64_t offset;     /* the offset of its header; in version 6, the offset of its first byte */
	uint64_t size;	     /* bytes in the file after the header */
	uint64_t plain_size; /* bytes when unpacked */
};

struct datfile {
	char *path; /* the name of the file in messages (inlet_name() in lib/data/inlet.h) */
	int fd;	    /* owned */
	uint64_t size;
	unsigned int version;	   /* 6 or 7 */
	const struct codec *codec; /* NULL: none */
	char *codec_version;
	struct metadata meta;
	VEC(struct datbuf) buffers; /* in the file's order */
	VEC(struct datsection) sections;
	/*
	 * In a file of version 7, the sections lie end to end. This is the offset behind the last section that is whole. If this offset is less than
	 * .size, the file has been cut off inside a section.
	 */
	uint64_t sections_end;
	bool damaged; /* The file is damaged, and this struct has what could be read. A message has said what is damaged. */
	/* Only the reader uses the members below. */
	struct pool *pool;   /* NULL: nothing is read ahead */
	struct ahead *ahead; /* NULL: no job is reading */
	bool quiet;	     /* no messages are printed */
};

/*
 * Opens @path and reads everything but the trace data. The path "-" stands for standard input. Unknown options and sections are skipped, with one warning for
 * each kind. A damaged or truncated file is opened, too, if a part of it can be used. In this case, .damaged is set, and messages say what is damaged. Returns
 * 0, or one of these after a message: -EINVAL (the file is no trace.dat, or nothing in it can be used), -ENOMEM, or the -errno of open() or read(). After 0,
 * the caller has to call datfile_close(). After a failure, *@out has not changed.
 */
int datfile_open(struct datfile **out, const char *path);

/*
 * datfile_open_ahead() does what datfile_open() does. But when it returns, a job of @pool may still be reading meta.kallsyms. So meta.kallsyms may be
 * used only after datfile_ready(). @pool must live as long as the file. datfile_ready() waits for that job, and runs other jobs of @pool meanwhile.
 * It reports damage in what the job has read. It returns 0, or -ENOMEM after a message.
 */
int datfile_open_ahead(struct datfile **out, const char *path, struct pool *pool);
int datfile_ready(struct datfile *file);

/* Closes the file and frees everything. Accepts NULL. */
void datfile_close(struct datfile *file);

/*
 * Reads and unpacks the contents of @section. @section is a section of a file of version 7. The caller frees *@out. Returns 0, or -errno after a
 * message.
 */
int datfile_load(struct datfile *file, const struct datsection *section, struct text *out);

#endif

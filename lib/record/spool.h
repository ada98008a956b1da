/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The folder in which a recording lies while it runs, FILE.spool: "meta", a trace.dat without trace data that names the
 * buffers; for each CPU a spool of sub-buffers, "cpuN" of the top buffer, "NAME.cpuN" of others, with holes for what is in
 * "cpuN.packed" (lib/record/packed.h) and "cpuN.handed" (lib/record/handover.h), and "cpuN.rest" (lib/record/rest.h) for what its pipe and
 * the kernel held when the recording was killed; "names", those of tasks so far (lib/record/names.h); and
 * of another machine's recording "meta.sent" (lib/record/receive.h) and "clocks" (lib/record/kept-clocks.h). It is locked (flock)
 * as long as the recording runs, and removed when FILE is complete; what a killed recording leaves behind, `ringside restore`
 * makes a file of. It is a folder of our own in which nobody else can write, and links are not followed, neither in its place
 * nor in it: it may lie in a folder in which everybody can.
 */
#ifndef RINGSIDE_SPOOL_H
#define RINGSIDE_SPOOL_H

#include "lib/data/writer.h"

struct spool {
	char *path;
	char *full; /* the same from the root on */
	int fd;	    /* of the folder, locked */
};

/* clang-format off */
#define SPOOL_NONE { .fd = -1 }
/* clang-format on */

/* What is appended to the name of the file that is to be. */
#define SPOOL_SUFFIX ".spool"

/*
 * Is @output a name that a file may have: not a folder, device or the like, in a folder that can be written, holds
 * files, and has space left? Nothing is touched. Returns 0, or -errno after a message.
 */
int output_check(const char *output);

/* The same for a folder in which there will be files. @cure says what to do when it is not one: "name another folder with -d". */
int output_check_folder(const char *folder, const char *cure);

/* The same where the file is known to need less than a recording does: @least bytes. */
int output_check_space(const char *output, uint64_t least);

/*
 * Makes the folder for @output, in @temp if that is not NULL. Also -EBUSY: another recording is at it; -EEXIST: it holds what a
 * killed one left; -EPERM, -ELOOP, -ENOTDIR: what is there is not ours. Returns 0, or -errno after a message. spool_fini() after it in
 * any case.
 */
int spool_make(struct spool *out, const char *output, const char *temp);

/* Makes the spool of a CPU: a descriptor to read and write, and its path in new memory; or -errno after a message. */
int spool_file(const struct spool *spool, const char *buffer, unsigned int cpu, char **path);

/* What lies beside a spool. */
#define SPOOL_PACKED ".packed"
#define SPOOL_HANDED ".handed"
#define SPOOL_REST ".rest"

/*
 * Makes or opens the file of that kind beside the spool @file (a path in any folder, or a name). A descriptor to read and
 * write, or -errno without a message.
 */
int spool_make_beside(const struct spool *spool, const char *file, const char *kind);
int spool_open_beside(const struct spool *spool, const char *file, const char *kind);

/* The full path of the file @name in there, in new memory; NULL: out of memory. */
char *spool_path(const struct spool *spool, const char *name);

/* The file for names of tasks. spool_make_names() makes it, to append to: a descriptor, or -errno after a message. */
#define SPOOL_NAMES "names"
int spool_make_names(const struct spool *spool);

/* What a recorder on another machine has sent of what its data mean, as it came (lib/record/receive.h). */
#define SPOOL_SENT "meta.sent"

/* What is known of the clocks of a machine that sends its recording (lib/record/kept-clocks.h). */
#define SPOOL_CLOCKS "clocks"

/* What is in there, in new memory; nothing when it is not there. Returns 0 or -errno after a message. */
int spool_read_names(const struct spool *spool, struct text *out);

/* Saves what is known at the start, all of it or nothing. *@size: how large it is. Returns 0 or -errno after a message. */
int spool_save_meta(const struct spool *spool, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers, uint64_t *size);

/*
 * Opens the folder that a killed recording left; -EBUSY when it still runs, -EPERM when it holds links or others' files. 0 or
 * -errno after a message.
 */
int spool_open(struct spool *out, const char *path);

/* Takes the CPU's number and buffer's name out of a spool's file name; false: it is none. *@buffer is new memory. */
bool spool_name(const char *file, char **buffer, unsigned int *cpu);

/* Removes the folder and what is a recording's in it. */
void spool_remove(const struct spool *spool);

void spool_fini(struct spool *spool);

#endif

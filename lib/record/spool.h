/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the data of a recording in the folder FILE.spool while the recording runs. FILE is the output file of the recording. If the output file is a symbolic
 * link, FILE is the file to which the link leads. The folder has these files:
 *
 *	meta		a trace.dat without trace data, which names the buffers
 *	cpuN, NAME.cpuN	the spool of a CPU, with sub-buffers of the top buffer or of the buffer NAME. It has a hole for data that are in cpuN.packed
 *			or cpuN.handed instead
 *	cpuN.packed	data that were packed, which means compressed (lib/record/packed.h)
 *	cpuN.handed	data that are on their way to be packed (lib/record/handover.h)
 *	cpuN.rest	what the recorder's pipe and the kernel held when the recording was killed (lib/record/rest.h)
 *	names		the names of tasks that the kernel has reported so far (lib/record/names.h)
 *	links		the paths of the links to the spools (lib/record/links.h)
 *	meta.sent	in a recording of another machine: its metadata as they came (lib/record/receive.h)
 *	clocks		in a recording of another machine: what is known of its clocks (lib/record/kept-clocks.h)
 *
 * The folder is locked (flock) while the recording runs, and is removed when FILE is complete. `ringside restore` makes a file from what a killed recording
 * leaves behind. The folder belongs to this user, and nobody else can write into it. Its parent folder may be one in which everybody can write. So a symbolic
 * link is not followed, whether it has the name of the folder or is inside the folder.
 */
#ifndef RINGSIDE_SPOOL_H
#define RINGSIDE_SPOOL_H

#include "lib/data/leftover.h"
#include "lib/data/writer.h"

/* This is the folder of a recording, in which the spools of the CPUs are. */
struct spool {
	char *path; /* the path of the folder */
	char *full; /* .path as an absolute path */
	int fd;	    /* a descriptor of the folder, which is locked */
};

/* clang-format off */
#define SPOOL_NONE { .fd = -1 }
/* clang-format on */

/*
 * Checks that @output can become a file. @output must not be a folder, a device or the like. The folder in which @output lies must be writable, have space
 * left, and be in a file system in which files can be made (not tracefs or /proc). Changes nothing. Returns 0, or -errno after a message.
 */
int output_check(const char *output);

/* At least this many bytes have to be free for a recording, because symbols and formats alone take several MB. */
#define OUTPUT_LEAST_SPACE (16ull << 20)

/*
 * Advice at the end of messages. OUTPUT_NAME_FILE tells how to make the file elsewhere. OUTPUT_NAME_TEMP tells how to keep the data elsewhere until the
 * file is made.
 */
#define OUTPUT_NAME_FILE "name a file with -o"
#define OUTPUT_NAME_TEMP "name another folder with --temp"

/* Makes the checks of output_check() for @folder, in which files will be made. @cure is the advice at the end of the messages on failure. */
int output_check_folder(const char *folder, const char *cure);

/* Does what output_check() does, but requires @least bytes of free space, and ends its messages with the advice @cure. */
int output_check_space(const char *output, uint64_t least, const char *cure);

/*
 * *@path becomes the path of the folder for the recording @output, in new memory. If @temp is not NULL, the folder is in @temp. Returns 0, or -errno after a
 * message.
 */
int spool_folder(const char *output, const char *temp, char **path);

/*
 * Makes the folder for the recording @output. If @temp is not NULL, the folder is made in @temp. A folder that exists is emptied and used again if both of
 * these are true: only this user can write into the folder, and the folder has nothing to restore. There is nothing to restore when the file "meta" is missing,
 * or when there are no recorded data. The caller calls spool_fini() in any case. Returns 0, or after a message:
 *  - -EBUSY: another recording uses the folder
 *  - -EEXIST: the folder holds what a killed recording left
 *  - -EPERM: the folder exists, and another user owns it or can write into it
 *  - -ELOOP, -ENOTDIR: something that is not a folder has the folder's name
 *  - another -errno: any other failure
 */
int spool_make(struct spool *out, const char *output, const char *temp);

/*
 * Makes the spool of the CPU @cpu of the buffer @buffer ("" is the top buffer). Sets *@path to the path of the spool, in new memory that the caller frees
 * even on failure. Returns a descriptor to read and write, or -errno after a message.
 */
int spool_file(const struct spool *spool, const char *buffer, unsigned int cpu, char **path);

/* The endings of files beside a spool. */
#define SPOOL_PACKED ".packed"
#define SPOOL_HANDED ".handed"
#define SPOOL_REST ".rest"

/*
 * These functions make or open the file with the ending @kind in the folder, beside the spool @file. @file is the name of the spool, or any path that ends with
 * this name. spool_make_beside() fails when the file exists. Both functions return a descriptor to read and write, or -errno without a message.
 */
int spool_make_beside(const struct spool *spool, const char *file, const char *kind);
int spool_open_beside(const struct spool *spool, const char *file, const char *kind);

/* Returns the full path of the file @name in the folder, in new memory, or NULL when memory runs out. */
char *spool_path(const struct spool *spool, const char *name);

/* The file for names of tasks. spool_make_names() makes this file and returns a descriptor that appends to it, or -errno after a message. */
#define SPOOL_NAMES "names"
int spool_make_names(const struct spool *spool);

/* The file with the metadata that another machine has sent, as they came (lib/record/receive.h). */
#define SPOOL_SENT "meta.sent"

/* The file with what is known of the clocks of a machine that sends its recording (lib/record/kept-clocks.h). */
#define SPOOL_CLOCKS "clocks"

/* Reads the file "names" into new memory. *@out stays empty when there is no such file. Returns 0 or -errno after a message. */
int spool_read_names(const struct spool *spool, struct text *out);

/*
 * Saves the metadata that are known at the start in the file "meta". This file is made completely or not at all. *@size becomes its size. Returns 0 or
 * -errno after a message.
 */
int spool_save_meta(const struct spool *spool, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers, uint64_t *size);

/*
 * Opens the folder that a killed recording left. Returns 0, or -errno after a message. -EBUSY means that the recording still runs. -EPERM means that one of
 * the recording's files is not a regular file, or does not belong to the owner of the folder.
 */
int spool_open(struct spool *out, const char *path);

/*
 * Reads the CPU's number and the buffer's name from the name of a spool. *@buffer is new memory, and is "" for the top buffer. Returns false when @file is not
 * the name of a spool, or when memory runs out.
 */
bool spool_name(const char *file, char **buffer, unsigned int *cpu);

/* Removes the links to the spools (lib/record/links.h), the files of the recording in the folder, and then the folder. */
void spool_remove(const struct spool *spool);

void spool_fini(struct spool *spool);

#endif

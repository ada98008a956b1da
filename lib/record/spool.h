/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps a recording in the folder FILE.spool while it runs. The folder has these files:
 *
 *	meta		a trace.dat without trace data, which names the buffers
 *	cpuN, NAME.cpuN	a spool of sub-buffers for each CPU, of the top buffer or of the buffer NAME. It has holes where data are in the next two files
 *	cpuN.packed	what was packed (lib/record/packed.h)
 *	cpuN.handed	what is on its way to be packed (lib/record/handover.h)
 *	cpuN.rest	what the recorder's pipe and the kernel held when the recording was killed (lib/record/rest.h)
 *	names		the names of tasks so far (lib/record/names.h)
 *	meta.sent	in a recording of another machine: its metadata as they came (lib/record/receive.h)
 *	clocks		in a recording of another machine: what is known of its clocks (lib/record/kept-clocks.h)
 *
 * The folder is locked (flock) while the recording runs, and is removed when FILE is complete. `ringside restore` makes a file of what a killed
 * recording leaves behind. The folder is ours, and nobody else can write into it. But it may lie in a folder in which everybody can write. So
 * symbolic links are not followed, whether one stands in place of the folder or inside it.
 */
#ifndef RINGSIDE_SPOOL_H
#define RINGSIDE_SPOOL_H

#include "lib/data/writer.h"

struct spool {
	char *path;
	char *full; /* the same as an absolute path */
	int fd;	    /* the folder, which is locked */
};

/* clang-format off */
#define SPOOL_NONE { .fd = -1 }
/* clang-format on */

/* The ending that is added to the name of the output file. */
#define SPOOL_SUFFIX ".spool"

/*
 * Checks that @output can become a file. It must not be a folder, a device or the like. Its folder must be writable, have space left, and be in a
 * file system that can have files of ours (not in tracefs or /proc). Changes nothing. Returns 0, or -errno after a message.
 */
int output_check(const char *output);

/* Checks in the same way a folder in which files will be made. @cure says what to do when it cannot be used: "name another folder with -d". */
int output_check_folder(const char *folder, const char *cure);

/* Does what output_check() does, for a file that needs only @least bytes. It asks for less free space than output_check(), which is for recordings. */
int output_check_space(const char *output, uint64_t least);

/*
 * Makes the folder for @output, in @temp if that is not NULL. Returns 0, or after a message -EBUSY when another recording uses the folder, -EEXIST
 * when the folder holds what a killed recording left, -EPERM, -ELOOP or -ENOTDIR when something that is not ours has the folder's name, or another -errno.
 * The caller calls spool_fini() in any case.
 */
int spool_make(struct spool *out, const char *output, const char *temp);

/* Makes the spool of a CPU. Returns a descriptor to read and write, and sets *@path to its path in new memory; or returns -errno after a message. */
int spool_file(const struct spool *spool, const char *buffer, unsigned int cpu, char **path);

/* The endings of files beside a spool. */
#define SPOOL_PACKED ".packed"
#define SPOOL_HANDED ".handed"
#define SPOOL_REST ".rest"

/*
 * These make or open the file with the ending @kind in the folder, beside the spool @file (its name, or any path that ends with the name).
 * spool_make_beside() fails when the file exists. They return a descriptor to read and write, or -errno without a message.
 */
int spool_make_beside(const struct spool *spool, const char *file, const char *kind);
int spool_open_beside(const struct spool *spool, const char *file, const char *kind);

/* Returns the full path of the file @name in the folder, in new memory, or NULL when memory runs out. */
char *spool_path(const struct spool *spool, const char *name);

/* The file for names of tasks. spool_make_names() makes it and returns a descriptor that appends, or -errno after a message. */
#define SPOOL_NAMES "names"
int spool_make_names(const struct spool *spool);

/* The metadata that a recorder on another machine has sent, as they came (lib/record/receive.h). */
#define SPOOL_SENT "meta.sent"

/* What is known of the clocks of a machine that sends its recording (lib/record/kept-clocks.h). */
#define SPOOL_CLOCKS "clocks"

/* Reads the names of tasks into new memory. *@out stays empty when there is no such file. Returns 0 or -errno after a message. */
int spool_read_names(const struct spool *spool, struct text *out);

/* Saves the metadata that are known at the start, completely or not at all. *@size becomes their size. Returns 0 or -errno after a message. */
int spool_save_meta(const struct spool *spool, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers, uint64_t *size);

/*
 * Opens the folder that a killed recording left. Returns 0, or after a message -EBUSY when the recording still runs, -EPERM when the folder holds
 * symbolic links or files of other users, or another -errno.
 */
int spool_open(struct spool *out, const char *path);

/* Reads the CPU's number and the buffer's name from the name of a spool. *@buffer is new memory. Returns false when it is no such name. */
bool spool_name(const char *file, char **buffer, unsigned int *cpu);

/* Removes the files of the recording in the folder, and then the folder. */
void spool_remove(const struct spool *spool);

void spool_fini(struct spool *spool);

#endif

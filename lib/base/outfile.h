/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens the file that the user has named for the output of a command. The file is opened before the work begins, so that a file that cannot be written is
 * refused at once. A plain file gets its name only when it is complete. Only then does it replace an older file of this name. Devices, pipes and the
 * targets of symbolic links are written to directly. In a folder where everybody can write, a symbolic link is followed only if the folder has the sticky
 * bit and the link belongs to the user. Any other link in a folder of this kind is refused. This rule is stricter than fs.protected_symlinks in proc(5),
 * which many systems do not set. The name "-" stands for standard output. A link such as /dev/stdout leads to a standard descriptor of this process. Such
 * a link stands for the descriptor, and the file is not opened a second time. A second open would be wrong for a file that the shell has opened to
 * append, because the output would begin at the beginning of the file.
 */
#ifndef RINGSIDE_OUTFILE_H
#define RINGSIDE_OUTFILE_H

#include "lib/base/draft.h"

struct outfile {
	int fd;		    /* open for writing */
	struct draft draft; /* a plain file that gets its name when it is complete (lib/base/draft.h); .draft.fd is -1 when the file is written to directly */
	const char *path;   /* borrowed */
};

/* clang-format off */
#define OUTFILE_NONE { .fd = -1, .draft = DRAFT_NONE }
/* clang-format on */

/* Opens @path, which has to live as long as @o. Returns 0, or -errno after a message. The caller calls outfile_close() in either case. */
int outfile_open(struct outfile *o, const char *path);

/*
 * Publishes the output, which is complete. A plain file gets its name. A regular file may have been written directly: the target of a symbolic link, or
 * standard output that is redirected to a file. Such a file is cut off after the last byte that was written. A file that was opened with O_APPEND is not
 * cut off, because others may have written to it before and after our output. Returns 0, or -errno after a message.
 */
int outfile_publish(struct outfile *o);

/*
 * Opens a draft (lib/base/draft.h) for a file that is not written in the order of its bytes and therefore has to be a plain file. Returns 0, or -errno
 * after a message. The caller calls draft_close() in either case.
 */
int outfile_draft(struct draft *d, const char *path);

/* Refuses a text that cannot be the name of a file. This is "", and any text that ends in a slash. Returns 0, or -errno after a message. */
int outfile_check_name(const char *path);

/*
 * Checks that a draft may get the name @path. Does what outfile_check_name() does. Also refuses the name of a folder, a device or a pipe, because the
 * draft would replace it. Returns 0, or -errno after a message.
 */
int outfile_check_plain(const char *path);

/*
 * Closes the file. A plain file that has not been published is removed. Bytes that were written directly to a device, a pipe or the target of a link stay
 * there.
 */
void outfile_close(struct outfile *o);

#endif

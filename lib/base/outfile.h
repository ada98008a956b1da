/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens the file that the user has named for the output of a command. The user may name one of these:
 * - A plain file, or a name that does not exist yet. The file gets its name only when it is complete. It then replaces an older file of this name.
 * - A device or a pipe. The output is written to it directly.
 * - A symbolic link. If the link leads to a plain file, or to a name that does not exist yet, this file is made or replaced in the same way, and the link
 *   stays. If the link leads to a device or a pipe, the output is written directly to this device or pipe. A link in a folder in which everybody can write must
 *   belong to the user, and the folder must have the sticky bit. Otherwise the link is refused.
 * - A link to a standard descriptor of this process, such as /dev/stdout. The output is written to the descriptor.
 * - "-", which stands for standard output.
 */
#ifndef RINGSIDE_OUTFILE_H
#define RINGSIDE_OUTFILE_H

#include "lib/base/draft.h"

struct outfile {
	int fd;		    /* open for writing */
	struct draft draft; /* a plain file that is not complete yet (lib/base/draft.h); if the output is written directly, .draft.fd is -1 */
	const char *path;   /* borrowed */
	char *target;	    /* the plain file to which the link .path leads; NULL: .path is no such link */
};

/* clang-format off */
#define OUTFILE_NONE { .fd = -1, .draft = DRAFT_NONE }
/* clang-format on */

/* Opens @path, which has to live as long as @o. Returns 0, or -errno after a message. The caller must call outfile_close() in both cases. */
int outfile_open(struct outfile *o, const char *path);

/*
 * Must be called when the output is complete. A draft gets its name. If a regular file was written directly, for example as the standard output, it is
 * truncated behind the last byte that was written. But a file that was opened with O_APPEND is not truncated. Returns 0, or -errno after a message.
 */
int outfile_publish(struct outfile *o);

/*
 * Opens a draft (lib/base/draft.h) for the file @path. The bytes of the file are not written in order, so @path has to be a plain file. draft_publish()
 * replaces a symbolic link itself, and not the file to which the link leads. So if the draft will be published, the caller gets @path from outfile_target().
 * Returns 0, or -errno after a message. The caller must call draft_close() in both cases.
 */
int outfile_draft(struct draft *d, const char *path);

/*
 * Finds the file that draft_publish() has to make or replace when the user has named the output @path. If @path is a symbolic link, this is the file to which
 * the link leads. Otherwise it is @path itself. The file need not exist. A link in a folder in which everybody can write is refused, unless it meets the two
 * conditions above. *@target becomes the path of the file, in new memory. Returns 0, or -errno after a message.
 */
int outfile_target(const char *path, char **target);

/* Returns 0 if @path can be the name of a file. If @path is "" or ends in a slash, returns -EINVAL after a message. */
int outfile_check_name(const char *path);

/*
 * Checks that a draft may get the name @path. Does what outfile_check_name() does, and also refuses the name of a folder, a device or a pipe. Returns 0, or
 * -errno after a message.
 */
int outfile_check_plain(const char *path);

/*
 * Checks that the output @path is not the plain file @input, from which the output is made. As @path, "-" is standard output. As @input, "-" is standard
 * input. Returns 0, or -EEXIST after a message.
 */
int outfile_check_input(const char *path, const char *input);

/*
 * Closes the file. If outfile_publish() has not been called, a plain file that is not complete is removed. Bytes that were written directly are not removed.
 */
void outfile_close(struct outfile *o);

#endif

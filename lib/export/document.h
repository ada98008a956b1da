/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes one of ringside's pages: an HTML file that needs no other file, with its data inside. The texts of a trace are never in the markup. They are
 * only in the data. The data are deflated (compressed by zlib) and encoded in base64.
 */
#ifndef RINGSIDE_DOCUMENT_H
#define RINGSIDE_DOCUMENT_H

#include "lib/base/str.h"

/* These are the pages of `ringside flame` and `ringside page`, which are built into the program from lib/export/web/. */
enum document_page { DOCUMENT_FLAME, DOCUMENT_PAGE };

/* This is a part of the data. The page's script asks for the part by its name. */
struct document_part {
	const char *name; /* letters only */
	struct str data;
};

/* Deflates the data of a part and encodes them in base64. The result replaces the data. Returns 0, -ENOMEM, or -EINVAL when zlib fails. */
int document_pack(struct document_part *part);

/* Returns how many bytes the page with these packed parts has. */
size_t document_size(enum document_page page, const struct document_part *parts, size_t n);

/* Writes the page to @fd. Returns 0, or -errno without a message. */
int document_write(int fd, enum document_page page, const struct document_part *parts, size_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Declares the rows of the table in codec.c. Each row is defined in a file that is named after it (codec_zlib in codec-zlib.c). */
#ifndef RINGSIDE_CODEC_ROWS_H
#define RINGSIDE_CODEC_ROWS_H

#include "lib/data/codec.h"

extern const struct codec codec_zlib, codec_zstd;

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* A flame graph as a picture that needs no script: SVG 1.1, with what a frame is in its title. */
#ifndef RINGSIDE_FLAME_SVG_H
#define RINGSIDE_FLAME_SVG_H

#include "lib/export/flame-diff.h"

/*
 * Appends the picture. @title: what stands above it; @unit: of the weights, NULL: they are ns. @rooms: enum kernel_room of each frame. Frames
 * that are too narrow to be seen are left out, and the picture says how many. @diff: colours and words are those of the comparison; NULL: there is none.
 * Returns 0 or -ENOMEM.
 */
int flame_svg(const struct flame *flame, const char *title, const char *unit, const uint8_t *rooms, const struct flame_diff *diff, struct str *out);

#endif

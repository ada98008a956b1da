/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draws a flame graph as a picture in SVG 1.1 that needs no script. Each frame has an element <title> with its name and weight. If the frame stands for
 * calls, the element also has the number of these calls, their self time and their time off the CPU. The time off the CPU is left out if it is not known
 * for some of these calls (callgraph_unplaced() in lib/analysis/callgraph.h).
 */
#ifndef RINGSIDE_FLAME_SVG_H
#define RINGSIDE_FLAME_SVG_H

#include "lib/export/flame-diff.h"

/*
 * Appends the picture with @title above it. @unit is the unit of the weights, or NULL for ns. Element i of @rooms is the part of the kernel to which frame i
 * belongs (enum kernel_room). When @diff is not NULL, the colours of the frames come from @diff, and the frames' titles tell what has changed. Frames that are
 * too narrow to be seen are left out. The picture says how many frames were left out. Returns 0 or -ENOMEM.
 */
int flame_svg(const struct flame *flame, const char *title, const char *unit, const uint8_t *rooms, const struct flame_diff *diff, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Counts the records that the options of a reading select. */
#ifndef RINGSIDE_SELECTED_H
#define RINGSIDE_SELECTED_H

#include "lib/analysis/reading.h"

/*
 * Sets *@n to the number of records that the options of @whole select, as `ringside count` counts
 * them. @whole must have read all records. If options leave out some records, the files are read
 * once more. The reason is that the analyses of @whole may have got records that the options do not
 * select. Gives no message about damage. Returns 0, or -errno after a message.
 */
int selected_count(struct reading *whole, uint64_t *n);

#endif

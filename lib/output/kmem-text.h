/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the table of `ringside mem`. It tells which functions of the kernel allocated memory, and how much of this memory was not freed. */
#ifndef RINGSIDE_KMEM_TEXT_H
#define RINGSIDE_KMEM_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/output/table.h"

/* The options of the analysis are a struct table_show. */
extern const struct analysis kmem_analysis;

#endif

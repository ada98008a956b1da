/* SPDX-License-Identifier: GPL-2.0 */
/* Writes flame graphs as the scripts of the HTML pages read them: JSON of names, trees and functions. */
#ifndef RINGSIDE_FLAME_DATA_H
#define RINGSIDE_FLAME_DATA_H

#include "lib/analysis/callgraph-views.h"
#include "lib/analysis/flame.h"
#include "lib/analysis/path-facts.h"
#include "lib/base/map.h"

/* This holds the names in the data. The data refer to a name by a number. The number is the index of the name's entry in .names. */
struct name_table {
	MAP(struct text, uint8_t) names; /* maps each name to its enum kernel_room, the part of the kernel to which it belongs */
	strv_t texts;			 /* owns the texts of the keys */
};

/* Returns the number of @name. If the table does not have @name yet, adds a copy of @name. Returns -ENOMEM when memory runs out. */
int64_t name_table_add(struct name_table *table, const char *name);

/* Finds the part of the kernel to which each name belongs (lib/analysis/rooms.h). The symbols of @inputs tell to which module a function belongs. */
void name_table_rooms(struct name_table *table, const inputs_t *inputs);

/*
 * Appends three arrays as members of a JSON object:
 * - "names" has the names.
 * - "rooms" has the enum kernel_room of each name.
 * - "roomNames" has the names of the parts of the kernel, in the order of enum kernel_room.
 */
void name_table_json(const struct name_table *table, struct str *out);
void name_table_fini(struct name_table *table);

/*
 * These two functions append a JSON object of columns. The columns of flame_json() have an element for each frame. The columns of functions_json() have
 * an element for each function. If a frame or function lacks a value, the element is -1. The time off the CPU is also -1 in these cases:
 * - @facts say that the time off the CPU is not known.
 * - The time off the CPU is not known for some calls of the frame or function (callgraph_unplaced() in lib/analysis/callgraph.h).
 * @facts may be NULL when there are no calls. Both functions return 0 or -ENOMEM.
 */
int flame_json(const struct flame *flame, const struct path_facts *facts, struct name_table *names, struct str *out);
int functions_json(const callgraph_functions_t *functions, const struct path_facts *facts, struct name_table *names, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Finds functions that have no code of their own, because the compiler has inlined them into others. */
#include "lib/probe/elf-file.h"
#include "lib/base/str.h"

#include <dwarf.h>

enum { DEPTH_MOST = 256, NAMED = 4 };

struct inlined {
	const char *name; /* the last part of the wanted name: "f" of "ns::f" */
	size_t len;
	Dwarf_Die *unit;
	strv_t lines;
};

static bool is_it(const struct inlined *search, Dwarf_Die *copy)
{
	const char *name = dwarf_diename(copy);

	return name && strncmp(name, search->name, search->len) == 0 && (!name[search->len] || name[search->len] == '<');
}

/* Returns the place of the call, such as "main.c:12". */
static char *call_of(const struct inlined *search, Dwarf_Die *copy)
{
	Dwarf_Attribute attr;
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	const char *path = NULL;
	size_t n;

	if (!dwarf_attr(copy, DW_AT_call_file, &attr) || dwarf_formudata(&attr, &file) || !dwarf_attr(copy, DW_AT_call_line, &attr) ||
	    dwarf_formudata(&attr, &line))
		return NULL;
	if (dwarf_getsrcfiles(search->unit, &files, &n) == 0)
		path = dwarf_filesrc(files, file, NULL, NULL);
	return path ? str_printf("%s:%llu", strrchr(path, '/') ? strrchr(path, '/') + 1 : path, (unsigned long long)line) : NULL;
}

static void look_in(struct inlined *search, Dwarf_Die *around, unsigned int depth)
{
	Dwarf_Die child;

	if (depth > DEPTH_MOST || dwarf_child(around, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_inlined_subroutine && is_it(search, &child)) {
			__cleanup(free_ptr) char *call = call_of(search, &child);

			if (call && !strv_has(&search->lines, call))
				strv_add(&search->lines, call);
		}
		look_in(search, &child, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

char *dwarf_inlined(struct elf_file *elf, const char *function)
{
	struct inlined search = { .name = function, .len = strcspn(function, "(") };
	struct str s = { 0 };
	GElf_Addr bias;

	for (const char *at = function; (at = strstr(at, "::")) && at < function + search.len; at += 2)
		search.name = at + 2;
	search.len -= (size_t)(search.name - function);
	while (search.len && (search.unit = dwfl_module_nextcu(elf->module, search.unit, &bias)))
		look_in(&search, search.unit, 0);
	for (size_t i = 0; i < search.lines.n && i < NAMED; i++)
		str_addf(&s, "%s%s", i ? ", " : "", search.lines.at[i]);
	if (search.lines.n > NAMED)
		str_addf(&s, " and %zu more", search.lines.n - NAMED);
	strv_fini(&search.lines);
	return s.len ? str_take(&s) : NULL;
}

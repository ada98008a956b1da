/* SPDX-License-Identifier: GPL-2.0 */
/* Finds which names a place in a program's code sees. */
#include "lib/probe/dwarf.h"

#include <dwarf.h>

/* Returns the compilation unit with the code at @addr, or NULL when there is no debug information for it. */
static Dwarf_Die *unit_at(struct elf_file *elf, GElf_Addr addr, GElf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(elf->module, addr + elf->bias, bias);

	/* Some compilers do not write .debug_aranges, for example clang and Go. */
	if (!unit)
		while ((unit = dwfl_module_nextcu(elf->module, unit, bias)) && dwarf_haspc(unit, addr + elf->bias - *bias) <= 0)
			;
	return unit;
}

/* Returns the address behind the prologue, where a debugger would stop. It is the function's beginning if there is no prologue. */
static GElf_Addr body_of(Dwarf_Die *function, GElf_Addr low)
{
	__cleanup(free_ptr) Dwarf_Addr *stops = NULL;
	int n = dwarf_entry_breakpoints(function, &stops);
	GElf_Addr body = 0;

	for (int i = 0; i < n; i++)
		if (stops[i] >= low && (!body || stops[i] < body))
			body = stops[i];
	return body;
}

enum { DEPTH_MOST = 256 };

/*
 * Lists the DIEs that contain the address. Each contains the next, and the innermost is the last. libdw's own search is not used: at an inlined copy it goes
 * on with what is around the original, and gives up when the original is in another unit.
 */
static int descend(Dwarf_Die *around, GElf_Addr addr, Dwarf_Die path[static DEPTH_MOST], int n)
{
	Dwarf_Die child;

	if (n == DEPTH_MOST || dwarf_child(around, &child))
		return n;
	do {
		int tag = dwarf_tag(&child), deeper;

		if (tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
			deeper = descend(&child, addr, path, n);
			if (deeper > n)
				return deeper;
		} else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
			if (dwarf_haspc(&child, addr) > 0) {
				path[n] = child;
				return descend(&child, addr, path, n + 1);
			}
			/* The local classes and lambdas of a function are children of its DIE, but their code lies elsewhere. */
			deeper = tag == DW_TAG_inlined_subroutine ? n : descend(&child, addr, path, n);
			if (deeper > n)
				return deeper;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return n;
}

static int containing(Dwarf_Die *unit, GElf_Addr addr, Dwarf_Die **out)
{
	Dwarf_Die path[DEPTH_MOST];
	int n = descend(unit, addr, path, 0);

	*out = n ? malloc((size_t)n * sizeof(**out)) : NULL;
	for (int i = 0; *out && i < n; i++)
		(*out)[i] = path[n - 1 - i];
	return *out ? n : 0;
}

bool scopes_at(struct elf_file *elf, uint64_t offset, struct scopes *out)
{
	GElf_Addr addr, bias;
	Dwarf_Addr low = 0;

	*out = (struct scopes){ .elf = elf };
	if (!elf_address(elf, offset, &addr))
		return false;
	out->unit = unit_at(elf, addr, &bias);
	if (!out->unit)
		return false;
	out->addr = addr + elf->bias - bias;
	out->n = containing(out->unit, out->addr, &out->dies);
	for (int i = 0; i < out->n; i++)
		if (dwarf_tag(&out->dies[i]) == DW_TAG_subprogram) {
			out->function = out->dies[i];
			out->entry = dwarf_entrypc(&out->function, &low) == 0 && low == out->addr;
			out->body = body_of(&out->function, low);
			/* At the entry, the user means the function's own names, even if its first instruction comes from an inlined function. */
			out->innermost = out->entry ? i : 0;
			return true;
		}
	scopes_fini(out);
	return false;
}

void scopes_fini(struct scopes *s)
{
	free(s->dies);
	s->dies = NULL;
	s->n = 0;
}

static bool is_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_formal_parameter || tag == DW_TAG_variable;
}

static void names_in(Dwarf_Die *scope, strv_t *names)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child))
		return;
	do {
		if (is_variable(&child) && dwarf_diename(&child))
			strv_add(names, dwarf_diename(&child));
	} while (dwarf_siblingof(&child, &child) == 0);
}

void scopes_names(const struct scopes *s, strv_t *names)
{
	for (int i = s->innermost; i < s->n; i++) {
		names_in(&s->dies[i], names);
		if (dwarf_tag(&s->dies[i]) == DW_TAG_subprogram)
			break;
	}
}

static bool find_in(Dwarf_Die *scope, const char *name, size_t len, Dwarf_Die *out)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child))
		return false;
	do {
		const char *its = is_variable(&child) ? dwarf_diename(&child) : NULL;

		if (its && strlen(its) == len && strncmp(its, name, len) == 0) {
			*out = child;
			return true;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

bool scopes_variable(const struct scopes *s, const char *name, size_t len, Dwarf_Die *out)
{
	for (int i = s->innermost; i < s->n; i++) {
		if (find_in(&s->dies[i], name, len, out))
			return true;
		if (dwarf_tag(&s->dies[i]) == DW_TAG_subprogram)
			break;
	}
	return false;
}

int dwarf_parameters(Dwarf_Die *function, int (*each)(void *ctx, Dwarf_Die *parameter), void *ctx)
{
	Dwarf_Die child;
	int ret = 0;

	if (dwarf_child(function, &child))
		return 0;
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter)
			ret = each(ctx, &child);
		else if (dwarf_tag(&child) == DW_TAG_GNU_formal_parameter_pack)
			ret = dwarf_parameters(&child, each, ctx);
	} while (!ret && dwarf_siblingof(&child, &child) == 0);
	return ret;
}

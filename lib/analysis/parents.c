/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/parents.h"

static bool same(const struct symbol *a, const struct symbol *b)
{
	return a == b || (a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len) == 0);
}

static void set(struct parents *parents, size_t at, const struct symbol *sym)
{
	if (!sym)
		return;
	if (at < parents->stack.n)
		parents->stack.at[at] = sym;
	else if (at == parents->stack.n)
		(void)vec_push(&parents->stack, sym);
}

unsigned int parents_depth(struct parents *parents, const struct symbol *parent, const struct symbol *func)
{
	if (!parent)
		return 0;
	for (size_t i = 0; i < parents->stack.n; i++) {
		if (same(parents->stack.at[i], parent)) {
			set(parents, i + 1, func);
			return (unsigned int)i;
		}
	}
	set(parents, 0, parent);
	set(parents, 1, func);
	return 0;
}

void parents_fini(struct parents *parents)
{
	vec_fini(&parents->stack);
}

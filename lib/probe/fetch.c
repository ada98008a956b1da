/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/probe/fetch.h"

static void fetch_fini(struct fetch *f)
{
	free(f->name);
	free(f->text);
	free(f->type);
	free(f->enums);
}

void fetches_fini(fetches_t *v)
{
	vec_each (v, f)
		fetch_fini(f);
	vec_fini(v);
}

void variables_fini(variables_t *v)
{
	vec_each (v, item) {
		free(item->expr);
		free(item->type);
		fetch_fini(&item->fetch);
	}
	vec_fini(v);
}

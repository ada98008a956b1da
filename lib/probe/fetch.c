/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/probe/fetch.h"

void fetch_fini(struct fetch *f)
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

void variable_fini(struct variable *v)
{
	free(v->expr);
	free(v->type);
	free(v->why);
	fetch_fini(&v->fetch);
}

void variables_fini(variables_t *v)
{
	vec_each (v, item)
		variable_fini(item);
	vec_fini(v);
}

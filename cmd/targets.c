/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/targets.h"
#include "lib/base/err.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/target.h"

const struct opt target_options[] = {
	TARGET_ROWS(0),
	OPT_END,
};

int targets_names(const struct targets *t, const struct tracedir *top, strv_t *out)
{
	strv_t instances = { 0 };
	int err = t->all ? tracedir_list(top, TRACEDIR_INSTANCES, &instances) : 0;

	if (err)
		refused(top, "instances", -err);
	if (!err && (t->top || (!t->all && !t->names.n)))
		err = strv_add(out, "");
	vec_each (&t->names, name)
		if (!err && !strv_has(out, *name))
			err = strv_add(out, *name);
	vec_each (&instances, name)
		if (!err && !strv_has(out, *name))
			err = strv_add(out, *name);
	strv_fini(&instances);
	return err;
}

int targets_each(const struct targets *t, bool change, int (*each)(void *ctx, const struct tracedir *dir, const char *name), void *ctx)
{
	struct tracedir top;
	strv_t names = { 0 };
	int err = tracedir_open(&top, NULL);

	if (!err)
		err = targets_names(t, &top, &names);
	if (err == -ENOMEM)
		fail(ENOMEM, "out of memory");
	vec_each (&names, name) {
		struct tracedir dir;
		int ret = target_open(&dir, &top, *name, change);

		if (!ret)
			ret = each(ctx, &dir, *name);
		err = err ? err : ret;
		tracedir_fini(&dir);
	}
	strv_fini(&names);
	tracedir_fini(&top);
	return err;
}

void targets_fini(struct targets *targets)
{
	strv_fini(&targets->names);
}

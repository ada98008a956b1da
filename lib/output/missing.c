/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/missing.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/output/reading-meta.h"

int missing_call(struct reading *reading, const char *what, const strv_t *names, const char *more)
{
	const char *path = reading->inputs.at[0].path, *selection = reading_selection(reading);
	__cleanup(free_ptr) char *near = NULL;
	strv_t best = { 0 };

	vec_each (names, name)
		if (selection && glob_match(what, *name))
			return fail(ENOENT, "%s holds calls of '%s', but %s leaves none of them", path, what, selection);
	if (!strpbrk(what, "*?[;"))
		nearest_names(what, names, 3, &best);
	near = join_names(&best, " (did you mean ", "?)");
	strv_fini(&best);
	if (selection)
		return fail(ENOENT, "%s leaves no call of '%s' of what %s holds%s; `ringside funcs` lists what was called%s", selection, what, path,
			    near ? near : "", more);
	return fail(ENOENT, "%s holds no call of '%s'%s; `ringside funcs` lists what was called%s", path, what, near ? near : "", more);
}

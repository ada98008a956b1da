/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/target.h"
#include "lib/tracefs/busy.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"

static int no_instance(const struct tracedir *top, const char *name)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };

	tracedir_list(top, TRACEDIR_INSTANCES, &names);
	nearest_names(name, &names, 3, &best);
	near = join_names(&best, "; nearest: ", "");
	strv_fini(&names);
	strv_fini(&best);
	return fail(ENOENT, "there is no trace instance '%s'%s", name, near ? near : "");
}

int target_unused(const struct tracedir *top, const char *name)
{
	const struct journal_info *info;
	journals_t others = { 0 };
	int err = journals_find(NULL, &others);

	info = busy_recording(&others, top->path, name);
	if (info)
		err = fail(EBUSY, "%s%s is in use: ringside of pid %d records there (%.100s); end that first", *name ? "instance " : "the top trace buffer",
			   name, (int)info->pid, info->command);
	journals_fini(&others);
	return err;
}

bool target_exists(const struct tracedir *top, const char *name)
{
	__cleanup(free_ptr) char *path = *name ? str_printf("instances/%s", name) : strdup(".");

	return path && !strchr(name, '/') && tracedir_has(top, path);
}

int target_open(struct tracedir *out, const struct tracedir *top, const char *name, bool change)
{
	__cleanup(free_ptr) char *path = *name ? str_printf("instances/%s", name) : strdup(".");
	int err;

	*out = (struct tracedir)TRACEDIR_NONE;
	if (!path)
		return fail(ENOMEM, "out of memory");
	if (!target_exists(top, name))
		return no_instance(top, name);
	err = change ? target_unused(top, name) : 0;
	if (err)
		return err;
	err = tracedir_open_at(out, top, path);
	return err ? fail(-err, "%s/%s: %s", top->path, path, strerror(-err)) : 0;
}

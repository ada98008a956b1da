/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/kernel-names.h"
#include "lib/base/err.h"

#include <dirent.h>

static const char rename_event[] = "task:task_rename", rename_keys[] = "pid";

int kernel_names_arm(struct instance *inst)
{
	if (!hist_is_there(&inst->dir, rename_event))
		return 0;
	return session_trigger(inst, rename_event, "hist:keys=pid:ts=common_timestamp:onmax($ts).save(newcomm):size=32768");
}

int kernel_names_read(struct instance *inst, struct text *out)
{
	return hist_is_there(&inst->dir, rename_event) ? hist_read(inst, rename_event, rename_keys, out) : 0;
}

void kernel_names_first(struct str *lines, const struct text *key)
{
	struct text comm;
	uint64_t pid;

	if (hist_task(key, &comm, &pid) && pid)
		str_addf(lines, "%llu %.*s\n", (unsigned long long)pid, (int)comm.size, comm.at);
}

int kernel_names_learn(struct comms *comms, struct str *lines, const struct text *renamed)
{
	static const char *const names[] = { "pid" };
	struct text rest = *renamed, kept;
	struct hist_entry entry;
	int err;

	while (rest.at && hist_next(&rest, names, 1, &entry))
		if (hist_kept(&entry, "newcomm", &kept))
			str_addf(lines, "%llu %.*s\n", strtoull(entry.keys[0].at, NULL, 10), (int)kept.size, kept.at);
	err = str_ok(lines);
	return err || !lines->len ? err : comms_update(comms, &(struct text){ lines->at, lines->len });
}

void kernel_without_us(const struct instance *inst, const char *join, struct str *out)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;

	str_addf(out, "%scommon_pid != %d", join, (int)session_guard(inst->session));
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			str_addf(out, " && common_pid != %s", entry->d_name);
	if (dir)
		closedir(dir);
}

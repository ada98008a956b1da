/* SPDX-License-Identifier: GPL-2.0 */
/* "\tfield:int prev_pid;\toffset:24;…" */
#include "lib/probe/event-fields.h"

int format_fields(const char *format, strv_t *names)
{
	int err = 0;

	for (const char *at = format; !err && at && (at = strstr(at, "field:"));) {
		size_t len = strcspn(at, ";["), name = len;

		while (name && at[name - 1] != ' ')
			name--;
		err = strv_own(names, strndup(at + name, len - name));
		at += len;
	}
	return err;
}

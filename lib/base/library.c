/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

int library_load(const char *file, const struct library_call *rows, void *calls, char *why)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

	if (!library) {
		snprintf(why, LIBRARY_WHY, "%s cannot be loaded: %s", file, dlerror());
		return -ENOENT;
	}
	for (const struct library_call *row = rows; row->name; row++) {
		void **call = (void **)((char *)calls + row->offset);

		*call = dlsym(library, row->name);
		if (!*call) {
			snprintf(why, LIBRARY_WHY, "%s has no %s", file, row->name);
			return -ENOENT;
		}
	}
	return 0;
}

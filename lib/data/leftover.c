/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/leftover.h"
#include "lib/base/str.h"

#include <unistd.h>

/* Is @folder, of which the first @n characters count, the folder of a recording? */
static bool holds_recording(const char *folder, size_t n)
{
	__cleanup(free_ptr) char *name = strndup(folder, n);
	__cleanup(free_ptr) char *meta = str_printf("%.*s/" SPOOL_META, (int)n, folder);

	return name && meta && str_ends(name, SPOOL_SUFFIX) && access(meta, F_OK) == 0;
}

char *leftover_of(const char *path)
{
	__cleanup(free_ptr) char *beside = str_printf("%s" SPOOL_SUFFIX, path);
	size_t n = strlen(path);
	const char *slash;

	while (n > 1 && path[n - 1] == '/')
		n--;
	if (holds_recording(path, n))
		return strndup(path, n);
	slash = strrchr(path, '/');
	if (slash && holds_recording(path, (size_t)(slash - path)))
		return strndup(path, (size_t)(slash - path));
	return beside && holds_recording(beside, strlen(beside)) ? strdup(beside) : NULL;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/paths-options.h"
#include "lib/base/err.h"

static int set_by(void *ctx, __unused const struct opt *opt, const char *value)
{
	static const char *const names[] = { [PATHS_ALL] = "none", [PATHS_TASK] = "task", [PATHS_COMM] = "comm", [PATHS_CPU] = "cpu" };
	struct paths_options *paths = ctx;

	for (unsigned int i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(value, names[i]) == 0) {
			paths->by = i;
			return 0;
		}
	}
	return fail(EINVAL, "--by %s: task, comm, cpu or none", value);
}

static int set_memory(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct paths_options *paths = ctx;
	uint64_t bytes;

	if (parse_size(value, 1, &bytes) || bytes < 1 << 20 || bytes > SIZE_MAX)
		return fail(EINVAL, "--memory %s: a size from 1M on, as in 256M", value);
	paths->graph.most_bytes = bytes;
	return 0;
}

const struct opt paths_rows[] = {
	{ OPT_CALL, .name = "by", .arg = "KEY", .complete = "=task comm cpu none", .call = set_by,
	  .help = "show calls separately for each task (task), each task name (comm) or each CPU (cpu)" },
	{ OPT_CALL, .name = "memory", .arg = "SIZE", .call = set_memory,
	  .help = "use at most this much memory for call paths (default: 112M in graph and funcs, 12M in flame); if the paths need more, the paths with the least time are put together, into one entry below each caller" },
	OPT_END,
};

int paths_words(strv_t *words)
{
	strv_t all = { 0 };
	int err = 0;

	vec_each (words, word)
		err = err ? err : strv_split(&all, *word, ",");
	strv_fini(words);
	*words = all;
	return err ? fail(ENOMEM, "out of memory") : 0;
}

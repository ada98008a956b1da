/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/refused.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"

#include <unistd.h>

enum { CAP_SYS_ADMIN_BIT = 21 };

static bool has_word(const char *path, const char *word)
{
	struct text text = { 0 };
	bool has = !io_slurp(path, &text) && strstr(text.at, word);

	free(text.at);
	return has;
}

bool may_administer(void)
{
	struct text text = { 0 };
	const char *at;
	bool may = true;

	if (!io_slurp("/proc/self/status", &text) && (at = strstr(text.at, "CapEff:")))
		may = strtoull(at + 7, NULL, 16) >> CAP_SYS_ADMIN_BIT & 1;
	free(text.at);
	return may;
}

bool kernel_locked_down(void)
{
	return has_word("/sys/kernel/security/lockdown", "[integrity]") || has_word("/sys/kernel/security/lockdown", "[confidentiality]");
}

static bool of_functions(const char *file)
{
	return strstr(file, "ftrace") || strstr(file, "graph") || strcmp(file, "current_tracer") == 0 || strcmp(file, "available_filter_functions") == 0;
}

/* Returns the cause of "not permitted", and what helps. */
static const char *cause(const char *file)
{
	if (geteuid() != 0)
		return "tracing needs root; use sudo";
	if (kernel_locked_down())
		return "the kernel is locked down; boot it without lockdown (Secure Boot turns it on)";
	if (!may_administer())
		return "this container has no CAP_SYS_ADMIN; run on the host, or give it the capability";
	if (of_functions(file))
		return "this kernel refuses function tracing, as hardened hosts and some containers do; events (-e) "
		       "may still work here, functions need another host";
	return "this kernel, or the container that we are in, forbids it";
}

/* Returns "; nearest: a, b" with the files of the directory whose names are nearly the same, or "" when there are none. New memory. */
static char *near_files(const struct tracedir *dir, const char *file)
{
	strv_t names = { 0 }, best = { 0 };
	char *joined;

	tracedir_list(dir, TRACEDIR_FILES, &names);
	nearest_names(file, &names, 3, &best);
	joined = join_names(&best, "; nearest: ", "");
	strv_fini(&names);
	strv_fini(&best);
	return joined;
}

int refused(const struct tracedir *dir, const char *file, int err)
{
	__cleanup(free_ptr) char *near = NULL;

	if (err == EPERM || err == EACCES)
		return fail(err, "%s: %s: %s", file, strerror(err), cause(file));
	if (err != ENOENT)
		return fail(err, "%s/%s: %s", dir->path, file, strerror(err));
	near = near_files(dir, file);
	return fail(err, "this kernel has no %s in %s%s; `ringside doctor` tells what it has", file, dir->path, near ? near : "");
}

#define MASK_CURE "; --cpu takes a list of CPUs, as in 0,2-4"

/* What an error means for these files. The kernel's error_log has no text for it. */
static const struct {
	const char *file;
	int err;
	const char *meaning;
} meanings[] = {
	{ "buffer_size_kb", ENOMEM, "there is not that much memory" },
	{ "buffer_size_kb", EINVAL, "that is no size for a buffer" },
	{ "buffer_subbuf_size_kb", EINVAL, "that is no size for a sub-buffer" },
	{ "buffer_subbuf_size_kb", EBUSY, "somebody has the buffer mapped" },
	{ "buffer_subbuf_size_kb", ENOMEM, "there is not that much memory in one piece" },
	{ "current_tracer", EBUSY, "somebody has trace_pipe or trace_pipe_raw open there" },
	{ "tracing_cpumask", EINVAL, "a mask is hexadecimal digits, in groups of eight separated by commas" MASK_CURE },
	{ "tracing_cpumask", EOVERFLOW,
	  "the mask is for CPUs that this machine cannot have (bit 0 is CPU 0, and behind each comma there are 32 CPUs), or has more than eight digits without a "
	  "comma" MASK_CURE },
	{ "set_event_pid", EINVAL, "that is no process id" },
	{ "set_ftrace_pid", EINVAL, "that is no process id" },
};

static const char *meaning(const char *file, int err)
{
	const char *slash = strrchr(file, '/');

	for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
		if (meanings[i].err == err && strcmp(meanings[i].file, slash ? slash + 1 : file) == 0)
			return meanings[i].meaning;
	return strerror(err);
}

int refused_value(const struct tracedir *dir, const char *file, const char *value, int err, const char *hint)
{
	__cleanup(free_ptr) char *what = NULL;
	size_t at;

	hint = hint ? hint : "";
	if (tracedir_error(dir, value, &what, &at))
		return fail(err, "%s: the kernel refuses it: %s%s\n  %s\n  %*s^", file, what, hint, value, (int)at, "");
	if (err == EPERM || err == EACCES || err == ENOENT)
		return refused(dir, file, err);
	return fail(err, "%s: the kernel refuses '%.200s': %s%s", file, value, meaning(file, err), hint);
}

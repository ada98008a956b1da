/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/reading.h"
#include "lib/base/err.h"
#include "lib/output/reading-meta.h"
#include "lib/output/syscalls-text.h"

void syscalls_notes(const struct syscalls_view *opt, struct reading *reading, const struct syscalls_facts *facts, bool bare)
{
	const char *selection = reading_selection(reading);

	if (opt->quiet)
		return;
	if (!opt->live && reading->pass.passed && !facts->seen && selection)
		note("%s leaves no system call of what %s holds", selection, reading->inputs.at[0].path);
	else if (!opt->live && reading->pass.passed && !facts->seen)
		note("there are no system calls in %s; `ringside record -e raw_syscalls` records them", reading->inputs.at[0].path);
	if (bare && !facts->strings)
		note("names of files are shown as addresses: %s", opt->live ? "only kprobes can read them, and this kernel has none (CONFIG_KPROBE_EVENTS)"
									    : "the recording does not have them; ringside-syscalls(1) says how it can");
	/* The table has a note of its own. */
	if (facts->several && !opt->summary)
		note(SYSCALLS_SEVERAL, facts->several);
}

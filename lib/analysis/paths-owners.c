/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the owners of the roots of lib/analysis/paths.h. */
#include "lib/analysis/paths-inside.h"

#include <stdarg.h>
#include <stdio.h>

/* Returns the owner with this text as its name, or -ENOMEM. A text that is too long is cut. */
__printf(3, 4) static int64_t owner(struct paths *paths, uint8_t flags, const char *format, ...)
{
	char text[64];
	int64_t name;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	name = callgraph_name(paths->graph, text, SIZE_MAX);
	return name < 0 ? name : callgraph_owner(paths->graph, (uint32_t)name, flags);
}

int64_t paths_task_owner(struct paths *paths, struct call_task *task, unsigned int cpu)
{
	struct paths_task *mine = call_task_of(&paths->user, task);
	const char *comm = comms_find(task->trace->comms, task->pid);
	int64_t found = mine->owner;

	switch (paths->opt.by) {
	case PATHS_CPU:
		return owner(paths, 0, "CPU %u", cpu);
	case PATHS_ALL:
		found = found ? found : owner(paths, 0, "all");
		break;
	case PATHS_COMM:
		found = found ? found : owner(paths, 0, "%s", comm);
		break;
	case PATHS_TASK:
		if (!found)
			found = task->pid ? owner(paths, 0, "%s-%d", comm, task->pid) : owner(paths, 0, "%s/%u", comm, task->idle_cpu);
		break;
	}
	if (found > 0)
		mine->owner = (uint32_t)found;
	return found;
}

/* The answer of paths_find_lacking(), while it is made. */
struct lacking_owners {
	const struct paths *paths;
	bool *by_name;
};

static bool mark_owner(void *ctx, struct call_task *task)
{
	const struct lacking_owners *lacking = ctx;
	const struct paths_task *mine = call_task_of(&lacking->paths->user, task);

	if (lacking->paths->opt.select && !mine->wanted)
		return false;
	if (lacking->by_name && mine->owner)
		lacking->by_name[lacking->paths->graph->nodes.at[mine->owner].name] = true;
	return true;
}

uint64_t paths_find_lacking(const struct paths *paths, unsigned int file, bool *owners)
{
	const bool apart = paths->opt.by == PATHS_TASK || paths->opt.by == PATHS_COMM;

	return timed_find_lacking(paths->timed, file, mark_owner, &(struct lacking_owners){ paths, apart ? owners : NULL });
}

/* An owner of a CPU has a name such as "CPU 1" or "interrupts on CPU 1", which ends with the CPU's number. */
int64_t paths_owner_cpu(const char *owner)
{
	return strtoll(strrchr(owner, ' '), NULL, 10);
}

int64_t paths_irq_owner(struct paths *paths, unsigned int cpu)
{
	const bool all = paths->opt.by == PATHS_ALL || paths->opt.by == PATHS_COMM;
	const size_t i = all ? 0 : cpu;
	int64_t found;

	while (paths->irq_owners.n <= i)
		if (vec_push(&paths->irq_owners, 0))
			return -ENOMEM;
	if (paths->irq_owners.at[i])
		return paths->irq_owners.at[i];
	found = all ? owner(paths, CALLGRAPH_IRQ, "hard and soft interrupts") : owner(paths, CALLGRAPH_IRQ, "interrupts on CPU %u", cpu);
	if (found > 0)
		paths->irq_owners.at[i] = (uint32_t)found;
	return found;
}

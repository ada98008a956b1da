/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks what the user asked for against what this kernel has, before anything is changed. Unless its comment says otherwise, a
 * function returns 0, or -errno after a message with the nearest names.
 */
#ifndef RINGSIDE_TRACEFS_SELECT_H
#define RINGSIDE_TRACEFS_SELECT_H

#include "lib/tracefs/tracedir.h"

/*
 * Are there traceable functions for each pattern of -l, -n or -g? A pattern is a name, a glob, or either of them with ":mod:MODULE" behind it.
 * ":mod:MODULE" alone means the whole module. @option ("-g") is named in the message. Reads available_filter_functions once (50,000 lines or more).
 * When only some patterns have functions, the others are taken out of @patterns after a note. Returns -ENOENT when none has, and -EPERM when this
 * kernel refuses function tracing.
 */
int functions_check(const struct tracedir *top, const char *option, strv_t *patterns);

/*
 * Replaces each pattern with a module whose name begins with a digit (9pnet) by its functions. The kernel takes such a name for the number of a line
 * (filter_parse_regex() in kernel/trace/trace_events_filter.c) and finds nothing.
 */
int functions_spell_out(const struct tracedir *top, strv_t *patterns);

/* Can functions_find() read the kernel's list? Nothing is said: some kernels refuse it. */
bool functions_readable(const struct tracedir *top);

/*
 * Appends the functions that a pattern (see functions_check()) matches to *@out, as the kernel lists them, or all functions when @pattern is NULL. It
 * is for `list -f`.
 */
int functions_find(const struct tracedir *top, const char *pattern, strv_t *out);

/*
 * Appends the events for a pattern of -e to *@out as "system:name", in the kernel's order, without those that are in it already. Patterns are "all",
 * "sched" (the system and events of that name), "sched:sched_switch" (or with '/'), "sched:", "sched_*", "*:sys_enter_*". Returns -ENOENT when there
 * is no such event.
 */
int events_find(const struct tracedir *dir, const char *pattern, strv_t *out);

/* Appends the names of an event's fields ("sched:sched_switch") to *@out, as its format has them. Prints no message. */
int event_fields(const struct tracedir *dir, const char *event, strv_t *out);

/* Is there such a tracer? If not, the message says which tracers there are, and which kernel option adds this one. */
int tracer_check(const struct tracedir *dir, const char *tracer);

/* Returns the option of the kernel's configuration that adds this tracer, "CONFIG_FUNCTION_TRACER", or NULL when it is not known. */
const char *tracer_config(const char *tracer);

/* Corrects the name of a trace option in place: "_" may stand for "-" and the other way round. An unknown name stays as it is. */
void option_spell(const struct tracedir *dir, char *name);

/* Does the kernel have this trace option ("nostacktrace" counts as "stacktrace")? Does it have this clock? */
int option_check(const struct tracedir *dir, const char *name);
int clock_check(const struct tracedir *dir, const char *clock);

/*
 * Checks that the machine keeps enough memory when the buffers of @cpus CPUs grow from @now_kb to @kb kB each. Returns -ENOMEM
 * after a message with the memory that the buffers need and the memory that is available.
 */
int buffer_check(uint64_t kb, uint64_t now_kb, unsigned int cpus);

/* Returns the memory that is available, in kB; UINT64_MAX: not known. */
uint64_t memory_available_kb(void);

#endif

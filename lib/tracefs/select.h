/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks what the user asked for against what this kernel has, before anything is changed. Unless its comment says otherwise, a
 * function returns 0, or -errno after a message with the nearest names.
 */
#ifndef RINGSIDE_TRACEFS_SELECT_H
#define RINGSIDE_TRACEFS_SELECT_H

#include "lib/tracefs/tracedir.h"

/*
 * Are there traceable functions for each pattern of -l, -n or -g? A pattern is a name, a glob, or either of them
 * with ":mod:MODULE" behind it (":mod:MODULE": all of it). @option ("-g") is named in the message. Reads
 * available_filter_functions once (50,000 lines or more). Where only some patterns have functions, the others are taken out of
 * @patterns after a note. -ENOENT: none has. -EPERM: this kernel refuses function tracing.
 */
int functions_check(const struct tracedir *top, const char *option, strv_t *patterns);

/*
 * Puts the functions themselves into @patterns where a pattern has a module whose name begins with a digit (9pnet): the kernel
 * takes such a name for the number of a line (filter_parse_regex() in kernel/trace/trace_events_filter.c), and finds nothing.
 */
int functions_spell_out(const struct tracedir *top, strv_t *patterns);

/*
 * Appends the functions that a pattern (see functions_check()) matches to *@out, as the kernel lists them; for `list -f`.
 * @pattern NULL: all functions.
 */
int functions_find(const struct tracedir *top, const char *pattern, strv_t *out);

/*
 * The events for a pattern of -e, appended to *@out as "system:name" in the kernel's order, without those that are
 * in it already: "all", "sched" (the system and events of that name), "sched:sched_switch" (or with '/'), "sched:",
 * "sched_*", "*:sys_enter_*". -ENOENT: there is none.
 */
int events_find(const struct tracedir *dir, const char *pattern, strv_t *out);

/* The names of an event's fields ("sched:sched_switch") as its format has them, appended to *@out. No message. */
int event_fields(const struct tracedir *dir, const char *event, strv_t *out);

/* Is there such a tracer? The message says which there are and the kernel option that adds this one. */
int tracer_check(const struct tracedir *dir, const char *tracer);

/* The option of the kernel's configuration that adds this tracer, "CONFIG_FUNCTION_TRACER"; NULL: not known. */
const char *tracer_config(const char *tracer);

/* In the name of a trace option "_" may stand for "-" and the other way round; @name is put right in place, if it can be. */
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

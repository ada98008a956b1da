/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks that this kernel has what the user asked for, before anything is changed. A function returns 0, or -errno after a message with the nearest
 * names. If a function returns anything else, its comment says so.
 */
#ifndef RINGSIDE_TRACEFS_SELECT_H
#define RINGSIDE_TRACEFS_SELECT_H

#include "lib/tracefs/tracedir.h"

/* This is an option that names functions. */
struct functions_asked {
	const char *option; /* such as "-l", for messages about the form of a pattern; the patterns of "-g" must not have ":mod:" */
	strv_t *patterns;   /* the patterns that the user gave to this option */
};

/*
 * Checks that there are traceable functions for the patterns of the @n options in @asked, such as
 * -l, -n and -g. A pattern is a name, a glob, or either of them with ":mod:MODULE" behind it.
 * ":mod:MODULE" alone means the whole module. Returns -EINVAL for these patterns:
 * - an empty pattern;
 * - a pattern with a ':' but without ":mod:";
 * - a pattern of -g with ":mod:".
 * If only some patterns of an option have functions, the other patterns are taken out of .patterns
 * after a note. Returns -ENOENT when no pattern of an option has a function. Returns -EPERM when
 * this kernel refuses function tracing.
 */
int functions_check(const struct tracedir *top, const struct functions_asked *asked, size_t n);

/*
 * Some modules have a name that begins with a digit (9pnet). The kernel takes a name of this form for an index into available_filter_functions
 * (filter_parse_regex() in kernel/trace/trace_events_filter.c) and finds nothing. So if a pattern names one of these modules, this function replaces the
 * pattern by the functions that match the pattern.
 */
int functions_spell_out(const struct tracedir *top, strv_t *patterns);

/* Tells whether there is a traceable function of that name. Returns false when the list of functions cannot be read. Prints no message. */
bool functions_have(const struct tracedir *top, const char *name);

/*
 * Checks that this kernel has a function of that name, which need not be traceable. If the list of traceable functions does not have the name or cannot be
 * read, kallsyms is asked. If kallsyms cannot be read, the name is accepted. Returns 0, -ENOMEM without a message, or -ENOENT after a message with the nearest
 * names.
 */
int function_exists(const struct tracedir *top, const char *name);

/*
 * Appends to *@out the functions that match @pattern. They have the order and the form of available_filter_functions: "name" or "name [module]". @pattern
 * has the form that functions_check() describes. When @pattern is NULL, all functions are appended. Returns 0, or -errno after a message.
 */
int functions_find(const struct tracedir *top, const char *pattern, strv_t *out);

/*
 * Appends the events that match a pattern of -e to *@out. They have the form "system:name" and are in the kernel's order. Events that are already in *@out
 * are left out. Examples of patterns are "all", "sched" (the system and the events of that name), "sched:sched_switch", "sched/sched_switch", "sched:",
 * "sched_*", "*:sys_enter_*". Returns 0, or -errno after a message. -ENOENT means that no event matches.
 */
int events_find(const struct tracedir *dir, const char *pattern, strv_t *out);

/*
 * Appends to *@out the names of the fields of @event ("sched:sched_switch"), in the order of its format. Returns 0 or -errno. Prints a message only when
 * memory has run out.
 */
int event_fields(const struct tracedir *dir, const char *event, strv_t *out);

/*
 * Returns the declaration of the field @field of @event, such as "char next_comm[16]". The kernel's "__data_loc" or "__rel_loc" is left out, so that the
 * definition of a synthetic event can have this declaration. The caller frees the text. Returns NULL when the event lacks the field, and when the event's
 * format cannot be read. Also returns NULL when memory runs out.
 */
char *event_declaration(const struct tracedir *dir, const char *event, const char *field);

/*
 * Finds a field of @event that is a pointer, and that @filter compares with a text, as in 'filename == "/etc/passwd"'. The kernel then takes the pointer for an
 * address in its own memory. If the pointer is an address in user memory, the filter needs "filename.ustring" instead of "filename"
 * (Documentation/trace/events.rst of the kernel). So a field whose name has a suffix such as ".ustring" in @filter is not found. Returns the name of the field.
 * The caller frees the name. Returns NULL when there is no such field, and when the event's format cannot be read.
 */
char *event_filter_pointer(const struct tracedir *dir, const char *event, const char *filter);

/* Is the field @field of @event an array of numbers? The kernel's histograms take numbers and texts as keys, but not arrays of numbers. */
bool event_has_list(const struct tracedir *dir, const char *event, const char *field);

/*
 * Checks that the kernel has the tracer @tracer. If the kernel lacks the tracer, the message has all tracers, or the tracers with the nearest names. For
 * the top instance, the message also says which option of the kernel's configuration adds the tracer, if tracer_config() knows it.
 */
int tracer_check(const struct tracedir *dir, const char *tracer);

/* Returns the option of the kernel's configuration that adds this tracer, such as "CONFIG_FUNCTION_TRACER", or NULL when it is not known. */
const char *tracer_config(const char *tracer);

/*
 * Corrects @name, which is the name of a trace option. The kernel may have a "-" where @name has a
 * "_", or a "_" where @name has a "-". The text is changed in place. An unknown name stays as it
 * is.
 */
void option_spell(const struct tracedir *dir, char *name);

/* These functions check that the kernel has this trace option ("nostacktrace" is checked as "stacktrace") or this clock. */
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

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print programs: an event's print format, as libtraceevent parsed it, compiled once into a small program that
 * writes the event's text without allocation and without printf. The text is byte for byte libtraceevent's, except for
 * its listed faults (tests/oracle/print-differences). Programs are immutable: any thread may run them.
 */
#ifndef RINGSIDE_PRINT_H
#define RINGSIDE_PRINT_H

#include "lib/base/str.h"
#include "lib/event/printk.h"
#include "lib/event/symbols.h"

struct tep_event;
struct tep_print_arg;

struct print_program;

/* What to print. */
enum print_as {
	PRINT_KERNEL,	/* the kernel's print format */
	PRINT_PLUGIN,	/* what libtraceevent's own plug-in makes of the event */
	PRINT_FIELDS,	/* its fields, as of an event whose print format could not be parsed */
	PRINT_RAW,	/* its fields as -R has them: numbers as the print format does */
};

/* What a program may need to look up. Copied; what it points to is borrowed and must outlive the programs. */
struct print_env {
	const struct symbols *symbols;	/* NULL: addresses are printed as such */
	const struct printk *printk;	/* NULL: pointers to strings are printed as addresses */
	bool big_endian;
	uint8_t long_size;			/* of the traced kernel */
	enum print_as as;
};

/*
 * Compiles @event. 0; -ENOTSUP when something in it cannot be compiled, with *@why (a static text) saying what,
 * so that the caller falls back to libtraceevent; -ENOMEM. Whether a plug-in prints the event (event->handler) is not asked
 * here, but @env->as tells. An event whose format could not be parsed gets a program that lists its fields.
 */
int print_compile(struct print_program **out, const struct tep_event *event, const struct print_env *env,
		  const char **why);

/* The same of one argument of the event's print format, as %s prints it. */
int print_compile_arg(struct print_program **out, const struct tep_event *event, const struct tep_print_arg *arg,
		      const struct print_env *env);
void print_free(struct print_program *program);

/* Appends the text of the record's payload to *@out. No read beyond @size. */
void print_run(const struct print_program *program, const void *data, size_t size, struct str *out);

#endif

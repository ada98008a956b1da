/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiles and runs print programs. An event's print format, as libtraceevent parsed it, is compiled once into a small program. The program writes the
 * text of a record. This text is the same as libtraceevent's, byte for byte, except where libtraceevent has a fault. tests/oracle/print-differences lists
 * these faults. A program does not change, and any thread may run it.
 */
#ifndef RINGSIDE_PRINT_H
#define RINGSIDE_PRINT_H

#include "lib/base/str.h"
#include "lib/event/printk.h"
#include "lib/event/symbols.h"

struct tep_event;
struct tep_print_arg;

struct print_program;

/* This tells which text of an event a program prints. */
enum print_as {
	PRINT_KERNEL, /* the kernel's print format */
	PRINT_PLUGIN, /* the text that libtraceevent's own plug-in prints for the event */
	PRINT_FIELDS, /* the event's fields, which are also printed when the print format could not be parsed */
	PRINT_RAW,    /* the event's fields as `ringside report -R` prints them: numbers are decimal or hexadecimal as in the print format */
};

/*
 * This is what print programs depend on besides the event. print_compile() copies the struct. The objects to which the struct points are borrowed, and
 * must live as long as the programs.
 */
struct print_env {
	const struct symbols *symbols; /* NULL: addresses are printed as numbers */
	const struct printk *printk;   /* NULL: pointers to strings are printed as addresses */
	bool big_endian;
	uint8_t long_size; /* bytes of a long in the traced kernel */
	enum print_as as;
};

/*
 * Compiles @event into *@out, which the caller frees with print_free(). Returns 0 or -ENOMEM. Returns -ENOTSUP when something in the event's print format
 * cannot be compiled. After -ENOTSUP, *@why says what cannot be compiled, as a static text, and the caller lets libtraceevent print the event. @env->as alone
 * decides what the program prints. Whether a plug-in of libtraceevent has a function that prints the event (event->handler) makes no difference. An event whose
 * print format could not be parsed gets a program that lists the fields.
 */
int print_compile(struct print_program **out, const struct tep_event *event, const struct print_env *env, const char **why);

/*
 * Compiles @n arguments of the event's print format. @args is the first of them. The program prints them as %s would, with nothing in between. Returns 0,
 * -ENOTSUP or -ENOMEM.
 */
int print_compile_args(struct print_program **out, const struct tep_event *event, const struct tep_print_arg *args, size_t n, const struct print_env *env);
void print_free(struct print_program *program);

/* Appends the text of a record to *@out. @data is the record's payload, and nothing beyond its @size bytes is read. */
void print_run(const struct print_program *program, const void *data, size_t size, struct str *out);

#endif

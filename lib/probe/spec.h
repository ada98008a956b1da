/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses a probe that the user has typed. These functions do not check whether files, functions or events exist.
 *
 *	TYPE:TARGET [ARG ...] [name=GROUP/EVENT]
 *
 *	kprobe:FUNC[+OFFSET][@MODULE]	kretprobe:FUNC		FUNC may be a glob
 *	uprobe:FILE:SYMBOL[+OFFSET]	uretprobe:FILE:SYMBOL	uprobe:FILE:SOURCE.c:LINE	uprobe:FILE:0xOFFSET
 *	usdt:FILE:[PROVIDER:]NAME
 *	fprobe:FUNC  fretprobe:FUNC  tprobe:TRACEPOINT  eprobe:SYSTEM/EVENT
 *	raw:TEXT			the kernel's own syntax, passed through
 *
 * ARG is [NAME=]EXPRESSION[:TYPE]. This TYPE is one of the kernel's types of arguments: u8…u64, s8…s64, x8…x64, char, string, ustring, symbol, symstr, bN@O/S,
 * or an array TYPE[N]. Without :TYPE, the type follows from the debug information.
 */
#ifndef RINGSIDE_PROBE_SPEC_H
#define RINGSIDE_PROBE_SPEC_H

#include "lib/base/vec.h"

enum probe_type {
	PROBE_KPROBE,
	PROBE_KRETPROBE,
	PROBE_UPROBE,
	PROBE_URETPROBE,
	PROBE_USDT,
	PROBE_FPROBE,
	PROBE_FRETPROBE,
	PROBE_TPROBE,
	PROBE_EPROBE,
	PROBE_RAW,
};

struct probe_arg {
	char *name;    /* NULL: not given */
	char *expr;    /* "file->f_path.dentry", "$retval", "%di", "+8($stack)", "arg1" */
	char *type;    /* NULL: not given */
	size_t column; /* where the expression begins in the whole text, for carets in messages */
};

struct probe_spec {
	char *text; /* as typed */
	enum probe_type type;
	char *file;	 /* uprobe, usdt: program or library as typed; else NULL */
	char *function;	 /* the function, symbol, tracepoint, SYSTEM/EVENT, USDT name or raw text; NULL if the text has a line or a file offset instead */
	char *provider;	 /* usdt; NULL: any */
	char *module;	 /* kprobe @MODULE; else NULL */
	uint64_t offset; /* +OFFSET, or the file offset */
	char *source;	 /* uprobe FILE:SOURCE:LINE; else NULL */
	unsigned int line;
	char *group, *event; /* the GROUP and EVENT of name=GROUP/EVENT; NULL: not given */
	VEC(struct probe_arg) args;
	bool latency;		 /* the probe is one of the two probes that an option --latency makes */
	struct probe_spec *back; /* the return probe that belongs to this probe; owned. NULL: this probe is not the entry probe of an option --latency */
};

/*
 * Parses @text. Returns 0, -ENOMEM, or -EINVAL after a message. The message shows the text with a caret under the fault. After a failure there is nothing for
 * probe_spec_fini() to free.
 */
int probe_spec_parse(struct probe_spec *out, const char *text);

/*
 * Parses the argument of an option --latency, which is a kprobe or a uprobe on a function. Makes two probes: *@out at the entry of the function and out->back
 * at the return. Arguments with $retval go to the probe at the return. All other arguments go to the probe at the entry. Returns what probe_spec_parse()
 * returns.
 */
int probe_spec_parse_latency(struct probe_spec *out, const char *text);
void probe_spec_fini(struct probe_spec *spec);

/*
 * Returns the length of the symbol with which @name begins. The symbol may be a C++ or Rust symbol. @stops has the characters that end a symbol. Inside
 * brackets, these characters do not end the symbol. The symbol ends in front of the first character of @name that ends it. If there is no such character, the
 * symbol ends at the end of @name. In "ns::f<a, b>(int, char const*)", for example, the symbol is the whole text if @stops is " ". If @stops is "(", the symbol
 * is "ns::f<a, b>".
 */
size_t symbol_span(const char *name, const char *stops);

/* Returns the name of @type, such as "kprobe". */
const char *probe_type_name(enum probe_type type);

/*
 * Prints a message about @spec: its text, a caret under @column, and what is wrong. Returns -@err, as fail() does.
 */
int probe_fail(const struct probe_spec *spec, size_t column, int err, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif

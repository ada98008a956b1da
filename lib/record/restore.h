/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a file of what a killed recording left: of ours its spool folder (lib/record/spool.h), also by its links
 * (lib/record/links.h) or by the name of the file that was to be, of trace-cmd's the files of CPUs, FILE.cpuN and
 * FILE.INSTANCE.cpuN, which hold nothing but sub-buffers: what these mean is in a partial file, or taken from this machine.
 */
#ifndef RINGSIDE_RESTORE_H
#define RINGSIDE_RESTORE_H

#include "lib/base/base.h"

struct restore_spec {
	char *const *paths; /* one folder or what stands for it, or files of CPUs, or one trace file that is not whole */
	size_t npaths;
	const char *input;	 /* with files of CPUs: the partial file; NULL: this machine */
	const char *output;	 /* NULL: the name that the recording was to have; trace.dat of files of CPUs */
	unsigned int version;	 /* 6 or 7 */
	const char *compression; /* a codec's name, whatever the recording was to have */
	const char *program;	 /* what VERSION in a file that has none says */
	bool empty;		 /* a folder without any events becomes a file as well */
};

struct restored {
	uint64_t size;	/* of the file */
	uint64_t bytes; /* of sub-buffers in it */
	uint64_t cut;	/* bytes of sub-buffers that were written in part, left out */
	size_t cpus;	/* that had any */
};

/*
 * Writes the file. A folder is removed then, files stay. *@name: the file's name, new memory. Returns 0, or -errno after a message: all
 * is as it was then.
 */
int restore(const struct restore_spec *spec, char **name, struct restored *out);

/* Whose is the machine that a partial file is of. */
struct restore_machine {
	const char *tracing_dir; /* a copy of its tracing directory; NULL: ours */
	const char *kallsyms;	 /* a copy of its /proc/kallsyms; NULL: ours */
};

/* Writes spec->output without any trace data, for spec->input later. Returns 0 or -errno after a message. */
int restore_partial(const struct restore_spec *spec, const struct restore_machine *machine);

#endif

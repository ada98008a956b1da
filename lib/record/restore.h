/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a trace file from what a killed recording left, or from a trace file whose end is missing. A killed recording of ringside leaves its spool folder
 * (lib/record/spool.h), which holds the recorded data. The user names the folder, symbolic links to its files (lib/record/links.h), or the trace file that the
 * recording was to make. A killed recording of trace-cmd leaves a file for each CPU, FILE.cpuN or FILE.INSTANCE.cpuN, which has only sub-buffers. The metadata
 * for these files are taken from this machine or from a partial file. A partial file is a trace file without trace data (restore_partial()).
 */
#ifndef RINGSIDE_RESTORE_H
#define RINGSIDE_RESTORE_H

#include "lib/base/base.h"

struct restore_spec {
	/*
	 * One of these:
	 * - one spool folder, or another name that stands for the folder;
	 * - files of CPUs;
	 * - one trace file whose end is missing.
	 */
	char *const *paths;
	size_t npaths;
	/* only if .paths are files of CPUs: the partial file that has the metadata. NULL: the metadata of files of CPUs are taken from this machine. */
	const char *input;
	/*
	 * The name of the trace file to make. NULL: the name that the recording was to have, or trace.dat for files of CPUs. If .paths has a trace file
	 * whose end is missing, .output must not be NULL.
	 */
	const char *output;
	unsigned int version;	 /* 6 or 7 */
	const char *compression; /* the name of the file's codec; the recording may have been made for another codec */
	const char *program;	 /* the text for the option VERSION, if the metadata are taken from a machine and not from a file */
	bool empty;		 /* used if .paths is a spool folder; true: a file is made even when the folder has no events */
};

struct restored {
	uint64_t size;	/* the size of the file */
	uint64_t bytes; /* how many bytes of sub-buffers the file has */
	uint64_t cut;	/* how many bytes were left out, because their sub-buffers were only partly written */
	size_t cpus;	/* how many CPUs had any sub-buffers */
};

/*
 * Writes the trace file. If the trace file was made from a spool folder, removes the folder. Never removes files of CPUs. *@name becomes the file's name.
 * The caller frees *@name, even after a failure. After a failure *@name may be NULL. Returns 0, or -errno after a message. On failure no file is made, and
 * nothing is removed.
 */
int restore(const struct restore_spec *spec, char **name, struct restored *out);

/* The machine that a partial file describes. */
struct restore_machine {
	const char *tracing_dir; /* a copy of its tracing directory; NULL: ours */
	const char *kallsyms;	 /* a copy of its /proc/kallsyms; NULL: ours */
};

/*
 * Writes the partial file spec->output. A later restore() can take it as its spec->input. Returns 0 or -errno after a message.
 */
int restore_partial(const struct restore_spec *spec, const struct restore_machine *machine);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Holds what is needed to understand a trace, above all the texts that the recorded kernel provides, such as the formats of events. The reader fills this
 * from a file, and lib/tracefs from the running kernel. lib/event reads formats, symbols and names from it, no matter which of the two has filled it. The
 * struct owns all its memory, which metadata_fini() frees. Every text has a NUL behind its last byte. Its .size does not count this NUL.
 */
#ifndef RINGSIDE_METADATA_H
#define RINGSIDE_METADATA_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/* The text of one event's format file. */
struct event_text {
	char *system; /* "sched"; "ftrace" for the built-in ones */
	struct text format;
};

/* Option TSC2NSEC: ns = (raw * mult) >> shift. The offset is stored and not applied, as in trace-cmd. */
struct tsc2nsec {
	bool present;
	uint32_t mult, shift;
	uint64_t offset;
};

/* One sample of guest time against host time, of one CPU (option TIME_SHIFT; trace.dat(5) explains the four numbers). */
struct time_sample {
	int64_t time, offset, scaling, fraction;
};

/* Option TIME_SHIFT: how this (guest) trace's timestamps become those of its peer. */
struct time_shift {
	bool present;
	uint64_t peer_id;
	uint32_t flags;					       /* bit 0: interpolate between the samples */
	VEC(struct { VEC(struct time_sample) samples; }) cpus; /* element i has the samples of CPU i */
};

/* Option GUEST: a guest traced together with this host. */
struct guest {
	char *name;
	uint64_t trace_id;
	VEC(struct {
		uint32_t cpu; /* a CPU of the guest */
		int32_t pid;  /* the thread of the host that runs this CPU */
	})
	cpus;
};

/* An option of a kind that ringside does not know. It is kept so that `ringside dump` can show it and the writer can write it again. */
struct raw_option {
	uint16_t id;
	struct text data;
};

struct metadata {
	bool big_endian;	/* of the recorded machine */
	uint8_t user_long_size; /* bytes of a long in the recording process: 4 or 8 */
	uint32_t page_size;	/* of the top buffer's sub-buffers, bytes */
	uint32_t ncpus;
	struct text header_page, header_event;
	VEC(struct event_text) formats; /* those of "ftrace" first */
	struct text kallsyms, printk_formats;
	struct text cmdlines;	 /* "pid comm" lines */
	struct text trace_clock; /* the text of the file trace_clock: "[local] global …" */
	struct text uname;
	struct text version;	  /* of the program that wrote the file */
	strv_t cpustat;		  /* blocks of text, each a heading and the file per_cpu/cpuN/stats */
	strv_t hooks;		  /* record -H */
	strv_t procmaps;	  /* record --proc-map or --ustack: one block for each process; see below */
	struct text modules, btf; /* /proc/modules, /sys/kernel/btf/vmlinux; usually absent */
	struct text last_boot;	  /* option LAST_BOOT_INFO */
	uint64_t trace_id;	  /* 0: none */
	bool has_date;
	int64_t date_us;   /* DATE: wall clock minus trace clock, microseconds */
	int64_t ts_offset; /* OFFSET: added to every time after all conversions, in units of the converted times (lib/data/clock.h) */
	struct tsc2nsec tsc2nsec;
	struct time_shift time_shift;
	VEC(struct guest) guests;
	VEC(struct raw_option) unknown;
};

/*
 * A block of procmaps is a line "PID COUNT PROGRAM" and COUNT lines "START END FILE", with numbers in hexadecimal. With --ustack, a tab and more words
 * follow on each line, and trace-cmd ignores these words. On the first line, the word is the time at which the process began to run the program; 0 means
 * that this was before the recording, or that the process has run the program since its fork. On the other lines, the words are "OFFSET SINCE STAMP": the
 * offset in the file (hexadecimal), the time at which the file was mapped, and the stamp that the file had then (elf_stamp() in lib/elf/names.h). Times are
 * decimal and in units of the trace clock. The blocks of --ustack list only mappings of code. Where the ranges of two lines overlap, the later line counts.
 */

void metadata_fini(struct metadata *meta);

/*
 * Returns the name of the clock in use, which is in [brackets] in the text @clock. A text without brackets is itself the name. An empty text means
 * "local", the kernel's default. The caller frees the name. Returns NULL when memory runs out.
 */
char *clock_name(const struct text *clock);

/* Returns a copy of @own, the name of a buffer's own clock, or the name of the file's clock if @own is NULL. Otherwise this does what clock_name() does. */
char *clock_name_of(const struct metadata *meta, const char *own);

/*
 * Does a clock of this name count nanoseconds, so that times are printed as seconds? "local", "global", "uptime", "perf", "boot", "tai",
 * "tsc2nsec" and all names that begin with "mono" do; other clocks do not. (trace-cmd does not count "boot" among them.)
 */
bool clock_is_ns(const char *name);

#endif

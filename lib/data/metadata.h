/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a trace means: the texts of the kernel that wrote it. The reader fills it from a file, lib/tracefs from
 * the running kernel; lib/event makes formats, symbols and names of it and does not care which it was.
 * All memory hangs on it (metadata_fini). All texts have a NUL behind their last byte, not counted in size.
 */
#ifndef RINGSIDE_METADATA_H
#define RINGSIDE_METADATA_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/* The text of one event's format file. */
struct event_text {
	char *system;		/* "sched"; "ftrace" for the built-in ones */
	struct text format;
};

/* TSC2NSEC: ns = (raw * mult) >> shift; offset is stored and not applied (as trace-cmd does). */
struct tsc2nsec {
	bool present;
	uint32_t mult, shift;
	uint64_t offset;
};

/* One sample of guest time against host time, of one CPU (option TIME_SHIFT). */
struct time_sample {
	int64_t time, offset, scaling, fraction;
};

/* Option TIME_SHIFT: how this (guest) trace's timestamps become those of its peer. */
struct time_shift {
	bool present;
	uint64_t peer_id;
	uint32_t flags;			/* bit 0: interpolate between the samples */
	VEC(struct { VEC(struct time_sample) samples; }) cpus;
};

/* Option GUEST: a guest traced together with this host. */
struct guest {
	char *name;
	uint64_t trace_id;
	VEC(struct { uint32_t cpu; int32_t pid; }) cpus;
};

/* An option of a kind that this version does not know, kept for dump and for writing it on. */
struct raw_option {
	uint16_t id;
	struct text data;
};

struct metadata {
	bool big_endian;		/* of the recorded machine */
	uint8_t user_long_size;		/* 4 or 8, of the recording process */
	uint32_t page_size;		/* of the top buffer's sub-buffers, bytes */
	uint32_t ncpus;
	struct text header_page, header_event;
	VEC(struct event_text) formats;	/* those of "ftrace" first */
	struct text kallsyms, printk_formats;
	struct text cmdlines;		/* "pid comm" lines */
	struct text trace_clock;	/* as the file of that name reads: "[local] global …" */
	struct text uname;
	struct text version;		/* of the program that wrote the file */
	strv_t cpustat;			/* blocks of text: per_cpu/cpuN/stats with a heading */
	strv_t hooks;			/* record -H */
	strv_t procmaps;		/* record --proc-map: one block a process; --ustack: see below */
	struct text modules, btf;	/* /proc/modules, /sys/kernel/btf/vmlinux; usually absent */
	struct text last_boot;
	uint64_t trace_id;		/* 0: none */
	bool has_date;
	int64_t date_us;		/* DATE: wall clock minus trace clock, microseconds */
	int64_t ts_offset;		/* OFFSET: raw units, added to every timestamp */
	struct tsc2nsec tsc2nsec;
	struct time_shift time_shift;
	VEC(struct guest) guests;
	VEC(struct raw_option) unknown;
};

/*
 * A block of procmaps is "PID COUNT PROGRAM\n" and COUNT lines "START END FILE\n", numbers in hexadecimal. With --ustack more
 * stands behind a tab, which trace-cmd passes over: behind PROGRAM since when it ran in that process (decimal, in units of the
 * trace clock, 0: before the recording), and behind FILE "OFFSET SINCE STAMP": the offset in the file (hexadecimal), since when
 * it was mapped, and what the file was then (see elf_stamp()). Such blocks have only code; a later line hides an earlier one.
 */

void metadata_fini(struct metadata *meta);

/*
 * The clock in use: the name in [brackets] of @clock, as a fresh string; without brackets the whole text.
 * NULL: out of memory. An empty text gives "local", the kernel's default.
 */
char *clock_name(const struct text *clock);

/* Does a clock of this name count nanoseconds (so that times print as seconds)? All but counter, x86-tsc,
 * uptime-less raw counters; "boot" does, other than trace-cmd thinks. */
bool clock_is_ns(const char *name);

#endif

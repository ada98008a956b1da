/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the metadata, which are the data that are needed to understand a trace. Most of them are texts of the traced kernel, such as the formats of events.
 * The reader (lib/data/reader.h) fills in a struct metadata from a file. lib/tracefs fills in a struct metadata from the running kernel. The struct owns all
 * its memory. metadata_fini() frees this memory. Every text has a NUL behind its last byte. The .size of a text does not include this NUL.
 */
#ifndef RINGSIDE_METADATA_H
#define RINGSIDE_METADATA_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/* The text of one event's format file. */
struct event_text {
	char *system; /* such as "sched"; "ftrace" for the events that are built into the tracers */
	struct text format;
};

/* Option TSC2NSEC: ns = (raw * mult) >> shift. As in trace-cmd, .offset is stored, but is not added to the times. */
struct tsc2nsec {
	bool present;
	uint32_t mult, shift;
	uint64_t offset;
};

/* This is one sample of guest time against host time, for one CPU. The sample is a part of the option TIME_SHIFT. trace.dat(5) explains the four numbers. */
struct time_sample {
	int64_t time, offset, scaling, fraction;
};

/*
 * The option TIME_SHIFT of a guest's trace. The option tells how the times of this trace are converted to times of the host's trace. The host's trace is
 * called the peer.
 */
struct time_shift {
	bool present;
	uint64_t peer_id;
	uint32_t flags;					       /* bit 0: interpolate between the samples */
	VEC(struct { VEC(struct time_sample) samples; }) cpus; /* element i has the samples of CPU i */
};

/* Option GUEST: a guest that was traced together with this host. */
struct guest {
	char *name;
	uint64_t trace_id;
	VEC(struct {
		uint32_t cpu; /* a CPU of the guest */
		int32_t pid;  /* the thread of the host that runs this CPU */
	})
	cpus;
};

/* This is an option that ringside does not know. The option is kept, because `ringside dump` shows unknown options, and the writer writes them again. */
struct raw_option {
	uint16_t id;
	struct text data;
};

struct metadata {
	bool big_endian;	/* the byte order of the recorded machine */
	uint8_t user_long_size; /* bytes of a long in the recording process: 4 or 8 */
	uint32_t page_size;	/* the size of the top buffer's sub-buffers, in bytes */
	uint32_t ncpus;
	struct text header_page, header_event;
	VEC(struct event_text) formats; /* the events of the system "ftrace" come first */
	struct text kallsyms, printk_formats;
	struct text cmdlines;	 /* "pid comm" lines */
	struct text trace_clock; /* the text of the file trace_clock: "[local] global …" */
	struct text uname;
	struct text version;	  /* the version of the program that wrote the file */
	strv_t cpustat;		  /* blocks of text, each a heading and the file per_cpu/cpuN/stats */
	strv_t hooks;		  /* the values of record -H */
	strv_t procmaps;	  /* record --proc-map or --ustack: one block for each process; see below */
	struct text modules, btf; /* /proc/modules, /sys/kernel/btf/vmlinux; usually absent */
	struct text last_boot;	  /* option LAST_BOOT_INFO */
	uint64_t trace_id;	  /* 0: none */
	bool has_date;
	int64_t date_us;   /* DATE: wall clock minus trace clock, microseconds */
	int64_t ts_offset; /* OFFSET, in units of the converted times: after the conversions, it is added to the time of each record (lib/data/clock.h) */
	struct tsc2nsec tsc2nsec;
	struct time_shift time_shift;
	VEC(struct guest) guests;
	VEC(struct raw_option) unknown;
};

/*
 * A block of procmaps is a line "PID COUNT PROGRAM" and COUNT lines "START END FILE". PID, COUNT, START and END are hexadecimal. With --ustack, a tab and
 * further words follow on each line. trace-cmd ignores these words:
 * - On the first line, one word follows: the time at which the process began to run the program. 0 means that the process began to run the program before the
 *   recording, or has run the program since its fork.
 * - On the other lines, the words "OFFSET SINCE STAMP" follow. OFFSET is the offset in the file, in hexadecimal. SINCE is the time at which the file
 *   was mapped. STAMP is the stamp that the file had at this time (elf_stamp() in lib/elf/names.h).
 * Times are decimal and in units of the trace clock. The blocks of --ustack list only mappings of code. Where the ranges of two lines overlap, the later line
 * is used.
 */

void metadata_fini(struct metadata *meta);

/*
 * Returns the name of the clock in use. In the text @clock, this name is in [brackets]. If the text has no brackets, the whole text is the name. If
 * the text is empty, the name is "local", which is the kernel's default. The caller frees the name. Returns NULL when memory runs out.
 */
char *clock_name(const struct text *clock);

/*
 * @own is the name of a buffer's own clock, or NULL. If @own is not NULL, returns a copy of @own. Otherwise returns the name of the file's clock. The
 * caller frees the name. Returns NULL when memory runs out.
 */
char *clock_name_of(const struct metadata *meta, const char *own);

/*
 * Returns true if a clock of this name counts nanoseconds. These clocks count nanoseconds: "local", "global", "perf", "boot", "tai", "tsc2nsec", and all whose
 * names begin with "mono". trace-cmd does not treat "boot" as one of these clocks.
 */
bool clock_is_ns(const char *name);

/*
 * Returns true if times of a clock of this name are printed in seconds, as if they were nanoseconds. This is so for the clocks of clock_is_ns(), and for the
 * kernel's clock "uptime". "uptime" counts hundredths of a second (clock_t) and no ns, but trace-cmd, too, prints its times as if they were nanoseconds.
 */
bool clock_in_seconds(const char *name);

/* Calls @is, one of the two functions above, with the name that clock_name_of() would return, and returns the result. Allocates no memory. */
bool clock_of_is(const struct metadata *meta, const char *own, bool (*is)(const char *name));

#endif

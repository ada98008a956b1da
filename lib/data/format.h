/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the numbers and tags of trace.dat versions 6 and 7 (see trace.dat(5)), for the reader, the writer and `ringside dump`. Integers in
 * the file have the byte order that its header names.
 */
#ifndef RINGSIDE_FORMAT_H
#define RINGSIDE_FORMAT_H

#include "lib/base/base.h"

/* Every file begins with these bytes. The version follows as a decimal text with a NUL. */
#define DAT_MAGIC "\x17\x08\x44tracing"
#define DAT_MAGIC_SIZE 10

/* Files of version 6 have these texts, each with its NUL. Files of version 7 have only "header_page" and "header_event". */
#define DAT_HEADER_PAGE "header_page"
#define DAT_HEADER_EVENT "header_event"
#define DAT_TAG_SIZE 10 /* the size of each of the three tags below, in bytes, with its NUL */
#define DAT_TAG_OPTIONS "options  "
#define DAT_TAG_LATENCY "latency  "
#define DAT_TAG_FLYRECORD "flyrecord"

/* Options of both versions and sections of version 7 share one set of numbers. */
enum dat_section {
	DAT_OPTIONS = 0, /* a section with this number has the options; an option with this number ends the options */
	DAT_DATE = 1,
	DAT_CPUSTAT = 2,
	DAT_BUFFER = 3,
	DAT_TRACECLOCK = 4,
	DAT_UNAME = 5,
	DAT_HOOK = 6,
	DAT_OFFSET = 7,
	DAT_CPUCOUNT = 8,
	DAT_VERSION = 9,
	DAT_PROCMAPS = 10,
	DAT_TRACEID = 11,
	DAT_TIME_SHIFT = 12,
	DAT_GUEST = 13,
	DAT_TSC2NSEC = 14,
	DAT_STRINGS = 15,
	DAT_HEADER_INFO = 16,
	DAT_FTRACE_EVENTS = 17,
	DAT_EVENT_FORMATS = 18,
	DAT_KALLSYMS = 19,
	DAT_PRINTK = 20,
	DAT_CMDLINES = 21,
	DAT_BUFFER_TEXT = 22,
	DAT_BTF_FILE = 23,
	DAT_LAST_BOOT_INFO = 24,
	DAT_MODULES_FILE = 25,
};

/* Version 7: the header of a section is {u16 id, u16 flags, u32 description, u64 size}. */
#define DAT_SECTION_HEADER 16
#define DAT_COMPRESSED 1U /* flag of a section */
#define DAT_NO_DESCRIPTION UINT32_MAX
#define DAT_OPTION_HEADER 6 /* {u16 id, u32 size} before an option's data */
/*
 * The compressed data of a CPU begin with the number of chunks (u32). Then come the chunks, each with a header {u32 packed size, u32 plain size}. The size that
 * the option BUFFER gives for the CPU's data does not include the first four bytes.
 */
#define DAT_CHUNK_HEADER 8
/*
 * The writer puts this many sub-buffers into one compressed chunk. trace-cmd puts 10 sub-buffers into a chunk, and can read chunks of any number of
 * sub-buffers.
 */
#define DAT_CHUNK_PAGES 32

/* A proper file keeps within these limits. A reader treats a number outside of them as damage. */
#define DAT_MAX_CPUS 65535U /* struct record has 16 bits for the CPU */
#define DAT_MIN_PAGE 64U
#define DAT_MAX_PAGE (1U << 20) /* the kernel counts the bytes of a sub-buffer in 20 bits */

/* The most bytes that one compressed chunk of trace data unpacks to. */
static inline uint64_t dat_max_chunk(uint32_t page_size)
{
	return MAX((uint64_t)page_size * 16, (uint64_t)4 << 20);
}

/* The most bytes that a compressed section of @packed bytes may unpack to. */
static inline uint64_t dat_max_section(uint64_t packed)
{
	return ((uint64_t)4 << 20) + packed * 256;
}

/*
 * These functions return the name of a section ("event formats") or of an option ("CPUSTAT"), for messages and for `ringside dump`. They return NULL when
 * no section or option has the number @id.
 */
const char *dat_section_name(uint16_t id);
const char *dat_option_name(uint16_t id);

#endif

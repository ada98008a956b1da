/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/format.h"

static const char *const section_names[] = {
	[DAT_OPTIONS] = "options",
	[DAT_BUFFER] = "buffer flyrecord",
	[DAT_STRINGS] = "strings",
	[DAT_HEADER_INFO] = "headers",
	[DAT_FTRACE_EVENTS] = "ftrace events",
	[DAT_EVENT_FORMATS] = "event formats",
	[DAT_KALLSYMS] = "kallsyms",
	[DAT_PRINTK] = "printk formats",
	[DAT_CMDLINES] = "command lines",
	[DAT_BUFFER_TEXT] = "buffer latency",
	[DAT_BTF_FILE] = "BTF",
	[DAT_MODULES_FILE] = "modules",
};

static const char *const option_names[] = {
	[DAT_OPTIONS] = "DONE",
	[DAT_DATE] = "DATE",
	[DAT_CPUSTAT] = "CPUSTAT",
	[DAT_BUFFER] = "BUFFER",
	[DAT_TRACECLOCK] = "TRACECLOCK",
	[DAT_UNAME] = "UNAME",
	[DAT_HOOK] = "HOOK",
	[DAT_OFFSET] = "OFFSET",
	[DAT_CPUCOUNT] = "CPUCOUNT",
	[DAT_VERSION] = "VERSION",
	[DAT_PROCMAPS] = "PROCMAPS",
	[DAT_TRACEID] = "TRACEID",
	[DAT_TIME_SHIFT] = "TIME_SHIFT",
	[DAT_GUEST] = "GUEST",
	[DAT_TSC2NSEC] = "TSC2NSEC",
	[DAT_STRINGS] = "STRINGS",
	[DAT_HEADER_INFO] = "HEADER_INFO",
	[DAT_FTRACE_EVENTS] = "FTRACE_EVENTS",
	[DAT_EVENT_FORMATS] = "EVENT_FORMATS",
	[DAT_KALLSYMS] = "KALLSYMS",
	[DAT_PRINTK] = "PRINTK",
	[DAT_CMDLINES] = "CMDLINES",
	[DAT_BUFFER_TEXT] = "BUFFER_TEXT",
	[DAT_BTF_FILE] = "BTF_FILE",
	[DAT_LAST_BOOT_INFO] = "LAST_BOOT_INFO",
	[DAT_MODULES_FILE] = "MODULES_FILE",
};

const char *dat_section_name(uint16_t id)
{
	return id < ARRAY_LEN(section_names) ? section_names[id] : NULL;
}

const char *dat_option_name(uint16_t id)
{
	return id < ARRAY_LEN(option_names) ? option_names[id] : NULL;
}

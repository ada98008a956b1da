// SPDX-License-Identifier: GPL-2.0
/* Interrupts: names of soft interrupts, and of x86's vectors (arch/x86/include/asm/irq_vectors.h). */
#include "plugins/plugin.h"

static const struct meaning softirqs[] = {
	{ 0, "HI" },	  { 1, "TIMER" }, { 2, "NET_TX" },  { 3, "NET_RX" }, { 4, "BLOCK" }, { 5, "IRQ_POLL" },
	{ 6, "TASKLET" }, { 7, "SCHED" }, { 8, "HRTIMER" }, { 9, "RCU" },    { 0, NULL },
};

/* clang-format off */
static const struct meaning vectors[] = {
	{ 0x20, "IRQ_MOVE_CLEANUP" },	{ 0x80, "INT80" },	    { 0xec, "LOCAL_TIMER" },
	{ 0xed, "HYPERV_STIMER0" },	{ 0xee, "HYPERV_REENLIGHTENMENT" }, { 0xef, "MANAGED_IRQ_SHUTDOWN" },
	{ 0xf0, "POSTED_INTR_NESTED" }, { 0xf1, "POSTED_INTR_WAKEUP" }, { 0xf2, "POSTED_INTR" },
	{ 0xf3, "HYPERVISOR_CALLBACK" }, { 0xf4, "DEFERRED_ERROR" }, { 0xf6, "IRQ_WORK" },
	{ 0xf7, "X86_PLATFORM_IPI" },	{ 0xf8, "REBOOT" },	    { 0xf9, "THRESHOLD_APIC" },
	{ 0xfa, "THERMAL_APIC" },	{ 0xfb, "CALL_FUNCTION_SINGLE" }, { 0xfc, "CALL_FUNCTION" },
	{ 0xfd, "RESCHEDULE" },		{ 0xfe, "ERROR_APIC" },	    { 0xff, "SPURIOUS_APIC" },
	{ 0, NULL },
};
/* clang-format on */

static const struct meaning results[] = { { 0, "unhandled" }, { 1, "handled" }, { 2, "wake-thread" }, { 0, NULL } };

/* 236 LOCAL_TIMER */
static void show_named(const struct cell *cell, const struct column *column)
{
	const char *name = meaning_of(column->meanings, cell->value);

	put_u64(cell->s, cell->value);
	if (!name)
		return;
	put_char(cell->s, ' ');
	put_str(cell->s, name);
}

static const struct column softirq[] = { { "", "vec", show_meaning, softirqs }, { NULL, NULL, NULL, NULL } };
static const struct column vector[] = { { "vector=", "vector", show_named, vectors }, { NULL, NULL, NULL, NULL } };

/* clang-format off */
#define VECTOR(name) { "irq_vectors", name "_entry", vector, NULL }, { "irq_vectors", name "_exit", vector, NULL }
/* clang-format on */

static const struct printer printers[] = {
	{ "irq", "softirq_entry", softirq, NULL },
	{ "irq", "softirq_exit", softirq, NULL },
	{ "irq", "softirq_raise", softirq, NULL },
	{ "irq", "irq_handler_exit", COLUMNS({ "irq=", "irq", show_dec, NULL }, { " ret=", "ret", show_meaning, results }), NULL },
	VECTOR("local_timer"),
	VECTOR("spurious_apic"),
	VECTOR("error_apic"),
	VECTOR("x86_platform_ipi"),
	VECTOR("irq_work"),
	VECTOR("reschedule"),
	VECTOR("call_function"),
	VECTOR("call_function_single"),
	VECTOR("threshold_apic"),
	VECTOR("deferred_error_apic"),
	VECTOR("thermal_apic"),
};

PLUGIN("irq", "names of soft interrupts and of x86 vectors; what a handler returned", printers)

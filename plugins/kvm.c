// SPDX-License-Identifier: GPL-2.0
/* KVM on x86: why a guest was left (asm/vmx.h, asm/svm.h), and interrupts of guests. */
#include "plugins/plugin.h"

/* clang-format off */
static const struct meaning vmx_reasons[] = {
	{ 0, "EXCEPTION_NMI" }, { 1, "EXTERNAL_INTERRUPT" }, { 2, "TRIPLE_FAULT" },
	{ 3, "INIT_SIGNAL" }, { 4, "SIPI_SIGNAL" }, { 7, "INTERRUPT_WINDOW" },
	{ 8, "NMI_WINDOW" }, { 9, "TASK_SWITCH" }, { 10, "CPUID" }, { 12, "HLT" }, { 13, "INVD" },
	{ 14, "INVLPG" }, { 15, "RDPMC" }, { 16, "RDTSC" }, { 18, "VMCALL" }, { 19, "VMCLEAR" },
	{ 20, "VMLAUNCH" }, { 21, "VMPTRLD" }, { 22, "VMPTRST" }, { 23, "VMREAD" },
	{ 24, "VMRESUME" }, { 25, "VMWRITE" }, { 26, "VMOFF" }, { 27, "VMON" },
	{ 28, "CR_ACCESS" }, { 29, "DR_ACCESS" }, { 30, "IO_INSTRUCTION" }, { 31, "MSR_READ" },
	{ 32, "MSR_WRITE" }, { 33, "INVALID_STATE" }, { 34, "MSR_LOAD_FAIL" },
	{ 36, "MWAIT_INSTRUCTION" }, { 37, "MONITOR_TRAP_FLAG" }, { 39, "MONITOR_INSTRUCTION" },
	{ 40, "PAUSE_INSTRUCTION" }, { 41, "MCE_DURING_VMENTRY" }, { 43, "TPR_BELOW_THRESHOLD" },
	{ 44, "APIC_ACCESS" }, { 45, "EOI_INDUCED" }, { 46, "GDTR_IDTR" }, { 47, "LDTR_TR" },
	{ 48, "EPT_VIOLATION" }, { 49, "EPT_MISCONFIG" }, { 50, "INVEPT" }, { 51, "RDTSCP" },
	{ 52, "PREEMPTION_TIMER" }, { 53, "INVVPID" }, { 54, "WBINVD" }, { 55, "XSETBV" },
	{ 56, "APIC_WRITE" }, { 57, "RDRAND" }, { 58, "INVPCID" }, { 59, "VMFUNC" },
	{ 60, "ENCLS" }, { 61, "RDSEED" }, { 62, "PML_FULL" }, { 63, "XSAVES" },
	{ 64, "XRSTORS" }, { 67, "UMWAIT" }, { 68, "TPAUSE" }, { 74, "BUS_LOCK" },
	{ 75, "NOTIFY" }, { 76, "SEAMCALL" }, { 77, "TDCALL" }, { 0, NULL },
};
/* clang-format on */

/* clang-format off */
static const struct meaning svm_reasons[] = {
	{ 0x0, "READ_CR0" }, { 0x2, "READ_CR2" }, { 0x3, "READ_CR3" }, { 0x4, "READ_CR4" },
	{ 0x8, "READ_CR8" }, { 0x10, "WRITE_CR0" }, { 0x12, "WRITE_CR2" }, { 0x13, "WRITE_CR3" },
	{ 0x14, "WRITE_CR4" }, { 0x18, "WRITE_CR8" }, { 0x20, "READ_DR0" }, { 0x21, "READ_DR1" },
	{ 0x22, "READ_DR2" }, { 0x23, "READ_DR3" }, { 0x24, "READ_DR4" }, { 0x25, "READ_DR5" },
	{ 0x26, "READ_DR6" }, { 0x27, "READ_DR7" }, { 0x30, "WRITE_DR0" }, { 0x31, "WRITE_DR1" },
	{ 0x32, "WRITE_DR2" }, { 0x33, "WRITE_DR3" }, { 0x34, "WRITE_DR4" },
	{ 0x35, "WRITE_DR5" }, { 0x36, "WRITE_DR6" }, { 0x37, "WRITE_DR7" },
	{ 0x60, "INTR" }, { 0x61, "NMI" },
	{ 0x62, "SMI" }, { 0x63, "INIT" }, { 0x64, "VINTR" }, { 0x65, "CR0_SEL_WRITE" },
	{ 0x66, "IDTR_READ" }, { 0x67, "GDTR_READ" }, { 0x68, "LDTR_READ" }, { 0x69, "TR_READ" },
	{ 0x6a, "IDTR_WRITE" }, { 0x6b, "GDTR_WRITE" }, { 0x6c, "LDTR_WRITE" },
	{ 0x6d, "TR_WRITE" }, { 0x6e, "RDTSC" }, { 0x6f, "RDPMC" }, { 0x70, "PUSHF" },
	{ 0x71, "POPF" }, { 0x72, "CPUID" }, { 0x73, "RSM" }, { 0x74, "IRET" }, { 0x75, "SWINT" },
	{ 0x76, "INVD" }, { 0x77, "PAUSE" }, { 0x78, "HLT" }, { 0x79, "INVLPG" },
	{ 0x7a, "INVLPGA" }, { 0x7b, "IOIO" }, { 0x7c, "MSR" }, { 0x7d, "TASK_SWITCH" },
	{ 0x7e, "FERR_FREEZE" }, { 0x7f, "SHUTDOWN" }, { 0x80, "VMRUN" }, { 0x81, "VMMCALL" },
	{ 0x82, "VMLOAD" }, { 0x83, "VMSAVE" }, { 0x84, "STGI" }, { 0x85, "CLGI" },
	{ 0x86, "SKINIT" }, { 0x87, "RDTSCP" }, { 0x88, "ICEBP" }, { 0x89, "WBINVD" },
	{ 0x8a, "MONITOR" }, { 0x8b, "MWAIT" }, { 0x8c, "MWAIT_COND" }, { 0x8d, "XSETBV" },
	{ 0x8e, "RDPRU" }, { 0x8f, "EFER_WRITE_TRAP" }, { 0x90, "CR0_WRITE_TRAP" },
	{ 0x91, "CR1_WRITE_TRAP" }, { 0x92, "CR2_WRITE_TRAP" }, { 0x93, "CR3_WRITE_TRAP" },
	{ 0x94, "CR4_WRITE_TRAP" }, { 0x95, "CR5_WRITE_TRAP" }, { 0x96, "CR6_WRITE_TRAP" },
	{ 0x97, "CR7_WRITE_TRAP" }, { 0x98, "CR8_WRITE_TRAP" }, { 0x99, "CR9_WRITE_TRAP" },
	{ 0x9a, "CR10_WRITE_TRAP" }, { 0x9b, "CR11_WRITE_TRAP" }, { 0x9c, "CR12_WRITE_TRAP" },
	{ 0x9d, "CR13_WRITE_TRAP" }, { 0x9e, "CR14_WRITE_TRAP" }, { 0x9f, "CR15_WRITE_TRAP" },
	{ 0xa2, "INVPCID" }, { 0x400, "NPF" }, { 0x401, "AVIC_INCOMPLETE_IPI" },
	{ 0x402, "AVIC_UNACCELERATED_ACCESS" }, { 0x403, "VMGEXIT" }, { 0xf0000000, "SW" },
	{ 0xffffffff, "ERR" }, { 0, NULL },
};
/* clang-format on */

enum { VCPU, REASON, RIP, ISA, INFO1, INFO2, INTR_INFO, ERROR_CODE };

static void put_label(struct trace_seq *s, const char *label, uint64_t value)
{
	if (!value)
		return;
	put_str(s, label);
	put_hex(s, value);
}

/* isa 1 is VMX (the upper half of the reason holds flags, bit 31: the entry failed), 2 is SVM. */
static void put_reason(struct trace_seq *s, uint64_t isa, uint32_t reason)
{
	uint32_t number = isa == 2 ? reason : reason & 0xffff;
	const char *name = meaning_of(isa == 2 ? svm_reasons : vmx_reasons, number);

	if (isa == 2 && number >= 0x40 && number < 0x60) {
		put_str(s, "EXCP_");
		put_u64(s, number - 0x40);
	} else if (name) {
		put_str(s, name);
	} else {
		put_hex(s, number);
	}
	if (isa != 2 && reason >> 31)
		put_str(s, " FAILED_VMENTRY");
	if (isa != 2)
		put_label(s, " flags=", reason & 0x7fff0000);
}

static void print_exit(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	uint64_t value;

	(void)event;
	if (read_field(shown, shown->fields[VCPU], record, &value)) {
		put_str(s, "vcpu=");
		put_u64(s, value);
		put_char(s, ' ');
	}
	put_str(s, "reason=");
	put_reason(s, read_field(shown, shown->fields[ISA], record, &value) ? value : 1, number_of(shown, REASON, record));
	put_str(s, " rip=");
	put_hex(s, number_of(shown, RIP, record));
	put_label(s, " info1=", number_of(shown, INFO1, record));
	put_label(s, " info2=", number_of(shown, INFO2, record));
	put_label(s, " intr_info=", number_of(shown, INTR_INFO, record));
	put_label(s, " error_code=", number_of(shown, ERROR_CODE, record));
}

static const struct column exit_fields[] = {
	[VCPU] = { .field = "vcpu_id" },
	[REASON] = { .field = "exit_reason" },
	[RIP] = { .field = "guest_rip" },
	[ISA] = { .field = "isa" },
	[INFO1] = { .field = "info1" },
	[INFO2] = { .field = "info2" },
	[INTR_INFO] = { .field = "intr_info" },
	[ERROR_CODE] = { .field = "error_code" },
	{ .field = NULL },
};

static const struct printer printers[] = {
	{ "kvm", "kvm_exit", exit_fields, print_exit },
	{ "kvm", "kvm_nested_vmexit", exit_fields, print_exit },
};

PLUGIN("kvm", "reasons of exits by name, VMX and SVM; what is 0 is left out", printers)

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/signal-line.h"
#include "lib/event/meanings.h"

#include <signal.h>

/* The meanings of si_code, for all signals and for some (include/uapi/asm-generic/siginfo.h). */
/* clang-format off */
static const struct meaning codes[] = {
	{ 0, "SI_USER" }, { 0x80, "SI_KERNEL" }, { (uint64_t)-1, "SI_QUEUE" }, { (uint64_t)-2, "SI_TIMER" }, { (uint64_t)-3, "SI_MESGQ" },
	{ (uint64_t)-4, "SI_ASYNCIO" }, { (uint64_t)-5, "SI_SIGIO" }, { (uint64_t)-6, "SI_TKILL" }, { (uint64_t)-7, "SI_DETHREAD" },
	{ (uint64_t)-60, "SI_ASYNCNL" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning child_codes[] = {
	{ 1, "CLD_EXITED" }, { 2, "CLD_KILLED" }, { 3, "CLD_DUMPED" }, { 4, "CLD_TRAPPED" }, { 5, "CLD_STOPPED" }, { 6, "CLD_CONTINUED" }, { 0, NULL },
};
static const struct meaning ill_codes[] = {
	{ 1, "ILL_ILLOPC" }, { 2, "ILL_ILLOPN" }, { 3, "ILL_ILLADR" }, { 4, "ILL_ILLTRP" }, { 5, "ILL_PRVOPC" },
	{ 6, "ILL_PRVREG" }, { 7, "ILL_COPROC" }, { 8, "ILL_BADSTK" }, { 0, NULL },
};
static const struct meaning fpe_codes[] = {
	{ 1, "FPE_INTDIV" }, { 2, "FPE_INTOVF" }, { 3, "FPE_FLTDIV" }, { 4, "FPE_FLTOVF" }, { 5, "FPE_FLTUND" },
	{ 6, "FPE_FLTRES" }, { 7, "FPE_FLTINV" }, { 8, "FPE_FLTSUB" }, { 0, NULL },
};
static const struct meaning segv_codes[] = {
	{ 1, "SEGV_MAPERR" }, { 2, "SEGV_ACCERR" }, { 3, "SEGV_BNDERR" }, { 4, "SEGV_PKUERR" }, { 0, NULL },
};
static const struct meaning bus_codes[] = {
	{ 1, "BUS_ADRALN" }, { 2, "BUS_ADRERR" }, { 3, "BUS_OBJERR" }, { 4, "BUS_MCEERR_AR" }, { 5, "BUS_MCEERR_AO" }, { 0, NULL },
};
static const struct meaning trap_codes[] = {
	{ 1, "TRAP_BRKPT" }, { 2, "TRAP_TRACE" }, { 3, "TRAP_BRANCH" }, { 4, "TRAP_HWBKPT" }, { 5, "TRAP_UNK" }, { 6, "TRAP_PERF" }, { 0, NULL },
};
static const struct meaning poll_codes[] = {
	{ 1, "POLL_IN" }, { 2, "POLL_OUT" }, { 3, "POLL_MSG" }, { 4, "POLL_ERR" }, { 5, "POLL_PRI" }, { 6, "POLL_HUP" }, { 0, NULL },
};
static const struct meaning sys_codes[] = { { 1, "SYS_SECCOMP" }, { 2, "SYS_USER_DISPATCH" }, { 0, NULL } };

static const struct {
	int signal;
	const struct meaning *codes;
} codes_of[] = {
	{ SIGCHLD, child_codes }, { SIGILL, ill_codes },   { SIGFPE, fpe_codes }, { SIGSEGV, segv_codes },
	{ SIGBUS, bus_codes },	  { SIGTRAP, trap_codes }, { SIGIO, poll_codes }, { SIGSYS, sys_codes },
};

void signal_name_text(int number, struct str *out)
{
	enum { FIRST_OF_TIME = 32, LAST_OF_TIME = 64 };
	const char *name = meaning_of(signal_names, (uint64_t)number);

	if (name)
		str_add(out, name);
	else if (number == FIRST_OF_TIME)
		str_add(out, "SIGRTMIN");
	else if (number > FIRST_OF_TIME && number <= LAST_OF_TIME)
		str_addf(out, "SIGRT_%d", number - FIRST_OF_TIME);
	else
		str_addf(out, "%d", number);
}

static void add_code(const struct signal_taken *signal, struct str *out)
{
	const char *name = NULL;

	for (size_t i = 0; i < ARRAY_LEN(codes_of) && signal->code > 0; i++)
		if (codes_of[i].signal == signal->number)
			name = meaning_of(codes_of[i].codes, (uint64_t)signal->code);
	if (!name)
		name = meaning_of(codes, (uint64_t)(int64_t)signal->code);
	if (name)
		str_add(out, name);
	else
		str_addf(out, "%d", signal->code);
}

static void add_status(struct ending ending, struct str *out)
{
	if (ending.how == ENDING_UNKNOWN || ending.number == ENDING_NUMBER_UNKNOWN)
		return;
	str_add(out, ", si_status=");
	if (ending.how == ENDING_KILLED)
		signal_name_text(ending.number, out);
	else
		str_addf(out, "%d", ending.number);
}

void signal_text(const struct signal_taken *signal, struct str *out)
{
	enum { KERNEL = 0x80, ENDED = 1, DUMPED = 3 };

	str_add(out, "--- ");
	signal_name_text(signal->number, out);
	str_add(out, " {si_signo=");
	signal_name_text(signal->number, out);
	str_add(out, ", si_code=");
	add_code(signal, out);
	if (signal->error)
		str_addf(out, ", si_errno=%d", signal->error);
	/* A timer has no sender: its signal comes from an interrupt, which only happened to run on top of some task. */
	if (signal->from && signal->code != SI_TIMER && (signal->code <= 0 || signal->number == SIGCHLD))
		str_addf(out, ", si_pid=%d", signal->sender);
	if (signal->from && signal->number == SIGCHLD && signal->code >= ENDED && signal->code <= DUMPED)
		add_status(signal->of_sender, out);
	/* strace shows nothing else for a signal that the kernel sent by itself. */
	str_add(out, signal->code == KERNEL ? "} ---" : ", ...} ---");
}

void ending_text(struct ending ending, struct str *out)
{
	if (ending.how == ENDING_UNKNOWN) {
		str_add(out, "+++ ended +++");
		return;
	}
	if (ending.how == ENDING_SUPERSEDED) {
		str_addf(out, "+++ superseded by execve in pid %d +++", ending.number);
		return;
	}
	str_add(out, ending.how == ENDING_EXITED ? "+++ exited with " : "+++ killed by ");
	if (ending.number == ENDING_NUMBER_UNKNOWN)
		str_addc(out, '?');
	else if (ending.how == ENDING_KILLED)
		signal_name_text(ending.number, out);
	else
		str_addf(out, "%d", ending.number);
	str_add(out, " +++");
}

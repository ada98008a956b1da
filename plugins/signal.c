// SPDX-License-Identifier: GPL-2.0
/* Signals: names, who sent them, what became of them (include/trace/events/signal.h). */
#include "plugins/plugin.h"
#include "plugins/plugin.h"

static const struct meaning codes[] = {
	{ 0, "SI_USER" },
	{ 0x80, "SI_KERNEL" },
	{ (uint64_t)-1, "SI_QUEUE" },
	{ (uint64_t)-2, "SI_TIMER" },
	{ (uint64_t)-3, "SI_MESGQ" },
	{ (uint64_t)-4, "SI_ASYNCIO" },
	{ (uint64_t)-5, "SI_SIGIO" },
	{ (uint64_t)-6, "SI_TKILL" },
	{ 0, NULL },
};

/* SIGCHLD's codes; those of other signals stay numbers, their meaning depends on the signal. */
static const struct meaning child_codes[] = {
	{ 1, "CLD_EXITED" }, { 2, "CLD_KILLED" }, { 3, "CLD_DUMPED" }, { 4, "CLD_TRAPPED" }, { 5, "CLD_STOPPED" }, { 6, "CLD_CONTINUED" }, { 0, NULL },
};

static const struct meaning segv_codes[] = {
	{ 1, "SEGV_MAPERR" }, { 2, "SEGV_ACCERR" }, { 3, "SEGV_BNDERR" }, { 4, "SEGV_PKUERR" }, { 0, NULL },
};

static const struct meaning results[] = {
	{ 0, "delivered" }, { 1, "ignored" }, { 2, "already-pending" }, { 3, "overflow-fail" }, { 4, "lost-info" }, { 0, NULL },
};

static const struct meaning handlers[] = { { 0, "SIG_DFL" }, { 1, "SIG_IGN" }, { 0, NULL } };

enum { SIG, ERRNO, CODE, COMM, PID, GROUP, RESULT, HANDLER, FLAGS };

static void put_code(struct trace_seq *s, uint64_t sig, uint64_t code)
{
	const char *name = meaning_of(sig == 17 ? child_codes : sig == 11 ? segv_codes : codes, code);

	if (!name)
		name = meaning_of(codes, code);
	if (name)
		put_str(s, name);
	else
		put_s64(s, code);
}

static void print_signal(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	uint64_t sig = number_of(shown, SIG, record), error = number_of(shown, ERRNO, record);

	(void)event;
	put_meaning(s, signal_names, sig);
	put_str(s, " code=");
	put_code(s, sig, number_of(shown, CODE, record));
	if (error) {
		put_str(s, " errno=");
		put_meaning(s, errno_names, error);
	}
	if (shown->fields[COMM]) {
		put_str(s, " to ");
		put_string(s, shown, shown->fields[COMM], record);
		put_char(s, ':');
		put_s64(s, number_of(shown, PID, record));
		put_str(s, number_of(shown, GROUP, record) ? " (process) " : " (thread) ");
		put_meaning(s, results, number_of(shown, RESULT, record));
	}
	if (shown->fields[HANDLER]) {
		uint64_t handler = number_of(shown, HANDLER, record);
		const char *name = meaning_of(handlers, handler);

		put_str(s, " handler=");
		if (name)
			put_str(s, name);
		else
			put_hex(s, handler);
		put_str(s, " flags=");
		put_flags(s, sigaction_flags, number_of(shown, FLAGS, record));
	}
}

static const struct column columns[] = {
	[SIG] = { .field = "sig" },	   [ERRNO] = { .field = "errno" },
	[CODE] = { .field = "code" },	   [COMM] = { .field = "comm" },
	[PID] = { .field = "pid" },	   [GROUP] = { .field = "group" },
	[RESULT] = { .field = "result" },  [HANDLER] = { .field = "sa_handler" },
	[FLAGS] = { .field = "sa_flags" }, { .field = NULL },
};

static const struct printer printers[] = {
	{ "signal", "signal_generate", columns, print_signal },
	{ "signal", "signal_deliver", columns, print_signal },
};

PLUGIN("signal", "names of signals, codes, handlers, flags and results", printers)

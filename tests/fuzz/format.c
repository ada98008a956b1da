// SPDX-License-Identifier: GPL-2.0
/*
 * Formats of events: an input is one, as a file could hold it. What of it passes vet_format() is given to libtraceevent, which must survive
 * it, and so must the programs that are compiled of it, over a record of zeros, of ones, and an empty one.
 */
#include "lib/event/print.h"
#include "lib/event/vet.h"
#include "tests/fuzz/fuzz.h"
#include <traceevent/event-parse.h>

FUZZ_FORGETFUL_TEP;

static void run(const struct tep_event *event, enum print_as as)
{
	struct print_env env = { .long_size = 8, .as = as };
	struct print_program *program;
	struct str out = { 0 };
	const char *why;

	if (print_compile(&program, event, &env, &why))
		return;
	for (int fill = 0; fill < 2; fill++) {
		char *record = malloc(64);

		memset(record, fill ? 0xff : 0, 64);
		print_run(program, record, 64, &out);
		print_run(program, record, 0, &out);
		free(record);
	}
	str_fini(&out);
	print_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text format = { (char *)data, size };
	struct tep_handle *tep = tep_alloc();
	struct vetted vetted;
	struct str out = { 0 };
	struct tep_event *event;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, 8);
	if (vet_format(&format, &out, &vetted))
		abort();
	if (out.len)
		tep_parse_event(tep, out.at, out.len, size & 1 ? "ftrace" : "test");
	event = tep_get_event(tep, 0);
	for (enum print_as as = PRINT_KERNEL; event && as <= PRINT_RAW; as++)
		run(event, as);
	tep_free(tep);
	str_fini(&out);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Declares the function that each fuzz target defines. tests/fuzz/replay/driver.c or libFuzzer calls it. */
#ifndef RINGSIDE_FUZZ_H
#define RINGSIDE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libtraceevent leaks memory when a format is wrong. It also leaks the list of its plug-ins. With this macro, LeakSanitizer does not report these leaks. */
#define FUZZ_FORGETFUL_TEP \
	__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void); \
	const char *__lsan_default_suppressions(void) \
	{ \
		return "leak:tep_parse_event\nleak:tep_load_plugins\n"; \
	} \
	_Static_assert(true, "")

/* Runs the target with @size bytes of input. The target must not crash, whatever these bytes are. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* What each fuzz target defines; replay/driver.c or libFuzzer calls it. */
#ifndef RINGSIDE_FUZZ_H
#define RINGSIDE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libtraceevent forgets some memory when a format is wrong, and what it knows of plug-ins. */
#define FUZZ_FORGETFUL_TEP \
	__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void); \
	const char *__lsan_default_suppressions(void) \
	{ \
		return "leak:tep_parse_event\nleak:tep_load_plugins\n"; \
	} \
	_Static_assert(true, "")

/* Must survive any input. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

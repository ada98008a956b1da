/* SPDX-License-Identifier: GPL-2.0 */
/* What each fuzz target defines; replay/driver.c or libFuzzer calls it. */
#ifndef RINGSIDE_FUZZ_H
#define RINGSIDE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Must survive any input. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

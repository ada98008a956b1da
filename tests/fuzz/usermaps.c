/* SPDX-License-Identifier: GPL-2.0 */
/* Maps of programs, as a file holds them: an input is blocks, a NUL behind each. Then addresses are looked up in all of them. */
#include "lib/event/usermaps.h"
#include "tests/fuzz/fuzz.h"

static int split(const uint8_t *data, size_t size, strv_t *out)
{
	const char *at = (const char *)data, *end = at + size;
	int err = 0;

	while (!err && at < end) {
		size_t n = strnlen(at, (size_t)(end - at));

		err = strv_own(out, strndup(at, n));
		at += n + 1;
	}
	return err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t addresses[] = { 0, 1, 0x1000, 0x1fff, 0x401000, 0x55d4a0001139, 0x7fffffffffffffff, UINT64_MAX };
	struct usermaps *maps = NULL;
	strv_t blocks = { 0 };
	struct str text = { 0 };

	if (!split(data, size, &blocks) && !usermaps_new(&maps, &blocks, size & 1) && maps) {
		for (size_t i = 0; i < ARRAY_LEN(addresses); i++)
			for (int pid = 41; pid < 44; pid++)
				usermaps_text(maps, pid, addresses[i] >> 1, addresses[i], i & 1, &text);
		usermaps_add(maps, &blocks);
		usermaps_text(maps, 42, UINT64_MAX, 0x401000, true, &text);
	}
	usermaps_free(maps);
	strv_fini(&blocks);
	str_fini(&text);
	return 0;
}

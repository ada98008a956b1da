/* SPDX-License-Identifier: GPL-2.0 */
/* One page: the first byte chooses the layout, the rest is the page, which may be cut off. */
#include "lib/data/page.h"
#include "tests/fuzz/fuzz.h"

/* A record that is not inside its page, or moves the array beyond itself, is a fault. */
static void check(const struct record *rec, const char *page, size_t size)
{
	const char *data = rec->data;

	if (data < page || data > page + size || rec->size > size - (size_t)(data - page) || (data - page) % 4)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct page_format format = { .commit_offset = 8, .page_size = 4096 };
	recordvec_t records = { 0 };
	struct page_info info;
	size_t bad;
	char *page;
	int err;

	if (!size)
		return 0;
	format.big_endian = data[0] & 1;
	format.commit_size = data[0] & 2 ? 4 : 8;
	format.data_offset = 8 + format.commit_size;
	if (data[0] & 4)
		format.page_size = (uint32_t)size - 1;
	/* Memory of exactly its size, so that a byte read behind it is noticed. */
	page = malloc(size - 1 + (size == 1));
	if (!page)
		return 0;
	memcpy(page, data + 1, size - 1);
	err = page_decode(&format, page, size - 1, &info, &records, &bad);
	if (err != 0 && err != -EINVAL)
		abort();
	if (err && bad > size - 1 && size - 1 >= format.data_offset)
		abort();
	vec_each (&records, rec)
		check(rec, page, size - 1);
	vec_fini(&records);
	free(page);
	return 0;
}

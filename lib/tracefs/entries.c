/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/entries.h"
#include "lib/base/io.h"

#include <sys/stat.h>
#include <zlib.h>

#define MAGIC 0x4c4a5352U /* "RSJL" */

struct entry_head {
	uint32_t magic;
	uint32_t kind;
	uint32_t size;
	uint32_t crc;
};

int entry_encode(struct str *out, enum journal_kind kind, const char *path, const char *value)
{
	struct entry_head head = { .magic = MAGIC, .kind = kind };
	size_t at = out->len;

	str_addn(out, &head, sizeof(head));
	str_add(out, path);
	str_addc(out, '\0');
	str_add(out, value);
	str_addc(out, '\0');
	if (str_ok(out))
		return -ENOMEM;
	head.size = (uint32_t)(out->len - at - sizeof(head));
	head.crc = (uint32_t)crc32(0, (const Bytef *)out->at + at + sizeof(head), head.size);
	memcpy(out->at + at, &head, sizeof(head));
	return 0;
}

void entries_fini(struct entries *e)
{
	vec_fini(&e->v);
	free(e->text.at);
}

int entries_load(struct entries *out, int fd)
{
	struct stat st;
	size_t at = 0;
	ssize_t got;

	*out = (struct entries){ 0 };
	if (fstat(fd, &st))
		return -errno;
	out->text.size = (size_t)st.st_size;
	out->text.at = malloc(out->text.size + 1);
	if (!out->text.at)
		return -ENOMEM;
	got = io_pread(fd, out->text.at, out->text.size, 0);
	if (got < 0)
		return (int)got;
	while ((size_t)got - at >= sizeof(struct entry_head)) {
		struct entry_head head;
		char *payload = out->text.at + at + sizeof(head);
		char *value;

		memcpy(&head, out->text.at + at, sizeof(head));
		if (head.magic != MAGIC || head.size > (size_t)got - at - sizeof(head) || !head.size || payload[head.size - 1] ||
		    (uint32_t)crc32(0, (const Bytef *)payload, head.size) != head.crc)
			break;
		value = memchr(payload, '\0', head.size - 1);
		if (!value)
			break;
		at += sizeof(head) + head.size;
		if (head.kind == JOURNAL_VOID)
			out->v.n -= out->v.n > 0;
		else if (head.kind == JOURNAL_OWN && out->v.n)
			out->v.at[out->v.n - 1].own = true;
		else if (head.kind != JOURNAL_OWN && vec_push(&out->v, (struct entry){ head.kind, payload, value + 1, false }))
			return -ENOMEM;
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/rest.h"

#include "lib/base/io.h"
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "ringside rest"
#define UNKNOWN UINT64_MAX

struct rest_head {
	char magic[16];
	uint64_t at;
};
_Static_assert(sizeof(struct rest_head) == REST_HEAD, "no padding");

int rest_begin(int fd)
{
	const struct rest_head head = { .magic = MAGIC, .at = UNKNOWN };

	return io_write(fd, &head, sizeof(head));
}

int rest_take(int fd, int to, uint64_t end, uint32_t page)
{
	uint64_t size, part;
	struct rest_head head;
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	if (!st.st_size)
		return 0;
	if (io_pread(fd, &head, sizeof(head), 0) != sizeof(head) || memcmp(head.magic, MAGIC, sizeof(MAGIC)))
		return -EBADMSG;
	size = (uint64_t)st.st_size - sizeof(head);
	if (!size)
		return 0;
	/* @fd may begin with the bytes that complete a sub-buffer. They are used if the spool ends with the beginning of that sub-buffer. */
	part = size % page;
	if (head.at == UNKNOWN) {
		head.at = part && end % page == page - part ? end : end - end % page;
		err = io_pwrite(fd, &head, sizeof(head), 0);
		if (err)
			return err;
	}
	if (head.at % page)
		part = 0;
	if (lseek(to, (off_t)head.at, SEEK_SET) < 0)
		return -errno;
	return io_copy(fd, sizeof(head) + part, to, size - part);
}

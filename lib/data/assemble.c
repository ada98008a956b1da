/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/assemble.h"

#include "lib/base/err.h"
#include "lib/base/outfile.h"
#include <sys/stat.h>

int assemble(const char *output, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers, const struct write_options *how,
	     uint64_t *size)
{
	__cleanup(free_ptr) char *target = NULL;
	struct draft d = DRAFT_NONE;
	struct stat st;
	int err = outfile_check_plain(output) ?: outfile_target(output, &target) ?: outfile_draft(&d, target);

	if (!err)
		err = datfile_write(d.fd, output, meta, buffers, nbuffers, how);
	if (!err) {
		err = draft_publish(&d, target);
		if (err)
			fail(-err, "cannot make %s: %s", output, strerror(-err));
	}
	*size = !err && fstat(d.fd, &st) == 0 ? (uint64_t)st.st_size : 0;
	draft_close(&d);
	return err;
}

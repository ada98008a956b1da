/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/output.h"
#include "lib/base/err.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

void output_begin(void)
{
	/* The wrong way round: who uses it gets EBADF, as from a closed one. */
	static const int wrong_way[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < (int)ARRAY_LEN(wrong_way); fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", wrong_way[fd]) < 0)
			return;
}

int output_flush(void)
{
	bool failed = ferror(stdout);
	int err = fflush(stdout) ? errno : failed ? EIO : 0;

	if (!err)
		return 0;
	__fpurge(stdout);
	clearerr(stdout);
	return err == EPIPE ? -EPIPE : fail(err, "writing to the standard output: %m");
}

int output_end(int status)
{
	int err = output_flush();

	return !err || status ? status : err == -EPIPE ? STATUS_PIPE : 1;
}

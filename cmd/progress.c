/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { WORTH_IT = 64 << 20, WORTH_SECONDS = 2 }; /* bytes and seconds; less work is done before anybody could read the progress */

void progress_init(struct progress *progress, const char *what, bool wanted)
{
	*progress = (struct progress){ .what = what, .live = wanted && isatty(STDERR_FILENO), .percent = UINT64_MAX };
}

int progress_bytes(void *ctx, uint64_t done, uint64_t total)
{
	struct progress *progress = ctx;
	uint64_t percent = total ? (uint64_t)((double)done * 100 / (double)total) : 100;

	if (!progress->live || total < WORTH_IT || percent == progress->percent)
		return 0;
	progress->percent = percent;
	fprintf(stderr, "\r\033[K%s %3" PRIu64 " %%", progress->what, percent);
	fflush(stderr);
	progress->open = true;
	return 0;
}

void progress_seconds(struct progress *progress, uint64_t seconds)
{
	if (!progress->live || seconds < WORTH_SECONDS || seconds == progress->seconds)
		return;
	progress->seconds = seconds;
	fprintf(stderr, "\r\033[K%s, %" PRIu64 " s", progress->what, seconds);
	fflush(stderr);
	progress->open = true;
}

void progress_end(struct progress *progress)
{
	if (progress->open)
		fputs("\r\033[K", stderr);
	progress->open = false;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/trace-now.h"

#include "lib/base/now.h"
#include <stdio.h>
#include <unistd.h>

/* Returns the time, in ns, in a line "now ts:  1234.567890". Returns 0 when there is none. */
static uint64_t parse(const char *text)
{
	const char *at = strstr(text, "now ts:");
	unsigned long long s, us;

	if (!at || sscanf(at, "now ts: %llu.%6llu", &s, &us) != 2)
		return 0;
	return s * NSEC_PER_SEC + us * NSEC_PER_USEC;
}

void trace_now(int stats, uint64_t *before, uint64_t *ts, uint64_t *after)
{
	char text[1024];
	ssize_t n;

	*before = now_ns();
	n = pread(stats, text, sizeof(text) - 1, 0);
	*after = now_ns();
	text[MAX(n, 0)] = '\0';
	*ts = parse(text);
}

bool trace_now_raw(int stats, int64_t *time)
{
	unsigned long long s, us;
	char text[1024];
	ssize_t n = pread(stats, text, sizeof(text) - 1, 0);
	const char *at;
	int got;

	text[MAX(n, 0)] = '\0';
	at = strstr(text, "now ts:");
	got = at ? sscanf(at, "now ts: %llu.%6llu", &s, &us) : 0;
	if (got < 1)
		return false;
	*time = (int64_t)(got == 2 ? s * NSEC_PER_SEC + us * NSEC_PER_USEC + NSEC_PER_USEC / 2 : s);
	return true;
}

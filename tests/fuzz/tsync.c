/* SPDX-License-Identifier: GPL-2.0 */
/* What is said while clocks are compared. The first byte chooses the side that hears it: who asked an agent, or the agent; the end of the input is that of the connection. */
#include "lib/net/tsync.h"
#include "lib/base/io.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Each reading is 100 ns later than the one before. */
static bool read_clock(void *ctx, int64_t *time)
{
	int64_t *now = ctx;

	*time = *now += 100;
	return true;
}

static void run_on(unsigned int cpu)
{
	if (cpu > UINT16_MAX)
		abort();
}

static void ask(int fd)
{
	int64_t now = 0;
	const struct tsync_clock clock = { read_clock, &now };
	struct tsync_answer answer;
	const char *wrong = NULL;
	int err = 0;

	for (unsigned int cpu = 0; !err; cpu++) {
		err = tsync_ask(fd, cpu, &clock, &answer, &wrong);
		/* What was found is a time that was read here. */
		if (!err && (answer.error < 0 || (int64_t)((uint64_t)answer.time + (uint64_t)answer.offset) > now))
			abort();
	}
	if (err == -EPROTO && !wrong)
		abort();
}

static void answer(int fd)
{
	int64_t now = 0;
	const struct tsync_clock clock = { read_clock, &now };
	const char *wrong = NULL;
	uint32_t series = 0;
	int more = 1;

	while (more > 0)
		more = tsync_reply(fd, ++series, &clock, run_on, &wrong);
	if (more == -EPROTO && !wrong)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* No message that is sent waits for somebody who reads it, and what is too much for the other end's room is left out. */
	const struct timeval patience = { .tv_sec = 1 };
	int ends[2], room = 1 << 20;

	if (!size || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
		setsockopt(ends[i], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	}
	if (send(ends[1], data + 1, size - 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 || shutdown(ends[1], SHUT_WR))
		goto out;
	data[0] % 2 ? answer(ends[0]) : ask(ends[0]);
out:
	close(ends[0]);
	close(ends[1]);
	return 0;
}

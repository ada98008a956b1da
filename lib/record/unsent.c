/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/unsent.h"

#include "lib/base/io.h"
#include <fcntl.h>

enum { GIVE_BACK = 1 << 20 }; /* the least number of bytes that is given back at a time */

int unsent_init(struct unsent *u, size_t lanes, uint32_t unit)
{
	*u = (struct unsent){ .lanes = calloc(lanes + 1, sizeof(*u->lanes)), .unit = unit };
	return u->lanes ? 0 : -ENOMEM;
}

void unsent_fini(struct unsent *u)
{
	free(take(u->lanes));
}

static void give_back(struct unsent_lane *lane, uint32_t unit, int fd)
{
	uint64_t whole = lane->sent - lane->sent % unit, n = whole - lane->given_back;

	if (n < GIVE_BACK)
		return;
	/* If the file system cannot do this, the spool keeps its space to the end. */
	(void)!fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)lane->given_back, (off_t)n);
	lane->given_back = whole;
}

int unsent_send(struct unsent *u, const struct recorder *rec, char *room, size_t size, unsent_send_t send, void *ctx)
{
	bool some = true;

	while (some) {
		some = false;
		for (size_t i = 0; i < recorder_lanes(rec); i++) {
			struct unsent_lane *lane = &u->lanes[i];
			struct lane_result r;
			uint64_t left;
			ssize_t n;

			recorder_result(rec, i, &r);
			left = r.offset + r.size - lane->sent;
			if (!left)
				continue;
			n = io_pread(r.fd, room, (size_t)MIN(left, (uint64_t)size), lane->sent);
			if (n <= 0)
				return n < 0 ? (int)n : -EIO;
			n = send(ctx, &r, room, (size_t)n);
			if (n < 0)
				return (int)n;
			__atomic_store_n(&lane->sent, lane->sent + (uint64_t)n, __ATOMIC_RELEASE);
			give_back(lane, u->unit, r.fd);
			some = true;
		}
	}
	return 0;
}

uint64_t unsent_left(const struct unsent *u, const struct recorder *rec)
{
	struct lane_result r;
	uint64_t left = 0;

	for (size_t i = 0; i < recorder_lanes(rec); i++) {
		recorder_result(rec, i, &r);
		left += r.offset + r.size - u->lanes[i].sent;
	}
	return left;
}

uint64_t unsent_sent(const struct unsent *u, size_t lane)
{
	return u->lanes ? __atomic_load_n(&u->lanes[lane].sent, __ATOMIC_ACQUIRE) : 0;
}

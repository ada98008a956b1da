/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which of many players is next: a tree of losers, so that a new key of the winner costs one comparison for
 * each level, without branches that a CPU would have to guess. Smaller keys win; of equal ones the smaller player.
 */
#ifndef RINGSIDE_TOURNAMENT_H
#define RINGSIDE_TOURNAMENT_H

#include "lib/base/base.h"

/* A key with its player behind it, so that one comparison orders both. */
typedef unsigned __int128 seat_t;

#define SEAT_NONE (~(seat_t)0)	/* behind all others: a player who is out */

struct tournament {
	size_t n;		/* players */
	seat_t *losers;		/* [1, n): who lost there; [0]: the winner */
};

static inline seat_t seat(uint64_t key, uint32_t player)
{
	return (seat_t)key << 32 | player;
}

static inline uint32_t seat_player(seat_t s)
{
	return (uint32_t)s;
}

static inline uint64_t seat_key(seat_t s)
{
	return (uint64_t)(s >> 32);
}

/* Lets @n > 0 players with these seats play; seats[i] is player i's or SEAT_NONE. 0 or -ENOMEM. */
int tournament_init(struct tournament *t, const seat_t *seats, size_t n);
void tournament_fini(struct tournament *t);

static inline seat_t tournament_winner(const struct tournament *t)
{
	return t->losers[0];
}

/* The best of all but the winner @player. */
static inline seat_t tournament_second(const struct tournament *t, uint32_t player)
{
	seat_t best = SEAT_NONE;

	for (size_t node = (t->n + player) / 2; node; node /= 2)
		best = t->losers[node] < best ? t->losers[node] : best;
	return best;
}

/* The winner @player goes on as @s (its new key, or SEAT_NONE). */
static inline void tournament_replay(struct tournament *t, uint32_t player, seat_t s)
{
	for (size_t node = (t->n + player) / 2; node; node /= 2) {
		seat_t other = t->losers[node];
		bool lost = other < s;

		t->losers[node] = lost ? s : other;
		s = lost ? other : s;
	}
	t->losers[0] = s;
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the player with the smallest key among many. In a merge (lib/data/merge.h), the players are the streams, and the keys are the times of their next
 * records. Of players with equal keys, the player with the smaller number wins. The tournament is a tree of losers. When the winner gets a new key, one
 * comparison is made on each level of the tree.
 */
#ifndef RINGSIDE_TOURNAMENT_H
#define RINGSIDE_TOURNAMENT_H

#include "lib/base/base.h"

/*
 * A seat is a number. Its lowest 32 bits are the number of a player. The bits above them are the player's key. So comparing two seats orders them by key and
 * then by player.
 */
typedef unsigned __int128 seat_t;

#define SEAT_NONE (~(seat_t)0) /* larger than all other seats; a player with this seat has no key any more */

struct tournament {
	size_t n;	/* players */
	seat_t *losers; /* Element 0 is the seat of the winner. Each element i from 1 to n - 1 is the seat that lost at node i of the tree. */
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

/* Makes a tournament of @n players. @n is at least 1. seats[i] is the seat of player i, or SEAT_NONE. Returns 0 or -ENOMEM. */
int tournament_init(struct tournament *t, const seat_t *seats, size_t n);
void tournament_fini(struct tournament *t);

static inline seat_t tournament_winner(const struct tournament *t)
{
	return t->losers[0];
}

/* Returns the smallest seat of all players except the winner. @player is the winner. */
static inline seat_t tournament_second(const struct tournament *t, uint32_t player)
{
	seat_t best = SEAT_NONE;

	for (size_t node = (t->n + player) / 2; node; node /= 2)
		best = t->losers[node] < best ? t->losers[node] : best;
	return best;
}

/* Gives the winner the seat @s. @player is the winner. @s is a seat with the winner's new key, or SEAT_NONE. */
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

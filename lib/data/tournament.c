/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/tournament.h"

int tournament_init(struct tournament *t, const seat_t *seats, size_t n)
{
	/* winners[i] is the winner at the inner node i. From winners[n] on, there are the players themselves. */
	seat_t *winners = calloc(2 * n, sizeof(*winners));

	t->n = n;
	t->losers = calloc(n, sizeof(*t->losers));
	if (!winners || !t->losers) {
		free(winners);
		tournament_fini(t);
		return -ENOMEM;
	}
	memcpy(winners + n, seats, n * sizeof(*seats));
	for (size_t node = n - 1; node; node--) {
		seat_t a = winners[2 * node], b = winners[2 * node + 1];

		winners[node] = MIN(a, b);
		t->losers[node] = MAX(a, b);
	}
	t->losers[0] = winners[1];
	free(winners);
	return 0;
}

void tournament_fini(struct tournament *t)
{
	free(t->losers);
	*t = (struct tournament){ 0 };
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Arguments of types whose values have names. */
#include <stdbool.h>

enum colour { RED = -1, GREEN, BLUE = 7 };

struct paint {
	enum colour narrow : 4;
	unsigned int set : 1;
	bool dry;
	enum colour colour, both[2];
};

__attribute__((noinline)) enum colour pick(const struct paint *paint, enum colour colour, bool on)
{
	return on ? colour : paint->colour;
}

int main(void)
{
	const struct paint paint = { GREEN, 1, true, BLUE, { RED, BLUE } };

	pick(&paint, RED, true);
	pick(&paint, BLUE, false);
	pick(&paint, 5, false);
	return 0;
}

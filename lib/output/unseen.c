/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/unseen.h"

/* The first text says that nothing was recorded. The second text is used when it is not known whether something was recorded. */
#define TEXTS(effect, none, what, cure) \
	{ \
		effect none "; " cure, effect "the options leave no " what " of what was recorded; if none was, " cure \
	}

const char *unseen_text(enum unseen what, bool narrowed)
{
	static const char *const texts[UNSEEN_COUNT][2] = {
		[UNSEEN_SWITCHES] = TEXTS("off is not known, and is part of self: ", "no sched_switch was recorded", "sched_switch",
					  "`record -e sched` tells it"),
		[UNSEEN_SWITCHES_GUESSED] = TEXTS("off is the time in schedule() and its like, as ", "no sched_switch was recorded", "sched_switch",
						  "`record -e sched` tells it exactly"),
		[UNSEEN_SWITCHES_OF_ALL] = TEXTS("which tasks ran is not known, as ", "no sched_switch was recorded", "sched_switch",
						 "`record -e sched` records it"),
		[UNSEEN_WAKEUPS] = TEXTS("blocked and queued cannot be told apart: ", "no wakeups were recorded", "wakeups", "`record -e sched` records them"),
		[UNSEEN_INTERRUPTS] = TEXTS("irq is not known, and is part of self: ", "there are no records of interrupts", "interrupts",
					    "`record -e irq` records them"),
		[UNSEEN_MEMORY] = TEXTS("nothing is known of memory, as ", "none of kmem's events was recorded", "events of kmem",
					"`record -e kmem:kmalloc -e kmem:kfree -e 'kmem:kmem_cache_*'` records them"),
	};

	return texts[what][narrowed];
}

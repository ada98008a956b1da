/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells whether events may have been lost between two records. A loss on a CPU lasts from a record with RECORD_GAP to the next record of this CPU, which
 * has RECORD_LOST. During this time, any task may do something on this CPU that is not recorded. So two records certainly belong together only if no CPU
 * lost events at any time between them.
 *	struct losses losses;
 *
 *	losses_init(&losses, false);
 *	err = losses_take(&losses, rec, &number);
 */
#ifndef RINGSIDE_LOSSES_H
#define RINGSIDE_LOSSES_H

#include "lib/analysis/streams.h"

struct losses {
	bool by_file; /* a loss in a buffer counts for all buffers of its file */
	bool any;     /* events have been lost somewhere */
	/*
	 * When the record was made that losses_take() was last called for, some CPU was losing events of its buffer, or with .by_file of its file. A loss that
	 * begins only after this record does not count.
	 */
	bool losing;
	bool more;	       /* for some losses, the kernel did not count how many events were lost */
	uint64_t events;       /* how many lost events the kernel counted */
	struct streams states; /* the state of each CPU of each buffer */
};

/*
 * losses_take() gives each record a number, which changes only when events were lost. If @by_file is true, a loss in any buffer of a file changes the number
 * for the whole file. Otherwise each buffer has a number of its own.
 */
void losses_init(struct losses *losses, bool by_file);
void losses_fini(struct losses *losses);

/* Does the work of losses_take() from the first loss on. Only losses_take() calls this. */
int losses_add(struct losses *losses, const struct record *rec, uint64_t *number);

/*
 * Must be called for each record in the order of time, including those with RECORD_NODATA. If two records of a file or buffer get the same *@number,
 * no events of the file or buffer were lost between them. Returns 0 or -ENOMEM.
 */
static inline int losses_take(struct losses *losses, const struct record *rec, uint64_t *number)
{
	*number = 0;
	return likely(!losses->any && !(rec->flags & (RECORD_LOST | RECORD_GAP))) ? 0 : losses_add(losses, rec, number);
}

/*
 * Two records that are compared mostly are of one buffer, but not always: for example, the records that tell what the scheduler did. So such a record gets
 * two numbers from losses_take(): that of its buffer and that of its file. losses_between() returns true if events may have been lost between two records of
 * the same file. If both records are of one buffer, it compares the numbers of the buffer, and only losses in this buffer matter.
 */
struct losses_mark {
	uint64_t of_buffer, of_file;
	uint16_t buffer;
};
struct losses_both {
	struct losses buffers, files;
};

static inline void losses_init_both(struct losses_both *both)
{
	losses_init(&both->buffers, false);
	losses_init(&both->files, true);
}

static inline void losses_fini_both(struct losses_both *both)
{
	losses_fini(&both->buffers);
	losses_fini(&both->files);
}

/* Sets *@mark to the two numbers of @rec. For this, it calls losses_take() twice. Returns 0 or -ENOMEM. */
static inline int losses_take_both(struct losses_both *both, const struct record *rec, struct losses_mark *mark)
{
	mark->buffer = rec->buffer;
	return losses_take(&both->buffers, rec, &mark->of_buffer) ?: losses_take(&both->files, rec, &mark->of_file);
}

static inline bool losses_between(const struct losses_mark *a, const struct losses_mark *b)
{
	return a->buffer == b->buffer ? a->of_buffer != b->of_buffer : a->of_file != b->of_file;
}

/*
 * Looks at the records of one buffer, which is that of @rec. If losses_init() was called with @by_file true, looks at the records of the whole file
 * instead. Returns the number that losses_take() gave to the last of these records. Returns 0 if no events of this buffer or file have been lost.
 */
uint64_t losses_last(const struct losses *losses, const struct record *rec);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells whether events may have been lost between two records. While a CPU loses events (from its record with RECORD_GAP to its next record, which has
 * RECORD_LOST), any task may do something there that is not recorded. So two records belong together for certain only if no CPU lost events at any time
 * between them.
 *	struct losses losses;
 *
 *	losses_init(&losses, false);
 *	err = losses_take(&losses, rec, &number);
 */
#ifndef RINGSIDE_LOSSES_H
#define RINGSIDE_LOSSES_H

#include "lib/analysis/streams.h"

struct losses {
	bool by_file;	       /* a loss in a buffer counts for all buffers of its file */
	bool any;	       /* events have been lost somewhere */
	bool losing;	       /* at the last record, CPUs of its file or buffer were losing events; a loss behind that record is not among these */
	bool more;	       /* the kernel did not count some of the losses */
	uint64_t events;       /* how many events were lost in the other losses */
	struct streams states; /* of each CPU of each buffer */
};

/* @by_file: the numbers are for all buffers of a file; otherwise each buffer has its own. */
void losses_init(struct losses *losses, bool by_file);
void losses_fini(struct losses *losses);

/* Does what losses_take() does, after a loss. */
int losses_add(struct losses *losses, const struct record *rec, uint64_t *number);

/*
 * Must be called for each record in the order of time, including those with RECORD_NODATA. *@number has the same value for two records of a file or buffer
 * only if no events were lost there at any time between them. Returns 0 or -ENOMEM.
 */
static inline int losses_take(struct losses *losses, const struct record *rec, uint64_t *number)
{
	*number = 0;
	return likely(!losses->any && !(rec->flags & (RECORD_LOST | RECORD_GAP))) ? 0 : losses_add(losses, rec, number);
}

/*
 * For facts that one buffer mostly tells, as that of the scheduler's events: a record's numbers in its buffer and in its file. losses_between() returns whether
 * events may have been lost between two records of a file. If both are in one buffer, losses in other buffers do not matter.
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

/* Does what losses_take() does. */
static inline int losses_take_both(struct losses_both *both, const struct record *rec, struct losses_mark *mark)
{
	mark->buffer = rec->buffer;
	return losses_take(&both->buffers, rec, &mark->of_buffer) ?: losses_take(&both->files, rec, &mark->of_file);
}

static inline bool losses_between(const struct losses_mark *a, const struct losses_mark *b)
{
	return a->buffer == b->buffer ? a->of_buffer != b->of_buffer : a->of_file != b->of_file;
}

/* Returns the number of the last record of the file or buffer of @rec, or 0 if nothing has been lost there. */
uint64_t losses_last(const struct losses *losses, const struct record *rec);

#endif

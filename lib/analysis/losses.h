/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells whether events may have been lost between two records. A loss on a CPU begins with a record that has RECORD_GAP. The loss ends with the next record of
 * this CPU, which has RECORD_LOST. During a loss, any task may do something on this CPU that is not recorded. So if any CPU lost events between two records, it
 * is not certain that these records belong together.
 *	struct losses losses;
 *
 *	losses_init(&losses, false);
 *	err = losses_take(&losses, rec, &number);
 */
#ifndef RINGSIDE_LOSSES_H
#define RINGSIDE_LOSSES_H

#include "lib/analysis/streams.h"

struct losses {
	bool by_file; /* a loss in one buffer is taken as a loss in all buffers of its file */
	bool any;     /* events have been lost somewhere */
	/*
	 * This is about the record for which losses_take() was called last. True: at least one CPU was losing events of the record's buffer when this record
	 * was made. If .by_file is true, these can be events of any buffer of the record's file. A loss that begins after the record is not one of these
	 * losses.
	 */
	bool losing;
	bool more;	       /* for at least one loss, the kernel did not count how many events were lost */
	uint64_t events;       /* how many lost events the kernel counted */
	struct streams states; /* the state of each CPU of each buffer */
};

/* @by_file becomes losses.by_file. */
void losses_init(struct losses *losses, bool by_file);
void losses_fini(struct losses *losses);

/* Does the work of losses_take() from the first loss on. Only losses_take() calls this. */
int losses_add(struct losses *losses, const struct record *rec, uint64_t *number);

/*
 * Gives a record a number, which becomes *@number. Must be called for each record in the order of time, including records with RECORD_NODATA. If .by_file is
 * false, two records of one buffer can be compared. If both have the same number, no events of this buffer were lost between them. If .by_file is true, two
 * records of one file can be compared. If both have the same number, no events of any buffer of this file were lost between them. Returns 0 or -ENOMEM.
 */
static inline int losses_take(struct losses *losses, const struct record *rec, uint64_t *number)
{
	*number = 0;
	return likely(!losses->any && !(rec->flags & (RECORD_LOST | RECORD_GAP))) ? 0 : losses_add(losses, rec, number);
}

/*
 * The functions below compare two records of one file. The records may be of different buffers. Each record gets two numbers from losses_take(), one for
 * its buffer and one for its file. losses_between() returns true if events may have been lost between two records of one file. If both records are of one
 * buffer, only losses in this buffer are considered. If the records are of different buffers, losses in all buffers of the file are considered.
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
 * Returns the number that losses_take() gave last to a record of the buffer of @rec. If losses.by_file is true, returns the number that losses_take() gave last
 * to a record of the file of @rec. Returns 0 if no events of this buffer or file have been lost.
 */
uint64_t losses_last(const struct losses *losses, const struct record *rec);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/strands.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/scratch.h"

enum { PIECE = 8192 };

static int failed(struct strands *all, int err)
{
	if (err == -ENOMEM || all->failed)
		return err;
	all->failed = true;
	if (err == -ENOSPC || err == -EDQUOT || err == -EFBIG)
		return fail(-err, "there is no room in %s for what has to be put together; name a folder with more room in TMPDIR", all->folder);
	errno = -err;
	return fail(-err, "cannot use a file in %s, in which the output is put together: %m; TMPDIR names another folder", all->folder);
}

/* Writes the strand's last piece, which is full, to the file. */
static int put_away(struct strands *all, struct strand *strand)
{
	int err = 0;

	if (all->fd < 0)
		all->fd = scratch_open(&all->folder);
	if (all->fd < 0)
		return failed(all, all->fd);
	if (vec_push(&strand->pieces, all->end))
		return -ENOMEM;
	err = io_pwrite(all->fd, strand->last, PIECE, all->end);
	all->end += PIECE;
	return err ? failed(all, err) : 0;
}

int strand_add(struct strands *all, struct strand *strand, const void *bytes, size_t n)
{
	int err = all->failed ? -EIO : 0;

	if (unlikely(!strand->last))
		strand->last = malloc(PIECE);
	if (!strand->last)
		return -ENOMEM;
	while (!err && n) {
		const size_t used = strand->n % PIECE, now = MIN(n, PIECE - used);

		memcpy(strand->last + used, bytes, now);
		bytes = (const char *)bytes + now;
		n -= now;
		strand->n += now;
		if (strand->n % PIECE == 0)
			err = put_away(all, strand);
	}
	return err;
}

int strand_set(struct strands *all, struct strand *strand, uint64_t at, const void *bytes, size_t n)
{
	int err = all->failed ? -EIO : 0;

	while (!err && n) {
		const size_t piece = at / PIECE, from = at % PIECE, now = MIN(n, PIECE - from);

		if (piece == strand->pieces.n)
			memcpy(strand->last + from, bytes, now);
		else
			err = io_pwrite(all->fd, bytes, now, strand->pieces.at[piece] + from);
		bytes = (const char *)bytes + now;
		at += now;
		n -= now;
	}
	return err ? failed(all, err) : 0;
}

/* Returns the piece at @at of the file, or NULL with the error in *@err. */
static const char *get_piece(struct strands *all, uint64_t at, int *err)
{
	ssize_t got;

	if (likely(all->read && all->read_at == at))
		return all->read;
	if (!all->read)
		all->read = malloc(PIECE);
	got = all->read ? io_pread(all->fd, all->read, PIECE, at) : -ENOMEM;
	if (got == PIECE) {
		all->read_at = at;
		return all->read;
	}
	free(take(all->read));
	*err = failed(all, got < 0 ? (int)got : -EIO);
	return NULL;
}

int strand_get(struct strands *all, const struct strand *strand, uint64_t at, void *bytes, size_t n)
{
	while (n) {
		const size_t piece = at / PIECE, from = at % PIECE, now = MIN(n, PIECE - from);
		int err = 0;
		const char *there = piece == strand->pieces.n ? strand->last : get_piece(all, strand->pieces.at[piece], &err);

		if (!there)
			return err;
		memcpy(bytes, there + from, now);
		bytes = (char *)bytes + now;
		at += now;
		n -= now;
	}
	return 0;
}

void strand_fini(struct strand *strand)
{
	vec_fini(&strand->pieces);
	free(strand->last);
}

void strands_fini(struct strands *all)
{
	close_fd(&all->fd);
	free(take(all->read));
}

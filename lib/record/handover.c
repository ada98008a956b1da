/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/handover.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "ringside handed"

/* If we are killed, each member has either its old or its new value. A chunk may then be found twice, which does no harm: both copies are the same. */
struct handover_head {
	char magic[16];
	uint32_t chunk, n;     /* the bytes of a chunk; how many chunks there are */
	uint64_t given, taken; /* how many chunks were given and taken so far; each is written by one thread */
	uint64_t at;	       /* the offset in the CPU's data of the chunk that is being filled */
	uint32_t slot, page;   /* the slot of this chunk; the size of each sub-buffer that is being read */
	union {
		struct {
			uint32_t filled;   /* how many bytes of this chunk are filled */
			uint32_t expected; /* how many more bytes are being read just now */
		};
		uint64_t both; /* for changing both at once */
	};
	struct {
		uint64_t at;
		uint32_t slot, size;
	} chunks[HANDOVER_MOST]; /* the chunk with the number i is at i % n; those given and not yet taken are valid */
};

/* Bytes before the first chunk. */
#define HEAD 8192
_Static_assert(sizeof(struct handover_head) <= HEAD, "the head has its room");

struct handover {
	struct handover_head *head; /* the file, mapped */
	size_t chunk, n;
	int fd;
	bool filling, began;
	size_t reserved;	  /* slots that have space in the file */
	bool busy[HANDOVER_MOST]; /* slots that are being filled, given, or with the taker; atomic */
};

static size_t file_size(size_t chunk, size_t n)
{
	return HEAD + chunk * n;
}

static char *slot_at(const struct handover_head *head, size_t slot)
{
	return (char *)head + HEAD + slot * head->chunk;
}

int handover_new(struct handover **out, int fd, size_t chunk, size_t n)
{
	struct handover *h = calloc(1, sizeof(*h));

	*out = NULL;
	if (!h)
		return -ENOMEM;
	*h = (struct handover){ .chunk = chunk, .n = MIN(MAX(n, (size_t)1), (size_t)HANDOVER_MOST), .fd = fd };
	if (ftruncate(fd, (off_t)file_size(chunk, h->n))) {
		free(h);
		return -errno;
	}
	h->head = mmap(NULL, file_size(chunk, h->n), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (h->head == MAP_FAILED) {
		free(h);
		return -errno;
	}
	*out = h;
	return 0;
}

void handover_free(struct handover *h)
{
	if (h)
		munmap(h->head, file_size(h->chunk, h->n));
	free(h);
}

/* Reserves space on the disk. If there were none, the first write to the mapping would raise SIGBUS. */
static bool reserve(const struct handover *h, size_t from, size_t bytes)
{
	return fallocate(h->fd, 0, (off_t)from, (off_t)bytes) == 0;
}

static bool begin(struct handover *h)
{
	if (!h->began && reserve(h, 0, HEAD)) {
		h->head->chunk = (uint32_t)h->chunk;
		h->head->n = (uint32_t)h->n;
		memcpy(h->head->magic, MAGIC, sizeof(MAGIC));
		h->began = true;
	}
	return h->began;
}

/* Returns the first free slot, or -1 when there is none. So the same few slots are used again and again as long as the taker keeps up. */
static int free_slot(struct handover *h)
{
	size_t i = 0;

	while (i < h->n && __atomic_load_n(&h->busy[i], __ATOMIC_ACQUIRE))
		i++;
	if (i == h->n)
		return -1;
	if (i == h->reserved) {
		if (!reserve(h, file_size(h->chunk, i), h->chunk))
			return -1;
		h->reserved++;
	}
	return (int)i;
}

char *handover_room(struct handover *h, uint64_t at, size_t *room)
{
	struct handover_head *head = h->head;

	if (!h->filling) {
		int slot = begin(h) ? free_slot(h) : -1;

		if (slot < 0)
			return NULL;
		h->busy[slot] = true;
		head->slot = (uint32_t)slot;
		h->filling = true;
	}
	if (!head->filled)
		head->at = at;
	*room = h->chunk - head->filled;
	return slot_at(head, head->slot) + head->filled;
}

/* Sets both values with one store: if we are killed, either both have their old values or both have their new ones. */
static void set_filled(struct handover *h, size_t filled, size_t expected)
{
	const struct handover_head next = { .filled = (uint32_t)filled, .expected = (uint32_t)expected };

	__atomic_store_n(&h->head->both, next.both, __ATOMIC_RELEASE);
}

void handover_expect(struct handover *h, size_t n, size_t page)
{
	struct handover_head *head = h->head;
	const uint64_t none = 0;

	for (size_t i = 0; i + sizeof(none) <= n; i += page)
		memcpy(slot_at(head, head->slot) + head->filled + i, &none, sizeof(none));
	head->page = (uint32_t)page;
	set_filled(h, head->filled, n);
}

bool handover_put(struct handover *h, size_t n)
{
	set_filled(h, h->head->filled + n, 0);
	return h->head->filled == h->chunk;
}

size_t handover_give(struct handover *h)
{
	struct handover_head *head = h->head;
	size_t size = h->filling ? head->filled : 0, i;

	if (!size)
		return 0;
	i = head->given % h->n;
	head->chunks[i].at = head->at;
	head->chunks[i].slot = head->slot;
	head->chunks[i].size = head->filled;
	__atomic_store_n(&head->given, head->given + 1, __ATOMIC_RELEASE);
	set_filled(h, 0, 0);
	h->filling = false;
	return size;
}

static struct handed chunk_at(const struct handover_head *head, uint64_t i)
{
	size_t at = i % head->n;

	return (struct handed){ slot_at(head, head->chunks[at].slot), head->chunks[at].at, head->chunks[at].size };
}

bool handover_first(const struct handover *h, struct handed *out)
{
	if (h->head->taken == __atomic_load_n(&h->head->given, __ATOMIC_ACQUIRE))
		return false;
	*out = chunk_at(h->head, h->head->taken);
	return true;
}

void handover_drop(struct handover *h)
{
	uint32_t slot = h->head->chunks[h->head->taken % h->n].slot;

	__atomic_store_n(&h->head->taken, h->head->taken + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&h->busy[slot], false, __ATOMIC_RELEASE);
}

bool handover_presses(const struct handover *h)
{
	return __atomic_load_n(&h->head->given, __ATOMIC_ACQUIRE) - __atomic_load_n(&h->head->taken, __ATOMIC_ACQUIRE) > h->n / 2;
}

static bool sound(const struct handover_head *head, uint64_t size)
{
	bool ok = memcmp(head->magic, MAGIC, sizeof(MAGIC)) == 0 && head->n > 0 && head->n <= HANDOVER_MOST && head->chunk > 0 &&
		  size >= file_size(head->chunk, head->n) && head->given - head->taken <= head->n &&
		  (!head->both ||
		   (head->slot < head->n && head->filled <= head->chunk && head->expected <= head->chunk - head->filled && (!head->expected || head->page)));

	for (uint64_t i = head->taken; ok && i < head->given; i++)
		ok = head->chunks[i % head->n].slot < head->n && head->chunks[i % head->n].size <= head->chunk;
	return ok;
}

/* Maps the file. Returns NULL with *@err 0 when there is nothing in it, and NULL with another *@err when it cannot be read. */
static struct handover_head *open_left(int fd, uint64_t *size, int *err)
{
	struct handover_head *head;
	struct stat st;

	*err = fstat(fd, &st) ? -errno : 0;
	if (*err || !st.st_size)
		return NULL;
	*size = (uint64_t)st.st_size;
	*err = -EBADMSG;
	if (*size < HEAD)
		return NULL;
	head = mmap(NULL, *size, PROT_READ, MAP_SHARED, fd, 0);
	if (head == MAP_FAILED) {
		*err = -errno;
		return NULL;
	}
	/* Without a magic, nothing was ever put into the file. */
	*err = !head->magic[0] || sound(head, *size) ? 0 : -EBADMSG;
	if (!*err && head->magic[0])
		return head;
	munmap(head, *size);
	return NULL;
}

/* Returns the chunk that was being filled. Sub-buffers behind it that had just been read belong to it; they have a time stamp. */
static struct handed last_chunk(const struct handover_head *head)
{
	struct handed chunk = { slot_at(head, head->slot), head->at, head->filled };
	size_t end = head->filled + head->expected;
	uint64_t ts;

	while (chunk.size < end && end - chunk.size >= MAX(head->page, sizeof(ts))) {
		memcpy(&ts, chunk.bytes + chunk.size, sizeof(ts));
		if (!ts)
			break;
		chunk.size += head->page;
	}
	return chunk;
}

bool handover_holds(int fd)
{
	uint64_t size;
	int err;
	struct handover_head *head = open_left(fd, &size, &err);
	bool holds = head && (head->given > head->taken || last_chunk(head).size);

	if (head)
		munmap(head, size);
	return holds || err;
}

int handover_salvage(int fd, int (*each)(void *ctx, const struct handed *chunk), void *ctx)
{
	uint64_t size;
	int err;
	struct handover_head *head = open_left(fd, &size, &err);
	struct handed chunk;

	if (!head)
		return err;
	for (uint64_t i = head->taken; !err && i < head->given; i++) {
		chunk = chunk_at(head, i);
		err = each(ctx, &chunk);
	}
	chunk = last_chunk(head);
	if (!err && chunk.size)
		err = each(ctx, &chunk);
	munmap(head, size);
	return err;
}

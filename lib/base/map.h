/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines a map from keys to values of any types. The entries are a growing array, in the order in which their keys were added. A hash table with open
 * addressing finds the entry of a key. A MAP that is all zero is empty. Entries cannot be removed one by one, but only all at once.
 *
 *	MAP(uint32_t, const char *) names = { 0 };		keys of a fixed size: numbers, structures
 *	entry = map_add(&names, pid);				the entry of the key; the value of a new entry is zero; NULL: out of memory
 *	entry = map_find(&names, pid);				NULL: no entry has the key
 *	map_each (&names, entry) use(entry->key, entry->value);
 *	map_fini(&names);
 *
 * A key of a fixed size is passed as a value, and not as a pointer. Keys are compared byte by byte, so a structure that is a key must have no padding. A map
 * whose keys are texts is a MAP(struct text, …), which is used with map_add_text() and map_find_text(). A map of texts borrows the bytes of its keys.
 *
 * Pointers to entries are valid until the next key is added. The index of an entry (map_index()) never changes. Several threads may look up keys at the
 * same time, as long as no thread adds a key.
 */
#ifndef RINGSIDE_MAP_H
#define RINGSIDE_MAP_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/* This is the part that maps of all types have in common. An entry begins with its key. */
struct map {
	void *at;   /* the entries */
	size_t n;   /* the number of entries */
	size_t cap; /* the number of entries for which there is room */
	/* The hash table, which has 2 * .cap slots. A free slot is 0. Any other slot is 1 + the index of an entry. NULL: no key has been added yet. */
	uint32_t *slots;
	unsigned int shift; /* 64 minus the number of bits that an index into .slots has */
};

#define MAP(key_type, value_type) \
	struct { \
		struct map map; \
		struct { \
			key_type key; \
			value_type value; \
		} * entries[0]; /* takes no room; it only gives the type of an entry */ \
	}

#define map_entry_(m) __typeof__(*(m)->entries[0])
#define map_key_(m) __typeof__((m)->entries[0]->key)

/* The type of a pointer to an entry, for declarations. */
#define map_entry(m) map_entry_(m) *

#define map_count(m) ((m)->map.n)
#define map_at(m, i) ((map_entry_(m) *)(m)->map.at + (i))
#define map_index(m, entry) ((size_t)((entry)-map_at(m, 0)))

#define map_find(m, key_) \
	({ \
		map_key_(m) wanted_ = (key_); \
		(map_entry_(m) *)map_find_(&(m)->map, &wanted_, sizeof(wanted_), sizeof(map_entry_(m))); \
	})

#define map_add(m, key_) \
	({ \
		map_key_(m) wanted_ = (key_); \
		(map_entry_(m) *)map_add_(&(m)->map, &wanted_, sizeof(wanted_), sizeof(map_entry_(m))); \
	})

#define map_find_text(m, text_, n_) ((map_entry_(m) *)map_text_((struct map *)&(m)->map, (text_), (n_), sizeof(map_entry_(m)), false))

/* The key of a new entry points to the caller's text. If this text may be freed before the map, the caller must make the key point to a copy. */
#define map_add_text(m, text_, n_) ((map_entry_(m) *)map_text_(&(m)->map, (text_), (n_), sizeof(map_entry_(m)), true))

#define map_each(m, entry) for (map_entry_(m) *entry = (m)->map.at, *end_##entry = (m)->map.n ? entry + (m)->map.n : entry; entry != end_##entry; entry++)

/* Removes all entries. Keeps the memory for new entries. */
#define map_clear(m) map_clear_(&(m)->map)

/* Frees the entries. Does not free what keys and values point to. */
#define map_fini(m) map_fini_(&(m)->map)

void map_clear_(struct map *map);
void map_fini_(struct map *map);

/* Only the macros above and map.c call the functions below. */

/* Doubles the room for entries. Returns 0 or -ENOMEM. */
int map_grow_(struct map *map, size_t key_size, size_t entry_size, uint64_t (*hash_of)(const void *key, size_t size));

/* Does what map_hash_() does, but is not inlined. */
uint64_t map_hash_of_(const void *bytes, size_t size);

/*
 * Returns the entry whose key is the text of @n bytes at @text. If there is no such entry, the function adds it when @add is true, and returns NULL when
 * @add is false. Also returns NULL when memory runs out.
 */
void *map_text_(struct map *map, const char *text, size_t n, size_t entry_size, bool add);

/* Returns the hash of a key. The upper bits of the hash choose the slot, because they are mixed best. */
static inline __attribute__((always_inline)) uint64_t map_hash_(const void *key, size_t size)
{
	const char *at = key;
	uint64_t hash = 0;

	for (; size >= sizeof(uint64_t); at += sizeof(uint64_t), size -= sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, at, sizeof(word));
		hash = ((hash ^ hash >> 29) + word) * 0x9e3779b97f4a7c15ULL;
	}
	if (size) {
		uint64_t word = 0;

		memcpy(&word, at, size);
		hash = ((hash ^ hash >> 29) + word) * 0x9e3779b97f4a7c15ULL;
	}
	return hash;
}

/* Returns the slot of the key's entry. If there is no such entry, returns the free slot for a new entry with this key. */
static inline __attribute__((always_inline)) uint32_t *map_slot_(const struct map *map, uint64_t hash, const void *key, size_t key_size, size_t entry_size)
{
	const size_t mask = ((size_t)1 << (64 - map->shift)) - 1;
	size_t i = hash >> map->shift;

	while (map->slots[i] && memcmp((char *)map->at + ((size_t)map->slots[i] - 1) * entry_size, key, key_size))
		i = (i + 1) & mask;
	return &map->slots[i];
}

static inline __attribute__((always_inline)) void *map_find_(const struct map *map, const void *key, size_t key_size, size_t entry_size)
{
	const uint32_t *slot;

	if (unlikely(!map->slots))
		return NULL;
	slot = map_slot_(map, map_hash_(key, key_size), key, key_size, entry_size);
	return *slot ? (char *)map->at + ((size_t)*slot - 1) * entry_size : NULL;
}

/* Adds an entry with @key and the value zero. @slot is the free slot that the entry gets. There must be room for the entry. */
static inline __attribute__((always_inline)) void *map_take_(struct map *map, uint32_t *slot, const void *key, size_t key_size, size_t entry_size)
{
	char *entry = (char *)map->at + map->n * entry_size;

	memcpy(entry, key, key_size);
	memset(entry + key_size, 0, entry_size - key_size);
	*slot = (uint32_t)++map->n;
	return entry;
}

static inline __attribute__((always_inline)) void *map_add_(struct map *map, const void *key, size_t key_size, size_t entry_size)
{
	const uint64_t hash = map_hash_(key, key_size);
	uint32_t *slot = map->slots ? map_slot_(map, hash, key, key_size, entry_size) : NULL;

	if (likely(slot && *slot))
		return (char *)map->at + ((size_t)*slot - 1) * entry_size;
	if (unlikely(map->n == map->cap)) {
		if (map_grow_(map, key_size, entry_size, map_hash_of_))
			return NULL;
		slot = map_slot_(map, hash, key, key_size, entry_size);
	}
	return map_take_(map, slot, key, key_size, entry_size);
}

#endif

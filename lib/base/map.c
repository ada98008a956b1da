/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/map.h"

enum { FIRST_ROOM = 32, FIRST_SHIFT = 64 - 6 };

void map_clear_(struct map *map)
{
	if (map->slots)
		memset(map->slots, 0, sizeof(*map->slots) << (64 - map->shift));
	map->n = 0;
}

void map_fini_(struct map *map)
{
	free(map->at);
	free(map->slots);
	*map = (struct map){ 0 };
}

uint64_t map_hash_of_(const void *bytes, size_t size)
{
	return map_hash_(bytes, size);
}

static uint64_t hash_text(const void *key, __unused size_t size)
{
	const struct text *text = key;
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < text->size; i++)
		hash = (hash ^ (unsigned char)text->at[i]) * 0x100000001b3ULL;
	return hash * 0x9e3779b97f4a7c15ULL;
}

static void place(const struct map *map, uint64_t hash, size_t index)
{
	const size_t mask = ((size_t)1 << (64 - map->shift)) - 1;
	size_t i = hash >> map->shift;

	while (map->slots[i])
		i = (i + 1) & mask;
	map->slots[i] = (uint32_t)index + 1;
}

int map_grow_(struct map *map, size_t key_size, size_t entry_size, uint64_t (*hash_of)(const void *key, size_t size))
{
	size_t room = map->cap ? 2 * map->cap : FIRST_ROOM;
	uint32_t *slots = room < UINT32_MAX ? calloc(2 * room, sizeof(*slots)) : NULL;
	void *at = slots ? reallocarray(map->at, room, entry_size) : NULL;

	if (!at) {
		free(slots);
		return -ENOMEM;
	}
	free(map->slots);
	*map = (struct map){ .at = at, .n = map->n, .cap = room, .slots = slots, .shift = map->cap ? map->shift - 1 : FIRST_SHIFT };
	for (size_t i = 0; i < map->n; i++)
		place(map, hash_of((char *)at + i * entry_size, key_size), i);
	return 0;
}

/* Returns the slot of the text. If the text is not in the map, returns the free slot where it belongs. */
static uint32_t *text_slot(const struct map *map, const struct text *key, size_t entry_size)
{
	const size_t mask = ((size_t)1 << (64 - map->shift)) - 1;
	size_t i = hash_text(key, sizeof(*key)) >> map->shift;

	for (; map->slots[i]; i = (i + 1) & mask) {
		const struct text *there = (const void *)((char *)map->at + ((size_t)map->slots[i] - 1) * entry_size);

		if (there->size == key->size && memcmp(there->at, key->at, key->size) == 0)
			break;
	}
	return &map->slots[i];
}

void *map_text_(struct map *map, const char *text, size_t n, size_t entry_size, bool add)
{
	const struct text key = { (char *)text, n };
	uint32_t *slot = map->slots ? text_slot(map, &key, entry_size) : NULL;

	if (slot && *slot)
		return (char *)map->at + ((size_t)*slot - 1) * entry_size;
	if (!add)
		return NULL;
	if (map->n == map->cap) {
		if (map_grow_(map, sizeof(key), entry_size, hash_text))
			return NULL;
		slot = text_slot(map, &key, entry_size);
	}
	return map_take_(map, slot, &key, sizeof(key), entry_size);
}

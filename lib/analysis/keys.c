/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/keys.h"

static uint32_t *slot_of(const struct keys *keys, const struct key *key)
{
	uint64_t hash = key->a * 0x9e3779b97f4a7c15ULL;

	hash = ((hash ^ hash >> 29) + key->b) * 0xbf58476d1ce4e5b9ULL;
	hash = ((hash ^ hash >> 31) + key->c) * 0x94d049bb133111ebULL;
	for (size_t i = hash >> 32 & keys->mask;; i = (i + 1) & keys->mask)
		if (!keys->slots[i] || memcmp(&keys->all.at[keys->slots[i] - 1], key, sizeof(*key)) == 0)
			return &keys->slots[i];
}

static int grow(struct keys *keys)
{
	size_t n = keys->slots ? (keys->mask + 1) * 2 : 64;
	uint32_t *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(keys->slots);
	keys->slots = slots;
	keys->mask = n - 1;
	for (size_t i = 0; i < keys->all.n; i++)
		*slot_of(keys, &keys->all.at[i]) = (uint32_t)i + 1;
	return 0;
}

int64_t keys_index(struct keys *keys, struct key key)
{
	uint32_t *slot;

	if ((!keys->slots || keys->all.n * 2 >= keys->mask) && grow(keys))
		return -ENOMEM;
	slot = slot_of(keys, &key);
	if (!*slot) {
		if (keys->all.n >= UINT32_MAX - 1 || vec_push(&keys->all, key))
			return -ENOMEM;
		*slot = (uint32_t)keys->all.n;
	}
	return *slot - 1;
}

int64_t keys_find(const struct keys *keys, struct key key)
{
	return keys->slots ? (int64_t)*slot_of(keys, &key) - 1 : -1;
}

void keys_fini(struct keys *keys)
{
	vec_fini(&keys->all);
	free(keys->slots);
	*keys = (struct keys){ 0 };
}

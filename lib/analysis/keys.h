/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives each key a number: 0, 1, 2 and so on. A key gets its number from the first call of keys_index() for this key. The caller uses the numbers as indices
 * into arrays of its own. A struct keys that is all zero is empty.
 */
#ifndef RINGSIDE_KEYS_H
#define RINGSIDE_KEYS_H

#include "lib/base/map.h"

struct key {
	uint64_t a, b, c;
};

/*
 * key_mix() makes two members of a struct key from a sequence of numbers. The caller first sets *@a and *@b to KEY_MIX, and then calls key_mix() once for each
 * number. @more is the number. Different sequences hardly ever give the same key.
 */
#define KEY_MIX 0xcbf29ce484222325ULL
static inline void key_mix(uint64_t *a, uint64_t *b, uint64_t more)
{
	*a = (*a ^ more) * 0x100000001b3ULL;
	*b = (*b + more) * 0x9e3779b97f4a7c15ULL;
}

struct keys {
	MAP(struct key, struct {}) all;
};

/* Returns the number of @key, or -ENOMEM. A new key gets the next number. */
int64_t keys_index(struct keys *keys, struct key key);

/* Returns the number of @key, or -1 if @key has no number yet. */
int64_t keys_find(const struct keys *keys, struct key key);

/*
 * Returns the index of the element for @key in @vec, or -ENOMEM. @vec is a vector that has one element for each key. If the key is new, an element is appended
 * to @vec. The arguments after @key are the value of the new element.
 */
#define keys_element(keys, vec, key, ...) \
	({ \
		int64_t index_ = keys_index(keys, key); \
		index_ == (int64_t)(vec)->n &&vec_push(vec, __VA_ARGS__) ? -ENOMEM : index_; \
	})

void keys_fini(struct keys *keys);

#endif

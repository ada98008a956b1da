/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/keys.h"

int64_t keys_index(struct keys *keys, struct key key)
{
	map_entry(&keys->all) entry = map_add(&keys->all, key);

	return entry ? (int64_t)map_index(&keys->all, entry) : -ENOMEM;
}

int64_t keys_find(const struct keys *keys, struct key key)
{
	map_entry(&keys->all) entry = map_find(&keys->all, key);

	return entry ? (int64_t)map_index(&keys->all, entry) : -1;
}

void keys_fini(struct keys *keys)
{
	map_fini(&keys->all);
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which functions of the kernel hold memory: what a function got by kmalloc, kmalloc_node, kmem_cache_alloc and kmem_cache_alloc_node, less what
 * kfree and kmem_cache_free gave back of it, whichever function freed it. Nothing in here prints.
 *
 * An event that frees memory is counted for no function when the memory was allocated before the recording, or when the event of its allocation was lost.
 * When an address is allocated again, its memory has been freed meanwhile, and the event that freed it was not recorded. When several buffers of a file
 * have these events, the first buffer that has one counts.
 */
#ifndef RINGSIDE_KMEM_H
#define RINGSIDE_KMEM_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/select.h"
#include "lib/event/values.h"

/* Bytes that were asked for, and those of the objects that were given for them. */
struct kmem_bytes {
	uint64_t req, alloc;
};

/* This is a function that allocates. Those of the same name are one. */
struct kmem_site {
	char *name; /* owned; the address where no symbol covers it */
	uint64_t allocs, frees;
	struct kmem_bytes now;	 /* not freed yet */
	struct kmem_bytes total; /* ever */
	struct kmem_bytes most;	 /* the most that .now has been; .req and .alloc each by itself */
	uint64_t most_waste;	 /* the most that now.alloc - now.req has been */
};

/* This is memory that is not freed yet. */
struct kmem_object {
	uint32_t site; /* + 1; 0: it is free */
	struct kmem_bytes bytes;
};

/* This tells what the events of an input mean. */
struct kmem_event {
	const struct event *event;			    /* NULL: the file does not describe it */
	const struct value_field *ptr, *site, *req, *alloc; /* .site is NULL for an event that frees */
};

enum { KMEM_EVENTS = 6 };
struct kmem_input {
	const struct input *input;
	struct kmem_event events[KMEM_EVENTS];
	int buffer;   /* whose records count; -1: none yet */
	bool several; /* another buffer has records of these events, too */
};

struct kmem {
	struct handler handler;
	const struct select_options *select;
	const struct cpuset *cpus;
	VEC(struct kmem_input) inputs;
	MAP(struct text, uint32_t) names; /* the site of a name */
	struct keys site_keys;		  /* file and call site */
	VEC(uint32_t) sites_at;		  /* by the numbers of site_keys */
	VEC(struct kmem_site) sites;
	MAP(struct key, struct kmem_object) objects; /* by file and address */
	uint64_t unknown;			     /* how often memory was freed whose allocation had not been counted */
	uint64_t missed;			     /* how often memory was allocated again without an event that freed it */
	bool seen;				     /* there was any of these events */
};

/*
 * Borrows @inputs, @select (NULL: all tasks) and @cpus (NULL: all), which choose the allocations that count. Returns 0 or -ENOMEM.
 * Its handler frees it.
 */
int kmem_new(struct kmem **out, const inputs_t *inputs, const struct select_options *select, const struct cpuset *cpus);

#endif

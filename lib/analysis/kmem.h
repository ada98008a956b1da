/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which functions of the kernel hold memory. A function holds the memory that it got by kmalloc, kmalloc_node, kmem_cache_alloc or
 * kmem_cache_alloc_node, until kfree or kmem_cache_free gives it back. It does not matter which function calls kfree or kmem_cache_free. Nothing in here
 * prints.
 *
 * The event of an allocation may be missing, because it was lost, or because it happened before the recording. Then the event that frees this memory counts
 * for no function. If an address is allocated twice, and no event frees it between the two allocations, it counts as freed in between. If several buffers
 * of a file have records of these events, only the records of the first such buffer count.
 */
#ifndef RINGSIDE_KMEM_H
#define RINGSIDE_KMEM_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/losses.h"
#include "lib/analysis/select.h"
#include "lib/event/values.h"

/* .req is the number of bytes that were asked for. .alloc is the size of the objects that were allocated for them. */
struct kmem_bytes {
	uint64_t req, alloc;
};

/* This is a function that allocates. All functions of the same name are one site. */
struct kmem_site {
	char *name; /* the name of the function, or its address if it has no symbol; owned */
	uint64_t allocs, frees;
	struct kmem_bytes now;	 /* the bytes that are not freed yet */
	struct kmem_bytes total; /* the bytes of all its allocations, including those that were freed */
	struct kmem_bytes most;	 /* The largest values that now.req and now.alloc have had. The two may be from different times. */
	uint64_t most_waste;	 /* the largest value that now.alloc - now.req has had */
};

/* This is an object that was allocated. */
struct kmem_object {
	uint32_t site; /* 1 + the index in kmem.sites of the site that allocated it; 0: it is freed */
	struct kmem_bytes bytes;
};

/* This is an event of an input, and its fields. */
struct kmem_event {
	/* NULL: the file does not describe the event, or its description lacks one of the fields below */
	const struct event *event;
	const struct value_field *ptr, *site, *req, *alloc; /* .site, .req and .alloc are NULL for an event that frees */
};

enum { KMEM_EVENTS = 6 };
struct kmem_input {
	const struct input *input;
	struct kmem_event events[KMEM_EVENTS];
	int buffer;   /* the buffer whose records count; -1: none yet */
	bool several; /* a second buffer has records of .events, too */
};

struct kmem {
	struct handler handler;
	const struct select_options *select;
	const struct cpuset *cpus;
	VEC(struct kmem_input) inputs;
	MAP(struct text, uint32_t) names; /* the index in .sites of each site, by the site's name */
	struct keys site_keys;		  /* numbers the addresses of calls that allocate (call_site) in each file */
	VEC(uint32_t) sites_at;		  /* element i is for the address with number i in .site_keys: the index of its site in .sites */
	VEC(struct kmem_site) sites;
	MAP(struct key, struct kmem_object) objects; /* the objects, by their file and address */
	uint64_t unknown;			     /* how many events freed memory whose allocation was not counted */
	uint64_t missed;			     /* how often an address was allocated again although no event had freed it */
	struct losses losses;			     /* how many events were lost */
	bool seen;				     /* there was a record of one of the events in .inputs */
};

/*
 * Makes a struct kmem. Only allocations by the tasks of @select on the CPUs of @cpus count. NULL means all tasks or all CPUs. Borrows @inputs,
 * @select and @cpus. Returns 0 or -ENOMEM. The free() of its handler frees it.
 */
int kmem_new(struct kmem **out, const inputs_t *inputs, const struct select_options *select, const struct cpuset *cpus);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which functions of the kernel hold memory. A function holds the memory that it got by kmalloc, kmalloc_node, kmem_cache_alloc or kmem_cache_alloc_node,
 * until kfree or kmem_cache_free gives it back, whichever function calls kfree or kmem_cache_free. Nothing in here prints.
 *
 * The event of an allocation can be missing, because it was lost, or because the allocation happened before the recording. The event that frees this memory is
 * then not added to the .frees of any function. An address can be allocated twice without an event that frees it in between. The function of the first
 * allocation then holds this memory until the second allocation, and the .frees of this function does not grow. This is so even if the second allocation is by
 * a task or on a CPU that is not chosen. If several buffers of a file have records of these events, only the records of one buffer are used. This is the buffer
 * that has the first of these records.
 */
#ifndef RINGSIDE_KMEM_H
#define RINGSIDE_KMEM_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/losses.h"
#include "lib/analysis/select.h"
#include "lib/event/values.h"

/* .req is the number of bytes that were asked for. .alloc is the number of bytes that were allocated. Both numbers come from the events. */
struct kmem_bytes {
	uint64_t req, alloc;
};

/* This is a function that allocates. All functions of the same name are one site. */
struct kmem_site {
	char *name; /* the name of the function, or its address if it has no symbol; owned */
	uint64_t allocs, frees;
	struct kmem_bytes now;	 /* the bytes that are not freed yet */
	struct kmem_bytes total; /* the bytes of all its allocations, including those that were freed */
	struct kmem_bytes most;	 /* the largest value that now.req has had, and the largest value that now.alloc has had, perhaps at another time */
	uint64_t most_waste;	 /* the largest value that now.alloc - now.req has had */
};

/* This is an object that was allocated. */
struct kmem_object {
	uint32_t site; /* 1 + the index in kmem.sites of the site that allocated the object; 0: the object is freed */
	struct kmem_bytes bytes;
};

/* This is an event that tells of an allocation or of a free. Each input has its own struct kmem_event for it. */
struct kmem_event {
	/* NULL: the file does not describe the event, or its description lacks one of the fields below */
	const struct event *event;
	const struct value_field *ptr, *site, *req, *alloc; /* .site, .req and .alloc are NULL for an event that frees */
};

enum { KMEM_EVENTS = 6 };
struct kmem_input {
	const struct input *input;
	struct kmem_event events[KMEM_EVENTS];
	int buffer;   /* the buffer whose records are used; -1: none yet */
	bool several; /* a second buffer has records of .events, too */
};

struct kmem {
	struct handler handler;
	const struct select_options *select;
	const struct cpuset *cpus;
	VEC(struct kmem_input) inputs;
	MAP(struct text, uint32_t) names; /* A key is the name of a site. Its value is the index of the site in .sites. */
	struct keys site_keys;		  /* A key is a file and the address of a call that allocates (call_site). */
	VEC(uint32_t) sites_at;		  /* element i is for the key with the number i in .site_keys: the index of its site in .sites */
	VEC(struct kmem_site) sites;
	MAP(struct key, struct kmem_object) objects; /* A key is a file and the address of an object. */
	uint64_t unknown;			     /* how many events freed memory whose allocation was not counted */
	uint64_t missed;			     /* how often an address was allocated again although no event had freed it */
	struct losses losses;			     /* how many events were lost */
	bool seen;				     /* there was a record of one of the events in .inputs */
};

/*
 * Makes a struct kmem. Only allocations by the tasks of @select on the CPUs of @cpus are counted. If @select is NULL, the allocations by all tasks are counted.
 * If @cpus is NULL, those on all CPUs are counted. Borrows @inputs, @select and @cpus. Returns 0 or -ENOMEM. The struct kmem is freed together with its
 * handler.
 */
int kmem_new(struct kmem **out, const inputs_t *inputs, const struct select_options *select, const struct cpuset *cpus);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Follows allocations of memory by the events of include/trace/events/kmem.h. */
#include "lib/analysis/kmem.h"

#include <stdio.h>

static const struct {
	const char *event;
	bool frees;
} kinds[KMEM_EVENTS] = {
	{ "kmalloc", false }, { "kmalloc_node", false },   { "kmem_cache_alloc", false }, { "kmem_cache_alloc_node", false },
	{ "kfree", true },    { "kmem_cache_free", true },
};

/* --- sites ----------------------------------------------------------------------------------------------------- */

static int64_t site_named(struct kmem *kmem, const char *name)
{
	map_entry(&kmem->names) entry;
	char *copy;

	entry = map_find_text(&kmem->names, name, strlen(name));
	if (entry)
		return entry->value;
	copy = strdup(name);
	if (!copy || vec_push(&kmem->sites, (struct kmem_site){ .name = copy })) {
		free(copy);
		return -ENOMEM;
	}
	entry = map_add_text(&kmem->names, copy, strlen(copy));
	if (!entry)
		return -ENOMEM;
	entry->value = (uint32_t)(kmem->sites.n - 1);
	return entry->value;
}

/* Returns the index of the site that is the function at @addr, or -ENOMEM. */
static int64_t site_at(struct kmem *kmem, const struct record *rec, uint64_t addr)
{
	const struct trace *trace = kmem->inputs.at[rec->file].input->trace;
	int64_t i = keys_index(&kmem->site_keys, (struct key){ addr, rec->file, 0 }), site;
	const struct symbol *symbol;
	char buf[24];

	if (i < (int64_t)kmem->sites_at.n)
		return i < 0 ? i : kmem->sites_at.at[i];
	symbol = symbols_function(trace->symbols, addr);
	snprintf(buf, sizeof(buf), "0x%llx", (unsigned long long)addr);
	site = site_named(kmem, symbol ? symbol->name : buf);
	return site < 0 || vec_push(&kmem->sites_at, (uint32_t)site) ? -ENOMEM : site;
}

/* --- objects --------------------------------------------------------------------------------------------------- */

static void give(struct kmem_site *site, const struct kmem_bytes *bytes)
{
	site->allocs++;
	site->now.req += bytes->req;
	site->now.alloc += bytes->alloc;
	site->total.req += bytes->req;
	site->total.alloc += bytes->alloc;
	site->most.req = MAX(site->most.req, site->now.req);
	site->most.alloc = MAX(site->most.alloc, site->now.alloc);
	if (site->now.alloc > site->now.req)
		site->most_waste = MAX(site->most_waste, site->now.alloc - site->now.req);
}

static void take_back(struct kmem *kmem, struct kmem_object *object)
{
	struct kmem_site *site = &kmem->sites.at[object->site - 1];

	site->now.req -= object->bytes.req;
	site->now.alloc -= object->bytes.alloc;
	object->site = 0;
}

/* The address of @object is allocated again. So the object has been freed without an event. */
static void freed_unseen(struct kmem *kmem, struct kmem_object *object)
{
	if (!object->site)
		return;
	kmem->missed++;
	take_back(kmem, object);
}

/* Takes in an allocation that does not count. */
static void on_other_alloc(struct kmem *kmem, const struct record *rec, uint64_t ptr)
{
	map_entry(&kmem->objects) entry = map_find(&kmem->objects, ((struct key){ ptr, rec->file, 0 }));

	if (entry)
		freed_unseen(kmem, &entry->value);
}

static int on_alloc(struct kmem *kmem, const struct record *rec, uint64_t ptr, uint64_t addr, const struct kmem_bytes *bytes)
{
	int64_t site = site_at(kmem, rec, addr);
	map_entry(&kmem->objects) entry = site < 0 ? NULL : map_add(&kmem->objects, ((struct key){ ptr, rec->file, 0 }));

	if (!entry)
		return -ENOMEM;
	freed_unseen(kmem, &entry->value);
	entry->value = (struct kmem_object){ .site = (uint32_t)site + 1, .bytes = *bytes };
	give(&kmem->sites.at[site], bytes);
	return 0;
}

static void on_free(struct kmem *kmem, const struct record *rec, uint64_t ptr)
{
	map_entry(&kmem->objects) entry = map_find(&kmem->objects, ((struct key){ ptr, rec->file, 0 }));

	if (entry && entry->value.site) {
		kmem->sites.at[entry->value.site - 1].frees++;
		take_back(kmem, &entry->value);
	} else {
		kmem->unknown++;
	}
}

/* --- records --------------------------------------------------------------------------------------------------- */

/* Is the allocation wanted? A free always counts, whoever frees the memory and on whichever CPU. */
static bool is_wanted(const struct kmem *kmem, const struct record *rec)
{
	const struct trace *trace = kmem->inputs.at[rec->file].input->trace;
	struct common common;

	if (!cpuset_wants(kmem->cpus, rec->cpu))
		return false;
	if (!kmem->select)
		return true;
	common = record_common(trace, rec);
	return select_task(kmem->select, comms_find(trace->comms, common.pid), common.pid);
}

static bool get(const struct value_field *field, const struct record *rec, uint64_t *out)
{
	struct value value;

	if (!value_get(field, rec->data, rec->size, &value))
		return false;
	*out = value.number;
	return true;
}

static int take_event(struct kmem *kmem, const struct kmem_event *event, const struct record *rec)
{
	struct kmem_bytes bytes;
	uint64_t ptr, site;

	/* Nothing was allocated or freed. */
	if (!get(event->ptr, rec, &ptr) || !ptr)
		return 0;
	if (!event->site)
		return on_free(kmem, rec, ptr), 0;
	if (!get(event->site, rec, &site) || !get(event->req, rec, &bytes.req) || !get(event->alloc, rec, &bytes.alloc))
		return 0;
	if (!is_wanted(kmem, rec))
		return on_other_alloc(kmem, rec, ptr), 0;
	return on_alloc(kmem, rec, ptr, site, &bytes);
}

static int take_record(struct kmem *kmem, const struct record *rec)
{
	struct kmem_input *in = &kmem->inputs.at[rec->file];
	uint64_t number;
	uint16_t id;

	if (losses_take(&kmem->losses, rec, &number))
		return -ENOMEM;
	if (rec->flags & RECORD_NODATA)
		return 0;
	id = record_id(in->input->trace, rec);
	for (size_t i = 0; i < KMEM_EVENTS; i++) {
		const struct kmem_event *event = &in->events[i];

		if (!event->event || event->event->id != id)
			continue;
		if (in->buffer < 0)
			in->buffer = rec->buffer;
		kmem->seen = true;
		in->several |= in->buffer != rec->buffer;
		return in->buffer == rec->buffer ? take_event(kmem, event, rec) : 0;
	}
	return 0;
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct kmem *kmem = container_of(h, struct kmem, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = take_record(kmem, &batch->records[i]);
	return err;
}

/* --- its life -------------------------------------------------------------------------------------------------- */

static const struct value_field *number(const struct values *values, const char *name)
{
	const struct value_field *field = values_field(values, name);

	return field && value_is_number(field) ? field : NULL;
}

/* An event that lacks one of the fields is not used. */
static int find_event(struct kmem_event *out, struct event *event, bool frees)
{
	const struct values *values;
	int err = values_of(&values, event);

	if (err)
		return err;
	out->ptr = number(values, "ptr");
	if (!frees) {
		out->site = number(values, "call_site");
		out->req = number(values, "bytes_req");
		out->alloc = number(values, "bytes_alloc");
	}
	if (out->ptr && (frees || (out->site && out->req && out->alloc)))
		out->event = event;
	return 0;
}

static int find_events(struct kmem *kmem, const struct input *input)
{
	struct kmem_input in = { .input = input, .buffer = -1 };
	int err = 0;

	vec_each (&input->trace->events, event)
		for (size_t i = 0; !err && i < KMEM_EVENTS; i++)
			if (strcmp((*event)->system, "kmem") == 0 && strcmp((*event)->name, kinds[i].event) == 0)
				err = find_event(&in.events[i], *event, kinds[i].frees);
	return err || vec_push(&kmem->inputs, in) ? -ENOMEM : 0;
}

static void kmem_free(struct handler *h)
{
	struct kmem *kmem = container_of(h, struct kmem, handler);

	vec_each (&kmem->sites, site)
		free(site->name);
	vec_fini(&kmem->sites);
	vec_fini(&kmem->sites_at);
	vec_fini(&kmem->inputs);
	map_fini(&kmem->names);
	map_fini(&kmem->objects);
	keys_fini(&kmem->site_keys);
	losses_fini(&kmem->losses);
	free(kmem);
}

int kmem_new(struct kmem **out, const inputs_t *inputs, const struct select_options *select, const struct cpuset *cpus)
{
	struct kmem *kmem = calloc(1, sizeof(*kmem));
	int err = kmem ? 0 : -ENOMEM;

	if (err)
		return err;
	kmem->handler = (struct handler){ .records = take_records, .free = kmem_free };
	kmem->select = select;
	kmem->cpus = cpus;
	losses_init(&kmem->losses, true);
	vec_each (inputs, input)
		err = err ? err : find_events(kmem, input);
	if (err)
		kmem_free(&kmem->handler);
	else
		*out = kmem;
	return err;
}

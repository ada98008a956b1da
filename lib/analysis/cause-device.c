/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/cause-device.h"

/* At most this many requests are remembered in queues, and at most this many at devices. No device takes more requests at a time. */
enum { MOST_REQUESTS = 4096 };

enum { INSERT, ISSUE, COMPLETE, EVENTS };

struct device_event {
	const struct event *event; /* NULL: the trace does not have this event */
	struct field dev, sector;
};

struct request {
	uint64_t sector, ns;
	uint32_t dev;
	uint8_t file;
};
typedef VEC(struct request) requests_t;

struct devices {
	const inputs_t *inputs;
	VEC(struct { struct device_event at[EVENTS]; }) events; /* element i is for the input i */
	requests_t queued, issued;
	VEC(struct {
		uint32_t dev;
		uint8_t file;
		uint64_t n;
	})
	served;
	struct device_use last;
	uint64_t last_ns;
};

static void find_event(struct device_event *out, const struct trace *trace, const char *name)
{
	const struct event *event = trace_find(trace, "block", name);

	*out = (struct device_event){ 0 };
	if (event && format_field(event->format, "dev", &out->dev) && format_field(event->format, "sector", &out->sector))
		out->event = event;
}

int devices_new(struct devices **out, const inputs_t *inputs)
{
	static const char *const names[EVENTS] = { "block_rq_insert", "block_rq_issue", "block_rq_complete" };
	struct devices *d = calloc(1, sizeof(*d));
	int err = d ? 0 : -ENOMEM;

	*out = d;
	if (!d)
		return err;
	d->inputs = inputs;
	vec_each (inputs, input) {
		err = err ? err : vec_reserve(&d->events, 1);
		if (err)
			break;
		d->events.n++;
		for (unsigned int i = 0; i < EVENTS; i++)
			find_event(&d->events.at[d->events.n - 1].at[i], input->trace, names[i]);
	}
	if (err)
		devices_free(take(*out));
	return err;
}

void devices_free(struct devices *d)
{
	if (!d)
		return;
	vec_fini(&d->events);
	vec_fini(&d->queued);
	vec_fini(&d->issued);
	vec_fini(&d->served);
	free(d);
}

/* Returns the index of the request in @all, or -1 if it is not there. */
static int64_t find(const requests_t *all, const struct request *what)
{
	for (size_t i = all->n; i-- > 0;)
		if (all->at[i].sector == what->sector && all->at[i].dev == what->dev && all->at[i].file == what->file)
			return (int64_t)i;
	return -1;
}

static bool take_out(requests_t *all, const struct request *what, uint64_t *ns)
{
	int64_t i = find(all, what);

	if (i < 0)
		return false;
	*ns = all->at[i].ns;
	all->at[i] = all->at[--all->n];
	return true;
}

static int put_in(requests_t *all, const struct request *what)
{
	uint64_t ns;

	take_out(all, what, &ns);
	return all->n < MOST_REQUESTS ? vec_push(all, *what) : 0;
}

static uint64_t *served_of(struct devices *d, uint32_t dev, uint8_t file)
{
	vec_each (&d->served, at)
		if (at->dev == dev && at->file == file)
			return &at->n;
	if (vec_reserve(&d->served, 1))
		return NULL;
	d->served.at[d->served.n].dev = dev;
	d->served.at[d->served.n].file = file;
	d->served.at[d->served.n].n = 0;
	return &d->served.at[d->served.n++].n;
}

static int issue(struct devices *d, const struct request *request)
{
	struct device_use use = { .dev = request->dev, .file = request->file, .known = true };
	uint64_t *served = served_of(d, request->dev, request->file), queued;
	int err = served ? put_in(&d->issued, request) : -ENOMEM;

	if (err)
		return err;
	use.served = *served;
	vec_each (&d->issued, at)
		use.others += at->dev == request->dev && at->file == request->file && at->sector != request->sector;
	if (take_out(&d->queued, request, &queued) && queued < request->ns)
		use.before = request->ns - queued;
	d->last = use;
	d->last_ns = request->ns;
	return 0;
}

static int complete(struct devices *d, const struct request *request)
{
	uint64_t *served = served_of(d, request->dev, request->file), ns;

	if (!served)
		return -ENOMEM;
	*served += take_out(&d->issued, request, &ns);
	return 0;
}

int devices_record(struct devices *d, const struct event *event, const struct record *rec)
{
	const struct input *input = &d->inputs->at[rec->file];
	const struct device_event *events = d->events.at[rec->file].at;
	struct request request = { .file = rec->file };
	unsigned int kind = 0;
	uint64_t dev;

	while (kind < EVENTS && events[kind].event != event)
		kind++;
	if (kind == EVENTS || !field_get(&events[kind].dev, rec->data, rec->size, input->trace->swap, &dev) ||
	    !field_get(&events[kind].sector, rec->data, rec->size, input->trace->swap, &request.sector))
		return 0;
	request.dev = (uint32_t)dev;
	request.ns = input_time(input, rec);
	return kind == INSERT ? put_in(&d->queued, &request) : kind == ISSUE ? issue(d, &request) : complete(d, &request);
}

static void drop(requests_t *all, uint8_t file)
{
	size_t kept = 0;

	vec_each (all, at)
		if (at->file != file)
			all->at[kept++] = *at;
	all->n = kept;
}

void devices_lost(struct devices *d, uint8_t file)
{
	drop(&d->queued, file);
	drop(&d->issued, file);
}

struct device_use devices_issued(const struct devices *d, uint8_t file, uint64_t ns)
{
	return d->last.known && d->last.file == file && d->last_ns == ns ? d->last : (struct device_use){ 0 };
}

bool devices_completed(const struct devices *d, const struct device_use *use, const struct record *rec, uint64_t *served)
{
	const struct event *event = trace_event(d->inputs->at[rec->file].trace, record_id(d->inputs->at[rec->file].trace, rec));

	*served = 0;
	if (!use->known || rec->file != use->file || !event || event != d->events.at[rec->file].at[COMPLETE].event)
		return false;
	vec_each (&d->served, at)
		if (at->dev == use->dev && at->file == use->file && at->n > use->served)
			*served = at->n - use->served - 1;
	return true;
}

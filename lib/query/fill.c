/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/query/fill.h"

void fill_text(struct fill *fill, uint32_t row, unsigned int column, const char *text)
{
	struct cell cell;

	if (!text || !fill->store->columns[column].kept)
		return;
	cell_text(&cell, text, strlen(text), &fill->room);
	store_cell(fill->store, row, column, &cell);
}

void fill_comm(struct fill *fill, uint32_t row, unsigned int column, int pid)
{
	if (fill->store->columns[column].kept)
		fill_text(fill, row, column, comms_known(fill->reading->inputs.at[fill->rec->file].trace->comms, pid));
}

void fill_buffer(struct fill *fill, uint32_t row, unsigned int column)
{
	const struct input *in = &fill->reading->inputs.at[fill->rec->file];
	const char *name = fill->rec->buffer < in->file->buffers.n ? in->file->buffers.at[fill->rec->buffer].name : "";

	fill_text(fill, row, column, name[0] ? name : NULL);
}

void fill_pid(struct fill *fill, uint32_t row, unsigned int column, int pid)
{
	store_number(fill->store, row, column, (uint64_t)(int64_t)pid);
}

bool fill_field(const struct fill *fill, const char *name, uint64_t *out)
{
	const struct trace *trace = fill->reading->inputs.at[fill->rec->file].trace;
	struct event *event = trace_event(trace, record_id(trace, fill->rec));
	const struct value_field *field;
	const struct values *values;
	struct value value;

	if (!event || values_of(&values, event))
		return false;
	field = values_field(values, name);
	if (!field || !value_is_number(field) || !value_get(field, fill->rec->data, fill->rec->size, &value))
		return false;
	*out = value.number;
	return true;
}

const struct event *fill_event(const struct fill *fill)
{
	struct trace *trace = fill->reading->inputs.at[fill->rec->file].trace;
	const struct event *event = fill->rec->flags & RECORD_NODATA ? NULL : trace_event(trace, record_id(trace, fill->rec));

	if (event)
		trace_learn(trace, event, fill->rec);
	return event;
}

bool fill_chosen(const struct fill *fill)
{
	return cpuset_wants(reading_cpus(fill->reading), fill->rec->cpu);
}
#endif

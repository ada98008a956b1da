/* SPDX-License-Identifier: GPL-2.0 */
/* Gets the numbers of a distribution from calls and from fields of events. */
#include "lib/analysis/dist.h"
#include "lib/analysis/timed.h"
#include "lib/base/err.h"

int dist_make(struct dist **out, struct reading *reading, const struct dist_options *opt)
{
	struct dist *dist = calloc(1, sizeof(*dist));

	if (!dist)
		return -ENOMEM;
	*dist = (struct dist){ .opt = *opt, .select = &reading->select, .inputs = &reading->inputs, .learn = reading->learn };
	dist->numeric = opt->by == DIST_CPU || opt->by == DIST_FIELD;
	*out = dist;
	return 0;
}

void dist_key_field(struct dist *dist, const struct value_field *field)
{
	dist->numeric &= !field || ((field->kind == VALUE_UNSIGNED || field->kind == VALUE_SIGNED) && !field->text);
}

const char *dist_task_key(const struct dist *dist, const struct input *input, int pid, unsigned int cpu, struct str *buf)
{
	const char *comm = comms_find(input->trace->comms, pid);

	str_clear(buf);
	switch (dist->opt.by) {
	case DIST_COMM:
		return comm;
	case DIST_TASK:
		str_addf(buf, pid ? "%s-%d" : "%s/%u", comm, pid ? pid : (int)cpu);
		break;
	case DIST_CPU:
		str_addf(buf, "%u", cpu);
		break;
	case DIST_ALL:
	case DIST_FIELD:
		return NULL;
	}
	return str_text(buf);
}

/* --- calls ---------------------------------------------------------------------------------------------------------------- */

/* Is the call one of those that were asked for? Returns 1, 0, or -ENOMEM. */
static int is_wanted(struct dist *dist, const struct call_task *task, const struct call_frame *frame)
{
	int64_t i = keys_index(&dist->functions, (struct key){ frame->func, task->file, frame->source });
	const char *name, *module;
	char buf[CALL_NAME];

	if (i < 0 || i < (int64_t)dist->wanted.n)
		return i < 0 ? (int)i : dist->wanted.at[i];
	name = call_name(task->trace, frame->source, frame->func, buf, &module);
	if ((!strv_has(&dist->seen, name) && strv_add(&dist->seen, name)) || vec_push(&dist->wanted, glob_match(dist->opt.what, name)))
		return -ENOMEM;
	return dist->wanted.at[i];
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct call_end *end)
{
	struct dist *dist = ctx;
	const struct timed_call *call = timed_call_of(dist->timed, frame);
	int wanted = frame->func ? is_wanted(dist, task, frame) : 0, err;
	struct str key = { 0 };

	if (wanted <= 0 || !select_task(dist->select, comms_find(task->trace->comms, task->pid), task->pid))
		return MIN(wanted, 0);
	if (call->cut) {
		dist->cut += !call->timeless;
		dist->timeless += call->timeless;
		return 0;
	}
	if (call->times.total < dist->opt.over_ns)
		return 0;
	err = dist_add(dist, dist_task_key(dist, task->input, task->pid, frame->cpu, &key),
		       &(struct dist_outlier){ .value = call->times.total, .ns = frame->ns, .input = task->input, .pid = task->pid, .cpu = frame->cpu });
	str_fini(&key);
	return err;
}

static const struct calls_ops ops = { .leave = on_leave };

int dist_new_calls(struct dist **out, struct reading *reading, const struct dist_options *opt)
{
	struct calls *calls = reading_calls(reading);
	int err = calls ? dist_make(out, reading, opt) : -ENOMEM;
	struct dist *dist = err ? NULL : *out;

	if (!err && opt->by == DIST_FIELD) {
		dist_free(take(*out));
		return fail(EINVAL, "--by %s: calls are told apart by comm, task or cpu", opt->field);
	}
	if (!err) {
		dist->times = true;
		dist->user = (struct calls_user){ .ops = &ops, .ctx = dist };
		err = timed_new(&dist->timed, calls, dist->inputs);
	}
	err = err ? err : calls_add(calls, &dist->user);
	if (err && dist)
		dist_free(take(*out));
	return err;
}

/* --- fields of events ------------------------------------------------------------------------------------------------------ */

/*
 * These are the parts of "SYSTEM:EVENT.FIELD" or "SYSTEM/EVENT.FIELD". They point into the text that was split. The last dot counts, because names of events
 * have no dots.
 */
struct spec {
	char *system, *event, *field;
};

static bool split(char *copy, struct spec *out)
{
	char *dot = strrchr(copy, '.'), *colon = strpbrk(copy, ":/");

	if (!dot || !dot[1] || (colon && colon > dot))
		return false;
	*dot = '\0';
	*out = (struct spec){ .event = copy, .field = dot + 1 };
	if (colon) {
		*colon = '\0';
		out->system = copy;
		out->event = colon + 1;
	}
	return true;
}

int dist_is_event(const inputs_t *inputs, const char *what)
{
	__cleanup(free_ptr) char *copy = strdup(what);
	struct spec spec;

	if (!copy)
		return -ENOMEM;
	/* Functions may have dots in their names, and the sections of a program may have dots and colons. */
	if (!split(copy, &spec))
		return 0;
	vec_each (inputs, input)
		if (trace_find(input->trace, spec.system, spec.event))
			return 1;
	return 0;
}

/*
 * *@out becomes the field @name of @event. @is_key says that other words are possible, too, which the message then lists. Returns 0, -ENOMEM, or -EINVAL
 * after a message.
 */
static int find_field(struct event *event, const char *option, const char *name, bool is_key, const struct value_field **out)
{
	static const char *const keys[] = { "comm", "task", "cpu" };
	__cleanup(free_ptr) char *all = NULL, *near = NULL;
	const struct values *values;
	strv_t names = { 0 };
	int err = values_of(&values, event);

	if (err)
		return err;
	*out = values_field(values, name);
	if (*out)
		return 0;
	for (size_t i = 0; !err && i < ARRAY_LEN(keys) && is_key; i++)
		err = strv_add(&names, keys[i]);
	err = err ? err : values_names(event, false, &names);
	all = join_names(&names, "; there is ", "");
	near = did_you_mean(name, &names, all ? all : "");
	return err ? err : fail(EINVAL, "%s: the event %s has no field '%s'%s", option, event->name, name, near ? near : "");
}

static int find_event(struct dist *dist, const struct input *input, const struct spec *spec)
{
	struct event *event = trace_find(input->trace, spec->system, spec->event);
	struct dist_event found = { .event = event };
	int err = 0;

	if (event)
		err = find_field(event, dist->opt.what, spec->field, false, &found.field);
	if (!err && event && !value_is_number(found.field))
		return fail(EINVAL, "%s: the field is a %s, and only numbers have a distribution; `--by %s` tells another field apart by it", dist->opt.what,
			    found.field->type, spec->field);
	if (!err && event && dist->opt.by == DIST_FIELD) {
		__cleanup(free_ptr) char *option = str_printf("--by %s", dist->opt.field);

		err = find_field(event, option ? option : "--by", dist->opt.field, true, &found.by);
		dist_key_field(dist, found.by);
	}
	if (found.field)
		dist->is_signed |= value_is_signed(found.field);
	return err ? err : vec_push(&dist->events, found);
}

static int take_one(struct dist *dist, const struct record *rec, struct str *text)
{
	const struct dist_event *event = &dist->events.at[rec->file];
	const struct input *input = &dist->inputs->at[rec->file];
	struct common common = record_common(input->trace, rec);
	const char *key;
	struct value value;

	if (!event->event || common.id != event->event->id)
		return 0;
	if (!value_get(event->field, rec->data, rec->size, &value)) {
		dist->short_records++;
		return 0;
	}
	learn_until(dist->learn, rec);
	key = dist_task_key(dist, input, common.pid, rec->cpu, text);
	if (event->by) {
		value_text(event->by, rec->data, rec->size, text);
		key = str_text(text);
	}
	return dist_add(dist, key,
			&(struct dist_outlier){ .value = value.number, .ns = input_time(input, rec), .input = input, .pid = common.pid, .cpu = rec->cpu });
}

static int take_records(struct dist *dist, const struct batch *batch)
{
	struct str text = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		if (!(batch->records[i].flags & RECORD_NODATA))
			err = take_one(dist, &batch->records[i], &text);
	str_fini(&text);
	return err;
}

int dist_new_events(struct dist **out, struct reading *reading, const struct dist_options *opt)
{
	__cleanup(free_ptr) char *copy = strdup(opt->what);
	struct spec spec;
	int err = copy ? dist_make(out, reading, opt) : -ENOMEM;

	if (err || !split(copy, &spec))
		return err;
	(*out)->take = take_records;
	vec_each (&reading->inputs, input)
		err = err ? err : find_event(*out, input, &spec);
	if (err)
		dist_free(take(*out));
	return err;
}

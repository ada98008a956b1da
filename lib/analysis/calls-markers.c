/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Puts together the sections of code that programs mark in the trace. They write texts in the form of Android's atrace to trace_marker:
 *	B|PID|NAME		a call of the thread that writes begins
 *	E  or  E|PID		the innermost call of the thread ends
 *	S|PID|NAME|COOKIE	a call begins that can overlap with others and can end in another thread
 *	F|PID|NAME|COOKIE	the call with the same PID, NAME and COOKIE ends
 * Counters (C|PID|NAME|VALUE) and all other texts are ordinary events. The NAME of B may be empty. Then the call has no name, but its E ends it all the same.
 */
#define _GNU_SOURCE
#include "lib/analysis/call-source.h"

static bool find(__unused const struct trace *trace, const struct event *event, struct call_event *out)
{
	if (strcmp(event->system, "ftrace") != 0 || strcmp(event->name, "print") != 0 || !format_field(event->format, "buf", &out->key))
		return false;
	out->part = CALL_ASYNC;
	return true;
}

/* Returns the first line of the record's text, without the newline. */
static struct text text_of(const struct call_at *at)
{
	const struct record *rec = at->rec;
	const char *text = (const char *)rec->data + at->what->key.offset;
	size_t n = 0, room = rec->size > at->what->key.offset ? rec->size - at->what->key.offset : 0;

	while (n < room && text[n] && text[n] != '\n')
		n++;
	return (struct text){ (char *)text, n };
}

/* Removes the beginning of @text, up to and including the next '|'. *@out becomes what stood in front of the '|'. Returns false if there is no '|'. */
static bool part(struct text *text, struct text *out)
{
	const char *bar = memchr(text->at, '|', text->size);

	if (!bar)
		return false;
	*out = (struct text){ text->at, (size_t)(bar - text->at) };
	text->size -= out->size + 1;
	text->at += out->size + 1;
	return true;
}

/* Removes "PID|" from the beginning of @text. Returns false if this is not a number and a '|'. */
static bool take_pid(struct text *text)
{
	struct text pid;

	if (!part(text, &pid) || !pid.size)
		return false;
	for (size_t i = 0; i < pid.size; i++)
		if (pid.at[i] < '0' || pid.at[i] > '9')
			return false;
	return true;
}

/*
 * A section has ended in a function of the program that has not returned, and now the next one begins. That function has probably gone without a return
 * (longjmp): the next section is not inside of it. If it were, each section would be inside of all earlier ones.
 */
static int cut_left_behind(const struct call_at *at)
{
	struct call_task *task = at->task;
	size_t first = 0;
	int err = 0;

	while (first < task->depth && !(call_at(task, first)->over && call_at(task, first)->source == call_source_index(at->what->source)))
		first++;
	for (size_t i = task->depth; !err && i-- > first;)
		if (i < task->depth && call_at(task, i)->level == CALL_LEVEL_USER && !call_at(task, i)->over)
			err = call_cut(at, i);
	return err;
}

static int on_begin(const struct call_at *at, struct text rest)
{
	static const char nameless[] = "[no name]";
	struct call_frame frame = call_begin(at);
	int err;

	if (!take_pid(&rest))
		return 1;
	err = unlikely(at->task->over) ? cut_left_behind(at) : 0;
	if (err)
		return err;
	frame.func = (uintptr_t)(rest.size ? call_text(at, rest.at, rest.size) : call_text(at, nameless, strlen(nameless)));
	return frame.func ? call_enter(at, CALL_LEVEL_USER, &frame, at->rec) : -ENOMEM;
}

static int on_end(const struct call_at *at)
{
	struct call_frame *open = call_innermost(at, CALL_LEVEL_USER);

	return open ? call_finish(at, open) : call_unseen(at, CALL_LEVEL_USER, call_begin(at));
}

/* Handles S and F. The two ends of a call have the same PID, NAME and COOKIE. Returns 1 if the text is not of this form, otherwise 0 or -errno. */
static int on_aside(const struct call_at *at, struct text rest, bool ends)
{
	struct call_frame frame = call_begin(at);
	struct key key = { KEY_MIX };
	const struct text all = rest;
	const char *bar;
	int err;

	if (!take_pid(&rest) || !rest.size)
		return 1;
	/* The name itself may contain a '|'. So the cookie begins after the last one. */
	bar = memrchr(rest.at, '|', rest.size);
	if (!bar || bar == rest.at)
		return 1;
	for (size_t i = 0; i < all.size; i++)
		key_mix(&key.a, &key.b, (unsigned char)all.at[i]);
	frame.func = (uintptr_t)call_text(at, rest.at, (size_t)(bar - rest.at));
	if (!frame.func)
		return -ENOMEM;
	if (!ends)
		return call_begin_aside(at, key, frame);
	err = call_end_aside(at, key);
	return err > 0 ? call_unseen_aside(at, frame) : err;
}

static int on_record(const struct call_at *at)
{
	struct text text = text_of(at), kind;

	if (text.size == 1 && text.at[0] == 'E')
		return on_end(at);
	if (!part(&text, &kind) || kind.size != 1)
		return 1;
	switch (kind.at[0]) {
	case 'B':
		return on_begin(at, text);
	case 'E':
		return on_end(at);
	case 'S':
	case 'F':
		return on_aside(at, text, kind.at[0] == 'F');
	default:
		return 1;
	}
}

static const char *name_of(__unused const struct trace *trace, uint64_t func, __unused char buf[CALL_NAME], __unused const char **module)
{
	return (const char *)(uintptr_t)func;
}

const struct call_source call_source_markers = {
	.name = "markers",
	.calls = "sections of markers",
	.find = find,
	.record = on_record,
	.name_of = name_of,
};

/* SPDX-License-Identifier: GPL-2.0 */
/* Lists dynamic events, and adds and removes those of a session. */
#include "lib/tracefs/dynevent.h"
#include "lib/tracefs/doctor.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/state.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

void dynevents_fini(dynevents_t *v)
{
	vec_each (v, d) {
		free(d->line);
		free(d->name);
	}
	vec_fini(v);
}

enum { KPROBE, KRETPROBE, UPROBE, URETPROBE, EPROBE, SYNTH, FPROBE, TPROBE, KINDS };

const char *const dynevent_kinds[] = {
	[KPROBE] = "kprobe", [KRETPROBE] = "kretprobe", [UPROBE] = "uprobe", [URETPROBE] = "uretprobe", [EPROBE] = "eprobe", [SYNTH] = "synth",
	[FPROBE] = "fprobe", [TPROBE] = "tprobe",	[KINDS] = NULL,
};

const char *dynevent_kind(const struct dynevent *d)
{
	static const struct {
		char letter;
		int kernel, program; /* the kind when the place is a kernel symbol; the kind when it is in a file */
	} letters[] = {
		{ 'p', KPROBE, UPROBE }, { 'r', KRETPROBE, URETPROBE }, { 'e', EPROBE, EPROBE },
		{ 's', SYNTH, SYNTH },	 { 'f', FPROBE, FPROBE },	{ 't', TPROBE, TPROBE },
	};
	const char *place = strchr(d->line, ' ');

	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		if (letters[i].letter == d->line[0])
			return dynevent_kinds[place && place[1] == '/' ? letters[i].program : letters[i].kernel];
	return NULL;
}

int dynevents_read(const struct tracedir *top, dynevents_t *out)
{
	struct text all = { 0 }, rest, line;
	int err = io_slurp_at(top->fd, "dynamic_events", &all);

	if (err == -ENOENT)
		return 0;
	if (err)
		return fail(-err, "cannot read dynamic_events: %s", strerror(-err));
	rest = all;
	while (!err && text_line(&rest, &line)) {
		const char *colon = memchr(line.at, ':', line.size);
		size_t left = colon ? (size_t)(line.at + line.size - colon - 1) : 0, n = 0;
		struct dynevent d = { 0 };

		while (n < left && colon[1 + n] != ' ')
			n++;
		if (!n)
			continue;
		d.line = strndup(line.at, line.size);
		d.name = strndup(colon + 1, n);
		if (!d.line || !d.name || vec_push(out, d)) {
			free(d.line);
			free(d.name);
			err = fail(ENOMEM, "no memory for the list of dynamic events");
		}
	}
	free(all.at);
	return err;
}

static int dynevent_remove(const struct tracedir *top, const char *name)
{
	__cleanup(free_ptr) char *remove = str_printf("-:%s", name);
	int err = remove ? tracedir_write(top, "dynamic_events", remove, false) : -ENOMEM;

	if (err == -EBUSY)
		return fail(EBUSY, "%s is in use: a recording or a trigger has it enabled", name);
	return err ? fail(-err, "cannot remove %s: %s", name, strerror(-err)) : 0;
}

int dynevents_remove(const struct tracedir *top, const strv_t *names)
{
	struct session *s = NULL;
	int err = 0, ret;

	if (names->n >= MANY_PROBES) {
		err = session_open(&s, &(struct session_opts){ .tracing_dir = top->path });
		if (err)
			return err;
		journal_hurry(s->journal, &s->top);
	}
	for (size_t i = names->n; i-- > 0;) {
		ret = dynevent_remove(top, names->at[i]);
		err = err ? err : ret;
	}
	ret = session_close(s);
	return err ? err : ret;
}

/* Returns the folder that the event of a line "-:group/event" has below the tracing directory. */
static char *folder_of(const char *remove)
{
	const char *name = strchr(remove, ':');

	return str_printf("events/%s", name ? name + 1 : remove);
}

/* Reports why the kernel refused a probe. If this kind of probe was left out of the kernel, the kernel only says that the text is invalid. */
static int refused_kind(const struct tracedir *top, const char *text, int err)
{
	static const struct {
		const char *letters;
		bool path;	  /* its target is a file */
		const char *name; /* the name of doctor's check */
	} kinds[] = {
		{ "pr", false, "kprobe, kretprobe" },
		{ "pr", true, "uprobe, uretprobe, USDT" },
		{ "f", false, "fprobe" },
		{ "t", false, "tracepoint probe" },
		{ "e", false, "eprobe" },
	};
	const char *target = strchr(text, ' ');

	for (size_t i = 0; target && err == -EINVAL && i < ARRAY_LEN(kinds); i++) {
		const char *cure = strchr(kinds[i].letters, text[0]) && (target[1] == '/') == kinds[i].path ? doctor_lacks(top, kinds[i].name) : NULL;

		if (cure)
			return fail(EINVAL, "this kernel has no %s: it needs %s", kinds[i].name, cure);
	}
	return refused_value(top, "dynamic_events", text, -err, NULL);
}

int dynevent_add(const struct tracedir *top, const char *text, const char *plain, char **what, size_t *at)
{
	int err = tracedir_write(top, "dynamic_events", text, false);

	*what = NULL;
	if (err && plain) {
		text = plain;
		err = tracedir_write(top, "dynamic_events", text, false);
	}
	if (err == -ENOENT && !tracedir_has(top, "dynamic_events"))
		return fail(ENOENT, "this kernel has no dynamic_events: it needs CONFIG_DYNAMIC_EVENTS, which probes bring along");
	if (!err || tracedir_error(top, text, what, at))
		return err;
	return refused_kind(top, text, err);
}

int session_dynevent(struct session *s, const char *text, const char *plain, const char *remove, char **what, size_t *at)
{
	__cleanup(free_ptr) char *folder = folder_of(remove);
	char *name;
	int err;

	*what = NULL;
	if (!folder)
		return fail(ENOMEM, "out of memory");
	name = folder + strlen("events/");
	/* An event that was there before must not get into the journal, because we must not remove it. */
	if (tracedir_has(&s->top, folder))
		return fail(EEXIST,
			    "there is a %s already; choose another name with name=GROUP/EVENT, or remove it with "
			    "`ringside probe del %s`",
			    folder, name);
	err = session_remember_path(s, JOURNAL_DYNEVENT, "dynamic_events", remove);
	err = err ? err : dynevent_add(&s->top, text, plain, what, at);
	if (err)
		return err;
	strv_fini(&s->events);
	name[strcspn(name, "/")] = ':';
	return strv_add(&s->made, name) ? fail(ENOMEM, "out of memory") : 0;
}

int session_dynevent_also(struct session *s, const char *text, char **what, size_t *at)
{
	*what = NULL;
	return dynevent_add(&s->top, text, NULL, what, at);
}

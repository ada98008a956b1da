/* SPDX-License-Identifier: GPL-2.0 */
/* Dynamic events: probes that a session adds and takes away again. */
#include "lib/tracefs/refused.h"
#include "lib/tracefs/state.h"
#include "lib/base/err.h"

/* "-:group/event" names the folder below events/ that such an event has. */
static char *folder_of(const char *remove)
{
	const char *name = strchr(remove, ':');

	return str_printf("events/%s", name ? name + 1 : remove);
}

int session_dynevent(struct session *s, const char *text, const char *remove, char **what, size_t *at)
{
	__cleanup(free_ptr) char *folder = folder_of(remove);
	int err;

	*what = NULL;
	if (!folder)
		return fail(ENOMEM, "out of memory");
	/* What was there before is not ours to remove: it must not get into the journal. */
	if (tracedir_has(&s->top, folder))
		return fail(EEXIST, "there is a %s already; choose another name with name=GROUP/EVENT, or remove it with "
			    "`ringside probe del %s`", folder, folder + strlen("events/"));
	if (!tracedir_has(&s->top, "dynamic_events"))
		return fail(ENOENT, "this kernel has no dynamic_events: it needs CONFIG_DYNAMIC_EVENTS, which probes bring along");
	err = session_remember_path(s, JOURNAL_DYNEVENT, "dynamic_events", remove);
	err = err ? err : tracedir_write(&s->top, "dynamic_events", text, false);
	if (!err) {
		strv_fini(&s->events);
		return 0;
	}
	if (!tracedir_error(&s->top, text, what, at))
		return refused_value(&s->top, "dynamic_events", text, -err, NULL);
	return err;
}

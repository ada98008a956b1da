/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/text.h"
#include "lib/base/digits.h"
#include "lib/event/print.h"
#include "lib/event/tep.h"

void text_time(uint64_t ts, bool ns, bool exact, struct str *out)
{
	char *at;

	if (!str_room(out, 64))
		return;
	at = out->at + out->len;
	if (!ns) {
		at = put_u64_wide(at, ts, 12, ' ');
	} else if (exact) {
		at = put_u64_wide(at, ts / NSEC_PER_SEC, 5, ' ');
		*at++ = '.';
		at = put_9(at, (unsigned int)(ts % NSEC_PER_SEC));
	} else {
		uint64_t us = ts / 1000 + (ts % 1000 >= 500);

		at = put_u64_wide(at, us / 1000000, 5, ' ');
		*at++ = '.';
		at = put_6(at, (unsigned int)(us % 1000000));
	}
	*at = '\0';
	out->len = (size_t)(at - out->at);
}

void event_text(const struct text_call *call, struct str *out)
{
	const struct event *event = call->event;
	const struct record *rec = call->rec;
	size_t start = out->len;

	if (event->printer)
		event->printer->print(call, out);
	else if (event->program)
		print_run(event->program, rec->data, rec->size, out);
	else if (event->tep)
		tep_text(event, rec, out);
	else
		str_add(out, "[FAILED TO PARSE]");
	if (out->len > start && out->at[out->len - 1] == '\n')
		out->at[--out->len] = '\0';
}

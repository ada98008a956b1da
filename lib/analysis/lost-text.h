/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the sentence about lost events that a report prints below its counts of events or calls. */
#ifndef RINGSIDE_LOST_TEXT_H
#define RINGSIDE_LOST_TEXT_H

#include "lib/base/str.h"

/*
 * Appends a sentence that says that @events events were lost. If @more is true, the sentence also says that an unknown number of further events were
 * lost. If @events is 0 and @more is false, nothing is appended.
 */
static inline void lost_text(uint64_t events, bool more, struct str *out)
{
	if (events == 1 && !more)
		str_add(out, "1 event was lost and is not counted");
	else if (events)
		str_addf(out, "%llu%s events were lost and are not counted", (unsigned long long)events, more ? " or more" : "");
	else if (more)
		str_add(out, "events were lost and are not counted; it is not known how many");
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/pattern.h"

#include "lib/base/base.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int pattern_init(struct pattern *p, const char *text, int flags)
{
	const char *colon = strchr(text, ':');
	__cleanup(free_ptr) char *system = strndup(text, colon ? (size_t)(colon - text) : strlen(text));

	*p = (struct pattern){ .has_event = colon != NULL };
	flags |= REG_ICASE | REG_NOSUB;
	if (!system || regcomp(&p->whole, system, flags))
		return -EINVAL;
	if (colon && regcomp(&p->event, colon + 1, flags)) {
		regfree(&p->whole);
		return -EINVAL;
	}
	return 0;
}

void pattern_fini(struct pattern *p)
{
	regfree(&p->whole);
	if (p->has_event)
		regfree(&p->event);
}

static bool has(const regex_t *re, const char *text)
{
	return regexec(re, text, 0, NULL, 0) == 0;
}

bool pattern_matches(const struct pattern *p, const char *system, const char *name)
{
	if (p->has_event)
		return system && has(&p->whole, system) && has(&p->event, name);
	return (system && has(&p->whole, system)) || has(&p->whole, name);
}

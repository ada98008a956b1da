/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/pattern.h"

#include "lib/base/err.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compile(struct pattern *p, regex_t *re, const char *text, int flags)
{
	int code = regcomp(re, text, flags | REG_ICASE | REG_NOSUB);

	if (!code)
		return 0;
	regerror(code, re, p->why, sizeof(p->why));
	return code == REG_ESPACE ? -ENOMEM : -EINVAL;
}

int pattern_init(struct pattern *p, const char *text, int flags)
{
	const char *colon = strchr(text, ':');
	__cleanup(free_ptr) char *system = strndup(text, colon ? (size_t)(colon - text) : strlen(text));
	int err;

	*p = (struct pattern){ .has_event = colon != NULL };
	if (!system)
		return -ENOMEM;
	err = compile(p, &p->whole, system, flags);
	if (err || !colon)
		return err;
	err = compile(p, &p->event, colon + 1, flags);
	if (err)
		regfree(&p->whole);
	return err;
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

int pattern_either(const char *option, const char *text, int (*find)(void *ctx, const struct pattern *p), void *ctx)
{
	static const int kinds[] = { 0, REG_EXTENDED };
	struct pattern p;
	bool any = false;
	int found = 0;

	for (size_t i = 0; i < ARRAY_LEN(kinds) && !found; i++) {
		int err = pattern_init(&p, text, kinds[i]);

		if (err == -EINVAL)
			continue;
		any = true;
		found = err ? err : find(ctx, &p);
		if (!err)
			pattern_fini(&p);
	}
	if (found < 0)
		return fail(-found, "out of memory");
	if (!any)
		return fail(EINVAL,
			    "%s '%s': this is no regular expression (%s); with a backslash before it, a special character stands for itself, as in '\\['",
			    option, text, p.why);
	return found;
}

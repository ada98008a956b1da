/* SPDX-License-Identifier: GPL-2.0 */
/* Moves a probe a little behind the beginning of its function. lib/tracefs/sites.h says why. */
#include "lib/probe/command.h"
#include "lib/base/str.h"

#include <ctype.h>

/* Replaces "$arg1" by a register. The kernel knows $arg1 only at a function's beginning, but behind it the parameter is still in its register. */
static int add_register(struct str *s, const char **at)
{
	static const char *const registers[] = { "%di", "%si", "%dx", "%cx", "%r8", "%r9" };
	unsigned int number = (unsigned int)((*at)[4] - '1');

	if (number >= ARRAY_LEN(registers) || isalnum((unsigned char)(*at)[5]))
		return -ENOTSUP;
	str_add(s, registers[number]);
	*at += strlen("$arg1");
	return 0;
}

int probe_move_behind(struct probe_command *c, unsigned int n)
{
	const char *at = strchr(c->text, ' ');
	struct str s = { 0 };
	int err = 0;

	at += 1 + strcspn(at + 1, " ");
	str_addf(&s, "%.*s+%u", (int)(at - c->text), c->text, n);
	while (*at && !err)
		if (str_starts(at, "$arg"))
			err = add_register(&s, &at);
		else
			str_addc(&s, *at++);
	if (!err && !str_ok(&s)) {
		c->plain = c->text;
		c->text = str_take(&s);
		return c->text ? 0 : -ENOMEM;
	}
	str_fini(&s);
	return err == -ENOTSUP ? 0 : -ENOMEM;
}

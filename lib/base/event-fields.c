/* SPDX-License-Identifier: GPL-2.0 */
/* Parses the fields of a format, whose lines are "\tfield:int prev_pid;\toffset:24;…". */
#include "lib/base/event-fields.h"

#include <ctype.h>

static bool of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool format_next_field(const char **at, struct text *declared, struct text *name)
{
	const char *begin = strstr(*at, "field:"), *end, *from;

	if (!begin)
		return false;
	begin += strlen("field:");
	*at = end = begin + strcspn(begin, ";");
	*declared = (struct text){ (char *)begin, (size_t)(end - begin) };
	/* Brackets at the end are the size of an array. A type may have brackets, too, but they are not at the end. */
	if (end > begin && end[-1] == ']')
		while (end > begin && *end != '[')
			end--;
	from = end;
	while (from > begin && of_name(from[-1]))
		from--;
	*name = (struct text){ (char *)from, (size_t)(end - from) };
	return true;
}

int format_fields(const char *format, strv_t *names)
{
	struct text declared, name;
	int err = 0;

	while (!err && format_next_field(&format, &declared, &name))
		err = strv_own(names, strndup(name.at, name.size));
	return err;
}

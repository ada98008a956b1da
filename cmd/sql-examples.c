/* SPDX-License-Identifier: GPL-2.0 */
/* The queries of Documentation/queries, which are built in. Each is a name and a text, each with a NUL at its end. */
#include "cmd/output.h"
#include "cmd/sql.h"
#include "lib/base/err.h"

#include <unistd.h>

__asm__(".section .rodata, \"a\", %progbits\n"
	"sql_examples_begin:\n"
	".incbin \"queries\"\n"
	".byte 0\n"
	".previous\n");
extern const char sql_examples_begin[] __attribute__((visibility("hidden")));

/* Returns the name of the query after @name, or of the first one if @name is NULL. Returns NULL at the end. */
static const char *next_example(const char *name)
{
	const char *next = sql_examples_begin;

	if (name) {
		next = name + strlen(name) + 1;
		next += strlen(next) + 1;
	}
	return *next ? next : NULL;
}

void sql_example_names(strv_t *names)
{
	for (const char *name = next_example(NULL); name; name = next_example(name))
		strv_add(names, name);
}

const char *sql_example(const char *wanted)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };

	for (const char *name = next_example(NULL); name; name = next_example(name))
		if (strcmp(name, wanted) == 0)
			return name + strlen(name) + 1;
	sql_example_names(&names);
	nearest_names(wanted, &names, 2, &best);
	near = join_names(&best, " (did you mean ", "?)");
	fail(EINVAL, "--example %s: there is no query of that name%s; `ringside sql --examples` lists them", wanted, near ? near : "");
	strv_fini(&names);
	strv_fini(&best);
	return NULL;
}

int sql_examples(const struct table_show *how)
{
	enum { NAME, WHAT };
	static const struct table_column columns[] = { [NAME] = { "name", TABLE_TEXT }, [WHAT] = { "question", TABLE_TEXT, .wrap = true }, { NULL } };
	static const struct table_spec spec = { .columns = columns };
	const struct table_meta meta = { 0 };
	struct table *table;
	int err = table_new(&table, &spec, how);

	for (const char *name = next_example(NULL); !err && name; name = next_example(name)) {
		const char *text = name + strlen(name) + 1 + strlen("-- ");
		char *what = strndup(text, strcspn(text, "\n"));

		table_row(table, TABLE_ROOT);
		table_text(table, NAME, name);
		table_copy(table, WHAT, what);
		free(what);
	}
	err = err ? err : output_flush();
	err = err ? err : table_show(table, &meta, STDOUT_FILENO);
	table_free(table);
	return err;
}

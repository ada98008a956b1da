/* SPDX-License-Identifier: GPL-2.0 */
/* ringside doctor: prints on one page what this kernel allows this user. */
#include "cmd/commands.h"
#include "cmd/table-options.h"

#include "lib/tracefs/doctor.h"

#include <stdio.h>
#include <unistd.h>

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = table_form_options },
	OPT_END,
};

enum { GROUP, NAME, THERE, DETAIL, CURE, NEEDED };

static const struct table_column columns[] = {
	[GROUP] = { "group", TABLE_TEXT },
	[NAME] = { "name", TABLE_TEXT },
	[THERE] = { "there", TABLE_BOOL },
	[DETAIL] = { "detail", TABLE_TEXT, .wrap = true },
	[CURE] = { "cure", TABLE_TEXT, .wrap = true },
	[NEEDED] = { "needed", TABLE_BOOL },
	{ NULL },
};
static const struct table_spec spec = { .columns = columns };

static const char *const words[] = {
	[DOCTOR_NO] = "no",
	[DOCTOR_YES] = "yes",
	[DOCTOR_UNSEEN] = "?",
	[DOCTOR_FACT] = "",
};

static void print_line(const struct doctor_check *check, enum doctor_answer answer, const char *detail)
{
	const char *needs = answer == DOCTOR_NO ? doctor_cure(check) : NULL;

	printf("  %-28s  %-3s  %s%s%s%s\n", check->name, words[answer], detail, *detail && needs ? "; " : "", needs ? "needs " : "", needs ? needs : "");
}

static void add_row(struct table *table, const struct doctor_check *check, enum doctor_answer answer, const char *detail)
{
	table_row(table, TABLE_ROOT);
	table_text(table, GROUP, check->group);
	table_text(table, NAME, check->name);
	if (answer == DOCTOR_NO || answer == DOCTOR_YES)
		table_bool(table, THERE, answer == DOCTOR_YES);
	table_copy(table, DETAIL, detail);
	table_text(table, CURE, doctor_cure(check));
	table_bool(table, NEEDED, check->needed);
}

/* Prints all answers, or puts them into @table if that is not NULL. Returns whether anything can be recorded. */
static bool examine(const struct doctor *doctor, struct table *table)
{
	const char *group = "";
	bool able = true;

	for (const struct doctor_check *check = doctor_checks; check->name; check++) {
		struct str detail = { 0 };
		enum doctor_answer answer = doctor_ask(doctor, check, &detail);

		able &= !check->needed || answer == DOCTOR_YES;
		if (!table && strcmp(group, check->group))
			printf("%s%s:\n", *group ? "\n" : "", check->group);
		if (table)
			add_row(table, check, answer, str_text(&detail));
		else
			print_line(check, answer, str_text(&detail));
		group = check->group;
		str_fini(&detail);
	}
	if (!table)
		puts(able ? "\nThis user can record here." : "\nThis user cannot record here: the lines of \"access\" say what is needed.");
	return able;
}

/* Prints the answers. Returns the exit status. */
static int tell(struct table *table)
{
	struct tracedir dir = TRACEDIR_NONE;
	struct doctor doctor;
	int status;
	bool able;

	doctor_init(&doctor, tracedir_open(&dir, NULL) ? NULL : &dir);
	able = examine(&doctor, table);
	status = table ? table_print(table, NULL) : 0;
	doctor_fini(&doctor);
	tracedir_fini(&dir);
	return status ? status : !able;
}

static int run(int argc, char **argv)
{
	struct table_opts forms = { 0 };
	struct table *table = NULL;
	struct table_show show;
	char **operands;
	int n = opt_parse(&cmd_doctor, &forms, argc, argv, &operands), status;

	if (n < 0)
		return opt_status(n);
	if (n)
		return usage(&cmd_doctor, "it takes no operands");
	if (table_settle(&cmd_doctor, &forms, STDOUT_FILENO, &show) || (table_asked(&forms) && table_new(&table, &spec, &show)))
		return 2;
	status = tell(table);
	table_free(table);
	return status;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.synopsis = "[OPTION...]",
	.summary = "say what can be traced on this machine, and what is missing for everything else",
	.details = "The exit status is 0 if this user can record on this machine, and 1 if this user cannot.",
	.opts = opts,
	.run = run,
};

/* SPDX-License-Identifier: GPL-2.0 */
/* ringside doctor: one page on what this kernel lets this user do. */
#include "cmd/commands.h"

#include "lib/base/err.h"
#include "lib/tracefs/doctor.h"

#include <stdio.h>
#include <unistd.h>

struct doctor_command {
	bool json;
};

static const struct opt opts[] = {
	{ OPT_FLAG, .name = "json", .offset = OPT_TO(struct doctor_command, json), .help = "print JSON, for programs" },
	OPT_END,
};

static const char *const words[] = {
	[DOCTOR_NO] = "no", [DOCTOR_YES] = "yes", [DOCTOR_UNSEEN] = "?", [DOCTOR_FACT] = "",
};

static void print_line(const struct doctor_check *check, enum doctor_answer answer, const char *detail)
{
	const char *needs = answer == DOCTOR_NO ? doctor_cure(check) : NULL;

	printf("  %-28s  %-3s  %s%s%s%s\n", check->name, words[answer], detail, *detail && needs ? "; " : "", needs ? "needs " : "",
	       needs ? needs : "");
}

static void print_string(const char *name, const char *text)
{
	printf(", \"%s\": \"", name);
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			printf("\\u%04x", *text);
		else
			putchar(*text);
	putchar('"');
}

static void print_json(const struct doctor_check *check, enum doctor_answer answer, const char *detail, bool first)
{
	static const char *const values[] = {
		[DOCTOR_NO] = "false", [DOCTOR_YES] = "true", [DOCTOR_UNSEEN] = "null", [DOCTOR_FACT] = "null",
	};

	printf("%s\n  {\"there\": %s", first ? "" : ",", values[answer]);
	print_string("group", check->group);
	print_string("name", check->name);
	print_string("detail", detail);
	if (doctor_cure(check))
		print_string("cure", doctor_cure(check));
	printf(", \"needed\": %s}", check->needed ? "true" : "false");
}

/* Prints all answers. Can anything be recorded? */
static bool examine(const struct doctor *doctor, bool json)
{
	const char *group = "";
	bool able = true;

	if (json)
		printf("[");
	for (const struct doctor_check *check = doctor_checks; check->name; check++) {
		struct str detail = { 0 };
		enum doctor_answer answer = doctor_ask(doctor, check, &detail);

		able &= !check->needed || answer == DOCTOR_YES;
		if (json)
			print_json(check, answer, str_text(&detail), check == doctor_checks);
		else if (strcmp(group, check->group))
			printf("%s%s:\n", *group ? "\n" : "", check->group);
		if (!json)
			print_line(check, answer, str_text(&detail));
		group = check->group;
		str_fini(&detail);
	}
	puts(json ? "\n]" : able ? "\nThis user can record here." : "\nThis user cannot record here: see what \"access\" says needs.");
	return able;
}

static int run(int argc, char **argv)
{
	struct doctor_command c = { 0 };
	struct tracedir dir = TRACEDIR_NONE;
	struct doctor doctor;
	char **operands;
	int n = opt_parse(&cmd_doctor, &c, argc, argv, &operands);
	bool able;

	if (n < 0)
		return opt_status(n);
	if (n)
		return usage(&cmd_doctor, "it takes no operands");
	doctor_init(&doctor, tracedir_open(&dir, NULL) ? NULL : &dir);
	able = examine(&doctor, c.json);
	doctor_fini(&doctor);
	tracedir_fini(&dir);
	return able ? 0 : 1;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.synopsis = "[OPTION...]",
	.summary = "tell what can be traced here, and what would give the rest",
	.details = "The exit status is 0 when this user can record here, 1 when not.",
	.opts = opts,
	.run = run,
};

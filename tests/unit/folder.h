/* SPDX-License-Identifier: GPL-2.0 */
/* A plain folder that looks like tracefs, as somebody has left it who cares about his settings. What only a kernel does is tested in tests/live and tests/vm. */
#ifndef RINGSIDE_UNIT_FOLDER_H
#define RINGSIDE_UNIT_FOLDER_H

#include "lib/tracefs/session.h"
#include "lib/tracefs/setting.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

/* Made anew for each test. */
struct folder {
	char root[64];	/* of the two below */
	char dir[80];	/* the tracing directory */
	char state[80]; /* for journals */
	struct tracedir top;
	struct session_opts opts;
	char *before; /* state() of the beginning */
};

extern struct folder folder;

/* The fixture of a test case. */
void folder_set_up(void);
void folder_tear_down(void);

/* Makes a file of the tracing directory, and the folders above it. */
void folder_put(const char *file, const char *text);

/* Returns all that somebody may have set, as a text that the caller frees. */
char *folder_state(void);

/* It is as it was. */
void folder_is_as_before(void);

/* What a file of the tracing directory, or of an instance's, holds. */
void folder_reads(const char *file, const char *want);
void folder_reads_of(const struct instance *inst, const char *file, const char *want);

/* Sets everything that a recording sets, over everything that the user has set. */
void folder_arm(struct session *s);

/* Messages of @run go to a file while it runs; it must contain each of the words. */
#define mentions(call, ret, ...) \
	do { \
		const char *const words_[] = { __VA_ARGS__ }; \
		FILE *said_ = tmpfile(); \
		int stderr_ = dup(STDERR_FILENO), ret_; \
		char text_[4096] = ""; \
\
		dup2(fileno(said_), STDERR_FILENO); \
		ret_ = call; \
		dup2(stderr_, STDERR_FILENO); \
		close(stderr_); \
		rewind(said_); \
		ck_assert(fread(text_, 1, sizeof(text_) - 1, said_) < sizeof(text_)); \
		fclose(said_); \
		ck_assert_int_eq(ret_, ret); \
		for (size_t w_ = 0; w_ < ARRAY_LEN(words_); w_++) \
			ck_assert_msg(strstr(text_, words_[w_]), "'%s' is not in: %s", words_[w_], text_); \
	} while (0)

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a plain folder that looks like tracefs. Its files have settings that a user has made. The tests check that ringside puts these settings back. Tests
 * that need a real tracefs are in tests/live and tests/vm.
 */
#ifndef RINGSIDE_UNIT_FOLDER_H
#define RINGSIDE_UNIT_FOLDER_H

#include "lib/tracefs/session.h"
#include "lib/tracefs/setting.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

/* This describes the folder, which is made anew for each test. */
struct folder {
	char root[64];	/* the folder that has the folders .dir and .state */
	char dir[80];	/* the tracing directory */
	char state[80]; /* the folder of the journals */
	struct tracedir top;
	struct session_opts opts;
	char *before; /* what folder_state() returned when the test began */
};

extern struct folder folder;

/* These functions are the fixture of a test case. */
void folder_set_up(void);
void folder_tear_down(void);

/* Makes a file of the tracing directory, and the folders above it. */
void folder_put(const char *file, const char *text);

/* Returns all settings in the folder as a text, which the caller frees. */
char *folder_state(void);

/*
 * Gives the test's process its own mount namespace, so that the mounts of the test are seen by no other process. Returns false where this is not allowed.
 * Also returns false when the tests do not run in processes of their own.
 */
bool folder_own_mounts(void);

/* Checks that all settings are as they were when the test began. */
void folder_is_as_before(void);

/* These check that a file of the tracing directory, or of an instance, holds @want. */
void folder_reads(const char *file, const char *want);
void folder_reads_of(const struct instance *inst, const char *file, const char *want);

/* Sets everything that a recording sets, and overwrites everything that the user has set. */
void folder_arm(struct session *s);

/* Checks that @call returns @ret, and that the messages which it prints contain each of the words. */
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

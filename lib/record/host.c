/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/host.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/visible.h"
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * MOST_BEFORE: the most bytes that a shell may print before ringside answers. AT_ONCE: the most bytes of one read. LONGEST_LINE: the longest line of
 * messages.
 */
enum { MOST_BEFORE = 1 << 16, AT_ONCE = 1 << 18, LONGEST_LINE = 1024, MOST_READS = 64 };
/* A shell that has to end gets SIGTERM after this time, and SIGKILL after twice this time. */
#define MEEK_NS (2 * NSEC_PER_SEC)

bool host_say(struct host *h, enum frame_kind kind, const uint64_t *numbers)
{
	char bytes[FRAME_HEAD + 8 * FRAME_NUMBERS];
	size_t n = frame_begin(bytes, kind, numbers, 0);

	/* Such a short write to a pipe writes either all bytes or none. */
	return h->in >= 0 && write(h->in, bytes, n) == (ssize_t)n;
}

void host_ask(struct host *h)
{
	uint64_t number = h->asked + 1;

	h->asked_ns = now_ns();
	if (host_say(h, FRAME_ASK, &number))
		h->asked = number;
}

/* --- what it says ----------------------------------------------------------------------------------------------- */

static int bad(const char **wrong, const char *why)
{
	*wrong = why;
	return -EPROTO;
}

/*
 * Notes two moments of our clock. Between them, the host's trace clock read the time in @frame. That time is cut off after the microseconds, so it may be up
 * to 999 ns too small.
 */
static int take_time(struct host *h, const struct frame *frame, uint64_t now, const char **wrong)
{
	struct frame_time t;
	uint64_t round = now - h->asked_ns, fastest = h->clocks.round_ns;

	memcpy(&t, frame->numbers, sizeof(t));
	if (t.number > h->asked)
		return bad(wrong, "it answered a question that was not asked");
	/* When this answer took too long, another question was asked meanwhile. */
	if (t.number != h->asked || h->answered == h->asked)
		return 0;
	if (t.heard > t.before || t.before > t.after || t.after > t.said || t.said - t.heard > round || t.trace > INT64_MAX)
		return bad(wrong, "it says impossible times");
	h->answered = h->asked;
	h->answered_ns = now;
	clocks_add(&h->clocks, (int64_t)t.trace, (int64_t)(h->asked_ns + (t.before - t.heard)) - 999, (int64_t)(now - (t.said - t.after)),
		   round - (t.said - t.heard));
	if (h->clocks.round_ns != fastest)
		h->ahead_ns = t.heard + (t.said - t.heard) / 2 - (h->asked_ns + round / 2);
	/* The times are saved now in case we are killed. If that fails, there is another try at the end. */
	if (now - h->kept_ns > NSEC_PER_SEC) {
		h->kept_ns = now;
		host_keep_times(h, 0);
	}
	return 0;
}

static int take_hello(struct host *h, const struct frame *frame, const char **wrong)
{
	if (frame->numbers[0] != FRAME_PROTOCOL)
		return bad(wrong, "the ringside there is of another version than this one");
	free(h->kept);
	h->kept = strndup(frame->rest, frame->n);
	return h->kept ? 0 : fail(ENOMEM, "no memory for %s", h->name);
}

static int take_armed(struct host *h, const struct frame *frame, const char **wrong)
{
	if (!h->described || h->state != HOST_CALLED)
		return bad(wrong, "it said that it is armed at the wrong time");
	h->clock_ns = frame->numbers[0] == 1;
	h->state = HOST_ARMED;
	host_keep_times(h, 0);
	return 0;
}

static int take_started(struct host *h, const struct frame *frame, const char **wrong)
{
	if (h->state != HOST_RUNS || h->began)
		return bad(wrong, "it began before it was told to");
	if (frame->numbers[0] > CLOCKS_FAR)
		return bad(wrong, "it says impossible times");
	h->began = frame->numbers[0];
	/* The trace clock could not be read. 1 still notes that the host has begun. */
	if (!h->began)
		h->began = 1;
	return 0;
}

static int take_done(struct host *h, const struct frame *frame, const char **wrong)
{
	if (h->state != HOST_RUNS || h->raw >= 0)
		return bad(wrong, "it said that it has ended at the wrong time");
	h->events = frame->numbers[0];
	h->lost = frame->numbers[1];
	h->state = HOST_DONE;
	host_say(h, FRAME_GOT, NULL);
	/* A program that only passes on bytes, as to a console, has no other way to know that this was all. */
	close_fd(&h->in);
	return 0;
}

static int take_frame(struct host *h, const struct frame *frame, uint64_t now, const char **wrong)
{
	/* After HOST_DONE, only answers come that were already on their way. */
	if (h->state == HOST_DONE)
		return 0;
	switch (frame->kind) {
	case FRAME_HELLO:
		return take_hello(h, frame, wrong);
	case FRAME_META:
		return host_meta(h, frame->rest, frame->n, wrong);
	case FRAME_META_END:
		return host_meta_end(h, wrong);
	case FRAME_ARMED:
		return take_armed(h, frame, wrong);
	case FRAME_TIME:
		return take_time(h, frame, now, wrong);
	case FRAME_STARTED:
		return take_started(h, frame, wrong);
	case FRAME_DATA:
		h->ended_ns = now;
		return host_data(h, frame, wrong);
	case FRAME_COMMAND_ENDED:
		h->command_ended = true;
		return 0;
	case FRAME_DONE:
		return take_done(h, frame, wrong);
	}
	return bad(wrong, "it sent what only we say");
}

/* Looks for ringside's greeting. What the shell prints before it is skipped. */
static int find_greeting(struct host *h, const char **wrong)
{
	static const char greeting[] = FRAME_GREETING;
	size_t n = sizeof(greeting) - 1;
	const char *at = h->got.len >= n ? memmem(h->got.at, h->got.len, greeting, n) : NULL;

	if (!at)
		return h->got.len > MOST_BEFORE ? bad(wrong, "what answers there is not ringside") : 0;
	h->got.len -= (size_t)(at + n - h->got.at);
	memmove(h->got.at, at + n, h->got.len);
	h->greeted = true;
	return 0;
}

static int take_frames(struct host *h, uint64_t now, const char **wrong)
{
	struct frame frame;
	size_t done = 0;
	ssize_t n = 0;
	int err = h->greeted ? 0 : find_greeting(h, wrong);

	while (!err && h->greeted && (n = frame_take(h->got.at + done, h->got.len - done, &frame, wrong)) > 0) {
		err = take_frame(h, &frame, now, wrong);
		done += (size_t)n;
	}
	if (done) {
		memmove(h->got.at, h->got.at + done, h->got.len - done);
		h->got.len -= done;
	}
	return err ? err : (int)MIN(n, 0);
}

int host_hear(struct host *h, const char **wrong)
{
	ssize_t n;

	*wrong = NULL;
	if (!str_room(&h->got, AT_ONCE))
		return fail(ENOMEM, "no memory for what %s sends", h->name);
	n = read(h->out, h->got.at + h->got.len, AT_ONCE);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0) {
		close_fd(&h->out);
		return 0;
	}
	h->got.len += (size_t)n;
	h->heard_ns = now_ns();
	return take_frames(h, h->heard_ns, wrong);
}

/* --- its messages ------------------------------------------------------------------------------------------------ */

static void show_last(struct host *h)
{
	if (h->last)
		fprintf(stderr, "%s: %s\n", h->name, h->last);
	free(h->last);
	h->last = NULL;
}

/*
 * Takes a line of messages. A message of ringside may tell why the host ended, and so may any line before the greeting. Such a line is kept and not shown at
 * once.
 */
static void take_line(struct host *h)
{
	bool ours = str_starts(str_text(&h->said), "ringside: ");

	visible_str(&h->said, 0, false);
	if (str_ok(&h->said) || !h->said.len)
		return str_clear(&h->said);
	if (ours || !h->greeted) {
		show_last(h);
		h->last = strdup(h->said.at + (ours ? strlen("ringside: ") : 0));
	} else {
		fprintf(stderr, "%s: %s\n", h->name, h->said.at);
	}
	str_clear(&h->said);
}

void host_hear_messages(struct host *h)
{
	char bytes[4096];
	ssize_t n = read(h->err, bytes, sizeof(bytes));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] != '\n' && bytes[i] != '\r')
			str_addc(&h->said, bytes[i]);
		if (bytes[i] == '\n' || h->said.len > LONGEST_LINE)
			take_line(h);
	}
	if (n <= 0) {
		take_line(h);
		close_fd(&h->err);
	}
}

/* --- its end ----------------------------------------------------------------------------------------------------- */

/* What ssh prints when it fails (its status is 255), and what helps. */
static const struct ssh_word {
	const char *said, *cure;
} ssh_words[] = {
	{ "Permission denied", "give it a key that ssh takes without asking (ssh-copy-id, ssh-agent, or -i in --rsh)" },
	{ "Host key verification failed", "connect to it once with ssh, and look whether its key is the right one" },
	{ "Connection refused", "is sshd running there, at that port?" },
	{ "Could not resolve hostname", "is the name right?" },
};

static char *ssh_cause(const struct host *h)
{
	for (size_t i = 0; i < ARRAY_LEN(ssh_words); i++)
		if (strstr(h->last, ssh_words[i].said))
			return str_printf("%.*s: %s", prec(strlen(h->last) - str_ends(h->last, ".")), h->last, ssh_words[i].cure);
	return strdup(h->last);
}

/* Returns why the host's shell ended, in new memory. */
static char *cause(const struct host *h, int status)
{
	if (!h->greeted && h->was_pushed && !h->there)
		return str_printf("there is no ringside, and this one cannot be copied there: %s", h->last ? h->last : "its shell does not say why");
	if (!h->greeted && h->status == 127)
		return str_printf("there is no ringside%s%s%s; --push copies this one, and --ringside says where it is", h->last ? " (" : "",
				  h->last ? h->last : "", h->last ? ")" : "");
	if (h->last && !h->greeted && h->status == 255 && host_by_ssh(h))
		return ssh_cause(h);
	if (h->last)
		return strdup(h->last);
	if (WIFSIGNALED(status))
		return str_printf("its shell was killed by signal %d", WTERMSIG(status));
	if (!h->greeted && !h->status)
		return strdup("no ringside answers, and its shell ended without a word: what --rsh names has to run the command line that it is given there");
	return str_printf(h->greeted ? "the connection broke off (its shell ended with status %d)" : "no ringside answers, and its shell ended with status %d",
			  h->status);
}

static void tell_gone(const struct host *h, const char *why)
{
	if (h->was != HOST_RUNS)
		return warn("%s is not recorded: %s", h->name, why);
	warn("%s has gone while it recorded: %s; what it had sent (%llu kB of events) is kept here%s%s", h->name, why, (unsigned long long)h->bytes / 1024,
	     h->kept ? ", and the rest may be there in " : "", h->kept ? h->kept : "");
}

void host_gone(struct host *h, const char *why)
{
	if (h->leaving)
		return;
	h->leaving = true;
	h->left_ns = now_ns();
	h->why = why ? strdup(why) : NULL;
	h->was = h->state;
	if (h->state != HOST_DONE)
		h->state = HOST_GONE;
	close_fd(&h->in);
	close_fd(&h->out);
	if (why && h->pid)
		kill(h->pid, SIGTERM);
}

void host_kill(struct host *h)
{
	if (h->pid)
		kill(h->pid, SIGKILL);
}

/* Makes the shell end when nobody hears the host any more. A host that is done is not hurried, because it may still have a command to end. */
static void hurry(struct host *h)
{
	uint64_t since = now_ns() - h->left_ns;

	if (h->state == HOST_DONE || since < MEEK_NS)
		return;
	kill(h->pid, since < 2 * MEEK_NS ? SIGTERM : SIGKILL);
}

/* Calls the host again if there was no ringside: first to push a copy, then to run the copy. Returns true when it was called again. */
static bool called_again(struct host *h)
{
	if (h->why || h->unasked || h->greeted || h->was != HOST_CALLED)
		return false;
	if (h->pushing ? !host_pushed(h) : !h->spec->push || h->was_pushed || h->status != 127 || !host_push(h))
		return false;
	free(h->last);
	h->last = NULL;
	return true;
}

void host_reap(struct host *h)
{
	__cleanup(free_ptr) char *why = NULL;
	int status = 0;

	if (!h->leaving || !h->pid)
		return;
	if (waitpid(h->pid, &status, WNOHANG) == 0)
		return hurry(h);
	h->pid = 0;
	h->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	/* Reads what the shell printed last. Does not wait for the end of the pipe, because processes that the shell leaves behind may hold it open. */
	for (unsigned int i = 0; i < MOST_READS && h->err >= 0; i++)
		host_hear_messages(h);
	if (h->state == HOST_DONE)
		return show_last(h);
	if (called_again(h))
		return;
	why = h->why ? strdup(h->why) : cause(h, status);
	if (!h->unasked)
		tell_gone(h, why ? why : "no memory");
	free(h->last);
	h->last = NULL;
}

void host_fini(struct host *h)
{
	close_fd(&h->in);
	close_fd(&h->out);
	close_fd(&h->err);
	close_fd(&h->raw);
	vec_each (&h->files, file)
		close_fd(&file->fd);
	vec_fini(&h->files);
	strv_fini(&h->buffers);
	str_fini(&h->got);
	str_fini(&h->said);
	spool_fini(&h->spool);
	free(h->last);
	free(h->why);
	free(h->there);
	free(h->kept);
	free(h->output);
}

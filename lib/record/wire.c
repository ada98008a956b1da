/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/wire.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/thread.h"
#include "lib/base/turn.h"
#include "lib/net/frame.h"
#include "lib/record/trace-now.h"
#include "lib/record/unsent.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

/*
 * PIECE: the spools' space is given back to the file system in pieces of this size. LOOK_MS: the longest time between two looks at the spools. GOT_MS: how
 * long the other end may take to say that it has received everything.
 */
enum { PIECE = 1 << 20, LOOK_MS = 1000, GOT_MS = 120000, MOST_ASKED = 16 };
#define FARTHEST_NS (10 * NSEC_PER_SEC)

struct wire {
	char *output; /* spec->output */
	int in, out;  /* duplicates of standard input and output, made before these were replaced */
	int stats;
	bool ns;
	const struct recorder *rec;
	struct unsent unsent;
	char room[FRAME_BYTES]; /* for what is sent next */
	pthread_t teller, hearer;
	bool telling, hearing;	  /* they run */
	pid_t tids[WIRE_THREADS]; /* atomic */
	pthread_mutex_t writing, asking;
	struct frame_time asked[MOST_ASKED]; /* questions that wait for their answer */
	size_t nasked;
	int wake, told, quit;	     /* eventfds that wake: the teller, wait_told(), the hearer */
	int alarm[2];		     /* a pipe: its reading end is closed when the other end has gone */
	bool started, ending;	     /* atomic */
	bool go, stop, got, running; /* atomic. What the other end said; and whether the recording runs, so that FRAME_STOP has to end it */
	uint64_t begin_ns;	     /* when, as FRAME_GO says it; set before .go */
	struct turn turn;	     /* the priority of the thread that begins and ends tracing */
	bool command_told;
	int err; /* the teller's -errno */
};

/* --- frames ---------------------------------------------------------------------------------------------------- */

static int say(struct wire *w, enum frame_kind kind, const uint64_t *numbers, const char *rest, size_t n)
{
	char head[FRAME_HEAD + 8 * FRAME_NUMBERS];
	size_t size = frame_begin(head, kind, numbers, n);
	int err;

	pthread_mutex_lock(&w->writing);
	err = io_write(w->out, head, size);
	if (!err && n)
		err = io_write(w->out, rest, n);
	pthread_mutex_unlock(&w->writing);
	return err;
}

static int went_away(int err)
{
	return fail(-err, "the machine that asked for this recording has gone: %s", strerror(-err));
}

static int say_file(struct wire *w, const char *path)
{
	__cleanup(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -errno : 0;
	int err = 0;

	if (fd < 0)
		return fail(errno, "%s: %m", path);
	while (!err && (n = io_read(fd, w->room, sizeof(w->room))) > 0)
		err = say(w, FRAME_META, NULL, w->room, (size_t)n);
	if (!err && n < 0)
		return fail((int)-n, "%s: %s", path, strerror((int)-n));
	err = err ?: say(w, FRAME_META_END, NULL, NULL, 0);
	return err ? went_away(err) : 0;
}

/* --- the beginning --------------------------------------------------------------------------------------------- */

/* Takes standard input and output for the frames. The command gets an empty input, and its output goes to standard error, where messages go. */
static int take_standard(struct wire *w)
{
	__cleanup(close_fd) int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	w->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	w->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (null < 0 || w->in < 0 || w->out < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return fail(errno, "standard input and output: %m");
	w->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->told = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->quit = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->wake < 0 || w->told < 0 || w->quit < 0 || pipe2(w->alarm, O_CLOEXEC))
		return fail(errno, "cannot prepare to send: %m");
	return 0;
}

/* Returns true for a terminal that changes what is written or read. A console in raw mode changes nothing. */
static bool is_cooked(int fd)
{
	struct termios t;

	return tcgetattr(fd, &t) == 0 && ((t.c_oflag & OPOST) || (t.c_lflag & (ICANON | ECHO | ISIG)) || (t.c_iflag & (ICRNL | IXON)));
}

int wire_open(struct wire **out, struct record_spec *spec)
{
	const char *folder = spec->temp ? spec->temp : getenv("TMPDIR");
	static const uint64_t protocol = FRAME_PROTOCOL;
	struct wire *w = calloc(1, sizeof(*w));
	int err;

	*out = w;
	if (!w)
		return fail(ENOMEM, "no memory for sending");
	w->in = w->out = w->stats = w->wake = w->told = w->quit = w->alarm[0] = w->alarm[1] = -1;
	w->turn = TURN_OF(gettid());
	pthread_mutex_init(&w->writing, NULL);
	pthread_mutex_init(&w->asking, NULL);
	w->output = str_printf("%s/ringside-%d.dat", folder && *folder ? folder : "/var/tmp", (int)getpid());
	if (!w->output)
		return fail(ENOMEM, "no memory for a file name");
	if (is_cooked(STDIN_FILENO) || is_cooked(STDOUT_FILENO))
		return fail(EINVAL, "--wire is what record --hosts gives to the ringside that it starts on another machine, and not for a terminal; "
				    "on a console `stty raw -echo` has to come first");
	err = take_standard(w);
	if (err)
		return err;
	spec->output = w->output;
	err = io_write(w->out, FRAME_GREETING, strlen(FRAME_GREETING));
	err = err ?: say(w, FRAME_HELLO, &protocol, w->output, strlen(w->output));
	return err ? went_away(err) : 0;
}

/* --- the time -------------------------------------------------------------------------------------------------- */

/* Answers the questions that wait. Returns 0 or -errno. */
static int tell_time(struct wire *w)
{
	struct frame_time t;
	int err = 0;

	while (!err) {
		pthread_mutex_lock(&w->asking);
		if (!w->nasked) {
			pthread_mutex_unlock(&w->asking);
			return 0;
		}
		t = w->asked[0];
		memmove(w->asked, w->asked + 1, --w->nasked * sizeof(*w->asked));
		pthread_mutex_unlock(&w->asking);
		trace_now(w->stats, &t.before, &t.trace, &t.after);
		t.said = now_ns();
		if (t.trace)
			err = say(w, FRAME_TIME, (const uint64_t[]){ t.number, t.heard, t.before, t.trace, t.after, t.said }, NULL, 0);
	}
	return err;
}

/* --- the thread that sends ------------------------------------------------------------------------------------- */

static ssize_t send_data(void *ctx, const struct lane_result *lane, const char *bytes, size_t n)
{
	struct wire *w = ctx;
	int err = tell_time(w);

	err = err ? err : say(w, FRAME_DATA, (const uint64_t[]){ lane->buffer, lane->cpu }, bytes, n);
	return err ? err : (ssize_t)n;
}

static void *teller_main(void *arg)
{
	struct wire *w = arg;
	struct pollfd wake = { .fd = w->wake, .events = POLLIN };
	bool ending = false;
	uint64_t times;
	int err = 0;

	__atomic_store_n(&w->tids[0], gettid(), __ATOMIC_RELEASE);
	while (!err && !ending) {
		/* .ending is read before the data are sent: so all that was recorded before the end is sent in this round. */
		ending = __atomic_load_n(&w->ending, __ATOMIC_ACQUIRE);
		err = tell_time(w);
		if (!err && __atomic_load_n(&w->started, __ATOMIC_ACQUIRE))
			err = unsent_send(&w->unsent, w->rec, w->room, sizeof(w->room), send_data, w);
		if (!err && !ending && poll(&wake, 1, LOOK_MS) > 0)
			io_read(w->wake, &times, sizeof(times));
	}
	w->err = err;
	if (err)
		close_fd(&w->alarm[0]);
	return NULL;
}

/* --- the thread that hears ------------------------------------------------------------------------------------- */

static void note_flag(struct wire *w, bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_SEQ_CST);
	eventfd_write(w->told, 1);
}

/* Ends the recording as if somebody on this machine had sent us a signal. */
static void end_recording(struct wire *w)
{
	note_flag(w, &w->stop);
	if (!__atomic_load_n(&w->running, __ATOMIC_SEQ_CST))
		return;
	turn_first(&w->turn);
	kill(getpid(), SIGTERM);
}

/* Returns @when_ns. If it is past, or farther off than FARTHEST_NS, it cannot be meant, and the present time is returned. */
static uint64_t in_reach(uint64_t when_ns)
{
	const uint64_t now = now_ns();

	return when_ns > now && when_ns - now < FARTHEST_NS ? when_ns : now;
}

static void sleep_until(uint64_t when_ns)
{
	const uint64_t when = in_reach(when_ns);
	const struct timespec at = { .tv_sec = (time_t)(when / NSEC_PER_SEC), .tv_nsec = (long)(when % NSEC_PER_SEC) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

static void take_question(struct wire *w, uint64_t number, uint64_t heard)
{
	pthread_mutex_lock(&w->asking);
	if (w->nasked < MOST_ASKED)
		w->asked[w->nasked++] = (struct frame_time){ .number = number, .heard = heard };
	pthread_mutex_unlock(&w->asking);
	eventfd_write(w->wake, 1);
}

static void take_frame(struct wire *w, const struct frame *frame, uint64_t heard)
{
	switch (frame->kind) {
	case FRAME_ASK:
		return take_question(w, frame->numbers[0], heard);
	case FRAME_GO:
		w->begin_ns = frame->numbers[0];
		return note_flag(w, &w->go);
	case FRAME_STOP:
		sleep_until(frame->numbers[0]);
		return end_recording(w);
	case FRAME_GOT:
		return note_flag(w, &w->got);
	}
}

/* Takes the complete frames out of @in. Returns false when @in holds something that is no frame. */
static bool take_frames(struct wire *w, struct str *in, uint64_t heard)
{
	struct frame frame;
	const char *wrong;
	size_t done = 0;
	ssize_t n;

	while ((n = frame_take(in->at + done, in->len - done, &frame, &wrong)) > 0) {
		take_frame(w, &frame, heard);
		done += (size_t)n;
	}
	memmove(in->at, in->at + done, in->len - done);
	in->len -= done;
	return !n;
}

/* Has a real-time priority (lib/base/turn.h), because it notes when a question was heard and ends the recording in time. */
static void *hearer_main(void *arg)
{
	struct wire *w = arg;
	struct turn turn = TURN_OF(gettid());
	struct pollfd fds[] = { { .fd = w->in, .events = POLLIN }, { .fd = w->quit, .events = POLLIN } };
	struct str in = { 0 };
	bool there = true;
	char bytes[4096];

	turn_first(&turn);
	__atomic_store_n(&w->tids[1], turn.tid, __ATOMIC_RELEASE);
	while (there) {
		ssize_t n;

		if (poll(fds, ARRAY_LEN(fds), -1) < 0 && errno == EINTR)
			continue;
		if (fds[1].revents)
			break;
		n = read(w->in, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		str_addn(&in, bytes, (size_t)MAX(n, 0));
		there = n > 0 && !str_ok(&in) && take_frames(w, &in, now_ns());
	}
	if (!there)
		end_recording(w);
	str_fini(&in);
	return NULL;
}

static int start_threads(struct wire *w)
{
	int err = thread_start(&w->teller, teller_main, w);

	w->telling = !err;
	if (!err)
		err = thread_start(&w->hearer, hearer_main, w);
	w->hearing = !err;
	if (err)
		return fail(err, "cannot start a thread for sending: %s", strerror(err));
	return 0;
}

/* --- what the recording calls ---------------------------------------------------------------------------------- */

int wire_prepare(struct wire *w, const struct wire_setup *setup, pid_t tids[WIRE_THREADS])
{
	int err = say_file(w, setup->meta);

	w->ns = setup->ns;
	if (err)
		return err;
	w->stats = open(setup->stats, O_RDONLY | O_CLOEXEC);
	if (w->stats < 0)
		return fail(errno, "%s: %m", setup->stats);
	err = start_threads(w);
	for (size_t i = 0; i < WIRE_THREADS && !err; i++)
		while (!(tids[i] = __atomic_load_n(&w->tids[i], __ATOMIC_ACQUIRE)))
			usleep(100);
	return err;
}

static bool is(const bool *flag)
{
	return __atomic_load_n(flag, __ATOMIC_SEQ_CST);
}

/* Waits until one of the two flags is true. Returns false when a signal came (@signals at least 0), or when it took longer than @ms (-1: no limit). */
static bool wait_told(struct wire *w, const bool *one, const bool *other, int signals, int ms)
{
	struct pollfd fds[] = { { .fd = w->told, .events = POLLIN }, { .fd = signals, .events = POLLIN } };
	uint64_t end = now_ns() + (uint64_t)MAX(ms, 0) * NSEC_PER_MSEC, times;

	while (!is(one) && !is(other)) {
		uint64_t now = now_ns();

		if ((ms >= 0 && now >= end) || (poll(fds, ARRAY_LEN(fds), ms < 0 ? -1 : (int)((end - now) / NSEC_PER_MSEC) + 1) > 0 && fds[1].revents))
			return false;
		if (fds[0].revents)
			io_read(w->told, &times, sizeof(times));
	}
	return true;
}

int wire_await(struct wire *w, const struct watch *watch)
{
	uint64_t ns = w->ns, begin, now;
	int err = say(w, FRAME_ARMED, &ns, NULL, 0);

	if (err)
		return went_away(err);
	while (!wait_told(w, &w->go, &w->stop, watch->signals, -1)) {
		int signal = watch_interrupted(watch);

		if (signal)
			return fail(EINTR, "interrupted before tracing began");
	}
	turn_first(&w->turn);
	/* poll() waits only until one or two milliseconds before the time. sleep_until() waits for the rest, more exactly. */
	begin = in_reach(w->begin_ns);
	now = now_ns();
	if (begin > now && !wait_told(w, &w->stop, &w->stop, watch->signals, (int)MAX((begin - now) / NSEC_PER_MSEC, 1ULL) - 1) && watch_interrupted(watch))
		return fail(EINTR, "interrupted before tracing began");
	sleep_until(begin);
	/* From now on, FRAME_STOP makes the hearer send a signal. The next line finds a FRAME_STOP that came before. */
	__atomic_store_n(&w->running, true, __ATOMIC_SEQ_CST);
	return is(&w->stop) ? fail(ECANCELED, "the recording was called off before it began") : 0;
}

void wire_start(struct wire *w, const struct recorder *rec)
{
	w->rec = rec;
	if (unsent_init(&w->unsent, recorder_lanes(rec), PIECE))
		return;
	__atomic_store_n(&w->started, true, __ATOMIC_RELEASE);
	wire_wake(w);
}

void wire_begun(struct wire *w)
{
	uint64_t before, ts, after;

	turn_back(&w->turn);
	trace_now(w->stats, &before, &ts, &after);
	/* If the other end does not take this frame, the thread that sends will notice it. */
	say(w, FRAME_STARTED, &ts, NULL, 0);
}

void wire_ended(struct wire *w)
{
	turn_end(&w->turn);
}

void wire_wake(struct wire *w)
{
	eventfd_write(w->wake, 1);
}

const int *wire_broken(const struct wire *w)
{
	return &w->alarm[1];
}

void wire_command_ended(struct wire *w)
{
	if (w->command_told)
		return;
	w->command_told = true;
	say(w, FRAME_COMMAND_ENDED, NULL, NULL, 0);
}

uint64_t wire_sent(const struct wire *w, size_t lane)
{
	return unsent_sent(&w->unsent, lane);
}

static void join_teller(struct wire *w)
{
	if (!w->telling)
		return;
	__atomic_store_n(&w->ending, true, __ATOMIC_RELEASE);
	wire_wake(w);
	pthread_join(w->teller, NULL);
	w->telling = false;
}

int wire_finish(struct wire *w, const char *meta, uint64_t events, uint64_t lost)
{
	int err;

	/* The recording has ended and only the rest is still sent, so FRAME_STOP must not send us a signal any more. */
	__atomic_store_n(&w->running, false, __ATOMIC_SEQ_CST);
	join_teller(w);
	close_fd(&w->stats);
	if (!w->unsent.lanes)
		return fail(ENOMEM, "no memory for sending");
	if (w->err)
		return went_away(w->err);
	err = say_file(w, meta);
	if (err)
		return err;
	err = say(w, FRAME_DONE, (const uint64_t[]){ events, lost }, NULL, 0);
	if (err)
		return went_away(err);
	if (!wait_told(w, &w->got, &w->got, -1, GOT_MS))
		return fail(ETIMEDOUT, "all was sent, but the machine that asked for this recording does not say that it has arrived");
	return 0;
}

void wire_close(struct wire *w)
{
	if (!w)
		return;
	join_teller(w);
	if (w->hearing) {
		eventfd_write(w->quit, 1);
		pthread_join(w->hearer, NULL);
	}
	close_fd(&w->in);
	close_fd(&w->out);
	close_fd(&w->stats);
	close_fd(&w->wake);
	close_fd(&w->told);
	close_fd(&w->quit);
	close_fd(&w->alarm[0]);
	close_fd(&w->alarm[1]);
	pthread_mutex_destroy(&w->writing);
	pthread_mutex_destroy(&w->asking);
	unsent_fini(&w->unsent);
	free(w->output);
	free(w);
}

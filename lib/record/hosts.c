/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/host.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/turn.h"
#include "lib/record/watch.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Each host is asked for its time several times in a row. The first question only wakes what is on the way to the host.
 * - FIRST_ANSWERS: how many answers a host gives before the start.
 * - ASK_NS, IN_A_ROW: while hosts record, each is asked IN_A_ROW times every ASK_NS.
 * - LAST_ANSWERS: how often a host is asked before the end.
 * - MOST_NS: how long the questions before the start, and those before the end, may take.
 * - LOST_NS: an answer that takes longer is not waited for.
 * - TWICE_NS: a second signal within this time belongs to the first.
 */
#define ASK_NS (100 * NSEC_PER_MSEC)
#define LOST_NS (2 * NSEC_PER_SEC)
#define MOST_NS (300 * NSEC_PER_MSEC)
#define TWICE_NS (NSEC_PER_SEC / 2)
/*
 * The hosts are told to begin or end at a moment that lies AHEAD_NS plus the longest round trip ahead, but at most MOST_AHEAD_NS. All hosts that hear of it
 * before that moment begin or end together.
 */
#define AHEAD_NS (100 * NSEC_PER_MSEC)
#define MOST_AHEAD_NS (2 * NSEC_PER_SEC)
enum { FIRST_ANSWERS = 40, IN_A_ROW = 4, LAST_ANSWERS = 12, LOOK_MS = 50, SOON_MS = 4 };

struct hosts {
	const struct hosts_spec *spec;
	VEC(struct host) at;
	uint64_t trace_id;
	struct watch watch;
	struct pollfd *polled;
	uint64_t armed_ns;  /* when all hosts that will be armed were armed; 0: not yet */
	uint64_t stop_ns;   /* when the end began; 0: not yet */
	uint64_t signal_ns; /* when the first signal came; 0: none has come */
	bool go, stop, called_off;
};

static size_t count(const struct hosts *all, enum host_state state)
{
	size_t n = 0;

	vec_each (&all->at, h)
		n += h->state == state;
	return n;
}

/* --- before the start ------------------------------------------------------------------------------------------- */

/* "DIR/trace-HOST.dat" or "NAME-HOST.dat", in new memory. */
static char *name_file(const char *output, const char *host)
{
	struct stat st;

	if (str_ends(output, "/") || (stat(output, &st) == 0 && S_ISDIR(st.st_mode)))
		return str_printf("%s%strace-%s.dat", output, str_ends(output, "/") ? "" : "/", host);
	return str_file_of(output, host);
}

static int add_host(struct hosts *all, const char *name)
{
	bool local = host_is_here(name);
	/* clang-format off */
	struct host h = {
		.spec = all->spec, .name = name, .trace_id = all->trace_id, .local = local, .in = -1, .out = -1, .err = -1, .raw = -1, .spool = SPOOL_NONE,
		.output = name_file(all->spec->output, local ? "localhost" : name),
	};
	/* clang-format on */
	int err = h.output && !vec_push(&all->at, h) ? 0 : fail(ENOMEM, "no memory for the hosts");

	if (err)
		free(h.output);
	/* The output is checked before any host is called. */
	return err ? err : output_check(h.output);
}

static int make_folder(const char *output)
{
	struct stat st;

	if (stat(output, &st) == 0 && !S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return fail(EINVAL, "-o %s: each host needs a file of its own, so this must be a folder or the name of a plain file", output);
	if (!str_ends(output, "/") || mkdir(output, 0777) == 0 || errno == EEXIST)
		return 0;
	return fail(errno, "cannot make the folder %s: %m", output);
}

/* Each CPU of each host takes a descriptor, for its spool. */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int begin(struct hosts *all)
{
	int err = make_folder(all->spec->output);

	if (getrandom(&all->trace_id, sizeof(all->trace_id), 0) != sizeof(all->trace_id))
		all->trace_id = now_ns();
	/* The shift and the lowest bit make it a positive number in any case. */
	all->trace_id = all->trace_id >> 1 | 1;
	vec_each (&all->spec->names, name)
		err = err ? err : add_host(all, *name);
	all->polled = calloc(2 * all->at.n + 1, sizeof(*all->polled));
	if (!err && !all->polled)
		err = fail(ENOMEM, "no memory for the hosts");
	if (!err)
		err = watch_open(&all->watch);
	vec_each (&all->at, h)
		err = err ? err : host_call(h);
	if (!err)
		raise_descriptors();
	return err;
}

/* --- all together ------------------------------------------------------------------------------------------------ */

/*
 * Returns a moment, in ns of our CLOCK_MONOTONIC, that lies so far ahead that all hosts have heard of it before. On an idle machine and a good network none
 * is late.
 */
static uint64_t soon(const struct hosts *all)
{
	uint64_t longest = 0;

	vec_each (&all->at, h)
		longest = MAX(longest, h->clocks.round_ns);
	return now_ns() + MIN(AHEAD_NS + longest, MOST_AHEAD_NS);
}

/* Tells a host to begin or to end @when, by our clock. A host whose clock is not known does so at once. */
static void say_when(struct host *h, enum frame_kind kind, uint64_t when)
{
	uint64_t there = h->clocks.round_ns ? when + h->ahead_ns : 0;

	host_say(h, kind, &there);
}

/* Stops all hosts. Those that have not begun to record are sent away. Those that record stop, and then send the rest. */
static void stop_all(struct hosts *all)
{
	struct turn turn = TURN_OF(gettid());
	uint64_t when;

	turn_first(&turn);
	when = soon(all);
	all->stop = true;
	vec_each (&all->at, h)
		if (h->state == HOST_RUNS)
			say_when(h, FRAME_STOP, when);
	turn_back(&turn);
	vec_each (&all->at, h)
		if (h->state < HOST_RUNS) {
			h->unasked = true;
			host_gone(h, "it is not wanted any more");
		}
}

/* Begins the end of the recording: the hosts are asked once more for their time, and then told to stop. */
static void end_all(struct hosts *all)
{
	if (!all->go)
		return stop_all(all);
	all->stop_ns = now_ns();
	vec_each (&all->at, h)
		h->burst = LAST_ANSWERS;
}

static void stop_when_asked(struct hosts *all, uint64_t now)
{
	bool asked = true;

	vec_each (&all->at, h)
		asked &= h->state != HOST_RUNS || (!h->burst && h->answered == h->asked);
	if (asked || now - all->stop_ns > MOST_NS)
		stop_all(all);
}

static void start_all(struct hosts *all)
{
	struct turn turn = TURN_OF(gettid());
	uint64_t when;
	size_t n = 0;

	turn_first(&turn);
	when = soon(all);
	all->go = true;
	vec_each (&all->at, h) {
		if (h->state != HOST_ARMED)
			continue;
		h->state = HOST_RUNS;
		say_when(h, FRAME_GO, when);
		n++;
	}
	turn_back(&turn);
	if (n && all->spec->begun)
		all->spec->begun(all->spec->ctx, n);
}

/* Returns true if a host has gone whose shell has not ended yet: such a host may be called again. */
static bool undecided(const struct hosts *all)
{
	vec_each (&all->at, h)
		if (h->state == HOST_GONE && h->pid && !h->why)
			return true;
	return false;
}

/* Starts the recording when all hosts that will be armed are armed and were asked for their time. */
static void start_when_ready(struct hosts *all, uint64_t now)
{
	bool asked = true;

	if (count(all, HOST_CALLED) || undecided(all))
		return;
	if (all->spec->all_or_none && count(all, HOST_GONE)) {
		all->called_off = true;
		return stop_all(all);
	}
	if (!all->armed_ns)
		all->armed_ns = now;
	vec_each (&all->at, h)
		asked &= h->state != HOST_ARMED || h->answered >= FIRST_ANSWERS;
	if (asked || now - all->armed_ns > MOST_NS)
		start_all(all);
}

/* Returns true when the commands have ended on all hosts that record. */
static bool commands_ended(const struct hosts *all)
{
	vec_each (&all->at, h)
		if (h->state == HOST_RUNS && !h->command_ended)
			return false;
	return all->spec->commands;
}

static void ask_when_due(struct hosts *all, struct host *h, uint64_t now)
{
	if (h->state != HOST_ARMED && h->state != HOST_RUNS)
		return;
	/* An answer that is on its way is waited for: a later question would only stand in its queue. */
	if (h->answered != h->asked && now - h->asked_ns < LOST_NS)
		return;
	if (!h->burst && now - h->asked_ns >= ASK_NS)
		h->burst = all->go ? IN_A_ROW : FIRST_ANSWERS;
	if (h->burst) {
		h->burst--;
		host_ask(h);
	}
}

static void check_patience(struct hosts *all, struct host *h, uint64_t now)
{
	uint64_t patience = all->spec->patience_ns;
	__cleanup(free_ptr) char *why = NULL;

	if (h->state == HOST_CALLED && now - h->called_ns > patience)
		why = str_printf("it was not armed within %g s", (double)patience / 1e9);
	else if (h->state == HOST_RUNS && now - h->heard_ns > patience)
		why = str_printf("it said nothing for %g s", (double)patience / 1e9);
	if (why)
		host_gone(h, why);
}

static void take_turns(struct hosts *all)
{
	uint64_t now = now_ns();

	if (!all->go && !all->stop)
		start_when_ready(all, now);
	if (all->go && !all->stop_ns && count(all, HOST_RUNS) && commands_ended(all))
		end_all(all);
	if (all->stop_ns && !all->stop)
		stop_when_asked(all, now);
	vec_each (&all->at, h) {
		ask_when_due(all, h, now);
		check_patience(all, h, now);
		host_reap(h);
	}
}

/* --- the loop ---------------------------------------------------------------------------------------------------- */

static void hear(struct host *h, const struct pollfd *fds)
{
	const char *wrong = NULL;
	int err = 0;

	if (fds[1].revents && h->err >= 0)
		host_hear_messages(h);
	if (fds[0].revents && h->out >= 0)
		err = host_hear(h, &wrong);
	if (err)
		host_gone(h, wrong ? wrong : "what it sends cannot be kept");
	else if (h->out < 0)
		host_gone(h, NULL);
}

static bool all_over(const struct hosts *all)
{
	vec_each (&all->at, h)
		if (h->pid)
			return false;
	return true;
}

/* The first signal ends the recording. After a later one, what is still to come is not waited for. */
static void take_signal(struct hosts *all)
{
	if (!watch_interrupted(&all->watch))
		return;
	if (!all->signal_ns) {
		all->signal_ns = now_ns();
		return all->stop_ns ? (void)0 : end_all(all);
	}
	/* timeout(1) and other programs send one signal to us and one to our process group. */
	if (now_ns() - all->signal_ns < TWICE_NS)
		return;
	vec_each (&all->at, h) {
		host_gone(h, "it was not waited for");
		if (h->pid)
			kill(h->pid, SIGTERM);
	}
}

static int loop(struct hosts *all)
{
	while (!all_over(all)) {
		int ms = all->go && !all->stop_ns ? LOOK_MS : SOON_MS;
		struct pollfd *fds = all->polled;

		*fds++ = (struct pollfd){ .fd = all->watch.signals, .events = POLLIN };
		vec_each (&all->at, h) {
			*fds++ = (struct pollfd){ .fd = h->out, .events = POLLIN };
			*fds++ = (struct pollfd){ .fd = h->err, .events = POLLIN };
		}
		if (poll(all->polled, (nfds_t)(fds - all->polled), ms) < 0 && errno != EINTR)
			return fail(errno, "cannot wait for the hosts: %m");
		for (size_t i = 0; i < all->at.n; i++)
			hear(&all->at.at[i], &all->polled[1 + 2 * i]);
		if (all->polled[0].revents)
			take_signal(all);
		take_turns(all);
	}
	return 0;
}

/* --- the files --------------------------------------------------------------------------------------------------- */

/* Makes the files one after the other, because each takes memory and all CPUs. */
static int finish(struct hosts *all, hostoutcomes_t *out)
{
	int err = 0;

	vec_each (&all->at, h) {
		struct host_outcome one;
		int ret = host_finish(h, &one);

		err = err ?: ret ?: one.complete ? 0 : -ENODATA;
		if (vec_push(out, one)) {
			free(one.output);
			return fail(ENOMEM, "no memory for the hosts");
		}
	}
	return err;
}

static int tell_nobody(const struct hosts *all)
{
	vec_each (&all->at, h)
		if (h->began)
			return 0;
	if (all->called_off)
		return fail(ECANCELED, "nothing was recorded, as --all-or-none asks for");
	return all->stop ? fail(EINTR, "interrupted before tracing began") : fail(ENODATA, "nothing was recorded: none of the hosts can");
}

int hosts_record(const struct hosts_spec *spec, hostoutcomes_t *out)
{
	struct hosts all = { .spec = spec, .watch = WATCH_NONE };
	int err = begin(&all), ret;

	err = err ? err : loop(&all);
	vec_each (&all.at, h)
		host_kill(h);
	if (!err)
		err = tell_nobody(&all);
	ret = finish(&all, out);
	vec_each (&all.at, h)
		host_fini(h);
	vec_fini(&all.at);
	free(all.polled);
	watch_close(&all.watch);
	return err ? err : ret;
}

void hosts_outcome_fini(hostoutcomes_t *out)
{
	vec_each (out, one)
		free(one->output);
	vec_fini(out);
}

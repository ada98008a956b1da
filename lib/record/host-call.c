/* SPDX-License-Identifier: GPL-2.0 */
/* Starts ringside on another machine or on this one. */
#define _GNU_SOURCE
#include "lib/record/host.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/quote.h"
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* CONNECT_S: the longest time that ssh tries to connect. MOST_WORDS: the most words that we add, including the NULL behind them. */
enum { CONNECT_S = 20, MOST_WORDS = 10 };

/* Returns the command line for the shell on the host, in new memory. NULL: out of memory. */
static char *command_line(const struct host *h)
{
	struct str line = { 0 };

	if (h->pushing)
		return strdup(push_command());
	if (h->there)
		str_addf(&line, "%s record --wire=", h->there);
	else
		str_addf(&line, "exec %s record --wire=", h->spec->there ? h->spec->there : "ringside");
	quote_shell(h->name, &line);
	for (char *const *word = h->spec->words; *word; word++) {
		str_addc(&line, ' ');
		quote_shell(*word, &line);
	}
	/* At its end, the command line removes the copy of ringside. */
	if (h->there)
		str_add(&line, "; s=$?; rm -rf $d; exit $s");
	return str_take(&line);
}

/* Returns true if ssh can ask somebody for a password: there is a terminal, and we are in its foreground. */
static bool can_ask(void)
{
	__cleanup(close_fd) int tty = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);

	return tty >= 0 && tcgetpgrp(tty) == getpgrp();
}

bool host_by_ssh(const struct host *h)
{
	const char *shell = h->spec->rsh.at[0], *slash = strrchr(shell, '/');

	return !h->local && strcmp(slash ? slash + 1 : shell, "ssh") == 0;
}

/*
 * Adds options for ssh. If an option is given several times, ssh takes the first, so the user's options in --rsh hold. ssh gives up by itself, so that it
 * can say why. It must not ask for a password when nobody sees the question.
 */
static int add_ssh_options(const struct host *h, strv_t *owned)
{
	uint64_t s = MIN((h->spec->patience_ns + NSEC_PER_SEC - 1) / NSEC_PER_SEC, (uint64_t)CONNECT_S);

	if (!host_by_ssh(h))
		return 0;
	if (!can_ask() && strv_add(owned, "-oBatchMode=yes"))
		return -ENOMEM;
	return strv_add(owned, "-T") ?: strv_own(owned, str_printf("-oConnectTimeout=%llu", (unsigned long long)s)) ?:
	       strv_add(owned, "-oServerAliveInterval=5") ?: strv_add(owned, "-oServerAliveCountMax=3");
}

/* Returns the argument vector, in new memory. The words themselves belong to @owned and to @h. NULL: out of memory. */
static char **words_of(const struct host *h, strv_t *owned)
{
	const strv_t *rsh = &h->spec->rsh;
	size_t n = 0;
	char **words;

	while (h->spec->words[n])
		n++;
	words = calloc(rsh->n + n + MOST_WORDS, sizeof(*words));
	if (!words)
		return NULL;
	if (h->local) {
		if (strv_add(owned, "ringside") || strv_add(owned, "record") || strv_own(owned, str_printf("--wire=%s", h->name)))
			return free(words), NULL;
		memcpy(words, owned->at, 3 * sizeof(*words));
		memcpy(words + 3, h->spec->words, n * sizeof(*words));
		return words;
	}
	if (add_ssh_options(h, owned) || strv_add(owned, h->name) || strv_own(owned, command_line(h)))
		return free(words), NULL;
	memcpy(words, rsh->at, rsh->n * sizeof(*words));
	memcpy(words + rsh->n, owned->at, owned->n * sizeof(*words));
	return words;
}

/*
 * Runs between fork and exec. Ctrl-C is for us, because we tell the hosts to end. A shell stays in our process group, so that it can ask at the terminal for
 * a password.
 */
static void become(const struct host *h, char **words, int in, int out, int err)
{
	sigset_t none;

	if (h->local)
		setpgid(0, 0);
	else
		signal(SIGINT, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(126);
	if (h->local)
		execv("/proc/self/exe", words);
	else
		execvp(words[0], words);
	fail(errno, "cannot run %s: %m", words[0]);
	_exit(126);
}

static int start(struct host *h, char **words, int archive)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 }, ret = 0;

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		ret = fail(errno, "%s: cannot make a pipe for its shell: %m", h->name);
	if (!ret) {
		h->pid = fork();
		if (!h->pid)
			become(h, words, archive >= 0 ? archive : in[0], out[1], err[1]);
		if (h->pid < 0) {
			h->pid = 0;
			ret = fail(errno, "%s: cannot start a process for its shell: %m", h->name);
		}
	}
	if (!ret) {
		h->in = take_fd(&in[1]);
		h->out = take_fd(&out[0]);
		h->err = take_fd(&err[0]);
		fcntl(h->in, F_SETFL, O_NONBLOCK);
		fcntl(h->out, F_SETFL, O_NONBLOCK);
		fcntl(h->err, F_SETFL, O_NONBLOCK);
	}
	for (size_t i = 0; i < 2; i++) {
		close_fd(&in[i]);
		close_fd(&out[i]);
		close_fd(&err[i]);
	}
	return ret;
}

static int call(struct host *h, int archive)
{
	strv_t owned = { 0 };
	char **words = words_of(h, &owned);
	int err = words ? start(h, words, archive) : fail(ENOMEM, "no memory for a command line");

	h->called_ns = h->heard_ns = now_ns();
	free(words);
	strv_fini(&owned);
	return err;
}

int host_call(struct host *h)
{
	return call(h, -1);
}

/* Puts the host into the state that it had before it was called. */
static void forget(struct host *h)
{
	h->leaving = false;
	h->state = HOST_CALLED;
	h->status = 0;
	close_fd(&h->err);
	str_clear(&h->said);
}

bool host_push(struct host *h)
{
	__cleanup(close_fd) int archive = push_archive();

	if (archive < 0 || lseek(archive, 0, SEEK_SET))
		return false;
	forget(h);
	str_clear(&h->got);
	h->pushing = h->was_pushed = true;
	return call(h, archive) == 0;
}

bool host_pushed(struct host *h)
{
	h->pushing = false;
	if (h->status || push_take(h))
		return false;
	forget(h);
	return host_call(h) == 0;
}

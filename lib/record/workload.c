/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/workload.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/str.h"
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct workload {
	pid_t pid;
	int held; /* our end of the socket; -1: the command was released */
	bool ended;
	int status;
	char name[PROCESS_NAME];	       /* the last one known */
	bool named;			       /* the command has ended, so .name does not change any more; any thread may read this flag */
	void (*exiting)(void *ctx, pid_t pid); /* NULL: the command is not traced with ptrace */
	void *ctx;
};

/* What the child sends when exec fails. */
struct complaint {
	int err;
	char what[16];
};

static int executable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || access(path, X_OK))
		return -EACCES;
	return 0;
}

/* Finds the first executable file of that name in @dirs. Returns -EACCES if there are only files that cannot be executed, and -ENOENT if there is none. */
static int search(const char *dirs, const char *command, char **path)
{
	int err = -ENOENT;

	for (const char *dir = dirs; dir; dir = strchr(dir, ':') ? strchr(dir, ':') + 1 : NULL) {
		size_t n = strcspn(dir, ":");
		char *file = n ? str_printf("%.*s/%s", prec(n), dir, command) : str_printf("./%s", command);
		int ret = file ? executable(file) : -ENOMEM;

		if (ret == 0) {
			*path = file;
			return 0;
		}
		free(file);
		if (ret == -ENOMEM || ret == -EACCES)
			err = ret;
	}
	return err;
}

int workload_find(const char *command, char **path)
{
	const char *dirs = getenv("PATH");
	int err;

	*path = NULL;
	if (strchr(command, '/')) {
		err = executable(command);
		if (!err && !(*path = strdup(command)))
			err = -ENOMEM;
	} else if (!*command) {
		err = -ENOENT;
	} else {
		err = search(dirs ? dirs : "/usr/local/bin:/usr/bin:/bin", command, path);
	}
	if (err == -EACCES)
		return fail(EACCES, "cannot run '%s': it is not an executable file", command);
	if (err == -ENOENT || err == -ENOTDIR)
		return fail(ENOENT, "there is no command '%s'%s: nothing was recorded", command, strchr(command, '/') ? "" : " in $PATH");
	return err ? fail(-err, "cannot run '%s': %s", command, strerror(-err)) : 0;
}

int workload_user_check(const char *user)
{
	return getpwnam(user) ? 0 : fail(ENOENT, "--user: there is no user '%s'", user);
}

int workload_become(const char *user)
{
	const struct passwd *pw = getpwnam(user);

	if (!pw)
		return -ENOENT;
	if (initgroups(user, pw->pw_gid) || setgid(pw->pw_gid) || setuid(pw->pw_uid))
		return -errno;
	if (setenv("HOME", pw->pw_dir, 1) || setenv("USER", pw->pw_name, 1) || setenv("LOGNAME", pw->pw_name, 1))
		return -errno;
	return 0;
}

/* Receives the descriptors that workload_release() sends. Returns their number, or -1 when the recorder has died. */
static ssize_t receive(int from, int *fds)
{
	char control[CMSG_SPACE(sizeof(int) * WORKLOAD_GATES)] __attribute__((aligned(sizeof(size_t))));
	uint32_t n = 0;
	struct iovec iov = { &n, sizeof(n) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got;

	do
		got = recvmsg(from, &msg, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got != sizeof(n))
		return -1;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
			memcpy(fds, CMSG_DATA(c), n * sizeof(int));
	return n;
}

static void complain(int to, const char *what, int err)
{
	struct complaint c = { .err = err };

	memcpy(c.what, what, MIN(strlen(what), sizeof(c.what) - 1));
	/* If the recorder has died, nobody hears the complaint. */
	if (send(to, &c, sizeof(c), MSG_NOSIGNAL) < 0)
		_exit(STATUS_NOT_EXECUTABLE);
}

/* Nothing of ours may happen between the last of these writes and the exec, because it would be in the trace. */
static int open_gates(const int *gates, ssize_t n)
{
	for (ssize_t i = 0; i < n; i++)
		if (write(gates[i], "1", 1) != 1)
			return -errno;
	return 0;
}

static void close_gates(const int *gates, ssize_t n)
{
	for (ssize_t i = 0; i < n; i++)
		if (write(gates[i], "0", 1) != 1)
			return;
}

static void run_child(int from, const char *path, char *const *argv, const char *user, size_t argc)
{
	char *script[argc + 2];
	int gates[WORKLOAD_GATES];
	ssize_t n;
	int err;

	/* A script without #! is run by the shell, as execvp() does. */
	script[0] = (char *)"/bin/sh";
	script[1] = (char *)path;
	for (size_t i = 1; i <= argc; i++)
		script[i + 1] = argv[i];
	err = user ? workload_become(user) : 0;
	n = receive(from, gates);
	if (n < 0)
		_exit(STATUS_SIGNAL);
	if (err) {
		complain(from, "user", -err);
		_exit(STATUS_NOT_EXECUTABLE);
	}
	err = open_gates(gates, n);
	if (err) {
		complain(from, "tracing_on", -err);
		_exit(STATUS_NOT_EXECUTABLE);
	}
	execv(path, argv);
	if (errno == ENOEXEC)
		execv(script[0], script);
	err = errno;
	close_gates(gates, n);
	complain(from, path, err);
	_exit(STATUS_NOT_EXECUTABLE);
}

/* The recorder blocks signals while it waits. The command must start with no signal blocked. */
static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

int workload_hold(struct workload **out, const char *path, char *const *argv, const char *user)
{
	struct workload *w = calloc(1, sizeof(*w));
	size_t argc = 0;
	int pair[2];

	*out = NULL;
	while (argv[argc])
		argc++;
	if (!w || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		free(w);
		return fail(errno, "cannot prepare '%s': %m", argv[0]);
	}
	w->pid = fork();
	if (w->pid == 0) {
		close(pair[0]);
		reset_signals();
		run_child(pair[1], path, argv, user, argc);
	}
	close(pair[1]);
	w->held = pair[0];
	if (w->pid < 0) {
		int err = errno;

		close(w->held);
		free(w);
		return fail(err, "cannot fork for '%s': %s", argv[0], strerror(err));
	}
	*out = w;
	return 0;
}

pid_t workload_pid(const struct workload *w)
{
	return w->pid;
}

static int send_gates(int to, const int *gates, size_t count)
{
	char control[CMSG_SPACE(sizeof(int) * WORKLOAD_GATES)] __attribute__((aligned(sizeof(size_t)))) = { 0 };
	uint32_t n = (uint32_t)count;
	struct iovec iov = { &n, sizeof(n) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (n) {
		struct cmsghdr *c;

		msg.msg_control = control;
		msg.msg_controllen = CMSG_SPACE(sizeof(int) * n);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int) * n);
		memcpy(CMSG_DATA(c), gates, sizeof(int) * n);
	}
	return sendmsg(to, &msg, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int workload_release(struct workload *w, const int *gates, size_t n)
{
	struct complaint c = { 0 };
	ssize_t got;
	int err;

	if (n > WORKLOAD_GATES)
		return fail(E2BIG, "at most %d buffers can be recorded at a time", WORKLOAD_GATES);
	err = send_gates(w->held, gates, n);
	do
		got = err ? 0 : recv(w->held, &c, sizeof(c), 0);
	while (got < 0 && errno == EINTR);
	close_fd(&w->held);
	if (err)
		return fail(-err, "the command ended before it was started");
	if (got == 0)
		return 0;
	if (strcmp(c.what, "tracing_on") == 0)
		return fail(c.err, "cannot switch tracing on: %s", strerror(c.err));
	if (strcmp(c.what, "user") == 0)
		return fail(c.err, "cannot become the user of --user: %s", strerror(c.err));
	return fail(c.err, "cannot run the command: %s", strerror(c.err));
}

int workload_seize(struct workload *w, void (*exiting)(void *ctx, pid_t pid), void *ctx)
{
	if (ptrace(PTRACE_SEIZE, w->pid, NULL, (void *)PTRACE_O_TRACEEXIT))
		return fail(errno, "cannot trace the command for its address map: %m");
	w->exiting = exiting;
	w->ctx = ctx;
	return 0;
}

/* Lets the command go on as if it were not traced. We only want to know when it ends. */
static void resume(const struct workload *w, int status)
{
	int event = status >> 16, signal = WSTOPSIG(status);

	if (event == PTRACE_EVENT_EXIT)
		w->exiting(w->ctx, w->pid);
	/* Job control has stopped the command, so it must stay stopped until SIGCONT. */
	if (event == PTRACE_EVENT_STOP && signal != SIGTRAP)
		ptrace(PTRACE_LISTEN, w->pid, NULL, NULL);
	else
		ptrace(PTRACE_CONT, w->pid, NULL, (void *)(long)(event ? 0 : signal));
}

void workload_name(struct workload *w, char name[static PROCESS_NAME])
{
	if (!w->ended)
		process_name(w->pid, w->name);
	memcpy(name, w->name, sizeof(w->name));
}

/* Keeps the command's name when it has ended. The name can be read as long as we have not waited for the process. */
static void keep_name(struct workload *w)
{
	char name[PROCESS_NAME];
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid != w->pid)
		return;
	workload_name(w, name);
	__atomic_store_n(&w->named, true, __ATOMIC_RELEASE);
}

bool workload_last_name(const struct workload *w, char name[static PROCESS_NAME])
{
	if (!__atomic_load_n(&w->named, __ATOMIC_ACQUIRE) || !w->name[0])
		return false;
	memcpy(name, w->name, sizeof(w->name));
	return true;
}

bool workload_ended(struct workload *w)
{
	int status;

	if (!w->ended)
		keep_name(w);
	while (!w->ended && waitpid(w->pid, &status, WNOHANG) == w->pid) {
		if (WIFSTOPPED(status)) {
			resume(w, status);
			continue;
		}
		w->ended = true;
		w->status = WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL + WTERMSIG(status);
	}
	return w->ended;
}

int workload_status(const struct workload *w)
{
	return w->status;
}

bool workload_ignores(const struct workload *w, int signal)
{
	__cleanup(free_ptr) char *path = str_printf("/proc/%d/status", (int)w->pid);
	struct text file = { 0 };
	const char *mask = NULL;
	bool ignores;

	if (path && !io_slurp(path, &file))
		mask = strstr(file.at, "SigIgn:");
	ignores = mask && strtoull(mask + strlen("SigIgn:"), NULL, 16) >> (signal - 1) & 1;
	free(file.at);
	return ignores;
}

void workload_signal(const struct workload *w, int signal)
{
	if (w->held < 0 && !w->ended)
		kill(w->pid, signal);
}

void workload_free(struct workload *w)
{
	if (!w)
		return;
	if (w->held >= 0) {
		close_fd(&w->held);
		if (!w->ended)
			waitpid(w->pid, NULL, 0);
	}
	free(w);
}

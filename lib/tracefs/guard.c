/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/tracefs/guard.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/vec.h"
#include "lib/tracefs/save.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long the readers of a dead recording may take to close their files. */
enum { PATIENCE_MS = 30000 };

/* A pipe of the watched process, and the file into which its contents go. */
struct kept {
	int pipe;
	char *to;
};
typedef VEC(struct kept) kepts_t;

static int pidfd_open_(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	errno = ENOSYS;
	return -1;
#endif
}

static bool among(int fd, const int *fds, size_t n)
{
	while (n--)
		if (fds[n] == fd)
			return true;
	return false;
}

/* Makes standard input, output and error /dev/null, and closes all other descriptors. The @n descriptors in @keep stay. */
static void drop_descriptors(const int *keep, size_t n)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), last = 2;
	long most = sysconf(_SC_OPEN_MAX);

	for (int fd = 0; fd < 3; fd++)
		if (!among(fd, keep, n))
			dup2(null, fd);
	for (size_t i = 0; i < n; i++)
		last = MAX(last, keep[i]);
	for (int fd = 3; fd <= last; fd++)
		if (!among(fd, keep, n))
			close(fd);
#ifdef SYS_close_range
	if (syscall(SYS_close_range, last + 1, ~0U, 0) == 0)
		return;
#endif
	for (int fd = last + 1; fd < most; fd++)
		close(fd);
}

static void detach(void)
{
	sigset_t all;
	int score;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "ringside-guard");
	/* When memory runs out, the guard is to be killed last. We may not be allowed to say so. */
	score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (score >= 0) {
		io_write(score, "-1000", 5);
		close(score);
	}
	/* The guard leaves its folder so that it keeps no file system busy. If even that fails, the file system stays busy. */
	if (chdir("/"))
		return;
}

/* Raises the limit of descriptors, because there is a pipe for each CPU of each buffer. A guard that cannot have so many takes as many as it can. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static void keep(kepts_t *kepts, const struct msghdr *msg, const char *to, size_t n)
{
	const struct cmsghdr *rights = CMSG_FIRSTHDR(msg);
	struct kept one = { .to = strndup(to, n) };

	if (!rights || rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS) {
		free(one.to);
		return;
	}
	memcpy(&one.pipe, CMSG_DATA(rights), sizeof(one.pipe));
	if (!one.to || vec_push(kepts, one)) {
		close(one.pipe);
		free(one.to);
	}
}

enum word { NO_WORD, GONE, ALL_UNDONE };

/*
 * Takes the messages that are there. Most are pipes to keep. The last one is a message of one byte (all is undone), or there is only the end of the
 * connection.
 */
static enum word take_words(int word, kepts_t *kepts)
{
	for (;;) {
		_Alignas(struct cmsghdr) char rights[CMSG_SPACE(sizeof(int))];
		char text[PATH_MAX];
		struct iovec part = { text, sizeof(text) };
		struct msghdr msg = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = rights, .msg_controllen = sizeof(rights) };
		ssize_t n = recvmsg(word, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? NO_WORD : GONE;
		if (n == 0)
			return GONE;
		if (n == 1)
			return ALL_UNDONE;
		keep(kepts, &msg, text, (size_t)n);
	}
}

/* Waits until the process says that all is undone, and then returns false. Returns true when the process ends without saying so. */
static bool died(int word, int process, kepts_t *kepts)
{
	struct pollfd ends[] = { { .fd = word, .events = POLLIN }, { .fd = process, .events = POLLIN } };
	enum word said = NO_WORD;

	while (said == NO_WORD && !ends[1].revents) {
		while (poll(ends, ARRAY_LEN(ends), -1) < 0 && errno == EINTR)
			;
		said = take_words(word, kepts);
	}
	if (said == ALL_UNDONE)
		return false;
	/*
	 * The socket may be closed before the other files of the process. The process's end comes after all of that. If there is no descriptor for the
	 * process (an old kernel, a sandbox), the undoing waits for the busy files.
	 */
	while (process >= 0 && poll(ends + 1, 1, -1) < 0 && errno == EINTR)
		;
	return true;
}

static _Noreturn void watch(struct journal *journal, const struct tracedir *top, int word, int process)
{
	int keep[] = { journal_fd(journal), top->fd, word, process };
	kepts_t kepts = { 0 };

	detach();
	drop_descriptors(keep, ARRAY_LEN(keep));
	raise_limit();
	/* What cannot be put back stays in the journal, for `ringside reset --stale`. */
	if (died(word, process, &kepts)) {
		vec_each (&kepts, one)
			save_pipe(one->pipe, one->to);
		journal_save(journal, top);
		if (journal_undo(journal, top, PATIENCE_MS, true) == 0)
			journal_remove(journal);
	}
	_exit(0);
}

int guard_start(struct guard *g, struct journal *journal, const struct tracedir *top)
{
	__cleanup(close_fd) int process = pidfd_open_(getpid());
	int ends[2], err;

	g->pid = 0;
	g->fd = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return fail(errno, "no socket for the guard process: %m");
	g->pid = fork();
	if (g->pid == 0) {
		close(ends[1]);
		watch(journal, top, ends[0], process);
	}
	err = errno;
	close(ends[0]);
	g->fd = ends[1];
	if (g->pid > 0)
		return journal_add_guard(journal, g->pid);
	g->pid = 0;
	close_fd(&g->fd);
	return fail(err, "no guard process: %m");
}

int guard_keep(struct guard *g, int pipe, const char *to)
{
	_Alignas(struct cmsghdr) char rights[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec part = { (char *)to, strlen(to) };
	struct msghdr msg = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = rights, .msg_controllen = sizeof(rights) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);
	ssize_t n;

	if (g->pid <= 0)
		return -ESRCH;
	if (part.iov_len < 2 || part.iov_len > PATH_MAX)
		return -EINVAL;
	*head = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int)) };
	memcpy(CMSG_DATA(head), &pipe, sizeof(pipe));
	do
		n = sendmsg(g->fd, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

void guard_end(struct guard *g)
{
	if (g->pid <= 0)
		return;
	/* The guard may have been killed. Then nobody takes the message, and MSG_NOSIGNAL keeps SIGPIPE from killing us. */
	if (send(g->fd, "", 1, MSG_NOSIGNAL) < 0)
		kill(g->pid, SIGKILL);
	close_fd(&g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g->pid = 0;
}

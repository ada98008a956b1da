/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/endings.h"

#include <signal.h>

void life_fini(struct life *life)
{
	vec_fini(&life->sent);
	vec_fini(&life->held);
}

void life_begin(struct life *life, int tgid)
{
	life_fini(life);
	*life = (struct life){ .tgid = tgid, .seen = true, .whole = true };
}

void life_end_group(struct life *group, enum ending_how how, int number)
{
	if (group->group.how == ENDING_UNKNOWN)
		group->group = (struct ending){ how, number };
}

/* Has another task of the process called execve(), which ends the task @pid? */
static bool is_displaced(const struct life *group, int pid)
{
	return group->whole && group->executing && group->executing != pid;
}

struct ending life_group_ending(const struct life *group)
{
	return group->own.how != ENDING_UNKNOWN ? group->own : group->group;
}

struct ending life_ending(const struct life *life, const struct life *group, int pid)
{
	if (life->own.how != ENDING_UNKNOWN)
		return life->own;
	if (group->group.how != ENDING_UNKNOWN || !is_displaced(group, pid))
		return group->group;
	return life == group ? (struct ending){ ENDING_SUPERSEDED, group->executing } : (struct ending){ ENDING_EXITED, 0 };
}

void life_executes(struct life *group, int pid)
{
	group->executing = pid;
	vec_each (&group->sent, sent)
		sent->waits = true;
}

void life_execute(struct life *executed, struct life *first, int pid)
{
	executed->tgid = pid;
	executed->whole = true; /* all other tasks of the process have ended */
	executed->own = executed->group = (struct ending){ ENDING_UNKNOWN, 0 };
	executed->executing = 0;
	if (first != executed)
		swap(first->sent, executed->sent);
}

void life_lost(struct life *life)
{
	life->sent.n = 0;
	life->whole = false;
}

static struct signal_taken *find_sent(struct life *group, int number)
{
	vec_each (&group->sent, sent)
		if (sent->number == number)
			return sent;
	return NULL;
}

static void forget_sent(struct life *group, const struct signal_taken *sent)
{
	size_t at = (size_t)(sent - group->sent.at);

	memmove(&group->sent.at[at], &group->sent.at[at + 1], (group->sent.n - at - 1) * sizeof(*group->sent.at));
	group->sent.n--;
}

int life_sent(struct life *group, const struct signal_taken *signal)
{
	const struct signal_taken *before = find_sent(group, signal->number);

	if (before)
		forget_sent(group, before);
	return vec_push(&group->sent, *signal);
}

/* Does the signal end a process that has no handler for it? */
static bool is_fatal(int number)
{
	return number != SIGCHLD && number != SIGCONT && number != SIGURG && number != SIGWINCH && number != SIGSTOP && number != SIGTSTP &&
	       number != SIGTTIN && number != SIGTTOU;
}

/*
 * A task has got SIGKILL. The kernel sends it to all tasks of a process that ends, whatever the reason is. This notes the reason if it is known. Returns
 * true if the reason was another signal. Then *@signal becomes this signal.
 */
static bool killed(struct life *group, struct signal_taken *signal)
{
	const bool displaced = is_displaced(group, signal->pid);
	const struct signal_taken *cause = NULL;

	if (group->group.how != ENDING_UNKNOWN)
		return false;
	vec_each (&group->sent, sent)
		if (is_fatal(sent->number) && !(displaced && sent->waits && sent->number != SIGKILL))
			cause = sent;
	if (!cause && displaced)
		return false;
	if (cause || group->whole) /* otherwise another task may have called exit_group() */
		life_end_group(group, ENDING_KILLED, cause ? cause->number : ENDING_NUMBER_UNKNOWN);
	if (!cause || cause->number == SIGKILL)
		return false;
	*signal = (struct signal_taken){ signal->pid, cause->number, cause->error, cause->code, cause->from, cause->sender, cause->of_sender };
	return true;
}

bool life_delivered(struct life *group, struct signal_taken *signal, bool handled)
{
	const struct signal_taken *sent;

	if (signal->number == SIGKILL)
		return killed(group, signal);
	sent = find_sent(group, signal->number);
	if (sent && sent->code == signal->code) {
		signal->from = sent->from;
		signal->sender = sent->sender;
		signal->of_sender = sent->of_sender;
	}
	if (sent)
		forget_sent(group, sent);
	if (!handled && is_fatal(signal->number))
		life_end_group(group, ENDING_KILLED, signal->number);
	return true;
}

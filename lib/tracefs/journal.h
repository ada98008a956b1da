/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The undo journal of a session: a file with one entry per change, appended before the change is made, so that any
 * process can put things back. An entry that is torn at the end of the file never led to a change; one whose change
 * never happened undoes to nothing, because undoing looks first. Undoing twice is the same as once.
 *
 * Layout: entries of { u32 magic, u32 kind, u32 size, u32 crc32 of the payload }, then the payload, in the host's
 * byte order. The payload of a change is "path\0value", path being relative to the top tracing directory.
 *
 * Journals are in /run/ringside, else $XDG_RUNTIME_DIR/ringside, else /var/tmp/ringside-UID, and are believed
 * only when they belong to us and nobody else can write them. One from before a reboot is void.
 */
#ifndef RINGSIDE_JOURNAL_H
#define RINGSIDE_JOURNAL_H

#include "lib/tracefs/tracedir.h"
#include <sys/types.h>

enum journal_kind {
	JOURNAL_OWNER = 1,	/* "pid start-time boot-id\0tracing-dir\0command line": the first entry */
	JOURNAL_GUARD,		/* "pid start-time" */
	JOURNAL_USES,		/* an instance's name is claimed; "" is the top */
	JOURNAL_SET,		/* path, what it read: put that back */
	JOURNAL_LIST,		/* path, its lines: put them back */
	JOURNAL_TRIGGER,	/* path of a trigger file, the trigger and below it what the file read: remove it */
	JOURNAL_MKDIR,		/* path of an instance: remove it */
	JOURNAL_CLEAR,		/* path of a trace file: empty it */
	JOURNAL_SYSCTL,		/* name below /proc/sys/kernel, what it read */
	JOURNAL_DYNEVENT,	/* path of a list of dynamic events, the command that removes one */
	JOURNAL_VOID,		/* the entry before this one is void */
	JOURNAL_KERNEL,		/* name below /sys/kernel, what it read */
	JOURNAL_COMMANDS,	/* path of a set_ftrace_filter, its function commands: put them back */
	JOURNAL_STAYS,		/* the last entry: all of it is meant to stay until lib/tracefs/stays.h puts it back */
	JOURNAL_SAVE,		/* path of a file; "PAGE MOST TO": what it holds is appended to the file TO before anything is undone */
};

struct journal;

/* Where journals are, made if need be, in new memory; NULL: nowhere, after a message. */
char *journal_dir(void);

/* Begins a journal in @state_dir for this process. 0, or -errno after a message. */
int journal_new(struct journal **out, const char *state_dir, const char *tracing_dir);

/* Opens the journal that somebody else has left. 0 or -errno (-EPERM: it is not ours), no message. */
int journal_open(struct journal **out, const char *path);
void journal_free(struct journal *j);

/* Appends; @path and @value are texts as the kind wants them, NULL is "". 0, or -errno after a message. */
int journal_add(struct journal *j, enum journal_kind kind, const char *path, const char *value);
int journal_add_guard(struct journal *j, pid_t guard);

/* Its descriptor, for who closes all others. */
int journal_fd(const struct journal *j);

/*
 * Of a process that has died: ends tracing in the instances whose buffers are to be saved, and saves all that is to be. What is read is gone from the kernel's buffers, so that a second
 * time adds nothing. Quiet, and no reason not to undo the rest. To be called before journal_undo().
 */
void journal_save(struct journal *j, const struct tracedir *top);

/*
 * Puts everything back, newest entry first. Waits up to @patience_ms for files that are busy. Entries that cannot be
 * undone do not stop the others; @quiet says nothing about them. 0, or the first -errno. While it removes many dynamic
 * events /sys/kernel/rcu_expedited reads 1.
 */
int journal_undo(struct journal *j, const struct tracedir *top, unsigned int patience_ms, bool quiet);

/* So many probes, and their removal takes longer than a second. */
enum { MANY_PROBES = 16 };

/*
 * The kernel waits for RCU four or five times for each probe that it removes, 80 ms together, and that is nearly all of the time. True: it
 * waits less from now on (/sys/kernel/rcu_expedited reads 1) until the journal is undone, which says what that file read.
 */
bool journal_hurry(struct journal *j, const struct tracedir *top);

/*
 * The same for one instance only (@name, "" is the top), whose entries are dropped from the file at @path then; with the last instance
 * goes what belongs to none: probes, sysctls. Nothing is dropped when that gives -EBUSY. 0, or the first -errno, after a message.
 */
int journal_undo_instance(const char *path, const struct tracedir *top, const char *name);

/* Undoes and forgets the newest entry of this kind and path. */
int journal_undo_one(struct journal *j, const struct tracedir *top, enum journal_kind kind, const char *path);

/* Removes the file: all is undone, or meant to stay. */
void journal_remove(struct journal *j);

/* What others have left, or are at. */
struct journal_info {
	char *path;		/* of the journal */
	pid_t pid;		/* the recording's */
	uint64_t began;		/* when that process did, in ticks since boot */
	char *command;		/* its command line */
	char *tracing_dir;
	strv_t uses;		/* the instances it claimed */
	strv_t saves;		/* files to which is saved what it has not yet taken out of the kernel */
	strv_t paths;		/* of what it changes, as its entries name them: a file below the top directory, a folder that it has
				 * made, "dynamic_events:group/event", "sysctl:name" */
	bool alive;		/* it runs, or its guard is putting things back */
	bool stays;		/* it was `start` or `set`, and what it has set is meant to stay: never alive */
};

typedef VEC(struct journal_info) journals_t;

/* All journals in @state_dir (NULL: journal_dir()) but our own, the oldest process first. Void ones are removed. 0 or -errno. */
int journals_find(const char *state_dir, journals_t *out);
void journals_fini(journals_t *v);

/* The newest that changes @path, as above; NULL: none. */
const struct journal_info *journals_owner(const journals_t *all, const char *tracing_dir, const char *path);

/* Has it died and left settings behind? */
static inline bool journal_is_stale(const struct journal_info *info)
{
	return !info->alive && !info->stays;
}

/* Saves what a dead recording has left in the kernel's buffers, and undoes nothing. 0 or -errno, without a message. */
int journal_rescue(const struct journal_info *info);

/* Undoes a dead recording's journal, after journal_rescue(), and removes it. 0 or -errno, said for each that could not be put back. */
int journal_replay(const struct journal_info *info);

/* What journal_replay() would do, as one line each in its order: "trace_clock: local". 0 or -errno. */
int journal_explain(const struct journal_info *info, strv_t *out);

/*
 * One sentence for the user when dead recordings have left settings behind ("a recording of pid 12 died and left
 * settings behind: `ringside reset --stale` puts them back"), in new memory; NULL: there are none.
 */
char *journals_stale(const char *state_dir);

#endif

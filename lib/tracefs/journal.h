/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session changes the kernel's tracing settings, and puts the old settings back when it is closed (lib/tracefs/session.h). The undo journal of a session is a
 * file with one entry for each change of a setting. The entry is appended before the change is made, so that any process can undo the change. If the entry at
 * the end of the file is incomplete, its change was not made. Undoing an entry does no harm when its change was never made or has been undone before.
 *
 * Layout: each entry is a header and a payload. The header is { u32 magic, u32 kind, u32 size of
 * the payload, u32 crc32 of the payload } in the host's byte order. The payload is two texts,
 * "path\0value\0". The path of a file or folder in tracefs is relative to the top tracing
 * directory.
 *
 * Journals are in the first of these folders that can be used: /run/ringside, $XDG_RUNTIME_DIR/ringside, /var/tmp/ringside-UID. A journal is trusted only
 * when it belongs to our user and nobody else can write it. A journal that was made before a reboot is void. A journal is also void if its process has
 * ended, and the journal is still empty a minute after it was made.
 */
#ifndef RINGSIDE_JOURNAL_H
#define RINGSIDE_JOURNAL_H

#include "lib/tracefs/tracedir.h"
#include <sys/types.h>

/*
 * The kinds of entries. Each comment tells the entry's path and, behind a semicolon, the entry's value. If there is no semicolon, the entry has no
 * value. Where a comment says that something is put back, removed or emptied, this happens when the entry is undone.
 */
enum journal_kind {
	JOURNAL_OWNER = 1, /* "pid start-time boot-id"; "tracing-dir\ncommand line". This is the first entry. */
	JOURNAL_GUARD,	   /* "pid start-time" of the guard, a process that undoes the changes if the owner dies (lib/tracefs/guard.h) */
	JOURNAL_USES,	   /* name of an instance that the process has claimed ("" is the top) */
	JOURNAL_SET,	   /* path of a setting; its old value, which is put back */
	JOURNAL_LIST,	   /* path of a list; its old lines, which are put back */
	JOURNAL_TRIGGER,   /* path of a trigger file; in the first line the trigger, which is removed, and in the other lines the file's old text */
	JOURNAL_MKDIR,	   /* path of an instance, which is removed */
	JOURNAL_CLEAR,	   /* path of a trace file, which is emptied */
	JOURNAL_SYSCTL,	   /* name below /proc/sys/kernel; its old value, which is put back */
	JOURNAL_DYNEVENT,  /* path of a list of dynamic events; the command that removes one of them */
	JOURNAL_VOID,	   /* without a path: cancels the entry before this one */
	JOURNAL_KERNEL,	   /* name below /sys/kernel; its old value, which is put back */
	JOURNAL_COMMANDS,  /* path of a set_ftrace_filter; its old function commands, which are put back */
	JOURNAL_STAYS,	   /* the last entry, without a path: all changes are meant to stay until lib/tracefs/stays.h puts them back */
	JOURNAL_SAVE,	   /* path of a file; "PAGE MOST TO" (lib/tracefs/save.h). The file's contents are appended to TO before anything is undone */
	JOURNAL_OWN,	   /* without a path: journal_undo_own() undoes the entry before this one */
};

struct journal;

/*
 * Returns the path of the folder of journals. If the folder does not exist, it is made. The caller frees the path. Returns NULL after a message when no
 * folder can be used.
 */
char *journal_dir(void);

/* Creates a journal in the folder @state_dir for this process. Returns 0, or -errno after a message. */
int journal_new(struct journal **out, const char *state_dir, const char *tracing_dir);

/*
 * Opens the journal of another process. Returns 0, or -errno without a message. -EPERM means that the journal is not trusted. Either it does not belong
 * to our user, or others can write it, or it is not a regular file.
 */
int journal_open(struct journal **out, const char *path);
void journal_free(struct journal *j);

/* Appends an entry. enum journal_kind says what @path and @value are; NULL means "". Returns 0, or -errno after a message. */
int journal_add(struct journal *j, enum journal_kind kind, const char *path, const char *value);
/*
 * Appends the entry JOURNAL_GUARD for the guard's process @guard. Returns what journal_add() returns. Appends nothing and returns 0 when process_id() of
 * @guard is NULL.
 */
int journal_add_guard(struct journal *j, pid_t guard);

/* Returns the file descriptor of the journal, for a caller that closes all other descriptors. The journal still owns it. */
int journal_fd(const struct journal *j);

/*
 * Carries out the JOURNAL_SAVE entries of a process that has died. Stops tracing in the instances whose buffers are to be saved, and then saves the files.
 * Reading takes the data out of the kernel's buffers, so a second call adds nothing. Must be called before journal_undo(). Prints no message and reports no
 * failure.
 */
void journal_save(struct journal *j, const struct tracedir *top);

/*
 * Undoes all entries, the newest one first. Waits up to @patience_ms milliseconds for files that are busy. When an entry cannot be undone, the other entries
 * are undone all the same. If @quiet is false, a message is printed for each failure. Returns 0 when all entries were undone, and also when another process has
 * removed the journal's file. Returns -EBUSY when a file was still busy, or when the journal could not be read. After -EBUSY another try can succeed. In all
 * other cases, returns the first -errno. While the function removes many dynamic events, /sys/kernel/rcu_expedited is 1.
 */
int journal_undo(struct journal *j, const struct tracedir *top, unsigned int patience_ms, bool quiet);

/*
 * Does what journal_undo() does, but undoes only the entries that are followed by a JOURNAL_OWN. These entries are for changes that the user has not asked for,
 * and that only the recording needed.
 */
int journal_undo_own(struct journal *j, const struct tracedir *top, unsigned int patience_ms, bool quiet);

/*
 * The removal of this many probes takes longer than a second. So dynevents_remove() and journal_undo() call journal_hurry() before they remove this many
 * probes or more.
 */
enum { MANY_PROBES = 16 };

/*
 * Makes the removal of many probes faster: sets /sys/kernel/rcu_expedited to 1, because the kernel waits for RCU several times for each probe. Adds the old
 * value to the journal, so that journal_undo() puts it back. Returns false when rcu_expedited was not set to 1, for example because its value was not 0. Prints
 * a message only when the journal cannot be written.
 */
bool journal_hurry(struct journal *j, const struct tracedir *top);

/*
 * Undoes the entries of the instance @name in the journal at @path, and removes these entries from the file. The name "" stands for the top instance. If the
 * journal has no other instance, the entries that belong to no instance (probes, sysctls) are undone, too, and the file is removed. Returns 0, or -errno after
 * messages. After -EBUSY the file keeps all entries. When there is no file at @path, nothing has to be undone, and the function returns 0.
 */
int journal_undo_instance(const char *path, const struct tracedir *top, const char *name);

/*
 * Undoes the newest entry of this kind and path, if there is one. The entry stays in the file. Undoing it again later changes nothing. Returns 0, or -errno
 * without a message.
 */
int journal_undo_one(struct journal *j, const struct tracedir *top, enum journal_kind kind, const char *path);

/* Removes the file. The caller calls this function only when everything is undone or meant to stay. The function does not check this. */
void journal_remove(struct journal *j);

/* This is a journal that another process has left behind or still uses. */
struct journal_info {
	char *path;	/* the path of the journal */
	pid_t pid;	/* the process whose changes the journal has */
	uint64_t began; /* when the process began, in ticks since boot */
	char *command;	/* the command line of the process */
	char *tracing_dir;
	strv_t uses;  /* the instances that the process claimed */
	strv_t saves; /* the files to which the data that are still in the kernel will be appended */
	/*
	 * What the process has changed. Each element is one of these:
	 *  - a file below the top directory;
	 *  - a folder that the process has made;
	 *  - "dynamic_events:group/event";
	 *  - "sysctl:name";
	 *  - the name of a file in /sys/kernel, such as "rcu_expedited".
	 */
	strv_t paths;
	bool alive; /* the process runs, or its guard is putting things back */
	/* The process is dying, or it has died and its guard still runs. If .ending is true, .alive is true, too. */
	bool ending;
	pid_t guard; /* the guard, if it runs; 0: there is none */
	bool stays;  /* the process was `start`, `set` or `sqlhist`, whose settings are meant to stay; then .alive is false */
};

typedef VEC(struct journal_info) journals_t;

/*
 * Appends all journals in @state_dir (NULL: journal_dir()). Leaves out our own journal, and journals that cannot be read. The journal of the process that
 * began first comes first. Void journals are removed: those from before a reboot, and those of processes that have died before they changed anything.
 * Returns 0, even when the folder @state_dir does not exist. When @state_dir is NULL and journal_dir() fails, returns -ENOENT after a message. The caller
 * calls journals_fini().
 */
int journals_find(const char *state_dir, journals_t *out);

/* Does what journals_find() does. But first it waits, up to @patience_ms milliseconds, until no journal is .ending. */
int journals_find_ended(const char *state_dir, unsigned int patience_ms, journals_t *out);
void journals_fini(journals_t *v);

/*
 * Checks that our user may read all journals in @state_dir. NULL stands for /run/ringside, where root's journals are. journals_find() with NULL may look
 * into another folder if our user is not root. Returns 0, even when the folder does not exist. When something cannot be read, returns -errno after a message
 * that names it.
 */
int journals_readable(const char *state_dir);

/*
 * Looks at the journals in @all whose .tracing_dir is @tracing_dir. Returns the newest of these journals that has @path, or a folder that contains @path, in
 * its .paths. @path has the form of the elements of .paths. The result points into @all. It is NULL when there is no such journal.
 */
const struct journal_info *journals_owner(const journals_t *all, const char *tracing_dir, const char *path);

/* Has the process of this journal died and left settings behind? */
static inline bool journal_is_stale(const struct journal_info *info)
{
	return !info->alive && !info->stays;
}

/*
 * Saves what a dead recording has left in the kernel's buffers, and undoes nothing. Returns 0 or -errno. There is no message when the journal cannot be
 * opened. There is a message when the tracefs directory cannot be opened.
 */
int journal_rescue(const struct journal_info *info);

/*
 * Saves what a dead recording has left in the kernel's buffers, as journal_rescue() does. Then undoes the journal and removes its file. Prints a message for
 * each setting that could not be put back. Returns what journal_undo() returns, with these exceptions:
 *  - When the file does not exist any more, nothing has to be undone, and the function returns 0.
 *  - When the journal or the tracefs directory cannot be opened, the function returns -errno after
 *    a message. The file stays for another try.
 * After -EBUSY the file stays, too. After other errors of journal_undo() the file is removed, because another try would fail as well.
 */
int journal_replay(const struct journal_info *info);

/*
 * Appends to *@out one line for each thing that journal_replay() would undo, such as "restore trace_clock: local". The first line is for what would be
 * undone first. Returns 0 or -errno. There is a message only when the journal cannot be opened.
 */
int journal_explain(const struct journal_info *info, strv_t *out);

/*
 * When dead recordings have left settings behind, returns a sentence for the user. An example is "a
 * recording of pid 12 died and left settings behind: `ringside reset --stale` puts them back". The
 * caller frees the sentence. Returns NULL when there are no such recordings. @state_dir has the
 * same meaning as in journals_find().
 */
char *journals_stale(const char *state_dir);

#endif

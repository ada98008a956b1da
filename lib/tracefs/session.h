/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session changes the kernel's tracing settings, and session_close() puts the old settings back. The guard is a small process that the session forks at its
 * beginning. When our process dies without calling session_close(), the guard puts the old settings back. When the guard dies, too, `ringside reset
 * --stale` puts the old settings back. Before each change the old value is written to a journal (lib/tracefs/journal.h).
 *
 * The order of a recording (each step may fail; session_close() may be called at any time):
 *	check what was asked for (lib/tracefs/select.h): nothing is touched yet
 *	session_open();
 *	session_top() or session_instance(): tracing is off in the instance now, and nothing limits what is traced (filters, pids, CPUs, depth)
 *	settings, filters, then the tracer, then the events
 *	open trace_pipe_raw: after the tracer, since the kernel changes no tracer while a pipe is open (EBUSY)
 *	instance_on(true), or the traced command writes "1" to instance_fd("tracing_on", O_WRONLY) before its exec
 *	instance_on(false); drain; close every trace_pipe_raw
 *	session_close()
 *
 * Only one thread at a time may use a session. A function returns 0, or -errno after a message. If a function returns anything else, its comment says so. A
 * message about a setting has the file, the value, and the kernel's own explanation with its caret. When the value is a name, the message also has the nearest
 * names.
 *
 * A file that already has the wanted value is not written, so it need not be writable. An instance that the session made is removed as a whole. So the old
 * values of its settings are not written to the journal. These old values are written all the same in three cases:
 *  - The setting is a trace option. All instances share one copy of the options of tracers.
 *  - The setting is a histogram. A histogram can keep its instance from being removed.
 *  - session_own() is on. The instance may be kept (session_keep()), but this setting is put back.
 *
 * For tests: with RINGSIDE_TEST_STOP_AT=N in the environment, the process stops itself (SIGSTOP) right before the N-th change of a setting. The changes are
 * counted from 1. The journal entry of that change has been written by then.
 */
#ifndef RINGSIDE_SESSION_H
#define RINGSIDE_SESSION_H

#include "lib/tracefs/tracedir.h"
#include <sys/types.h>

struct session;

struct instance {
	struct session *session;
	char *name; /* "" is the top one */
	struct tracedir dir;
	bool created;	 /* the session has made the instance, and removes it at its end */
	bool adds;	 /* Existing settings stay (JOIN_READ, JOIN_ADD). For example, an event that is already enabled keeps its filter. */
	strv_t filtered; /* the events whose filter the session has set */
};

struct session_opts {
	const char *tracing_dir; /* NULL: the directory where tracefs is mounted (tracedir_open()) */
	const char *state_dir;	 /* the folder of the journals; NULL: journal_dir() */
	bool no_guard;		 /* tests only */
};

/*
 * Begins a session and forks its guard, so session_open() has to be called before there are threads. The guard is a child of ours that has called setsid(). Of
 * the caller's descriptors, the guard keeps only those of the journal and of the tracefs directory. session_close() waits for the guard, so the caller must
 * wait for its other children by their pids. session_open() changes no setting.
 */
int session_open(struct session **out, const struct session_opts *opts);

/*
 * Prints a warning if killed recordings have changed settings of the kernel that nobody has put back. Code that sets up tracing calls this after
 * session_open().
 */
void session_warn(const struct session *s);

/*
 * Undoes everything, the newest change first. Then ends the guard and frees the session. Accepts NULL. The caller must have closed every trace_pipe_raw before.
 * Returns 0 when everything was put back. Returns -errno after a message when something could not be put back. Even then, everything else was put back.
 */
int session_close(struct session *s);

/*
 * After this call, session_close() leaves the settings as they are (record -k). Only the changes that were made with session_own() are undone. When we die
 * before session_close(), everything is undone.
 */
void session_keep(struct session *s);

/*
 * Says for whom settings are changed from now on. If @own is true, the recording needs the changes for itself, and the user has not asked for them. Examples
 * are buffer_percent, and ringside's own threads in a list of tasks. session_close() undoes these changes even after session_keep(). If @own is false, the
 * user has asked for the changes. A session begins with false.
 */
void session_own(struct session *s, bool own);

/* Does what session_keep() does, but also keeps the journal, so that lib/tracefs/stays.h can put the settings back later. */
void session_stay(struct session *s);

const struct tracedir *session_dir(const struct session *s);

/* Returns the pid of the guard, or 0 when there is no guard. The guard has to be kept out of the trace. */
pid_t session_guard(const struct session *s);

/* What a recording needs from its instance, for session_top(). */
struct session_want {
	const char *tracer;	  /* NULL: events only */
	const char *const *files; /* the files that will be set ("set_graph_function"), then a NULL; .files may be NULL */
	bool private_;		  /* --private: do not use the top instance */
	bool force;		  /* --force: take over a top instance that is in use, but not from another ringside. The contents of its buffer are lost. */
};

/*
 * Chooses the instance for a recording if the user named no instance. The function chooses the top instance if --private was not given and one of these is
 * true:
 *  - Nobody traces in the top instance.
 *  - --force was given, and no other ringside records in the top instance.
 * Otherwise the function makes a new instance called "ringside-PID", which is removed at the end. When the kernel has the option copy_trace_marker, the new
 * instance also gets what is written to the top trace_marker. When a new instance lacks the tracer or one of the files that @want names, the function returns
 * -EBUSY after a message. Without --private, the message says who traces in the top instance. If --force would help, the message also says what --force would
 * do.
 *
 * *@said becomes NULL when the recording goes to the top instance. Otherwise *@said becomes a sentence for the user, in new memory: "the top trace buffer is in
 * use: tracer function is set: recording in instance ...". @said may be NULL. With --force the tracer of a busy top instance is removed and its events are
 * disabled. session_close() puts the tracer and the events back.
 */
int session_top(struct session *s, const struct session_want *want, struct instance **out, char **said);

/*
 * Takes the instance @name (-B). If the instance does not exist, it is made now and removed at the end. Returns -EBUSY when another ringside uses the
 * instance. Also returns -EBUSY when @force is false and somebody traces in the instance. The session owns the instance. A further call
 * with this name gives the same instance.
 */
int session_instance(struct session *s, const char *name, bool force, struct instance **out);

/*
 * Joins the instance @name ("" is the top), for commands whose changes in it are meant to stay. Returns -EBUSY when another ringside records in it. An
 * instance that exists stays as it is, except for what @how says. *@said changes only if @how is JOIN_START and somebody else already traces in the instance.
 * In this case, *@said becomes a sentence, in new memory, that tells the user about this use. @said may be NULL.
 */
enum session_join {
	JOIN_NOT,   /* only in a struct record_spec (lib/record/spec.h): session_top() and session_instance() are used instead */
	JOIN_READ,  /* nothing will be changed; the instance must exist */
	JOIN_ADD,   /* settings are added to the existing ones; the instance is made when it does not exist */
	JOIN_START, /* turns tracing off, removes the tracer, the events and the pids, and empties the buffer; then does what JOIN_ADD does */
};
int session_join(struct session *s, const char *name, enum session_join how, struct instance **out, char **said);

/*
 * Sets a file of the instance to @value. The file must hold one value, and can be one of these: current_tracer, trace_clock, buffer_size_kb,
 * per_cpu/cpu1/buffer_size_kb, buffer_subbuf_size_kb, buffer_percent, tracing_cpumask, tracing_thresh, max_graph_depth, saved_cmdlines_size, options/NAME,
 * events/SYS/NAME/enable, events/SYS/NAME/filter ("0" empties it). For buffer_size_kb the function first checks that there is enough memory. If @file is
 * current_tracer and @value is a function tracer, the function also sets the sysctl kernel.ftrace_enabled to 1.
 */
int session_set(struct instance *inst, const char *file, const char *value);
int session_setf(struct instance *inst, const char *file, const char *fmt, ...) __printf(3, 4);

/*
 * Sets a list file of the instance (set_ftrace_filter, set_ftrace_notrace, set_graph_function, set_graph_notrace, set_ftrace_pid, set_ftrace_notrace_pid,
 * set_event_pid, set_event_notrace_pid) to exactly the entries @values. The list is emptied when @values is NULL or empty. At the end of the session the
 * entries that were there before come back.
 */
int session_set_list(struct instance *inst, const char *file, const strv_t *values);

/* Adds one entry to a list file. For a list of pids, @value may have several pids with blanks between them. The existing entries stay. */
int session_add_list(struct instance *inst, const char *file, const char *value);

/*
 * Adds function commands as set_ftrace_filter takes them ("vfs_read:stacktrace:3"; see lib/tracefs/funcommand.h). A command
 * that was there before belongs to the user and is not removed at the end.
 */
int session_funcommands(struct instance *inst, const strv_t *commands);

/* Sets a trace option by the name that trace_options uses: "stacktrace", "nooverwrite", "funcgraph-tail". */
int session_option(struct instance *inst, const char *name);

/*
 * Enables or disables events. Each event is named "system:name", as events_find() names it. If @events is NULL, all events are meant. The caller sets
 * filters and triggers before it enables the events.
 */
int session_events(struct instance *inst, const strv_t *events, bool on);

/*
 * Sets the filter of one event ("sched:sched_switch"). If @filter names a field that the event does not have, the message lists the event's fields with the
 * most similar names.
 */
int session_filter(struct instance *inst, const char *event, const char *filter);

/*
 * Sets the filter of several events. An event that lacks a field of the filter gets no filter, as when the kernel's file events/SYSTEM/filter is written.
 * *@without becomes the number of events that got no filter. If no event takes the filter, the function fails.
 */
int session_filters(struct instance *inst, const strv_t *events, const char *filter, size_t *without);

/*
 * Adds the trigger @trigger ("stacktrace if prev_pid == 0") to one event. The function adds nothing and returns 0 in two cases:
 *  - The event already has a trigger of the same kind as @trigger (trigger_is_there() in lib/tracefs/trigger.h). If that trigger has another condition than
 *    @trigger, a warning says so.
 *  - The event already has the histogram that @trigger describes.
 */
int session_trigger(struct instance *inst, const char *event, const char *trigger);

/*
 * Adds a dynamic event by its command @text in the kernel's syntax. At the end, the command @remove ("-:group/event") removes the event. Returns -EEXIST after
 * a message when there is an event of that name. @plain, *@what and *@at have the same meaning as in dynevent_add() (lib/tracefs/dynevent.h).
 */
int session_dynevent(struct session *s, const char *text, const char *plain, const char *remove, char **what, size_t *at);

/*
 * Adds another probe to a dynamic event that session_dynevent() has added: @text has the same group, event and arguments, and another address to probe.
 * The event then occurs at all of the addresses (kernel: append_trace_kprobe() in kernel/trace/trace_kprobe.c). When the event is removed, all its probes
 * are removed. *@what and *@at have the same meaning as in dynevent_add(). Returns 0 or -errno. After -errno, either *@what is not NULL, or a message was
 * printed.
 */
int session_dynevent_also(struct session *s, const char *text, char **what, size_t *at);

/*
 * session_sysctl() sets a kernel setting outside of tracefs, by its name below /proc/sys/kernel: ftrace_enabled, kptr_restrict. session_unset_sysctl() puts
 * the old value back at once instead of at the end.
 */
int session_sysctl(struct session *s, const char *name, const char *value);
int session_unset_sysctl(struct session *s, const char *name);

/*
 * When we die, the guard appends the contents of @file to the file @to (an absolute path) before it undoes anything. When the guard has died, too, `ringside
 * reset --stale` appends these contents. @file is below the instance @instance ("" is the top). Appending ends when @most bytes or more were appended. If
 * @page_size is not 0, the bytes of each read() are filled up with zeros to @page_size bytes.
 */
int session_save(struct session *s, const char *instance, const char *file, uint32_t page_size, uint64_t most, const char *to);

/*
 * Does what session_save() does, for the bytes in the pipe whose reading end is @pipe. The guard appends these bytes to @to before it appends the files of
 * session_save(). If the guard is killed, too, the contents of the pipe are lost. Returns 0, or -errno without a message.
 */
int session_save_pipe(struct session *s, int pipe, const char *to);

/* Opens a file below the instance, close-on-exec. Returns a descriptor, which the caller closes, or -errno after a message. */
int instance_fd(struct instance *inst, const char *file, int flags);

/*
 * Remembers the present value of tracing_on, so that it is put back at the end. session_top(), session_instance() and JOIN_START do this themselves. A
 * recording in an instance that was joined with JOIN_ADD calls this function.
 */
int session_keep_on(struct instance *inst);

/* Starts or stops tracing in the instance. */
int instance_on(struct instance *inst, bool on);

#endif

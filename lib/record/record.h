/* SPDX-License-Identifier: GPL-2.0 */
/* Makes a whole recording: sets up the kernel as was asked, records, writes the file, and puts the kernel back as it was. */
#ifndef RINGSIDE_RECORD_RUN_H
#define RINGSIDE_RECORD_RUN_H

#include "lib/record/advice.h"
#include "lib/record/spec.h"
#include "lib/record/watch.h"

/* What has been recorded so far. */
struct record_status {
	uint64_t elapsed_ns;
	uint64_t events, lost;
	uint64_t bytes; /* how many bytes the spools (lib/record/spool.h) have */
};

/* What came from one CPU of one buffer. */
struct cpu_outcome {
	const char *buffer; /* "" for the top buffer; lives as long as the outcome */
	unsigned int cpu;
	uint64_t events, bytes, lost;
	uint64_t dropped; /* bytes that were thrown away because of -m */
	/*
	 * At least this many of .events are not in the recording, because another program has read them. An event takes at least 12 bytes in a ring buffer: 4
	 * of a header (struct ring_buffer_event), and 8 of the fields that all events have. Most events are larger, so this can be 0 even if more than half of
	 * the events were taken away.
	 */
	uint64_t stolen;
	uint64_t gap;	    /* the most events that were lost in one stretch of time (struct gaps of lib/record/advice.h), as far as this is known */
	uint64_t buffer_kb; /* the size of the CPU's ring buffer in KiB */
};

struct record_outcome {
	VEC(struct cpu_outcome) cpus;
	strv_t names; /* the names of the buffers; the elements of .cpus point to them */
	/*
	 * Other functions, whose names begin with the name of a function that was to be traced. This is filled in only when functions were to be traced and
	 * no event came.
	 */
	strv_t similar;
	/* A field that holds a pointer and that a filter compares with a text: event_filter_pointer() in lib/tracefs/select.h. NULL: none, or events came. */
	char *pointer;
	struct advice advice; /* the options that would have prevented the loss of events; filled in only when events were lost */
	enum watch_end end;
	bool ran;	    /* true: tracing or the command was started; false: nothing was recorded */
	int status;	    /* the command's exit status; 128 + SIGTERM when ringside has sent SIGTERM to the command, which has not ended yet */
	bool still_running; /* the command has not ended yet */
	bool cut_short;	    /* only with live() (lib/record/live.h): a second signal came before all data were read */
	/*
	 * True: the thread that calls the functions of the struct live_reader hangs in a write. So the data of the struct live_reader must not be freed, and
	 * the process has to end. Can be true only if .cut_short is true.
	 */
	bool hangs;
	bool sent;	     /* -N: the listener has everything, and there is no file here */
	uint64_t size;	     /* the size of the file in bytes; 0: there is none */
	uint64_t bytes;	     /* how many bytes of sub-buffers the file has */
	uint64_t elapsed_ns; /* how long tracing was on */
	uint64_t saving_ns;  /* how long it took to write the file */
};

void record_outcome_fini(struct record_outcome *out);

/* Functions of the caller that record() calls while it works. Each of them may be NULL. */
struct record_hooks {
	/*
	 * If session_top() or session_join() (lib/tracefs/session.h) gives a sentence for the user, .said is called with this sentence.
	 */
	void (*said)(void *ctx, const char *sentence);
	/*
	 * Called before the instances are set up. Makes things that the instances need, such as dynamic events. session_close() (lib/tracefs/session.h) removes
	 * the instances first, and then these things. Returns 0, or -errno after a message.
	 */
	int (*prepare)(void *ctx, struct session *session);
	/*
	 * Called when everything is set up and nothing runs yet. Makes the last changes in the instance of the first buffer.
	 * Returns 0, or -errno after a message.
	 */
	int (*ready)(void *ctx, struct instance *inst);
	void (*begun)(void *ctx);				  /* called when tracing is on */
	void (*live)(void *ctx, const struct record_status *now); /* called about once a second */
	void (*ended)(void *ctx);				  /* called when tracing is off */
	void (*saving)(void *ctx, uint64_t done, uint64_t total); /* called while the file is written: @done of @total bytes are written */
	/*
	 * Called when everything is done. The command may still be running (.still_running). If .end is neither END_SIGNAL nor END_READER, record() waits
	 * for the command after this call. Not called when nothing was recorded.
	 */
	void (*done)(void *ctx, const struct record_outcome *out);
	void *ctx;
};

/*
 * Makes a recording. When spec->join is JOIN_READ (lib/tracefs/session.h), traces nothing, and takes the present contents of the buffers. Returns 0 when
 * there is a complete file and nothing went wrong. Otherwise returns -errno after a message. Even then there may be a file (out->size). When the command
 * was not found, returns -ENOENT, and out->status is 127. When the command cannot be executed, returns -EACCES, and out->status is 126. In these two cases no
 * setting has been changed. When a signal has come before tracing began, returns -EINTR, and out->status is 128 plus the number of the signal. The caller
 * frees *@out with record_outcome_fini(). A process may call this function only once, and must have no other threads at that time.
 */
int record(struct record_spec *spec, const struct record_hooks *hooks, struct record_outcome *out);

/*
 * Sets up tracing that goes on after ringside has ended. spec->join is JOIN_START or JOIN_ADD. If there is a command, start() runs it. When @wait is true,
 * waits for the command's end. The settings that start() has changed remain in force until stays_put_back() (lib/tracefs/stays.h) is called. start() calls only
 * .prepare, .said and .ready of @hooks. When @wait is true, it also calls .done. Returns 0, or -errno after a message. On failure all settings have been put
 * back. When the command was not found or cannot be executed, out->status is 127 or 126, as with record().
 */
int start(struct record_spec *spec, bool wait, const struct record_hooks *hooks, struct record_outcome *out);

#endif

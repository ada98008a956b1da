/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what is shared by the source files of the exporter to the Common Trace Format, version 1.8 (diamon.org/ctf/v1.8.3). A trace is a folder. It has
 * the file `metadata`, which describes all events in TSDL, CTF's language for this purpose. It also has a file of packets for each CPU of each buffer.
 * All numbers are little-endian.
 */
#ifndef RINGSIDE_CTF_H
#define RINGSIDE_CTF_H

#include "lib/analysis/reading.h"
#include "lib/analysis/streams.h"
#include "lib/export/plan.h"

/* This is an event class, CTF's word for all events of one kind. The .mine of the event's struct plan (lib/export/plan.h) points to it. */
struct ctf_event {
	uint32_t id;
};

/*
 * Appends the TSDL of the event class with the id @id. @name is the event's name, or "SYSTEM:EVENT" if an earlier class of the same input already has the
 * event's name. When memory runs out, out->oom is set.
 */
void ctf_declare(const struct plan *plan, uint32_t id, const char *name, struct str *out);

/* Appends the TSDL of the one event class for all events of unknown format. It has two fields: the event's id in the recording, and the record's size. */
void ctf_declare_unknown(uint32_t id, struct str *out);

/* Appends the fields of a record as ctf_declare() declares them. @scratch is working memory. */
void ctf_fields(const struct plan *plan, const struct record *rec, struct str *scratch, struct str *out);

/*
 * Appends the part of the TSDL that comes before the event classes. This part names the file of @in, the first recording. @in_ns is true if the clock counts
 * ns. @buffers is true if each packet names its buffer. Packets name their buffers when a recording has several buffers, or when there are several recordings.
 */
void ctf_preamble(const struct input *in, bool in_ns, bool buffers, struct str *out);

/* ctf_number() appends a number of @size bytes: 1, 2, 4 or 8. ctf_text() appends a text of @n bytes and a NUL. */
void ctf_number(struct str *out, uint64_t v, unsigned int size);
void ctf_text(struct str *out, const char *text, size_t n);

#endif

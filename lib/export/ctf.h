/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Common Trace Format, version 1.8 (diamon.org/ctf/v1.8.3): what the files of its exporter share. A trace is a folder: `metadata`, which says in
 * TSDL what all events look like, and a file of packets for each CPU of each buffer. All is in the byte order of little-endian machines.
 */
#ifndef RINGSIDE_CTF_H
#define RINGSIDE_CTF_H

#include "lib/analysis/reading.h"
#include "lib/analysis/streams.h"
#include "lib/export/plan.h"

/* A class of events; of a plan. */
struct ctf_event {
	uint32_t id;
};

/*
 * Appends the TSDL of a class whose id is @id. @name: of the event, with its system where that is needed to tell it from another. Memory that
 * runs out shows in @out.
 */
void ctf_declare(const struct plan *plan, uint32_t id, const char *name, struct str *out);

/* The same of an event whose format is not known: its number and its size. */
void ctf_declare_unknown(uint32_t id, struct str *out);

/* Appends the fields of a record as that declares them. @scratch is for the callee. */
void ctf_fields(const struct plan *plan, const struct record *rec, struct str *scratch, struct str *out);

/* Appends what stands in front of all classes; @clock: how the clock is called, @in_ns: does it count ns? */
void ctf_preamble(const struct input *in, bool in_ns, bool buffers, struct str *out);

/* Appends a number of 1, 2, 4 or 8 bytes, or a text with its NUL. */
void ctf_number(struct str *out, uint64_t v, unsigned int size);
void ctf_text(struct str *out, const char *text, size_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which threads of a host are the virtual CPUs of a guest. For this, the recordings of the host and of the guest are read together. The threads are known
 * from three sources:
 * - The host's file may name the threads of its guests in the option GUEST, as trace-cmd's files do.
 * - The user may name the threads, or may say that the host's kvm_entry events tell the threads (vcpus_new()).
 * - If neither the host's file nor the user says anything about a guest, the host's kvm_entry events can still tell the guest's threads. For this, the guest's
 *   file must have an option TIME_SHIFT, which converts the guest's times to the clock of the host's recording. Only one guest's file may have a TIME_SHIFT to
 *   this clock.
 * If the sources name two threads for the same virtual CPU, the thread of this virtual CPU is treated as unknown.
 */
#ifndef RINGSIDE_VCPUS_H
#define RINGSIDE_VCPUS_H

#include "lib/analysis/meanwhile.h"

/* This is a virtual CPU of a guest and its thread. */
struct vcpu {
	uint8_t file;	 /* the index of the guest's input */
	uint8_t host;	 /* the index of the host's input */
	uint16_t cpu;	 /* the number of the virtual CPU in the guest */
	uint32_t person; /* the number of the struct timed_person (lib/analysis/timed.h) of the thread */
	bool unsure;	 /* the sources name two threads for this virtual CPU */
};

struct vcpus;

/*
 * Makes a struct vcpus. Borrows its arguments. @given has the texts in which the user names the threads of guests. NULL: the user names no threads. Each text
 * names the file of a guest, and has one of these forms:
 * - "GUEST.dat=TID,TID...": the first thread is virtual CPU 0, the second thread is virtual CPU 1, and so on.
 * - "GUEST.dat=TID": this one thread runs every virtual CPU of the guest.
 * - "GUEST.dat=kvm": the kvm_entry events of the host tell the threads.
 * The first input whose file no text names is the host of all these guests. Returns 0, -ENOMEM, or another -errno after a message.
 */
int vcpus_new(struct vcpus **out, const inputs_t *inputs, const strv_t *given, struct timed *timed, struct meanwhile *meanwhile);
void vcpus_free(struct vcpus *vcpus);

/* Takes in a record. Must be called for all records. @event is the event of the record. Returns 0 or -ENOMEM. */
int vcpus_record(struct vcpus *vcpus, const struct event *event, const struct record *rec);

/* If @over is false, notes that a loss of events of this input begins at @ns. If @over is true, notes that the loss ends at @ns. */
void vcpus_lost(struct vcpus *vcpus, uint8_t file, uint64_t ns, bool over);

/*
 * Notes that events of this input are missing somewhere between @from and @to, although no loss was reported. Does nothing as long as no virtual CPU is
 * known. Returns 0 or -ENOMEM.
 */
int vcpus_missing(struct vcpus *vcpus, uint8_t file, uint64_t from, uint64_t to);

/*
 * If @file is the input of a guest, tells whether the guest's host lacks events somewhere between @from and @to (vcpus_missing()). If the host lacks such
 * events, returns 1 + the index of the host's input. Otherwise returns 0.
 */
unsigned int vcpus_missed(const struct vcpus *vcpus, uint8_t file, uint64_t from, uint64_t to);

/*
 * If @file is the input of a guest, tells whether the guest's host lost events after @ns (vcpus_lost()). If the host lost such events, returns 1 + the index of
 * the host's input. Otherwise returns 0.
 */
unsigned int vcpus_unseen(const struct vcpus *vcpus, uint8_t file, uint64_t ns);

/* Returns the virtual CPU @cpu of the guest whose input is @file, or NULL when its thread is not known. */
const struct vcpu *vcpus_find(const struct vcpus *vcpus, uint8_t file, uint16_t cpu);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which threads of a host are the virtual CPUs of a guest, when the recordings of both are read together. There are three ways to know this. First,
 * the host's file may name the threads of its guests, as trace-cmd's files do (in the option GUEST). Second, the host's kvm_entry events can tell the
 * threads. For this, the guest's file must have an option TIME_SHIFT, which converts its times to the clock of the host's recording, and no other guest's
 * file may have a TIME_SHIFT to this clock. Third, the user may name the threads. If two threads claim to be the same virtual CPU, the thread of this
 * virtual CPU counts as not known.
 */
#ifndef RINGSIDE_VCPUS_H
#define RINGSIDE_VCPUS_H

#include "lib/analysis/meanwhile.h"

/* This is a virtual CPU of a guest and its thread. */
struct vcpu {
	uint8_t file;	 /* the index of the input that is the guest's */
	uint8_t host;	 /* the index of the input that is the host's */
	uint16_t cpu;	 /* the number of the virtual CPU in the guest */
	uint32_t person; /* the number of the struct timed_person (lib/analysis/timed.h) of the thread */
	bool unsure;	 /* another thread claims to be the same virtual CPU */
};

struct vcpus;

/*
 * Borrows its arguments. @given is what the user says, or NULL. Each text is "GUEST.dat=TID,...", where the first thread is virtual CPU 0, or
 * "GUEST.dat=TID" for one thread that is all CPUs of the guest, or "GUEST.dat=kvm" to use the kvm_entry events. The host of these guests is the first
 * input that none of the texts names. Returns 0, -ENOMEM, or another -errno after a message.
 */
int vcpus_new(struct vcpus **out, const inputs_t *inputs, const strv_t *given, struct timed *timed, struct meanwhile *meanwhile);
void vcpus_free(struct vcpus *vcpus);

/* Takes in a record. All records have to be given, because any of them may be a kvm_entry. Returns 0 or -ENOMEM. */
int vcpus_record(struct vcpus *vcpus, const struct event *event, const struct record *rec);

/* Notes that events of this input are lost from @ns on, or if @over is true, that they were lost until @ns. */
void vcpus_lost(struct vcpus *vcpus, uint8_t file, uint64_t ns, bool over);

/*
 * Notes that events of this input are missing at some time from @from to @to, although no loss was reported. Does nothing while no virtual CPU is known.
 * Returns 0 or -ENOMEM.
 */
int vcpus_missing(struct vcpus *vcpus, uint8_t file, uint64_t from, uint64_t to);

/*
 * Has vcpus_missing() noted, for the host of the input @file, that events are missing at some time from @from to @to? If so, returns 1 + the index of the
 * host's input, and otherwise 0.
 */
unsigned int vcpus_missed(const struct vcpus *vcpus, uint8_t file, uint64_t from, uint64_t to);

/*
 * Has vcpus_lost() noted that the host of the input @file lost events after @ns? Then not everything is known of what the host's CPUs did. If so,
 * returns 1 + the index of the host's input, and otherwise 0.
 */
unsigned int vcpus_unseen(const struct vcpus *vcpus, uint8_t file, uint64_t ns);

/* Returns the virtual CPU @cpu of the guest whose input is @file, or NULL when its thread is not known. */
const struct vcpu *vcpus_find(const struct vcpus *vcpus, uint8_t file, uint16_t cpu);

#endif

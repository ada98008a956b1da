/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which threads of a host are the virtual CPUs of a guest, when the recordings of both are read together. There are three ways to know this. The
 * host's file may name its guests as trace-cmd does (option GUEST). The host's kvm_entry events tell the threads, when the guest's file says that its times
 * are those of that host. Or the user names the threads. When two threads claim the same virtual CPU, its thread counts as not known.
 */
#ifndef RINGSIDE_VCPUS_H
#define RINGSIDE_VCPUS_H

#include "lib/analysis/meanwhile.h"

/* This is a virtual CPU of a guest and its thread. */
struct vcpu {
	uint8_t file, host; /* the inputs of the guest and of its host */
	uint16_t cpu;	    /* of the guest */
	uint32_t person;    /* the thread, as lib/analysis/timed.h numbers it */
	bool unsure;	    /* another thread claims to be the same virtual CPU */
};

struct vcpus;

/*
 * Borrows its arguments. @given is what the user says, or NULL: texts GUEST.dat=TID,..., where the first thread is CPU 0; GUEST.dat=TID for one
 * thread that is all CPUs of the guest; or GUEST.dat=kvm to use the kvm_entry events. Their host is the first input that is not such a guest.
 * Returns 0, -ENOMEM, or another -errno after a message.
 */
int vcpus_new(struct vcpus **out, const inputs_t *inputs, const strv_t *given, struct timed *timed, struct meanwhile *meanwhile);
void vcpus_free(struct vcpus *vcpus);

/* Takes in a record. All records have to be given, because any of them may be a kvm_entry. Returns 0 or -ENOMEM. */
int vcpus_record(struct vcpus *vcpus, const struct event *event, const struct record *rec);

/* Notes that events of this input are lost from @ns on, or with @over, that they were lost until @ns. */
void vcpus_lost(struct vcpus *vcpus, uint8_t file, uint64_t ns, bool over);

/* Notes that events of this input are missing from before @ns, although no loss was told. */
void vcpus_missing(struct vcpus *vcpus, uint8_t file, uint64_t ns);

/*
 * Returns 1 + the index of the host's input when events of the host of this input are missing since @ns, so that not everything is known of its CPUs; else
 * 0.
 */
unsigned int vcpus_unseen(const struct vcpus *vcpus, uint8_t file, uint64_t ns);

/* Returns the virtual CPU @cpu of the input @file with its thread, or NULL when the thread is not known. */
const struct vcpu *vcpus_find(const struct vcpus *vcpus, uint8_t file, uint16_t cpu);

#endif

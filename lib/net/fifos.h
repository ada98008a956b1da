/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The FIFOs through which a virtual machine's emulator can pass the data of its CPUs to trace-cmd, where trace-cmd looks for them: FOLDER/GUEST/trace-pipe-cpuN.in and .out.
 * The emulator has each pair as a serial port of virtio, which is called trace-pipe-cpuN in the guest.
 */
#ifndef RINGSIDE_NET_FIFOS_H
#define RINGSIDE_NET_FIFOS_H

#include "lib/base/str.h"
#include <sys/types.h>

#define FIFOS_FOLDER "/var/lib/trace-cmd/virt"

enum { FIFOS_MOST_CPUS = 4096 };

struct fifos_spec {
	const char *folder; /* made when it is not there, with those above it */
	const char *guest;
	unsigned int cpus;
	mode_t mode;
	gid_t group; /* (gid_t)-1: that of this process */
};

/* Can it be the name of a folder of its own? False after a message. */
bool fifos_name_ok(const char *guest);

/* Makes those that are not there, and gives those that are this mode and group. A file of another kind is left and refused. Returns 0, or -errno after a message. */
int fifos_make(const struct fifos_spec *spec);

/* Appends what says libvirt of the port of a CPU. */
void fifos_xml(const struct fifos_spec *spec, unsigned int cpu, struct str *out);

#endif

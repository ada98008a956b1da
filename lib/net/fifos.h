/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the FIFOs through which the emulator of a virtual machine can pass the data of the machine's CPUs to trace-cmd. trace-cmd looks for these FIFOs at
 * FOLDER/GUEST/trace-pipe-cpuN.in and .out. In the guest, the two FIFOs of a CPU together are one virtio serial port with the name trace-pipe-cpuN.
 */
#ifndef RINGSIDE_NET_FIFOS_H
#define RINGSIDE_NET_FIFOS_H

#include "lib/base/str.h"
#include <sys/types.h>

#define FIFOS_FOLDER "/var/lib/trace-cmd/virt"

enum { FIFOS_MOST_CPUS = 4096 };

struct fifos_spec {
	const char *folder; /* FOLDER in the paths of the FIFOs; this folder and the folders above it are made if they do not exist */
	const char *guest;  /* GUEST in these paths; the folder FOLDER/GUEST is made if it does not exist */
	unsigned int cpus;
	mode_t mode;
	gid_t group; /* (gid_t)-1: new FIFOs get the group of this process, and existing FIFOs keep their groups */
};

/* Returns true if @guest can be the name of a folder. Otherwise prints a message and returns false. */
bool fifos_name_ok(const char *guest);

/*
 * Makes the FIFOs that are missing. Gives .mode and .group to all FIFOs, even to FIFOs that existed before. FOLDER/GUEST and all folders that are made get
 * .group and the mode 0750. A file in the place of a FIFO is refused and stays as it is. Returns 0, or -errno after a message.
 */
int fifos_make(const struct fifos_spec *spec);

/* Appends the XML with which libvirt makes the port for the CPU @cpu. */
void fifos_xml(const struct fifos_spec *spec, unsigned int cpu, struct str *out);

#endif

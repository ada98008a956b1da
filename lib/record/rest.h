/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a recording is killed, the recorder's pipe and the kernel's buffer of a CPU still hold data. The guard is a process that outlives the recording
 * (lib/tracefs/guard.h). The guard appends these data to the file "cpuN.rest" in the spool folder (lib/tracefs/save.h). When the guard was killed, too,
 * `ringside restore` or `reset --stale` appends the data in the kernel's buffer. rest_begin() begins the file cpuN.rest. rest_take() copies the data from
 * cpuN.rest into the CPU's spool, which is the file "cpuN" in the spool folder. The data in cpuN.rest are later than all data in the other files of the CPU.
 *
 * The file cpuN.rest begins with the text "ringside rest", padded with NULs to 16 bytes. Then comes a u64 in the machine's byte order. The data follow, and can
 * begin with the end of a sub-buffer whose beginning is already in the CPU's spool. All further sub-buffers are whole. The u64 is the offset in the spool to
 * which rest_take() copies. The u64 is all ones until the first call of rest_take() sets it. Later calls copy to this offset, too. So rest_take() can be
 * repeated after a failure.
 */
#ifndef RINGSIDE_REST_H
#define RINGSIDE_REST_H

#include "lib/base/base.h"

/* The size of the 16 bytes and the u64 together. */
#define REST_HEAD 24

/* Begins the file @fd, which is empty. Returns 0 or -errno, without a message. */
int rest_begin(int fd);

/*
 * Appends the sub-buffers in the file @fd to the spool @to. The CPU's data in the spool end at the offset @end. A further call copies to the same place
 * as the first call, even when @end is different. A sub-buffer has @page bytes. If a part of a sub-buffer is missing in both @fd and @to, the whole
 * sub-buffer is left out. Returns 0 or -errno, without a message. -EBADMSG means that @fd does not begin as described above. An empty @fd is no error.
 */
int rest_take(int fd, int to, uint64_t end, uint32_t page);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests of block devices, for the slow ones among them: what else the device had to do, and how long they waited before they came to it. From
 * block_rq_insert, block_rq_issue and block_rq_complete. Inside lib/analysis only.
 */
#ifndef RINGSIDE_CAUSE_DEVICE_H
#define RINGSIDE_CAUSE_DEVICE_H

#include "lib/analysis/input.h"

/* What is known of a request that a device has. */
struct device_use {
	uint32_t dev;		/* the kernel's number of it */
	uint8_t file;
	bool known;
	uint64_t others;	/* requests that it had besides when this one came */
	uint64_t before;	/* ns from its insertion into a queue to its coming; 0: that is not known */
	uint64_t served;	/* requests that the device had completed by then */
};

struct devices;

/* Borrows @inputs. 0 or -ENOMEM. */
int devices_new(struct devices **out, const inputs_t *inputs);
void devices_free(struct devices *devices);

/* All records of events that are no function's. 0 or -ENOMEM. */
int devices_record(struct devices *devices, const struct event *event, const struct record *rec);

/* Events of the file were lost: what its devices had is not known any more. */
void devices_lost(struct devices *devices, uint8_t file);

/* The request that came to its device with the last record of this file, at @ns; .known false: there was none. */
struct device_use devices_issued(const struct devices *devices, uint8_t file, uint64_t ns);

/* Has it ended with this record? Then *@served is how many others the device has completed meanwhile. */
bool devices_completed(const struct devices *devices, const struct device_use *use, const struct record *rec, uint64_t *served);

#endif

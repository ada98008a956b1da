/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uses the events block_rq_insert, block_rq_issue and block_rq_complete to follow the requests to block devices. The functions tell how many other requests a
 * device had during a slow request. They also tell how long the request waited in a queue before it was issued to the device. Only lib/analysis uses this.
 */
#ifndef RINGSIDE_CAUSE_DEVICE_H
#define RINGSIDE_CAUSE_DEVICE_H

#include "lib/analysis/input.h"

/* This tells what is known of a request at the time when it is issued to its device. */
struct device_use {
	bool known;	 /* false: the other members have no meaning */
	uint32_t dev;	 /* the kernel's number of the device */
	uint8_t file;	 /* the file that has the request's records: record.file */
	uint64_t others; /* how many other requests were at the device at that time */
	uint64_t before; /* ns from the request's insertion into a queue until it was issued; 0: not known */
	uint64_t served; /* how many requests the device had completed up to that time */
};

struct devices;

/* Borrows @inputs. Returns 0 or -ENOMEM. */
int devices_new(struct devices **out, const inputs_t *inputs);
void devices_free(struct devices *devices);

/* Takes in a record. Must be called for all records of the three events, and may be called for records of other events. Returns 0 or -ENOMEM. */
int devices_record(struct devices *devices, const struct event *event, const struct record *rec);

/* Notes that events of the file were lost. From then on, it is not known which requests the devices of this file have. */
void devices_lost(struct devices *devices, uint8_t file);

/*
 * Returns the request that was issued last, if it was issued in @file at @ns. If the last request was issued in another file or at another time, the .known of
 * the result is false. @ns is a time as input_time() returns it.
 */
struct device_use devices_issued(const struct devices *devices, uint8_t file, uint64_t ns);

/*
 * Returns true if @use->known is true, and @rec is a record of block_rq_complete in the file @use->file. The function does not check which request @rec
 * completes. So the caller must make sure that @rec completes the request of @use. If the result is true, the function also counts the other requests that the
 * same device has completed since the request of @use was issued. *@served becomes the number of these requests. If the result is false, *@served becomes 0.
 * devices_record() must have taken in @rec already.
 */
bool devices_completed(const struct devices *devices, const struct device_use *use, const struct record *rec, uint64_t *served);

#endif

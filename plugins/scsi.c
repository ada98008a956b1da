// SPDX-License-Identifier: GPL-2.0
/* SCSI: commands by name, with block address and length of those that move blocks (the T10 standards SPC and SBC). */
#include "plugins/plugin.h"

/* clang-format off */
static const struct meaning operations[] = {
	{ 0x0, "TEST_UNIT_READY" }, { 0x1, "REZERO_UNIT" }, { 0x3, "REQUEST_SENSE" },
	{ 0x4, "FORMAT_UNIT" }, { 0x7, "REASSIGN_BLOCKS" }, { 0x8, "READ_6" }, { 0xa, "WRITE_6" },
	{ 0xb, "SEEK_6" }, { 0x12, "INQUIRY" }, { 0x15, "MODE_SELECT_6" }, { 0x16, "RESERVE_6" },
	{ 0x17, "RELEASE_6" }, { 0x1a, "MODE_SENSE_6" }, { 0x1b, "START_STOP_UNIT" },
	{ 0x1c, "RECEIVE_DIAGNOSTIC" }, { 0x1d, "SEND_DIAGNOSTIC" },
	{ 0x1e, "PREVENT_ALLOW_MEDIUM_REMOVAL" }, { 0x25, "READ_CAPACITY_10" },
	{ 0x28, "READ_10" }, { 0x2a, "WRITE_10" }, { 0x2b, "SEEK_10" },
	{ 0x2e, "WRITE_AND_VERIFY_10" }, { 0x2f, "VERIFY_10" }, { 0x34, "PRE_FETCH_10" },
	{ 0x35, "SYNCHRONIZE_CACHE_10" }, { 0x3b, "WRITE_BUFFER" }, { 0x3c, "READ_BUFFER" },
	{ 0x41, "WRITE_SAME_10" }, { 0x42, "UNMAP" }, { 0x43, "READ_TOC" },
	{ 0x46, "GET_CONFIGURATION" }, { 0x4a, "GET_EVENT_STATUS_NOTIFICATION" },
	{ 0x4c, "LOG_SELECT" }, { 0x4d, "LOG_SENSE" }, { 0x51, "READ_DISC_INFORMATION" },
	{ 0x55, "MODE_SELECT_10" }, { 0x5a, "MODE_SENSE_10" }, { 0x5e, "PERSISTENT_RESERVE_IN" },
	{ 0x5f, "PERSISTENT_RESERVE_OUT" }, { 0x7f, "VARIABLE_LENGTH" },
	{ 0x83, "EXTENDED_COPY" }, { 0x84, "RECEIVE_COPY_RESULTS" },
	{ 0x85, "ATA_PASS_THROUGH_16" }, { 0x88, "READ_16" }, { 0x89, "COMPARE_AND_WRITE" },
	{ 0x8a, "WRITE_16" }, { 0x8e, "WRITE_AND_VERIFY_16" }, { 0x8f, "VERIFY_16" },
	{ 0x91, "SYNCHRONIZE_CACHE_16" }, { 0x93, "WRITE_SAME_16" }, { 0x94, "ZBC_OUT" },
	{ 0x95, "ZBC_IN" }, { 0x9e, "SERVICE_ACTION_IN_16" }, { 0xa0, "REPORT_LUNS" },
	{ 0xa1, "ATA_PASS_THROUGH_12" }, { 0xa2, "SECURITY_PROTOCOL_IN" },
	{ 0xa3, "MAINTENANCE_IN" }, { 0xa4, "MAINTENANCE_OUT" }, { 0xa8, "READ_12" },
	{ 0xaa, "WRITE_12" }, { 0xae, "WRITE_AND_VERIFY_12" }, { 0xaf, "VERIFY_12" },
	{ 0xb5, "SECURITY_PROTOCOL_OUT" }, { 0, NULL },
};
/* clang-format on */

/* clang-format off */
static const struct meaning results[] = {
	{ 0, "ok" },	   { 1, "no-connect" }, { 2, "bus-busy" }, { 3, "time-out" }, { 4, "bad-target" }, { 5, "abort" },
	{ 6, "parity" },   { 7, "error" },	{ 8, "reset" },	   { 9, "bad-interrupt" }, { 10, "passthrough" },
	{ 11, "soft-error" }, { 12, "retry" },	{ 13, "requeue" }, { 14, "transport-disrupted" },
	{ 15, "transport-failfast" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning statuses[] = {
	{ 0x00, "good" },	   { 0x02, "check-condition" }, { 0x04, "condition-met" }, { 0x08, "busy" }, { 0x18, "reservation-conflict" },
	{ 0x28, "task-set-full" }, { 0x30, "aca-active" },	{ 0x40, "aborted" },	   { 0, NULL },
};

/* Where commands of a size keep the address and the number of blocks; the size is in the operation's top 3 bits. */
static const struct layout {
	uint8_t lba, lba_size, blocks, blocks_size;
} layouts[8] = {
	[0] = { 1, 3, 4, 1 }, [1] = { 2, 4, 7, 2 }, [2] = { 2, 4, 7, 2 }, [4] = { 2, 8, 10, 4 }, [5] = { 2, 4, 6, 4 },
};

/* READ, WRITE, VERIFY, WRITE_AND_VERIFY, WRITE_SAME, SYNCHRONIZE_CACHE, COMPARE_AND_WRITE. */
static bool moves_blocks(uint8_t operation)
{
	static const uint8_t all[] = { 0x08, 0x0a, 0x28, 0x2a, 0x2e, 0x2f, 0x34, 0x35, 0x41, 0x88, 0x8a, 0x8e, 0x8f, 0x91, 0x93, 0xa8, 0xaa, 0xae, 0xaf };

	return memchr(all, operation, sizeof(all)) != NULL;
}

static uint64_t big_endian(const uint8_t *at, unsigned int n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | *at++;
	return value;
}

static void put_command(struct trace_seq *s, const uint8_t *at, size_t n)
{
	const struct layout *l = &layouts[at[0] >> 5];
	uint64_t lba, blocks;

	if (!moves_blocks(at[0]) || n < (size_t)l->blocks + l->blocks_size)
		return;
	lba = big_endian(at + l->lba, l->lba_size);
	blocks = big_endian(at + l->blocks, l->blocks_size);
	if (at[0] < 0x20) { /* three bits of byte 1 are not the address's; 0 blocks are 256 */
		lba &= 0x1fffff;
		blocks = blocks ? blocks : 256;
	}
	put_str(s, " lba=");
	put_u64(s, lba);
	put_str(s, " blocks=");
	put_u64(s, blocks);
}

enum { HOST, CHANNEL, ID, LUN, OPCODE, CMND, RESULT, RTN };

static void print_command(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	size_t n = 0;
	const uint8_t *at = (const uint8_t *)bytes_of(shown, shown->fields[CMND], record, &n);
	uint64_t result;

	(void)event;
	for (unsigned int i = HOST; i <= LUN; i++) {
		if (i)
			put_char(s, ':');
		put_u64(s, number_of(shown, i, record));
	}
	put_char(s, ' ');
	put_meaning(s, operations, number_of(shown, OPCODE, record));
	if (at && n)
		put_command(s, at, n);
	if (read_field(shown, shown->fields[RESULT], record, &result)) {
		put_str(s, " host=");
		put_meaning(s, results, result >> 16 & 0xff);
		put_str(s, " status=");
		put_meaning(s, statuses, result & 0xff);
	}
	if (read_field(shown, shown->fields[RTN], record, &result)) {
		put_str(s, " rtn=");
		put_s64(s, result);
	}
}

static const struct column fields[] = {
	[HOST] = { .field = "host_no" },  [CHANNEL] = { .field = "channel" }, [ID] = { .field = "id" },
	[LUN] = { .field = "lun" },	  [OPCODE] = { .field = "opcode" },   [CMND] = { .field = "cmnd" },
	[RESULT] = { .field = "result" }, [RTN] = { .field = "rtn" },	      { .field = NULL },
};

static const struct printer printers[] = {
	{ "scsi", "scsi_dispatch_cmd_start", fields, print_command },
	{ "scsi", "scsi_dispatch_cmd_error", fields, print_command },
	{ "scsi", "scsi_dispatch_cmd_done", fields, print_command },
	{ "scsi", "scsi_dispatch_cmd_timeout", fields, print_command },
};

PLUGIN("scsi", "commands by name with address and length, results in words", printers)

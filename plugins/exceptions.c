// SPDX-License-Identifier: GPL-2.0
/* Page faults: the error code of x86 (arch/x86/include/asm/trap_pf.h) in words. */
#include "plugins/plugin.h"

static const struct meaning bits[] = {
	{ 0x1, "protection" }, { 0x2, "write" },	 { 0x4, "user" },   { 0x8, "reserved-bit" }, { 0x10, "fetch" },
	{ 0x20, "pkey" },      { 0x40, "shadow-stack" }, { 0x8000, "sgx" }, { 0x80000000, "rmp" },   { 0, NULL },
};

/* Nothing set is a read by the kernel of a page that is not there. */
static void show_error(const struct cell *cell, const struct column *column)
{
	uint64_t code = cell->value;

	put_hex(cell->s, code);
	put_str(cell->s, code & 0x12 ? " (" : " (read|");
	if (!(code & 1))
		put_str(cell->s, code & ~1ULL ? "not-present|" : "not-present");
	if (code)
		put_flags(cell->s, column->meanings, code);
	put_char(cell->s, ')');
}

static const struct column columns[] = {
	{ "address=", "address", show_hex, NULL },
	{ " ip=", "ip", show_symbol, NULL },
	{ " error_code=", "error_code", show_error, bits },
	{ NULL, NULL, NULL, NULL },
};

static const struct printer printers[] = {
	{ "exceptions", "page_fault_user", columns, NULL },
	{ "exceptions", "page_fault_kernel", columns, NULL },
};

PLUGIN("exceptions", "page faults: the bits of the error code", printers)

// SPDX-License-Identifier: GPL-2.0
/* CPU idle states and frequencies. */
#include "plugins/plugin.h"

static void show_idle(const struct cell *cell, const struct column *column)
{
	(void)column;
	if ((uint32_t)cell->value == UINT32_MAX)
		put_str(cell->s, "awake");
	else
		put_u64(cell->s, cell->value);
}

/* From kHz. */
static void show_mhz(const struct cell *cell, const struct column *column)
{
	(void)column;
	put_u64(cell->s, cell->value / 1000);
	put_str(cell->s, " MHz");
}

static const struct printer printers[] = {
	{ "power", "cpu_idle", COLUMNS({ "state=", "state", show_idle, NULL }, { " cpu_id=", "cpu_id", show_dec, NULL }), NULL },
	{ "power", "cpu_frequency", COLUMNS({ "", "state", show_mhz, NULL }, { " cpu_id=", "cpu_id", show_dec, NULL }), NULL },
};

PLUGIN("power", "idle states: leaving one is \"awake\"; frequencies in MHz", printers)

// SPDX-License-Identifier: GPL-2.0
/*
 * Filters: an input is the text of a -F, a NUL, and the payload of a record, which is matched as an event of each
 * selected kind, in both byte orders. A filter that is taken must give the same answer twice and keep its verdict.
 */
#include "lib/event/filter.h"
#include "tests/fuzz/fuzz.h"
#include <stdio.h>
#include <traceevent/event-parse.h>

#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char *const formats[] = {
	"name: sched_switch\nID: 10\nformat:\n" COMMON "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:1;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n\n"
	"print fmt: \"%d\", REC->prev_pid\n",
	"name: odd\nID: 11\nformat:\n" COMMON "\tfield:__data_loc char[] dyn;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:__rel_loc char[] rel;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n"
	"\tfield:u8 byte;\toffset:64;\tsize:1;\tsigned:0;\n"
	"\tfield:short three;\toffset:65;\tsize:3;\tsigned:1;\n"
	"\tfield:void * ip;\toffset:72;\tsize:8;\tsigned:0;\n"
	"\tfield:char buf[];\toffset:80;\tsize:0;\tsigned:1;\n\n"
	"print fmt: \"%d\", REC->byte\n",
};

struct world {
	struct tep_handle *teps[2];
	struct comms *comms;
	struct symbols *symbols;
};

static const struct world *world(void)
{
	static struct text cmdlines = { (char *)"1 init\n42 ls\n", 13 }, kallsyms = { (char *)"1000 t vfs_open\n9000 t z\n", 25 };
	static struct world w;

	if (w.comms)
		return &w;
	for (int big = 0; big < 2; big++) {
		w.teps[big] = tep_alloc();
		tep_set_loglevel(TEP_LOG_NONE);
		tep_set_file_bigendian(w.teps[big], big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
		tep_set_local_bigendian(w.teps[big], tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
		tep_set_long_size(w.teps[big], 8);
		for (size_t i = 0; i < ARRAY_LEN(formats); i++)
			tep_parse_event(w.teps[big], formats[i], strlen(formats[i]), i ? "strange" : "sched");
	}
	if (comms_new(&w.comms, &cmdlines, false) || symbols_new(&w.symbols, &kallsyms))
		abort();
	return &w;
}

static void match(const struct filter *filter, const uint8_t *payload, size_t size)
{
	void *copy = malloc(size ? size : 1); /* of exactly that size, so that a read beyond it is seen */
	struct record record = { .data = copy, .size = size, .cpu = size & 7 };

	memcpy(copy, payload, size);
	for (uint16_t id = 9; id < 13; id++) {
		bool matches = filter_match(filter, id, &record);
		enum filter_verdict verdict = filter_event(filter, id);

		if (matches != filter_match(filter, id, &record) || (verdict != FILTER_SOMETIMES && matches != (verdict == FILTER_ALWAYS)))
			abort();
	}
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct world *w = world();
	size_t n = strnlen((const char *)data, size);
	char *text = strndup((const char *)data, n);

	for (int big = 0; big < 2; big++) {
		struct filter *filter;

		if (filter_new(&filter, w->teps[big], w->comms, w->symbols))
			abort();
		if (!filter_add(filter, text, size & 1))
			match(filter, data + MIN(n + 1, size), size - MIN(n + 1, size));
		filter_free(filter);
	}
	free(text);
	return 0;
}

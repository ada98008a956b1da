// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/filter-records.h"

const char *const words[] = { "ls", "bash", "trace-cmd", "swapper/0", "rcu_preempt", "a", "", "abcdefghijklmnop" };
const uint64_t numbers[] = {
	0, 1, 2, 3, 120, 164, 1234, 0x7fffffff, 0xffffffff, 0x8000000000000000, UINT64_MAX, (uint64_t)-22,
};

void kernel_init(struct kernel *kernel, const char *path)
{
	struct metadata *meta;

	ck_assert_int_eq(datfile_open(&kernel->file, path), 0);
	meta = &kernel->file->meta;
	kernel->tep = tep_alloc();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_file_bigendian(kernel->tep, TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(kernel->tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_parse_header_page(kernel->tep, meta->header_page.at, meta->header_page.size, 8);
	tep_set_long_size(kernel->tep, 8);
	vec_each (&meta->formats, f)
		tep_parse_event(kernel->tep, f->format.at, f->format.size, f->system);
	tep_parse_kallsyms(kernel->tep, meta->kallsyms.at);
	tep_parse_saved_cmdlines(kernel->tep, meta->cmdlines.at);
	ck_assert_int_eq(comms_new(&kernel->comms, &meta->cmdlines, false), 0);
	ck_assert_int_eq(symbols_new(&kernel->symbols, &meta->kallsyms), 0);
}

void kernel_fini(struct kernel *kernel)
{
	comms_free(kernel->comms);
	symbols_free(kernel->symbols);
	tep_free(kernel->tep);
	datfile_close(kernel->file);
}

uint64_t random_below(uint64_t *state, uint64_t n)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*state >> 33) % n;
}

static uint64_t make_number(const struct kernel *kernel, const struct tep_format_field *field, uint64_t *state)
{
	if (!strcmp(field->name, "common_type"))
		return field->event->id;
	if (!strcmp(field->name, "common_pid"))
		return random_below(state, 2) ? 150 + random_below(state, 20) : 0;
	if (random_below(state, 3) == 0 && (field->flags & (TEP_FIELD_IS_POINTER | TEP_FIELD_IS_LONG)))
		return symbols_address(kernel->symbols, random_below(state, 2) ? "vfs_open" : "vfs_read") + random_below(state, 3);
	if (random_below(state, 4))
		return numbers[random_below(state, NUMBERS)];
	return random_below(state, UINT32_MAX) << 32 | random_below(state, UINT32_MAX);
}

/* Appends a word behind the fields and returns the __data_loc word of it. */
static uint32_t make_dynamic(char *data, const struct tep_format_field *field, size_t *end, uint64_t *state)
{
	const char *word = words[random_below(state, WORDS)];
	size_t n = strlen(word) + 1, at = *end;
	bool relative = field->flags & TEP_FIELD_IS_RELATIVE;

	memcpy(data + at, word, n);
	*end += n;
	return n << 16 | (at - (relative ? field->offset + field->size : 0));
}

static void make_field(const struct kernel *kernel, char *data, const struct tep_format_field *field, size_t *end, uint64_t *state)
{
	char *at = data + field->offset;
	uint64_t number = make_number(kernel, field, state);
	uint32_t where;

	if (field->flags & TEP_FIELD_IS_DYNAMIC && field->size == 4) {
		where = make_dynamic(data, field, end, state);
		memcpy(at, &where, 4);
	} else if (field->flags & TEP_FIELD_IS_STRING && !field->size) {
		make_dynamic(data, field, end, state);
	} else if (field->flags & TEP_FIELD_IS_STRING) {
		strncpy(at, words[random_below(state, WORDS)], field->size);
	} else {
		memcpy(at, &number, MIN(field->size, 8));
	}
}

void record_make(const struct kernel *kernel, struct tep_event *event, uint64_t *state, struct record *record)
{
	struct tep_format_field *lists[] = { event->format.common_fields, event->format.fields };
	size_t end = 0;
	char *data;

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (struct tep_format_field *f = lists[i]; f; f = f->next)
			end = MAX(end, (size_t)f->offset + f->size);
	data = calloc(1, end + 4096);
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (struct tep_format_field *f = lists[i]; f; f = f->next)
			make_field(kernel, data, f, &end, state);
	data = realloc(data, end);
	*record = (struct record){ .data = data, .size = end, .cpu = random_below(state, 4) };
}

bool oracle_match(struct tep_event_filter *filter, const struct record *record)
{
	struct tep_record rec = { .data = (void *)record->data, .size = record->size, .cpu = record->cpu };

	return tep_filter_match(filter, &rec) == TEP_ERRNO__FILTER_MATCH;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/kallsyms.h"

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

/* .coarse has the address of every COARSE-th symbol. */
enum { COARSE = 64 };

/* The text is read in at most PARTS parts, as many as threads may be idle and some more for threads that join later. A part has at least LEAST_PART bytes. */
enum { PARTS = 16, LEAST_PART = 64 << 10 };

/* A part of the text that consists of whole lines, and the symbols found in it. */
struct kallsyms_part {
	const char *at, *end;
	uint64_t *addrs;
	uint32_t *names;
	uint32_t n;
	bool ended; /* the part has a NUL, where the text ends */
	int err;
};

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

static const char *skip_word(const char *at, const char *end)
{
	while (at < end && !is_blank(*at))
		at++;
	return at;
}

static const char *parse_hex(const char *at, const char *end, uint64_t *out)
{
	uint64_t value = 0;

	for (; at < end; at++) {
		unsigned int c = (unsigned char)*at, low = c | 0x20;

		if (c - '0' < 10)
			value = value << 4 | (c - '0');
		else if (low - 'a' < 6)
			value = value << 4 | (low - 'a' + 10);
		else
			break;
	}
	*out = value;
	return at;
}

/* Reads the 8 hex digits at @at together. Sets @bad to a value other than 0 if a character is not a digit, or is a capital, which the kernel does not write. */
static uint64_t parse_hex_8(const char *at, uint64_t *bad)
{
	const uint64_t each = 0x0101010101010101;
	uint64_t chars, letters, low, digits;

	memcpy(&chars, at, sizeof(chars));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		chars = __builtin_bswap64(chars);
	letters = chars >> 6 & each;
	low = chars & 0x0f * each;
	digits = low + 9 * letters;
	/* '0' to '9' are 0x30 to 0x39, and 'a' to 'f' are 0x61 to 0x66. Only letters may have values of 10 and more, and these must be at most 15. */
	*bad |= chars ^ (low + 0x30 * each + 0x30 * letters);
	*bad |= digits & 0xf0 * each;
	*bad |= ((digits + 6 * each) >> 4 & each) ^ letters;
	digits = (digits << 4 | digits >> 8) & 0x00ff00ff00ff00ff;
	digits = (digits << 8 | digits >> 16) & 0x0000ffff0000ffff;
	return (digits << 16 | digits >> 32) & 0xffffffff;
}

/* Reads the 16 hex digits at @at. Returns false if they are not 16 digits as the kernel writes them. */
static bool parse_hex_16(const char *at, uint64_t *out)
{
	uint64_t bad = 0;

	*out = parse_hex_8(at, &bad) << 32;
	*out |= parse_hex_8(at + 8, &bad);
	return !bad;
}

/*
 * Reads a line of the form "ADDRESS TYPE NAME", which may end in "\t[MODULE]". Returns where the name begins, or NULL for a line that is passed over. Passed
 * over are lines of another form, absolute symbols (on x86 the offsets of per-CPU variables) and ARM's mapping symbols ($a, $d, ...), because these are no
 * places in the kernel.
 */
static const char *parse_line(const char *at, const char *end, uint64_t *addr)
{
	const char *digits;
	char type;

	/* The kernel writes 16 digits and single blanks. */
	if (likely(end - at > 19 && parse_hex_16(at, addr) && at[16] == ' ' && !is_blank(at[17]) && at[18] == ' ' && !is_blank(at[19]))) {
		type = at[17];
		at += 19;
	} else {
		digits = skip_blanks(at, end);
		at = parse_hex(digits, end, addr);
		if (at == digits)
			return NULL;
		at = skip_blanks(at, end);
		if (at == end)
			return NULL;
		type = *at;
		at = skip_blanks(at + 1, end);
	}
	return at == end || *at == '$' || type == 'A' || type == 'a' ? NULL : at;
}

static int make_room(struct kallsyms_part *part, uint32_t *room)
{
	uint64_t *addrs;
	uint32_t *names;

	*room += *room / 2;
	addrs = realloc(part->addrs, *room * sizeof(*addrs));
	if (!addrs)
		return -ENOMEM;
	part->addrs = addrs;
	names = realloc(part->names, *room * sizeof(*names));
	if (!names)
		return -ENOMEM;
	part->names = names;
	return 0;
}

static int read_part(struct kallsyms_part *part, const char *text)
{
	const char *at = part->at, *end = at ? at + strnlen(at, (size_t)(part->end - at)) : NULL;
	uint32_t room = (uint32_t)((end - at) / 40) + 16;

	part->ended = end < part->end;
	part->end = end;
	part->addrs = malloc(room * sizeof(*part->addrs));
	part->names = malloc(room * sizeof(*part->names));
	if (!part->addrs || !part->names)
		return -ENOMEM;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at)), *name;

		newline = newline ? newline : end;
		if (part->n == room && make_room(part, &room))
			return -ENOMEM;
		name = parse_line(at, newline, &part->addrs[part->n]);
		if (name)
			part->names[part->n++] = (uint32_t)(name - text);
		at = newline + 1;
	}
	return 0;
}

void kallsyms_read(struct kallsyms *syms, uint32_t part)
{
	syms->parts[part].err = read_part(&syms->parts[part], syms->text);
}

int kallsyms_begin(struct kallsyms *out, const struct text *text)
{
	const char *at = text->at ? text->at : "";
	size_t size = text->at ? MIN(text->size, (size_t)UINT32_MAX) : 0;

	*out = (struct kallsyms){ .text = at, .end = at + size };
	out->nparts = (uint32_t)MIN(size / LEAST_PART + 1, (size_t)PARTS);
	out->parts = calloc(out->nparts, sizeof(*out->parts));
	if (!out->parts)
		return -ENOMEM;
	for (uint32_t i = 0; i < out->nparts; i++) {
		const char *end = out->text + size * (i + 1) / out->nparts;

		/* A part ends at the end of a line. */
		end = MAX(at, end);
		end = end < out->end ? memchr(end, '\n', (size_t)(out->end - end)) : NULL;
		end = end ? end + 1 : out->end;
		out->parts[i].at = at;
		out->parts[i].end = end;
		at = end;
	}
	return 0;
}

static int join_parts(struct kallsyms *syms)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < syms->nparts; i++) {
		if (syms->parts[i].err)
			return syms->parts[i].err;
		n += syms->parts[i].n;
	}
	syms->addrs = (uint64_t *)text_room((n + 1) * (sizeof(*syms->addrs) + sizeof(*syms->names)));
	if (!syms->addrs)
		return -ENOMEM;
	syms->names = (uint32_t *)(syms->addrs + n);
	for (uint32_t i = 0; i < syms->nparts; i++) {
		const struct kallsyms_part *part = &syms->parts[i];

		memcpy(syms->addrs + syms->n, part->addrs, part->n * sizeof(*part->addrs));
		memcpy(syms->names + syms->n, part->names, part->n * sizeof(*part->names));
		syms->n += part->n;
		syms->end = part->end;
		if (part->ended)
			break;
	}
	return 0;
}

static void free_parts(struct kallsyms *syms)
{
	for (uint32_t i = 0; syms->parts && i < syms->nparts; i++) {
		free(syms->parts[i].addrs);
		free(syms->parts[i].names);
	}
	free(take(syms->parts));
	syms->nparts = 0;
}

/* Reverses the order of the symbols [from, to). */
static void reverse(struct kallsyms *syms, uint32_t from, uint32_t to)
{
	while (from + 1 < to) {
		uint64_t addr = syms->addrs[from];
		uint32_t name = syms->names[from];

		to--;
		syms->addrs[from] = syms->addrs[to];
		syms->names[from] = syms->names[to];
		syms->addrs[to] = addr;
		syms->names[to] = name;
		from++;
	}
}

/* Memory for the radix sort. */
struct sorting {
	uint64_t *addrs;
	uint32_t *names;
	uint32_t *count;
};

/* Makes one pass of a radix sort that keeps the order of equal addresses. Returns false, with nothing sorted, if all addresses have the same digit. */
static bool sort_digit(const uint64_t *addrs, const uint32_t *names, struct sorting *to, uint32_t n, int shift)
{
	uint32_t sum = 0;

	memset(to->count, 0, DIGITS * sizeof(*to->count));
	for (uint32_t i = 0; i < n; i++)
		to->count[addrs[i] >> shift & (DIGITS - 1)]++;
	if (to->count[addrs[0] >> shift & (DIGITS - 1)] == n)
		return false;
	for (uint32_t i = 0; i < DIGITS; i++) {
		uint32_t here = to->count[i];

		to->count[i] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = to->count[addrs[i] >> shift & (DIGITS - 1)]++;

		to->addrs[at] = addrs[i];
		to->names[at] = names[i];
	}
	return true;
}

/* Sorts the symbols [from, n). */
static int sort_rest(struct kallsyms *syms, uint32_t from)
{
	uint32_t n = syms->n - from;
	struct sorting to = {
		.addrs = malloc(n * sizeof(*to.addrs)),
		.names = malloc(n * sizeof(*to.names)),
		.count = malloc(DIGITS * sizeof(*to.count)),
	};
	int err = to.addrs && to.names && to.count ? 0 : -ENOMEM;

	reverse(syms, from, syms->n);
	for (int shift = 0; !err && shift < 64; shift += DIGIT_BITS) {
		if (sort_digit(syms->addrs + from, syms->names + from, &to, n, shift)) {
			memcpy(syms->addrs + from, to.addrs, n * sizeof(*to.addrs));
			memcpy(syms->names + from, to.names, n * sizeof(*to.names));
		}
	}
	free(to.addrs);
	free(to.names);
	free(to.count);
	return err;
}

/* Returns the index of the first of the @n ascending addresses that is not below @addr, or @n if there is none. */
static uint32_t lower_bound(const uint64_t *addrs, uint32_t n, uint64_t addr)
{
	uint32_t low = 0;

	while (low < n) {
		uint32_t mid = low + (n - low) / 2;

		if (addrs[mid] < addr)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

/* Sorts the symbols. Kernels write most of the text in order: first their own symbols, then those of modules as they were loaded. */
static int sort_symbols(struct kallsyms *syms)
{
	const uint64_t *addrs = syms->addrs;
	uint32_t n = syms->n, sorted = n > 0;
	uint64_t least = UINT64_MAX;

	while (sorted < n && addrs[sorted - 1] <= addrs[sorted])
		sorted++;
	for (uint32_t i = sorted; i < n; i++)
		least = MIN(least, addrs[i]);
	if (sorted < n)
		sorted = lower_bound(addrs, sorted, least);
	for (uint32_t i = 0, next; i < sorted; i = next) {
		for (next = i + 1; next < sorted && addrs[next] == addrs[i]; next++)
			;
		reverse(syms, i, next);
	}
	return sorted < n ? sort_rest(syms, sorted) : 0;
}

/*
 * Several symbols, @first to @last, can have the address. Returns the one that a binary search over all @n symbols, which halves [low, high), would meet first.
 */
static uint32_t first_hit(uint32_t n, uint32_t first, uint32_t last)
{
	uint32_t low = 0, high = n;

	for (;;) {
		uint32_t mid = low + (high - low) / 2;

		if (mid < first)
			low = mid + 1;
		else if (mid > last)
			high = mid;
		else
			return mid;
	}
}

/*
 * Returns the index of the last of @n > 0 ascending addresses that is not above @addr, or 0 if all are above. The loop has no branches that the CPU could
 * predict wrongly.
 */
static uint32_t last_not_above(const uint64_t *addrs, uint32_t n, uint64_t addr)
{
	const uint64_t *at = addrs;

	while (n > 1) {
		uint32_t half = n / 2;

		at = at[half] <= addr ? at + half : at;
		n -= half;
	}
	return (uint32_t)(at - addrs);
}

int64_t kallsyms_search(const struct kallsyms *syms, uint64_t addr)
{
	const uint64_t *addrs = syms->addrs;
	uint32_t i;

	if (!syms->n)
		return -1;
	i = last_not_above(syms->coarse, (syms->n + COARSE - 1) / COARSE, addr) * COARSE;
	/* Asks for all cache lines of this part at once. They are seldom in the cache, and each step of the search would wait for one. */
	for (uint32_t k = 0; k < COARSE; k += 8)
		__builtin_prefetch(addrs + i + k);
	for (uint32_t k = 0; k < COARSE; k += 16)
		__builtin_prefetch(syms->names + i + k);
	i += last_not_above(addrs + i, MIN(syms->n - i, (uint32_t)COARSE), addr);
	if (addrs[i] > addr)
		return -1;
	if (addrs[i] == addr)
		return likely(!i || addrs[i - 1] != addr) ? i : first_hit(syms->n, lower_bound(addrs, i, addr), i);
	/* The size of the last symbol is not known, so only its own address is found. */
	return i + 1 < syms->n ? (int64_t)i : -1;
}

struct text kallsyms_name(const struct kallsyms *syms, uint32_t i, struct text *module)
{
	const char *name = syms->text + syms->names[i], *end = skip_word(name, syms->end), *at = end + 2;

	*module = (struct text){ 0 };
	if (syms->end - end >= 3 && end[0] == '\t' && end[1] == '[' && *at != '\n') {
		size_t n = (size_t)(skip_word(at, syms->end) - at);

		*module = (struct text){ (char *)at, n - (n > 0) }; /* without the bracket */
	}
	return (struct text){ (char *)name, (size_t)(end - name) };
}

static int make_coarse(struct kallsyms *syms)
{
	syms->coarse = malloc((syms->n / COARSE + 1) * sizeof(*syms->coarse));
	if (!syms->coarse)
		return -ENOMEM;
	for (uint32_t i = 0; i < syms->n; i += COARSE)
		syms->coarse[i / COARSE] = syms->addrs[i];
	return 0;
}

int kallsyms_end(struct kallsyms *syms)
{
	int err = join_parts(syms);

	free_parts(syms);
	err = err ? err : sort_symbols(syms);
	return err ? err : make_coarse(syms);
}

void kallsyms_fini(struct kallsyms *syms)
{
	free_parts(syms);
	free(syms->addrs);
	free(syms->coarse);
	*syms = (struct kallsyms){ 0 };
}

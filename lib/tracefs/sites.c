/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/sites.h"
#include "lib/tracefs/ksyms.h"
#include "lib/base/io.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

/* No function is longer than FUNCTION_MOST, and no kernel's core file has more segments than SEGMENTS_MOST. What is beyond these limits is not read. */
enum { FUNCTION_MOST = 256 * 1024, SEGMENTS_MOST = 1024 };

/* Code from @at up to @end, which is not included. If @end is 0, it is not known. */
struct stretch {
	uint64_t at, end;
};

struct site {
	const char *name;
	size_t len;
	size_t index;		   /* the index in the list that was given */
	unsigned int count;	   /* how many symbols have that name */
	struct stretch code, cold; /* the function's code; its unlikely part, which the compiler puts elsewhere as "name.cold" */
};
typedef VEC(struct site) sites_t;

/* --- addresses ----------------------------------------------------------------------------------------------- */

static int order_names(const char *a, size_t na, const char *b, size_t nb)
{
	int order = memcmp(a, b, MIN(na, nb));

	return order ? order : (na > nb) - (na < nb);
}

static int by_name(const void *a, const void *b)
{
	const struct site *x = a, *y = b;

	return order_names(x->name, x->len, y->name, y->len);
}

static int sites_init(sites_t *sites, const strv_t *functions)
{
	for (size_t i = 0; i < functions->n; i++) {
		const char *name = functions->at[i];

		if (vec_push(sites, (struct site){ .name = name, .len = strcspn(name, " \t"), .index = i }))
			return -ENOMEM;
	}
	if (sites->n)
		qsort(sites->at, sites->n, sizeof(sites->at[0]), by_name);
	return 0;
}

static size_t common_prefix(const sites_t *sites)
{
	const struct site *first = sites->at, *last = sites->at + sites->n - 1;
	size_t n = 0;

	while (n < first->len && n < last->len && first->name[n] == last->name[n])
		n++;
	return n;
}

static void note_symbol(const sites_t *sites, const struct ksym *sym)
{
	static const char suffix[] = ".cold";
	size_t n = sizeof(suffix) - 1;
	bool cold = sym->len > n && memcmp(sym->name + sym->len - n, suffix, n) == 0;
	const struct site key = { .name = sym->name, .len = sym->len - (cold ? n : 0) };
	struct site *site = bsearch(&key, sites->at, sites->n, sizeof(key), by_name);

	if (!site)
		return;
	site->count += !cold;
	(cold ? &site->cold : &site->code)->at = sym->at;
}

typedef VEC(struct stretch *) stretches_t;

static int by_address(const void *a, const void *b)
{
	const struct stretch *x = *(struct stretch *const *)a, *y = *(struct stretch *const *)b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Notes that a symbol begins at @at. So the stretch before it ends there. */
static void note_end(const stretches_t *sorted, uint64_t at)
{
	size_t low = 0, high = sorted->n;

	/* Finds the last stretch that begins before @at. */
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sorted->at[middle]->at < at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low && (!sorted->at[low - 1]->end || at < sorted->at[low - 1]->end))
		sorted->at[low - 1]->end = at;
}

static int find_code(const sites_t *sites, const struct text *kallsyms)
{
	size_t prefix = common_prefix(sites);
	struct text rest = *kallsyms;
	VEC(uint64_t) all = { 0 };
	stretches_t sorted = { 0 };
	struct ksym sym;
	int err = 0;

	while (!err && ksym_next(&rest, &sym)) {
		err = vec_push(&all, sym.at);
		if (sym.len >= prefix && memcmp(sym.name, sites->at[0].name, prefix) == 0)
			note_symbol(sites, &sym);
	}
	vec_each (sites, site) {
		err = err ? err : vec_push(&sorted, &site->code);
		err = err ? err : vec_push(&sorted, &site->cold);
	}
	if (!err)
		qsort(sorted.at, sorted.n, sizeof(sorted.at[0]), by_address);
	vec_each (&all, at)
		if (!err)
			note_end(&sorted, *at);
	vec_fini(&all);
	vec_fini(&sorted);
	return err;
}

/* --- code ---------------------------------------------------------------------------------------------------- */

/* The kernel's memory in the form of an ELF core file. */
struct core {
	int fd;
	VEC(Elf64_Phdr) segments;
};

static int core_open(struct core *core, const char *path)
{
	Elf64_Ehdr head;

	*core = (struct core){ .fd = open(path, O_RDONLY | O_CLOEXEC) };
	if (core->fd < 0 || io_pread(core->fd, &head, sizeof(head), 0) != sizeof(head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != EM_X86_64)
		return -ENOTSUP;
	for (unsigned int i = 0; i < head.e_phnum && i < SEGMENTS_MOST; i++) {
		Elf64_Phdr segment;

		if (io_pread(core->fd, &segment, sizeof(segment), head.e_phoff + i * sizeof(segment)) != sizeof(segment))
			return -ENOTSUP;
		if (segment.p_type == PT_LOAD && vec_push(&core->segments, segment))
			return -ENOMEM;
	}
	return 0;
}

static void core_close(struct core *core)
{
	close_fd(&core->fd);
	vec_fini(&core->segments);
}

/* Returns the code of a stretch, in new memory, or NULL when it cannot be read. */
static uint8_t *core_read(const struct core *core, const struct stretch *s)
{
	uint64_t size = s->end - s->at;

	if (!s->at || s->end <= s->at || size > FUNCTION_MOST)
		return NULL;
	vec_each (&core->segments, segment) {
		uint64_t from = s->at - segment->p_vaddr;
		uint8_t *code;

		if (s->at < segment->p_vaddr || from >= segment->p_filesz || size > segment->p_filesz - from)
			continue;
		code = malloc(size);
		if (code && io_pread(core->fd, code, size, segment->p_offset + from) == (ssize_t)size)
			return code;
		free(code);
		return NULL;
	}
	return NULL;
}

/*
 * Returns how many bytes behind the function's beginning a probe can be put: behind ftrace's five bytes, which are a nop or the call that ftrace has made of
 * it. These may stand behind an ENDBR, or behind what the kernel has put in its place. Returns 0 when the function begins in another way.
 */
static unsigned int behind_site(const uint8_t *code, size_t n)
{
	static const uint8_t endbr[][4] = { { 0xf3, 0x0f, 0x1e, 0xfa }, { 0x66, 0x0f, 0x1f, 0x00 } };
	static const uint8_t nop[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	unsigned int at = 0;

	for (size_t i = 0; n >= sizeof(endbr[i]) && i < ARRAY_LEN(endbr) && !at; i++)
		if (memcmp(code, endbr[i], sizeof(endbr[i])) == 0)
			at = sizeof(endbr[i]);
	/* At least one byte of the function's own code must follow. */
	if (n <= at + sizeof(nop) || (memcmp(code + at, nop, sizeof(nop)) != 0 && code[at] != 0xe8))
		return 0;
	return at + sizeof(nop);
}

/*
 * Returns true if the @n bytes of code at address @at have a jump to @target. Each byte is taken for the first byte of a jump. So this may return true where
 * there is no jump, but it never misses one.
 */
static bool jumps_to(const uint8_t *code, size_t n, uint64_t at, uint64_t target)
{
	for (size_t i = 0; i + 2 <= n; i++) {
		uint8_t op = code[i];
		bool near = (op & 0xf0) == 0x80 && i && code[i - 1] == 0x0f;
		int32_t far_by;

		/* jcc, jmp, loop and jrcxz with an offset of 8 bits */
		if (((op & 0xf0) == 0x70 || op == 0xeb || (op & 0xfc) == 0xe0) && at + i + 2 + (uint64_t)(int8_t)code[i + 1] == target)
			return true;
		/* jmp and jcc with an offset of 32 bits */
		if ((op != 0xe9 && !near) || i + 5 > n)
			continue;
		memcpy(&far_by, code + i + 1, sizeof(far_by));
		if (at + i + 5 + (uint64_t)(int64_t)far_by == target)
			return true;
	}
	return false;
}

static int site_behind(const struct core *core, const struct site *site)
{
	__cleanup(free_ptr) uint8_t *code = core_read(core, &site->code);
	__cleanup(free_ptr) uint8_t *cold = code && site->cold.at ? core_read(core, &site->cold) : NULL;
	uint64_t size = site->code.end - site->code.at, target;
	unsigned int n = code ? behind_site(code, size) : 0;

	if (!n || (site->cold.at && !cold))
		return 0;
	target = site->code.at + n;
	if (jumps_to(code, size, site->code.at, target) || (cold && jumps_to(cold, site->cold.end - site->cold.at, site->cold.at, target)))
		return 0;
	return (int)n;
}

int sites_behind(const strv_t *functions, int *behind, const char *kallsyms, const char *kcore)
{
	struct text symbols = { 0 };
	struct core core = { .fd = -1 };
	sites_t sites = { 0 };
	int err = 0;

	memset(behind, 0, functions->n * sizeof(*behind));
	if (!functions->n || io_slurp(kallsyms ? kallsyms : KALLSYMS, &symbols))
		return 0;
	err = sites_init(&sites, functions);
	err = err ? err : find_code(&sites, &symbols);
	if (!err && core_open(&core, kcore ? kcore : "/proc/kcore"))
		core.segments.n = 0;
	vec_each (&sites, site)
		if (!err)
			behind[site->index] = site->count > 1 ? -1 : site_behind(&core, site);
	core_close(&core);
	vec_fini(&sites);
	free(symbols.at);
	return err;
}

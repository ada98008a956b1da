/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/elf/names.h"

#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/elf/file.h"

#include <inttypes.h>
#include <sys/stat.h>

#define DEBUG_DIR "/usr/lib/debug/.build-id"

struct function {
	uint64_t addr, size; /* size 0: not known */
	uint32_t name;	     /* offset in .text */
	uint32_t rank;	     /* of several functions at one address, the one with the lowest rank is shown */
	char *shown;	     /* the demangled name; NULL: not asked for yet. The first thread that needs it sets it, and then it stays */
};

struct segment {
	uint64_t offset, addr, size; /* size: in the file */
	bool code;
};

struct elf_names {
	VEC(struct function) functions; /* in the order of their addresses */
	VEC(struct segment) segments;
	struct str text;
	bool debug; /* it is a debug file, whose segments have no place in the file */
};

/* --- stamps -------------------------------------------------------------------------------------------------- */

char *elf_stamp_stat(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return strdup("");
	return str_printf("%" PRIu64 "@%" PRId64 ".%09ld", (uint64_t)st.st_size, (int64_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

char *elf_stamp(const char *path)
{
	struct elf_file *elf;
	char *id;

	if (elf_open_quietly(&elf, path))
		return elf_stamp_stat(path);
	id = elf_build_id(elf);
	elf_close(elf);
	if (id && !*id) {
		free(id);
		return elf_stamp_stat(path);
	}
	return id;
}

/* --- reading ------------------------------------------------------------------------------------------------- */

static uint32_t rank_of(const GElf_Sym *sym, const char *name)
{
	uint32_t rank = GELF_ST_BIND(sym->st_info) == STB_LOCAL ? 1000 : 0;

	for (; *name == '_'; name++)
		rank += 100;
	return rank + (uint32_t)MIN(strlen(name), (size_t)99);
}

static int add_function(struct elf_names *n, const char *name, const GElf_Sym *sym, uint64_t addr)
{
	struct function f = { .addr = addr, .size = sym->st_size, .name = (uint32_t)n->text.len, .rank = rank_of(sym, name) };

	/* The version of a name such as f@@V1 is cut off. */
	str_addn(&n->text, name, strcspn(name, "@"));
	str_addc(&n->text, '\0');
	return str_ok(&n->text) ? -ENOMEM : vec_push(&n->functions, f);
}

static int by_address(const void *a, const void *b)
{
	const struct function *f = a, *g = b;

	if (f->addr != g->addr)
		return f->addr < g->addr ? -1 : 1;
	return f->rank < g->rank ? -1 : f->rank > g->rank;
}

static int read_functions(struct elf_names *n, struct elf_file *elf)
{
	int count = dwfl_module_getsymtab(elf->module), err = 0;
	size_t kept = 0;

	for (int i = 1; i < count && !err; i++) {
		GElf_Sym sym;
		GElf_Addr addr;
		const char *name = dwfl_module_getsym_info(elf->module, i, &sym, &addr, NULL, NULL, NULL);
		unsigned int type = GELF_ST_TYPE(sym.st_info);

		if (name && *name && sym.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC))
			err = add_function(n, name, &sym, addr - elf->bias);
	}
	if (n->functions.n)
		qsort(n->functions.at, n->functions.n, sizeof(*n->functions.at), by_address);
	vec_each (&n->functions, f)
		if (!kept || n->functions.at[kept - 1].addr != f->addr)
			n->functions.at[kept++] = *f;
	n->functions.n = kept;
	return err;
}

static int read_segments(struct elf_names *n, struct elf_file *elf)
{
	size_t count = 0;
	int err = 0;

	elf_getphdrnum(elf->elf, &count);
	for (size_t i = 0; i < count && !err; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(elf->elf, (int)i, &p) || p.p_type != PT_LOAD)
			continue;
		err = vec_push(&n->segments, (struct segment){ p.p_offset, p.p_vaddr, p.p_filesz, p.p_flags & PF_X });
		n->debug |= (p.p_flags & PF_X) && !p.p_filesz;
	}
	return err;
}

/* Loads the table of the file at @path if its stamp is @stamp. @stamp is a build-id if @is_id is true. */
static int load(struct elf_names **out, const char *path, const char *stamp, bool is_id)
{
	__cleanup(free_ptr) char *now = is_id ? NULL : elf_stamp_stat(path);
	struct elf_names *n = NULL;
	struct elf_file *elf;
	int err;

	if (!is_id && (!now || strcmp(now, stamp)))
		return -ENOENT;
	err = elf_open_quietly(&elf, path);
	if (err)
		return err == -ENOMEM ? err : -ENOENT;
	if (is_id)
		now = elf_build_id(elf);
	err = !now ? -ENOMEM : strcmp(now, stamp) ? -ENOENT : 0;
	n = err ? NULL : calloc(1, sizeof(*n));
	err = err ? err : n ? read_segments(n, elf) : -ENOMEM;
	err = err ? err : read_functions(n, elf);
	elf_close(elf);
	if (err) {
		elf_names_free(n);
		return err;
	}
	*out = n;
	return 0;
}

int elf_names_load(struct elf_names **out, const char *path, const char *stamp)
{
	bool is_id = *stamp && !strchr(stamp, '@');
	int err = *stamp ? load(out, path, stamp, is_id) : -ENOENT;

	for (int i = 0; err == -ENOENT && is_id && strlen(stamp) > 2 && i < 2; i++) {
		__cleanup(free_ptr) char *debug = str_printf(DEBUG_DIR "/%.2s/%s%s", stamp, stamp + 2, i ? "" : ".debug");

		err = debug ? load(out, debug, stamp, true) : -ENOMEM;
	}
	return err;
}

void elf_names_free(struct elf_names *n)
{
	if (!n)
		return;
	vec_each (&n->functions, f)
		free(f->shown);
	vec_fini(&n->functions);
	vec_fini(&n->segments);
	str_fini(&n->text);
	free(n);
}

/* --- looking up ---------------------------------------------------------------------------------------------- */

static bool address_of(const struct elf_names *n, uint64_t offset, uint64_t behind, uint64_t *addr)
{
	vec_each (&n->segments, s) {
		/* The loader maps whole pages. */
		if (n->debug && s->code) {
			*addr = (s->addr & ~UINT64_C(4095)) + behind;
			return true;
		}
		if (!n->debug && offset >= s->offset && offset - s->offset < s->size) {
			*addr = offset - s->offset + s->addr;
			return true;
		}
	}
	return false;
}

static const char *shown_name(struct elf_names *n, struct function *f)
{
	char *shown = __atomic_load_n(&f->shown, __ATOMIC_ACQUIRE), *none = NULL;
	const char *plain = n->text.at + f->name;

	if (shown)
		return shown;
	shown = elf_demangle(plain);
	if (!shown)
		shown = strdup(plain);
	if (!shown)
		return plain;
	if (__atomic_compare_exchange_n(&f->shown, &none, shown, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return shown;
	free(shown);
	return none;
}

bool elf_names_find(struct elf_names *n, uint64_t offset, uint64_t behind, const char **name, uint64_t *into)
{
	size_t low = 0, high = n->functions.n;
	struct function *f;
	uint64_t addr;

	if (!address_of(n, offset, behind, &addr))
		return false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (n->functions.at[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	f = &n->functions.at[low - 1];
	if (f->size && addr - f->addr >= f->size)
		return false;
	*name = shown_name(n, f);
	*into = addr - f->addr;
	return true;
}

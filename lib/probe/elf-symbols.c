/* SPDX-License-Identifier: GPL-2.0 */
/* Finds functions by name, in the file's own tables and in those of its debug file. */
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/probe/elf-file.h"
#include "lib/probe/place.h"

#include <ctype.h>

void elf_symbols_fini(elf_symbols_t *v)
{
	vec_each (v, s) {
		free(s->name);
		free(s->demangled);
	}
	vec_fini(v);
}

/* Called for each function symbol. @addr is one of the file's own addresses. If it does not return 0, no further symbol follows. */
typedef int (*symbol_fn)(void *ctx, const char *name, const GElf_Sym *sym, GElf_Addr addr);

static int each_function(struct elf_file *elf, symbol_fn each, void *ctx)
{
	int n = dwfl_module_getsymtab(elf->module), ret = 0;

	for (int i = 1; i < n && !ret; i++) {
		GElf_Sym sym;
		GElf_Addr addr;
		const char *name = dwfl_module_getsym_info(elf->module, i, &sym, &addr, NULL, NULL, NULL);
		unsigned int type = GELF_ST_TYPE(sym.st_info);

		if (name && *name && (type == STT_FUNC || type == STT_GNU_IFUNC))
			ret = each(ctx, name, &sym, addr - elf->bias);
	}
	return ret;
}

/* Returns the name without its parameters, in new memory: "ns::f<int>" for "ns::f<int>(char const*)". A part that was split off stays "f[clone.cold]". */
static char *without_parameters(const char *name)
{
	const char *clone = strstr(name, "[clone");

	return str_printf("%.*s%s", (int)symbol_span(name, "("), name, clone ? clone : "");
}

/* Returns "a::Type::f", as people write it, for Rust's "<a::Type>::f", in new memory. Returns NULL for any other name, such as "<a::Type as Trait>::f". */
static char *inherent(const char *name)
{
	size_t n = name[0] == '<' ? 1 + symbol_span(name + 1, "> ") : 0;

	return n && str_starts(name + n, ">::") ? str_printf("%.*s%s", (int)n - 1, name + 1, name + n + 1) : NULL;
}

static bool is_called(const char *pattern, const char *name)
{
	return name && glob_match(pattern, name);
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * Returns the name without what people write in different ways: blanks that separate no words, and tags such as [abi:cxx11]. New memory; NULL when memory
 * runs out.
 */
static char *essence(const char *name)
{
	static const char tag[] = "[abi:";
	struct str s = { 0 };

	while (*name) {
		if (str_starts(name, tag) && strchr(name, ']')) {
			name = strchr(name, ']') + 1;
			continue;
		}
		if (*name != ' ' || (s.len && in_word(s.at[s.len - 1]) && in_word(name[1])))
			str_addc(&s, *name);
		name++;
	}
	return str_take(&s);
}

static bool name_matches(const char *pattern, const char *name, const char *demangled)
{
	__cleanup(free_ptr) char *wanted = demangled ? essence(pattern) : NULL;
	__cleanup(free_ptr) char *whole = demangled ? essence(demangled) : NULL;
	__cleanup(free_ptr) char *bare = whole ? without_parameters(whole) : NULL;
	__cleanup(free_ptr) char *rust = whole ? inherent(whole) : NULL;

	return is_called(pattern, name) || (wanted && (is_called(wanted, whole) || is_called(wanted, bare) || is_called(wanted, rust)));
}

struct collect {
	struct elf_file *elf;
	const char *pattern;
	elf_symbols_t *out;
	bool indirect; /* an IFUNC has this name */
};

static int collect(void *ctx, const char *name, const GElf_Sym *sym, GElf_Addr addr)
{
	struct collect *c = ctx;
	/* The version of a name such as f@@V1 is cut off, because nobody searches for it. */
	struct elf_symbol s = { .name = strndup(name, strcspn(name, "@")), .size = sym->st_size };

	if (!s.name)
		return -ENOMEM;
	s.demangled = elf_demangle(s.name);
	if (GELF_ST_TYPE(sym->st_info) == STT_GNU_IFUNC)
		c->indirect |= is_called(c->pattern, s.name);
	if (sym->st_shndx != SHN_UNDEF && GELF_ST_TYPE(sym->st_info) == STT_FUNC && name_matches(c->pattern, s.name, s.demangled) &&
	    elf_offset(c->elf, addr, &s.offset)) {
		bool known = false;

		vec_each (c->out, old)
			known |= old->offset == s.offset && strcmp(old->name, s.name) == 0;
		if (!known)
			return vec_push(c->out, s);
	}
	free(s.name);
	free(s.demangled);
	return 0;
}

int elf_functions(struct elf_file *elf, const char *pattern, elf_symbols_t *out)
{
	struct collect c = { .elf = elf, .pattern = pattern, .out = out };

	return each_function(elf, collect, &c);
}

/* --- one function, or why not -------------------------------------------------------------------------------- */

struct why {
	const char *name;
	bool indirect, imported;
	strv_t names;
};

static int look_why(void *ctx, const char *name, const GElf_Sym *sym, GElf_Addr addr __unused)
{
	struct why *w = ctx;
	__cleanup(free_ptr) char *plain = strndup(name, strcspn(name, "@"));
	__cleanup(free_ptr) char *demangled = plain ? elf_demangle(plain) : NULL;
	__cleanup(free_ptr) char *bare = demangled ? without_parameters(demangled) : NULL;

	if (!plain)
		return -ENOMEM;
	if (name_matches(w->name, plain, demangled)) {
		w->indirect |= GELF_ST_TYPE(sym->st_info) == STT_GNU_IFUNC;
		w->imported |= sym->st_shndx == SHN_UNDEF;
	}
	return sym->st_shndx == SHN_UNDEF ? 0 : strv_add(&w->names, bare ? bare : plain);
}

/* Returns true if @name is one of the choices of an indirect function, as "__memcpy_avx_unaligned" is for "memcpy". */
static bool is_choice(const char *name, const char *function)
{
	const char *at = strstr(name, function), *rest = at ? at + strlen(function) : "";

	return at && at > name && at[-1] == '_' && rest[0] == '_' && !strstr(rest, "ifunc") && !str_starts(rest, "_chk");
}

static int not_there(struct elf_file *elf, const struct probe_spec *spec)
{
	struct why w = { .name = spec->function };
	__cleanup(free_ptr) char *hint = NULL;
	strv_t like = { 0 };
	int err;

	each_function(elf, look_why, &w);
	if (w.indirect) {
		vec_each (&w.names, n)
			if (like.n < 4 && is_choice(*n, spec->function) && !strv_has(&like, *n))
				strv_add(&like, *n);
		hint = join_names(&like, ", such as ", "");
		err = fail(ENOTSUP,
			   "probe '%s': %s is an indirect function (IFUNC), chosen among several when a program starts; probe "
			   "what it chooses%s",
			   spec->text, spec->function, hint ? hint : "");
	} else if (w.imported) {
		err = fail(ENOTSUP, "probe '%s': %s only calls %s through its PLT; probe it in the library that has it (ldd %s lists them)", spec->text,
			   elf->path, spec->function, elf->path);
	} else if ((hint = dwarf_inlined(elf, spec->function))) {
		err = fail(ENOENT, "probe '%s': %s was inlined wherever %s calls it (%s); probe such a line, or a line of it, as FILE:SOURCE:LINE", spec->text,
			   spec->function, elf->path, hint);
	} else {
		nearest_names(spec->function, &w.names, 3, &like);
		hint = join_names(&like, "; did you mean ", "?");
		err = fail(ENOENT, "probe '%s': %s has no function '%s'%s", spec->text, elf->path, spec->function,
			   !w.names.n ? "; it is stripped, and no debug file for it was found"
			   : like.n   ? hint
				      : "; `ringside probe syms FILE GLOB` lists them");
	}
	strv_fini(&w.names);
	strv_fini(&like);
	return err;
}

static int several(const struct probe_spec *spec, const elf_symbols_t *found)
{
	struct str s = { 0 };
	int err;

	for (size_t i = 0; i < found->n && i < 6; i++)
		str_addf(&s, "%s%s at 0x%llx", i ? ", " : "", found->at[i].demangled ? found->at[i].demangled : found->at[i].name,
			 (unsigned long long)found->at[i].offset);
	err = fail(EINVAL, "probe '%s': %zu functions have this name (%s); write one of them in full, or its offset", spec->text, found->n, str_text(&s));
	str_fini(&s);
	return err;
}

static int place_function(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset)
{
	elf_symbols_t found = { 0 };
	struct collect c = { .elf = elf, .pattern = spec->function, .out = &found };
	bool same = true;
	int err = each_function(elf, collect, &c);

	vec_each (&found, s)
		same &= s->offset == found.at[0].offset;
	/* Beside an IFUNC there may be a function of the same name that old programs were linked with. It is not the one that is called today. */
	if (!err && (!found.n || c.indirect))
		err = not_there(elf, spec);
	else if (!err && !same)
		err = several(spec, &found);
	else if (!err && spec->offset && found.at[0].size && spec->offset >= found.at[0].size)
		err = fail(EINVAL, "probe '%s': %s is only %llu bytes long", spec->text, spec->function, (unsigned long long)found.at[0].size);
	if (!err)
		*offset = found.at[0].offset + spec->offset;
	elf_symbols_fini(&found);
	return err;
}

int elf_place(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset)
{
	GElf_Addr addr;

	if (spec->source)
		return elf_line(elf, spec, offset);
	if (spec->function)
		return place_function(elf, spec, offset);
	if (!elf_address(elf, spec->offset, &addr))
		return fail(EINVAL, "probe '%s': offset 0x%llx of %s is no code that gets loaded", spec->text, (unsigned long long)spec->offset, elf->path);
	*offset = spec->offset;
	return 0;
}

/* --- all that a glob matches ------------------------------------------------------------------------------------- */

/* Returns true for a part that the compiler has split off a function. It is no function. */
static bool is_split_off(const struct elf_symbol *s)
{
	return strstr(s->name, ".cold") || strstr(s->name, ".part.");
}

/* Returns true if the text is a glob. The name of a function can look like one: operator*, f(char const*). */
static bool glob_is_meant(const char *text, const elf_symbols_t *found)
{
	if (!glob_is(text) || strchr(text, '('))
		return false;
	vec_each (found, s) {
		__cleanup(free_ptr) char *whole = essence(s->demangled ? s->demangled : s->name);
		__cleanup(free_ptr) char *bare = whole ? without_parameters(whole) : NULL;

		if (bare && strcmp(bare, text) == 0)
			return false;
	}
	return true;
}

static int one_place(struct elf_file *elf, const struct probe_spec *spec, elf_symbols_t *out)
{
	struct elf_symbol s = { 0 };
	int err = elf_place(elf, spec, &s.offset);

	if (err)
		return err;
	s.name = strdup(spec->function ? spec->function : spec->source ? spec->source : "probe");
	err = s.name ? vec_push(out, s) : -ENOMEM;
	if (err)
		free(s.name);
	return err;
}

/* Keeps one symbol for each place. The others are names of the same code. */
static void keep_places(const struct probe_spec *spec, elf_symbols_t *found)
{
	size_t kept = 0;

	vec_each (found, s) {
		bool known = is_split_off(s) || (spec->offset && spec->offset >= s->size);

		for (size_t i = 0; i < kept; i++)
			known |= found->at[i].offset == s->offset + spec->offset;
		if (known) {
			free(s->name);
			free(s->demangled);
			continue;
		}
		s->offset += spec->offset;
		found->at[kept++] = *s;
	}
	found->n = kept;
}

int elf_places(struct elf_file *elf, const struct probe_spec *spec, unsigned int most, elf_symbols_t *out)
{
	int err = spec->function && glob_is(spec->function) ? elf_functions(elf, spec->function, out) : 0;

	if (err)
		return err;
	if (!spec->function || !out->n || !glob_is_meant(spec->function, out)) {
		elf_symbols_fini(out);
		*out = (elf_symbols_t){ 0 };
		return one_place(elf, spec, out);
	}
	keep_places(spec, out);
	if (out->n > most)
		return fail(E2BIG, "probe '%s' matches %zu functions and at most %u are armed; narrow the glob, or raise --max-probes", spec->text, out->n,
			    most);
	return out->n ? 0 : fail(ENOENT, "probe '%s': %s has no function that matches '%s'", spec->text, elf->path, spec->function);
}

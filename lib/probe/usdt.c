/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds USDT probes, which a program was compiled with, from its notes of type stapsdt. A note holds three addresses and three strings. The addresses are
 * the probe, the base that they were linked for, and the semaphore. The strings are the provider, the name and the arguments. systemtap's wiki page
 * UserSpaceProbeImplementation describes the layout. An argument is SIZE@OPERAND in the assembler's syntax. A negative size means a signed number.
 */
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/probe/elf-file.h"

#include <ctype.h>

enum { NOTE_TYPE = 3 };

void usdts_fini(usdts_t *v)
{
	vec_each (v, u) {
		free(u->provider);
		free(u->name);
		fetches_fini(&u->args);
	}
	vec_fini(v);
}

/* Returns the kernel's name of an x86-64 register: "%rdi", "%edi" and "%dil" are parts of "%di", and "%r8d" is a part of "%r8". NULL: the name is not known. */
static const char *x86_register(const char *name, size_t len)
{
	static const struct {
		const char *spellings, *kernel;
	} rows[] = {
		{ " rax eax ax al ", "%ax" },	    { " rbx ebx bx bl ", "%bx" },	{ " rcx ecx cx cl ", "%cx" },	    { " rdx edx dx dl ", "%dx" },
		{ " rsi esi si sil ", "%si" },	    { " rdi edi di dil ", "%di" },	{ " rbp ebp bp bpl ", "%bp" },	    { " rsp esp sp spl ", "%sp" },
		{ " r8 r8d r8w r8b ", "%r8" },	    { " r9 r9d r9w r9b ", "%r9" },	{ " r10 r10d r10w r10b ", "%r10" }, { " r11 r11d r11w r11b ", "%r11" },
		{ " r12 r12d r12w r12b ", "%r12" }, { " r13 r13d r13w r13b ", "%r13" }, { " r14 r14d r14w r14b ", "%r14" }, { " r15 r15d r15w r15b ", "%r15" },
	};
	char word[8];

	if (len == 0 || len > 5)
		return NULL;
	word[0] = ' ';
	memcpy(word + 1, name, len);
	word[len + 1] = ' ';
	word[len + 2] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strstr(rows[i].spellings, word))
			return rows[i].kernel;
	return NULL;
}

/* Translates "%rdi", "$-5", "-8(%rbp)" or "(%rax)". Returns false when the operand cannot be fetched (an index, a symbol). */
static bool x86_operand(const char *op, struct str *out)
{
	const char *reg = NULL;
	size_t len;
	char *end;
	long long number;

	if (op[0] == '%') {
		reg = x86_register(op + 1, strlen(op + 1));
		str_add(out, reg ? reg : "");
		return reg != NULL;
	}
	number = strtoll(op + (op[0] == '$'), &end, 0);
	if (op[0] == '$') {
		str_addf(out, "\\%lld", number);
		return *end == '\0';
	}
	if (end[0] != '(' || end[1] != '%')
		return false;
	len = strcspn(end + 2, ",)");
	reg = end[2 + len] == ')' && end[3 + len] == '\0' ? x86_register(end + 2, len) : NULL;
	str_addf(out, "%+lld(%s)", number, reg ? reg : "");
	return reg != NULL;
}

/* Translates "x1", "w1", "[sp, 16]", "[x29]" or "12". Returns false when the operand cannot be fetched. */
static bool arm64_operand(const char *op, struct str *out)
{
	char reg[4] = "", comma = 0;
	long long number = 0;
	char *end;
	size_t len;

	if (op[0] == '[') {
		len = strcspn(op + 1, ",]");
		comma = op[1 + len];
		if (len == 0 || len > 3)
			return false;
		memcpy(reg, op + 1, len);
		if (comma == ',') {
			number = strtoll(op + 2 + len, &end, 0);
			if (*end != ']')
				return false;
		}
		str_addf(out, "%+lld(%%%s)", number, reg);
		return reg[0] == 'x' || strcmp(reg, "sp") == 0;
	}
	if (op[0] == 'x' || op[0] == 'w') {
		str_addf(out, "%%x%s", op + 1);
		return isdigit((unsigned char)op[1]);
	}
	number = strtoll(op, &end, 0);
	str_addf(out, "\\%lld", number);
	return end != op && *end == '\0';
}

/* Finds the type and the text of an argument such as "-4@%edi". The text is NULL when the argument cannot be fetched. */
static int parse_argument(const struct elf_file *elf, const char *word, size_t number, struct fetch *out)
{
	struct str text = { 0 };
	char *at;
	long size = strtol(word, &at, 10), bytes = size < 0 ? -size : size;
	bool known = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;

	*out = (struct fetch){ .name = str_printf("arg%zu", number) };
	if (!out->name)
		return -ENOMEM;
	/* An argument without a size (old notes) is a whole register. "8f@" is a floating-point number. */
	if (at == word)
		at = (char *)word - 1;
	else if (*at != '@' || !known)
		return 0;
	if (elf->machine == EM_X86_64 ? x86_operand(at + 1, &text) : elf->machine == EM_AARCH64 ? arm64_operand(at + 1, &text) : false) {
		out->text = str_take(&text);
		out->type = str_printf("%c%ld", size < 0 ? 's' : 'u', (known ? bytes : 8) * 8);
	}
	str_fini(&text);
	return 0;
}

/* Blanks separate arguments, except inside the brackets of an arm64 operand. */
static int parse_arguments(const struct elf_file *elf, const char *text, fetches_t *out)
{
	int err = 0;

	while (!err && *(text += strspn(text, " "))) {
		size_t n = 0;
		int depth = 0;
		struct fetch f;
		__cleanup(free_ptr) char *word = NULL;

		for (; text[n] && (depth || text[n] != ' '); n++)
			depth += text[n] == '[' ? 1 : text[n] == ']' ? -1 : 0;
		word = strndup(text, n);
		err = word ? parse_argument(elf, word, out->n + 1, &f) : -ENOMEM;
		err = err ? err : vec_push(out, f);
		text += n;
	}
	return err;
}

/* Parses the description of one note: three addresses, then three strings, all within @size bytes. */
static int parse_note(const struct elf_file *elf, const char *desc, size_t size, GElf_Addr base, const char *provider, const char *name, usdts_t *out)
{
	size_t word = gelf_getclass(elf->elf) == ELFCLASS32 ? 4 : 8, left;
	GElf_Addr addr[3] = { 0 };
	const char *strings[3];
	struct usdt u = { 0 };
	int err;

	if (size < 3 * word + 3)
		return 0;
	/* The addresses are in the file's byte order. Only programs in our own byte order can be probed here. */
	for (size_t i = 0; i < 3; i++)
		memcpy(&addr[i], desc + i * word, word);
	desc += 3 * word;
	left = size - 3 * word;
	for (size_t i = 0; i < 3; i++) {
		size_t n = strnlen(desc, left);

		if (n == left)
			return 0;
		strings[i] = desc;
		desc += n + 1;
		left -= n + 1;
	}
	if ((provider && !glob_match(provider, strings[0])) || (name && !glob_match(name, strings[1])))
		return 0;
	/* If the base lies elsewhere now, the file was prelinked. */
	if (!elf_offset(elf, addr[0] + (base ? base - addr[1] : 0), &u.offset))
		return 0;
	if (addr[2] && !elf_offset(elf, addr[2] + (base ? base - addr[1] : 0), &u.semaphore))
		u.semaphore = 0;
	u.provider = strdup(strings[0]);
	u.name = strdup(strings[1]);
	err = u.provider && u.name ? parse_arguments(elf, strings[2], &u.args) : -ENOMEM;
	err = err ? err : vec_push(out, u);
	if (err) {
		free(u.provider);
		free(u.name);
		fetches_fini(&u.args);
	}
	return err;
}

static int parse_section(const struct elf_file *elf, Elf_Data *data, GElf_Addr base, const char *provider, const char *name, usdts_t *out)
{
	size_t at = 0, next, name_at, desc_at;
	GElf_Nhdr note;
	int err = 0;

	while (!err && (next = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0) {
		const char *bytes = data->d_buf;

		if (note.n_type == NOTE_TYPE && note.n_namesz == 8 && memcmp(bytes + name_at, "stapsdt", 8) == 0)
			err = parse_note(elf, bytes + desc_at, note.n_descsz, base, provider, name, out);
		at = next;
	}
	return err;
}

int elf_usdts(struct elf_file *elf, const char *provider, const char *name, usdts_t *out)
{
	Elf_Scn *section = NULL, *notes = NULL;
	GElf_Addr base = 0;
	size_t names;

	if (elf_getshdrstrndx(elf->elf, &names))
		return fail(ENOEXEC, "%s has no section names: %s", elf->path, elf_errmsg(-1));
	while ((section = elf_nextscn(elf->elf, section))) {
		GElf_Shdr header;
		const char *its = gelf_getshdr(section, &header) ? elf_strptr(elf->elf, names, header.sh_name) : NULL;

		if (its && strcmp(its, ".stapsdt.base") == 0)
			base = header.sh_addr;
		else if (its && strcmp(its, ".note.stapsdt") == 0)
			notes = section;
	}
	if (!notes || !elf_getdata(notes, NULL))
		return 0;
	return parse_section(elf, elf_getdata(notes, NULL), base, provider, name, out);
}

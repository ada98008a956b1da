/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the places of source lines in a file. */
#include "lib/base/err.h"
#include "lib/probe/elf-file.h"
#include "lib/probe/place.h"

/* Returns true if @path ends with @wanted, compared by whole components. */
static bool is_source(const char *path, const char *wanted)
{
	size_t n = strlen(path), m = strlen(wanted);

	return n >= m && strcmp(path + n - m, wanted) == 0 && (n == m || path[n - m - 1] == '/');
}

struct line_search {
	const struct probe_spec *spec;
	bool found;
	GElf_Addr addr; /* the lowest address of the line, in the file's own addresses */
	bool source_seen;
	unsigned int before, after; /* the nearest lines before and after it that have code */
	strv_t sources;
};

static void look_at(struct line_search *s, const char *path, int number, Dwarf_Addr addr)
{
	unsigned int line = number > 0 ? (unsigned int)number : 0;

	if (!is_source(path, s->spec->source)) {
		const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

		if (!strv_has(&s->sources, name))
			strv_add(&s->sources, name);
		return;
	}
	s->source_seen = true;
	if (line == s->spec->line) {
		if (!s->found || addr < s->addr)
			s->addr = addr;
		s->found = true;
	} else if (line && line < s->spec->line) {
		s->before = MAX(s->before, line);
	} else if (line) {
		s->after = s->after ? MIN(s->after, line) : line;
	}
}

static void search_unit(struct line_search *s, const struct elf_file *elf, Dwarf_Die *unit, GElf_Addr bias)
{
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		const char *path = dwarf_linesrc(line, NULL, NULL);
		Dwarf_Addr addr;
		bool statement = false, end = false;
		int number;

		if (!path || dwarf_lineno(line, &number) || dwarf_lineaddr(line, &addr) || dwarf_linebeginstatement(line, &statement) ||
		    dwarf_lineendsequence(line, &end) || !statement || end)
			continue;
		look_at(s, path, number, addr + bias - elf->bias);
	}
}

static int no_line(const struct elf_file *elf, const struct line_search *s)
{
	const struct probe_spec *spec = s->spec;
	__cleanup(free_ptr) char *near = NULL;

	if (!s->source_seen && !s->sources.n)
		return fail(ENODATA, "probe '%s': %s has no debug information, so source lines are unknown; compile with -g, or install it", spec->text,
			    elf->path);
	if (!s->source_seen) {
		near = place_suggestion(spec->source, strlen(spec->source), &s->sources);
		return fail(ENOENT, "probe '%s': %s was not made from a source file '%s'%s", spec->text, elf->path, spec->source, near ? near : "");
	}
	if (s->before && s->after)
		return fail(ENOENT, "probe '%s': line %u has no code; the nearest that have are %u and %u", spec->text, spec->line, s->before, s->after);
	return fail(ENOENT, "probe '%s': line %u has no code; the nearest that has is %u", spec->text, spec->line, s->before ? s->before : s->after);
}

static void search(struct line_search *s, struct elf_file *elf)
{
	Dwarf_Die *unit = NULL;
	GElf_Addr bias;

	while ((unit = dwfl_module_nextcu(elf->module, unit, &bias)))
		search_unit(s, elf, unit, bias);
}

int elf_line(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset)
{
	struct line_search s = { .spec = spec };
	int err = 0;

	search(&s, elf);
	if (!s.found)
		err = no_line(elf, &s);
	else if (!elf_offset(elf, s.addr, offset))
		err = fail(ENOENT, "probe '%s': the code of line %u is not in the file", spec->text, spec->line);
	strv_fini(&s.sources);
	return err;
}

char *elf_line_of(struct elf_file *elf, uint64_t offset)
{
	struct probe_spec spec = { 0 };
	struct line_search s = { .spec = &spec };
	Dwfl_Line *line;
	const char *path;
	GElf_Addr addr;
	int number = 0;

	if (!elf_address(elf, offset, &addr))
		return NULL;
	line = dwfl_module_getsrc(elf->module, addr + elf->bias);
	path = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
	if (!path || number <= 0)
		return NULL;
	spec.source = (char *)(strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	spec.line = (unsigned int)number;
	search(&s, elf);
	strv_fini(&s.sources);
	return s.found && s.addr == addr ? str_printf("%s:%d", spec.source, number) : NULL;
}

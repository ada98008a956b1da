/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out where instructions begin. A probe in the middle of an instruction turns it into another one, which kills the program. */
#include "lib/base/err.h"
#include "lib/base/library.h"
#include "lib/probe/elf-file.h"

#include <capstone/capstone.h>
#include <inttypes.h>

enum { LONGEST = 16 };

/*
 * The functions of capstone that are called. capstone is not linked, because its tables would be relocated at each start of the program. That takes more
 * time than everything else in the start.
 */
#define CAPSTONE_CALLS(call) call(open) call(malloc) call(disasm_iter) call(free) call(close)

struct capstone_calls {
#define CAPSTONE_POINTER(name) __typeof__(&cs_##name) name;
	CAPSTONE_CALLS(CAPSTONE_POINTER)
};

static const struct library_call capstone_rows[] = {
#define CAPSTONE_ROW(name) { "cs_" #name, offsetof(struct capstone_calls, name) },
	CAPSTONE_CALLS(CAPSTONE_ROW){ NULL },
};

#define AS_TEXT(number) AS_TEXT_(number)
#define AS_TEXT_(number) #number
#define CAPSTONE_MAJOR AS_TEXT(CS_API_MAJOR)

/* The latest known address, at or before @addr, at which an instruction begins. */
struct beginning {
	GElf_Addr addr, at; /* addresses of the module; .at is 0 when none is known */
	bool function;	    /* @addr is a function's first byte */
};

static void known_at(struct beginning *b, GElf_Addr at)
{
	if (at <= b->addr && at > b->at)
		b->at = at;
}

static void by_symbols(struct elf_file *elf, struct beginning *b)
{
	int n = dwfl_module_getsymtab(elf->module);

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr at;

		if (!dwfl_module_getsym_info(elf->module, i, &sym, &at, NULL, NULL, NULL) || sym.st_shndx == SHN_UNDEF || GELF_ST_TYPE(sym.st_info) != STT_FUNC)
			continue;
		b->function |= at == b->addr;
		if (at == b->addr || (at < b->addr && b->addr - at < sym.st_size))
			known_at(b, at);
	}
}

/* Looks in the tables for unwinding and for source lines. Each of their rows begins with an instruction. */
static void by_tables(struct elf_file *elf, struct beginning *b)
{
	Dwfl_Line *line = dwfl_module_getsrc(elf->module, b->addr);
	Dwarf_Addr low, high;
	GElf_Addr bias, at;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(elf->module, &bias);
	Dwarf_Frame *frame = NULL;

	if (line && dwfl_lineinfo(line, &at, NULL, NULL, NULL, NULL))
		known_at(b, at);
	if (cfi && dwarf_cfi_addrframe(cfi, b->addr - bias, &frame) == 0 && dwarf_frame_info(frame, &low, &high, NULL) >= 0)
		known_at(b, low + bias);
	free(frame);
}

/*
 * Decodes the code from @b->at on. Returns
 * - 1 when an instruction begins at @b->addr,
 * - 0 when the instruction at *@inside goes across @b->addr,
 * - -ENODATA when that is not known,
 * - -ENOSYS after a message when there is no capstone.
 */
static int decode(struct elf_file *elf, const struct beginning *b, GElf_Addr *inside)
{
	uint64_t from, address = b->at;
	const uint8_t *code;
	Elf_Data *data;
	size_t left;
	char why[LIBRARY_WHY];
	struct capstone_calls call;
	csh engine;
	cs_insn *insn;
	int found = -ENODATA;

	if (!elf_offset(elf, b->at - elf->bias, &from))
		return -ENODATA;
	left = (size_t)(b->addr - b->at) + LONGEST;
	data = elf_getdata_rawchunk(elf->elf, (int64_t)from, left, ELF_T_BYTE);
	if (!data)
		data = elf_getdata_rawchunk(elf->elf, (int64_t)from, left -= LONGEST - 1, ELF_T_BYTE);
	if (library_load("libcapstone.so." CAPSTONE_MAJOR, capstone_rows, &call, why))
		return fail(ENOSYS,
			    "%s; Debian's package libcapstone" CAPSTONE_MAJOR " has it, and without it --force must be given for a probe inside of a function",
			    why);
	if (!data || call.open(CS_ARCH_X86, elf->machine == EM_386 ? CS_MODE_32 : CS_MODE_64, &engine))
		return -ENODATA;
	insn = call.malloc(engine);
	code = data->d_buf;
	while (insn && found == -ENODATA && address <= b->addr) {
		*inside = address;
		if (address == b->addr)
			found = 1;
		else if (!call.disasm_iter(engine, &code, &left, &address, insn))
			break;
		else if (address > b->addr)
			found = 0;
	}
	if (insn)
		call.free(insn, 1);
	call.close(&engine);
	return found;
}

static int begins_here(struct elf_file *elf, const struct beginning *b, GElf_Addr *inside)
{
	*inside = b->addr & ~UINT64_C(3);
	if (elf->machine == EM_AARCH64)
		return *inside == b->addr;
	if (elf->machine != EM_X86_64 && elf->machine != EM_386)
		return -ENODATA;
	return b->at ? decode(elf, b, inside) : -ENODATA;
}

int elf_check_instruction(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret)
{
	struct beginning b = { 0 };
	GElf_Addr addr, inside = 0;
	uint64_t begin = 0;
	int begins;

	if (!elf_address(elf, offset, &addr))
		return 0;
	b.addr = addr + elf->bias;
	by_symbols(elf, &b);
	if (b.function)
		return 0;
	if (ret && (spec->offset || spec->source))
		return fail(EINVAL,
			    "probe '%s': 0x%" PRIx64 " is not where a function begins, and a return probe elsewhere kills the program; "
			    "name the function, or give --force if it is one without a symbol",
			    spec->text, offset);
	if (spec->source)
		return 0;
	by_tables(elf, &b);
	begins = begins_here(elf, &b, &inside);
	if (begins == 1)
		return 0;
	if (begins == -ENOSYS)
		return begins;
	if (begins < 0 || !elf_offset(elf, inside - elf->bias, &begin))
		return fail(EINVAL,
			    "probe '%s': whether an instruction begins at 0x%" PRIx64 " cannot be told, and a probe inside of one kills the "
			    "program; give --force if you know it",
			    spec->text, offset);
	return fail(EINVAL,
		    "probe '%s': 0x%" PRIx64 " is %" PRIu64 " bytes inside the instruction that begins at 0x%" PRIx64 ", and a probe there "
		    "kills the program; probe 0x%" PRIx64 ", or give --force if you know better",
		    spec->text, offset, offset - begin, begin, begin);
}

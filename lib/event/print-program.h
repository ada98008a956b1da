/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the parts of a print program (lib/event/print.h), which writes the text of an event's record. Only lib/event/print*.c use this.
 *
 * A program is a list of steps. Each step writes a piece of the text. A step that prints a number takes the number from a field or from an expression. An
 * expression is a list of instructions for a stack machine. Numbers are 64 bits wide and unsigned, as in libtraceevent. C promotes signed numbers of 1 and 2
 * bytes to int, so fields of these types are extended with their sign. Other fields are not extended. Before a number is printed, it is cut to the size that
 * the conversion names (4 bytes for %d, 1 byte for %hhd).
 *
 * Nothing beyond the end of a record is read, even if the record contains wrong offsets. A step that needs bytes beyond the end does one of three things.
 * It takes zeros for these bytes (record_copy()), it takes the whole number as 0 (record_number()), or it prints less.
 */
#ifndef RINGSIDE_PRINT_PROGRAM_H
#define RINGSIDE_PRINT_PROGRAM_H

#include "lib/base/digits.h"
#include "lib/base/vec.h"
#include "lib/event/print.h"

#define SLACK 48	   /* put_short() (lib/base/digits.h) reads and writes at least this many bytes, even for a shorter text */
#define EVAL_DEPTH 32	   /* at most this many numbers are on the stack of an expression */
#define MOST_WIDTH 4096	   /* if a record gives a larger width or precision (%*d), this value is used */
#define NO_EXPR UINT32_MAX /* stands in place of the index of an expression when there is none */

/* The comments write @NAME for a member of struct insn. */
enum insn_code {
	INSN_END,
	INSN_NUMBER,	 /* push @imm */
	INSN_FIELD,	 /* push the number that is stored in the @size bytes at @offset; it is 0 if the record ends before the number's end */
	INSN_CUT_FIELD,	 /* as INSN_FIELD, but if the record ends before the number's end, only the missing bytes are 0 */
	INSN_DYN_LEN,	 /* push the length of the dynamic array of the field at @offset */
	INSN_INDEX,	 /* pop i; push element i of the array at @offset, whose elements have @size bytes */
	INSN_DYN_INDEX,	 /* pop i; push the number in the @imm bytes at byte i of a dynamic array; the array belongs to the field at @offset */
	INSN_JUMP_ZERO,	 /* pop a number; if it is 0, go on at instruction @imm */
	INSN_JUMP,	 /* go on at instruction @imm */
	INSN_NOT,	 /* ! */
	INSN_COMPLEMENT, /* ~ */
	INSN_EXTEND,	 /* sign-extend a number from @size bytes to 64 bits */
	/*
	 * From here on, a code pops two operands, first the right one and then the left one. If @has_imm is true, the code pops only the left operand,
	 * and the right operand is @imm.
	 */
	INSN_ADD,
	INSN_SUB,
	INSN_MUL,
	INSN_DIV,
	INSN_MOD,
	INSN_AND,
	INSN_OR,
	INSN_XOR,
	INSN_SHL,
	INSN_SHR,
	INSN_EQ,
	INSN_NE,
	INSN_LT,
	INSN_LE,
	INSN_GT,
	INSN_GE,
	INSN_BOTH,   /* && */
	INSN_EITHER, /* || */
};

struct insn {
	uint8_t code; /* enum insn_code */
	uint8_t size;
	bool relative; /* INSN_DYN_...: the offset that the field stores is relative to the end of the field */
	bool has_imm;
	uint32_t offset;
	uint64_t imm;
};

/*
 * The comments write @NAME for a member of struct step. A member that the comments call an expression is an index into program->insns. The instructions that
 * calculate the value begin at this index. The pool is program->pool, and entries are in program->entries. In the struct step of a STEP_FLAGS, @flag is 1 if
 * one of the step's entries has a negative value. Such an entry is printed in two cases: the value of the field is 0, or the entries before this entry have
 * named all bits of the value.
 */
enum step_code {
	STEP_END,
	STEP_TEXT,	    /* the @count bytes that begin at byte @table of the pool */
	STEP_PADDED_TEXT,   /* as STEP_TEXT, but padded as @spec says */
	STEP_DECIMAL,	    /* a number, cut to @width bytes: %d */
	STEP_UNSIGNED,	    /* %u */
	STEP_HEX,	    /* %x */
	STEP_NUMBER,	    /* any other conversion of whole numbers, as @spec says */
	STEP_POINTER,	    /* %p */
	STEP_SYMBOL,	    /* the name of the function at an address; @flag: enum symbol_style */
	STEP_STRING,	    /* the string in a field of @count bytes (0: the field reaches to the end of the record) */
	STEP_STRING_16,	    /* the string in a field of 16 bytes, such as the name of a task; it is printed without padding */
	STEP_DYN_STRING,    /* the string that a field of @size bytes at @offset points to */
	STEP_KERNEL_STRING, /* the kernel's constant string (lib/event/printk.h) whose address is in the field */
	STEP_FLAGS,	    /* __print_flags: entry @table is the delimiter, and @count entries follow it; @flag: see above */
	STEP_SYMBOLIC,	    /* __print_symbolic: @count entries from entry @table on, sorted by value; @flag: nothing is printed for a value without an entry */
	STEP_BYTES,	    /* __print_hex: @count is the expression of the length; @flag: blanks between the bytes */
	STEP_ARRAY,	    /* __print_array: @count is the expression of the number of elements; @table is the expression of their size */
	STEP_BITMASK,
	STEP_CPULIST,
	STEP_MAC, /* @flag: enum mac_style */
	STEP_IP4, /* @flag: bits of enum ip_style */
	STEP_IP6,
	STEP_SOCKADDR,
	STEP_UUID,	 /* @flag: bits of enum uuid_style */
	STEP_BUFFER,	 /* %ph: @count is the expression of the length or NO_EXPR; @flag: the separator, or 0 */
	STEP_RAW_STRING, /* a string, or its bytes in hexadecimal when it is not printable, for PRINT_FIELDS and PRINT_RAW */
	STEP_RAW_BYTES,
	STEP_BINARY,	/* trace_printk()'s values, at @offset; the address of their format is in the field of @size bytes at the offset @table */
	STEP_JUMP_ZERO, /* go on at step @table if the number from the field or from @expr is 0 */
	STEP_JUMP,	/* go on at step @table */
};

/*
 * SYMBOL_NAME prints what %ps prints, and SYMBOL_OFFSET what %pS prints. The other two are for events that libtraceevent's plug-ins print. SYMBOL_CALL_SITE
 * prints "(name+0x1f) ". When there is no name, it prints nothing. SYMBOL_SLASH prints " function=name/0x1f".
 */
enum symbol_style { SYMBOL_NAME, SYMBOL_OFFSET, SYMBOL_CALL_SITE, SYMBOL_SLASH };
enum mac_style { MAC_COLONS, MAC_DASHES = 1, MAC_PLAIN = 2, MAC_REVERSED = 4 };
enum ip_style { IP_SMALL_I = 1, IP_REVERSED = 2, IP_PORT = 4, IP_COMPRESSED = 8 };
enum uuid_style { UUID_UPPER = 1, UUID_GUID = 2 };

/*
 * This tells where a step finds the bytes that it prints. They are in the field itself (PLACE_FIELD), or in the dynamic array to which the field points.
 * PLACE_DYNAMIC is for fields with __data_loc, and PLACE_RELATIVE is for fields with __rel_loc.
 */
enum place { PLACE_FIELD, PLACE_DYNAMIC, PLACE_RELATIVE };

struct step {
	uint8_t code;  /* enum step_code */
	uint8_t size;  /* the size of the field at .offset, in bytes; in a step that prints a number, 0 means that .expr calculates the number */
	uint8_t width; /* the number is cut to this many bytes before it is printed */
	uint8_t place; /* enum place */
	uint8_t flag;  /* for .flag, .count and .table see enum step_code */
	uint16_t spec; /* index into program->specs; 0: a conversion without flags, width and precision */
	union {
		uint32_t offset; /* where the field is in the record */
		uint32_t expr;	 /* the expression of the number */
	};
	uint32_t count;
	uint32_t table;
};

/* This is a conversion: what stands between its '%' and its letter. */
struct spec {
	bool left, plus, zero, alternate;
	bool is_signed, upper;
	uint8_t base;		 /* 8, 10, 16; 0: %c */
	int width;		 /* the least number of characters to print */
	int precision;		 /* -1: none */
	uint32_t width_expr;	 /* the expression of a width that an argument gives (%*d); NO_EXPR: there is none */
	uint32_t precision_expr; /* the expression of a precision that an argument gives (%.*d); NO_EXPR: there is none */
};

/* This is a row of __print_flags or __print_symbolic: a value and the text that is printed for it. */
struct entry {
	int64_t value;
	uint32_t text; /* the offset of the text in the pool */
	uint32_t len;  /* the length of the text */
};

struct print_program {
	struct print_env env;
	bool swap;   /* the recorded machine's byte order is not ours */
	size_t room; /* the sum of what the steps of known length write, in bytes */
	VEC(struct step) steps;
	VEC(struct insn) insns;
	VEC(struct spec) specs;
	VEC(struct entry) entries;
	struct str pool;
};

/* This is the state of a program while it prints a record. */
struct printer {
	const struct print_program *program;
	const uint8_t *data;
	size_t size;
	/* At every offset below .plain_end, 8 bytes can be loaded as they are. .plain_end is 0 if the recorded machine or this machine is big-endian. */
	size_t plain_end;
	char *at;  /* where the next byte of the text goes */
	char *end; /* the end of the room for the text; at least program->room bytes of this room stay free for the steps of known length */
	struct str *out;
};

/* Makes room for @n more bytes. Returns false when memory runs out. After false the caller must not write these bytes. */
bool printer_grow(struct printer *p, size_t n);

static inline bool printer_room(struct printer *p, size_t n)
{
	return likely((size_t)(p->end - p->at) >= n + p->program->room) || printer_grow(p, n);
}

static inline void print_bytes(struct printer *p, const char *bytes, size_t n)
{
	if (printer_room(p, n)) {
		memcpy(p->at, bytes, n);
		p->at += n;
	}
}

/* Returns true if all of the @n bytes at @offset are inside the record. */
static inline bool record_has(const struct printer *p, uint64_t offset, uint64_t n)
{
	return offset <= p->size && n <= p->size - offset;
}

static inline uint64_t number_at(const struct print_program *program, const uint8_t *at, int size)
{
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	switch (size) {
	case 1:
		return *at;
	case 2:
		memcpy(&v16, at, sizeof(v16));
		return unlikely(program->swap) ? __builtin_bswap16(v16) : v16;
	case 4:
		memcpy(&v32, at, sizeof(v32));
		return unlikely(program->swap) ? __builtin_bswap32(v32) : v32;
	case 8:
		memcpy(&v64, at, sizeof(v64));
		return unlikely(program->swap) ? __builtin_bswap64(v64) : v64;
	}
	return 0;
}

/* Returns the number that is stored in the @size bytes at @offset, or 0 when these bytes are not all inside the record. */
static inline uint64_t record_number(const struct printer *p, uint64_t offset, int size)
{
	return likely(record_has(p, offset, size)) ? number_at(p->program, p->data + offset, size) : 0;
}

/* Returns what record_number() returns, but faster. The field must have 1, 2, 4 or 8 bytes. */
static inline uint64_t record_field(const struct printer *p, uint32_t offset, int size)
{
	int unused = 64 - size * 8;
	uint64_t value;

	if (unlikely(offset >= p->plain_end))
		return record_number(p, offset, size);
	memcpy(&value, p->data + offset, sizeof(value));
	return value << unused >> unused;
}

/* Copies @n bytes from @offset. Bytes beyond the end of the record become zeros. */
static inline void record_copy(const struct printer *p, uint64_t offset, void *to, size_t n)
{
	size_t have = offset < p->size ? MIN(n, p->size - offset) : 0;

	memcpy(to, p->data + (have ? offset : 0), have);
	memset((char *)to + have, 0, n - have);
}

/*
 * This tells where the dynamic array of a field is. The field stores the array's offset and length. (A field of 2 bytes stores only the offset, and the
 * array reaches to the record's end.) dynamic_extent() makes two checks:
 *  - If the stored offset is beyond the record's end, the offset is taken as 0.
 *  - If offset plus length is beyond the record's end, the length is taken as 0.
 * @relative is true for a __rel_loc field. Such a field stores an offset that is relative to the field's end. The two checks are made with this offset. After
 * the checks, the offset is turned into an offset in the record. So the array of a __rel_loc field may reach beyond the record's end. If the field itself is
 * not inside the record, .offset and .len are 0.
 */
struct extent {
	uint32_t offset, len;
};
struct extent dynamic_extent(const struct printer *p, uint32_t offset, int size, bool relative);

/*
 * Returns where the step finds the bytes that it prints. If step->place is PLACE_FIELD, these are the @field_len bytes at step->offset. The bytes are cut
 * off at the end of the record.
 */
struct extent step_extent(const struct printer *p, const struct step *step, uint32_t field_len);

/* Writes "0x" and the digits, at most 18 bytes, and returns where the text ends. */
static inline char *put_0x(char *at, uint64_t value)
{
	memcpy(at, "0x", 2);
	return put_hex(at + 2, value);
}

/* These two functions are in print-eval.c. */
uint64_t eval(const struct printer *p, uint32_t expr);
uint64_t eval_binary(enum insn_code code, uint64_t left, uint64_t right);

static inline uint64_t step_number(const struct printer *p, const struct step *step)
{
	return step->size ? record_field(p, step->offset, step->size) : eval(p, step->expr);
}

/* These three functions are in print-number.c. @width is the size in bytes to which print_number() cuts the number. */
void print_number(struct printer *p, const struct spec *spec, uint64_t value, int width);
void print_padded(struct printer *p, uint16_t spec, const char *bytes, size_t n);
void print_padded_as(struct printer *p, const struct spec *spec, const char *bytes, size_t n);

/* These two functions are in print-run.c. */
void print_symbol(struct printer *p, uint64_t addr, enum symbol_style style);
void print_pointer(struct printer *p, uint64_t value);

/* These functions, up to print_raw_bytes(), are in print-data.c. */
void print_flags(struct printer *p, const struct step *step);
void print_symbolic(struct printer *p, const struct step *step);
void print_hex_bytes(struct printer *p, const struct step *step);
void print_array(struct printer *p, const struct step *step);
void print_bitmask(struct printer *p, const struct step *step);
void print_cpulist(struct printer *p, const struct step *step);
void print_raw_string(struct printer *p, const struct step *step);
void print_raw_bytes(struct printer *p, const struct step *step);

/* This function is in print-binary.c. */
void print_binary(struct printer *p, const struct step *step);

/* These functions, up to print_buffer(), are in print-net.c. */
void print_mac(struct printer *p, const struct step *step);
void print_ip4(struct printer *p, const struct step *step);
void print_ip6(struct printer *p, const struct step *step);
void print_sockaddr(struct printer *p, const struct step *step);
void print_uuid(struct printer *p, const struct step *step);
void print_buffer(struct printer *p, const struct step *step);

/* This is a program that is being compiled. Once .err is set, nothing is added any more. */
struct compiler {
	struct print_program *program;
	const struct tep_event *event;
	int err;
	const char *why;
	int depth;	     /* how deeply the arguments are nested */
	uint16_t short_spec; /* the index in program->specs of the %2d that print-fields.c uses for signed fields of 2 bytes */
	uint32_t text_from;  /* the index of the step to which the last jump leads; a text at this index is not joined to the text before it */
};

struct tep_print_arg;
struct tep_format_field;

/* Stores @err and its reason @why, a constant text. Does nothing if there was an error before. */
void give_up(struct compiler *c, int err, const char *why);

/* The functions up to named_field() are in print-expr.c. compile_expr() compiles a number and returns the index of its first instruction. */
uint32_t compile_expr(struct compiler *c, const struct tep_print_arg *arg);
void compile_number(struct compiler *c, struct step *step, const struct tep_print_arg *arg);
uint32_t compile_cut_field(struct compiler *c, const struct tep_format_field *f);
/* Makes @step print the bits of @mask in a field. When @equal is not NULL, the step prints 1 if these bits are equal to *@equal, and otherwise 0. */
void compile_masked(struct compiler *c, struct step *step, const struct tep_format_field *f, uint64_t mask, const uint64_t *equal);
const struct tep_format_field *arg_field(const struct compiler *c, const struct tep_print_arg *arg);
const struct tep_format_field *named_field(const struct compiler *c, const char *name);

/* Compiles what %s prints. This function is in print-string.c. */
void compile_string(struct compiler *c, const struct tep_print_arg *arg, uint16_t spec);
/* Appends a value and its name to program->entries. */
void add_entry(struct compiler *c, int64_t value, const char *text);

/* Compiles what %p and the letters after it (@letters) print. @len is the argument for the * of %*ph, or NULL. This function is in print-pointer.c. */
void compile_pointer(struct compiler *c, const struct tep_print_arg *arg, const char *letters, const struct tep_print_arg *len);

/* Compiles bprint, the event of trace_printk(). This function is in print-binary.c. */
void compile_binary(struct compiler *c);

/*
 * Each of these functions reads a part of a format and returns where the format goes on. conversion_flags() reads the flags of a conversion. conversion_longs()
 * reads the letters of a conversion that tell the size of the argument. An h subtracts 1 from *@longs, and an l adds 1. The letters z and Z set *@longs
 * to 1, and L sets it to 2. format_byte() reads one byte, which the kernel may have written with a backslash.
 */
const char *conversion_flags(const char *at, struct spec *spec);
const char *conversion_longs(const char *at, int *longs);
const char *format_byte(const char *at, char *byte);

/* The functions up to add_pool() are in print-compile.c. */
void compile_format(struct compiler *c);
/* Compiles @n arguments of the format, from @args on, as %s prints them, without text between the arguments. */
void compile_args(struct compiler *c, const struct tep_print_arg *args, size_t n);
/* Compiles the conversion that begins at the % at @at. Removes the arguments of the conversion from the list *@args. Returns where the format goes on. */
const char *compile_conversion(struct compiler *c, const char *at, const struct tep_print_arg **args);
/* Compiles a format that has at most one conversion, whose argument is the field @f. */
void compile_one(struct compiler *c, const char *format, const struct tep_format_field *f);
/* begin_jump() adds a jump and returns the index of the jump. After end_jump(), the next step that is added is the target of the jump. */
uint32_t begin_jump(struct compiler *c, struct step jump);
void end_jump(struct compiler *c, uint32_t jump);
uint16_t add_spec(struct compiler *c, const struct spec *spec);
/* Adds a step. @room is the most bytes that the step writes without calling printer_room(). */
void add_step(struct compiler *c, struct step step, size_t room);
void add_text(struct compiler *c, const char *text, size_t n);
uint32_t add_pool(struct compiler *c, const char *text, size_t n);

/* Compiles an event that one of libtraceevent's own plug-ins prints. This function is in print-plugins.c. */
void compile_plugin(struct compiler *c);

/*
 * These two functions are in print-fields.c. compile_fields() compiles the fields of an event whose print format could not be parsed. compile_raw()
 * compiles the fields as -R prints them.
 */
void compile_fields(struct compiler *c);
void compile_raw(struct compiler *c);

#endif

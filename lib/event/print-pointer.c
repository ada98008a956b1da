/* SPDX-License-Identifier: GPL-2.0 */
/* Compiles %p with the letters after it. */
#include "lib/event/print-program.h"
#include <stdio.h>
#include <traceevent/event-parse.h>

/* Adds the complaint that libtraceevent prints if an argument is not what the letters ask for. */
static void complain(struct compiler *c, const char *text, int type)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", type);
	add_text(c, text, strlen(text));
	add_text(c, number, strlen(number));
}

/*
 * Returns the field of @size bytes behind casts, or NULL if there is no such field. If the argument is something else, or has another size (@invalid), that is
 * printed in its place.
 */
static const struct tep_format_field *address_field(struct compiler *c, const struct tep_print_arg *arg, int size, const char *invalid)
{
	const struct tep_format_field *f;

	if (arg->type == TEP_PRINT_FUNC)
		give_up(c, -ENOTSUP, "a helper function of a plug-in");
	while (arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	if (arg->type != TEP_PRINT_FIELD) {
		complain(c, "ARG TYPE NOT FIELD BUT ", arg->type);
		return NULL;
	}
	f = arg_field(c, arg);
	if (f && f->size != size) {
		add_text(c, invalid, strlen(invalid));
		return NULL;
	}
	return f;
}

static void address(struct compiler *c, enum step_code code, const struct tep_format_field *f, uint8_t flag, size_t room)
{
	if (f)
		add_step(c, (struct step){ .code = code, .flag = flag, .offset = f->offset }, room);
}

static void mac(struct compiler *c, const struct tep_print_arg *arg, const char *letters)
{
	uint8_t style = MAC_COLONS;

	if (letters[0] == 'm')
		style = MAC_PLAIN;
	else if (letters[1] == 'F')
		style = MAC_DASHES;
	if (letters[1] == 'R')
		style |= MAC_REVERSED;
	address(c, STEP_MAC, address_field(c, arg, 6, "INVALIDMAC"), style, 17);
}

/* The letters are h (host), l (little endian), n (network) and b (big endian). Addresses are stored in the order of the last two. */
static uint8_t ip4_order(const struct compiler *c, char letter)
{
	if (letter == 'l' || (letter == 'h' && !c->program->env.big_endian))
		return IP_REVERSED;
	return 0;
}

static void sockaddr(struct compiler *c, const struct tep_print_arg *arg, const char *letters, uint8_t style)
{
	struct step step = { .code = STEP_SOCKADDR };
	const struct tep_format_field *f;

	if (!(style & IP_SMALL_I)) {
		style |= *letters == 'p' ? IP_PORT : 0;
		letters += *letters == 'p';
		style |= *letters == 'c' ? IP_COMPRESSED : 0;
		letters += *letters == 'c';
	}
	step.flag = style | ip4_order(c, *letters);
	if (arg->type == TEP_PRINT_FUNC)
		give_up(c, -ENOTSUP, "a helper function of a plug-in");
	while (arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY) {
		f = arg->dynarray.field;
		step.place = f->flags & TEP_FIELD_IS_RELATIVE ? PLACE_RELATIVE : PLACE_DYNAMIC;
		step.size = f->size;
	} else if (arg->type == TEP_PRINT_FIELD) {
		f = arg_field(c, arg);
	} else {
		complain(c, "ARG NOT FIELD NOR DYNAMIC ARRAY BUT TYPE ", arg->type);
		return;
	}
	if (!f)
		return;
	step.offset = f->offset;
	step.count = f->size;
	add_step(c, step, 0);
}

/* Compiles an IP address. @letters begin with I or i, followed by 4, 6 or S and their options. */
static void ip(struct compiler *c, const struct tep_print_arg *arg, const char *letters)
{
	uint8_t style = letters[0] == 'i' ? IP_SMALL_I : 0;

	switch (letters[1]) {
	case '4':
		style |= ip4_order(c, letters[2]);
		address(c, STEP_IP4, address_field(c, arg, 4, "INVALIDIPv4"), style, 15);
		break;
	case '6':
		if (!style && letters[2] == 'c')
			style |= IP_COMPRESSED;
		address(c, STEP_IP6, address_field(c, arg, 16, "INVALIDIPv6"), style, 48);
		break;
	case 'S':
		sockaddr(c, arg, letters + 2, style);
		break;
	}
}

static void uuid(struct compiler *c, const struct tep_print_arg *arg, char letter)
{
	uint8_t style = 0;

	if (letter == 'L' || letter == 'B')
		style |= UUID_UPPER;
	if (letter == 'L' || letter == 'l')
		style |= UUID_GUID;
	address(c, STEP_UUID, address_field(c, arg, 16, "INVALIDUUID"), style, 36);
}

static void buffer(struct compiler *c, const struct tep_print_arg *arg, char letter, const struct tep_print_arg *len)
{
	struct step step = { .code = STEP_BUFFER, .flag = ' ', .count = NO_EXPR };
	const struct tep_format_field *f;

	if (letter == 'C')
		step.flag = ':';
	else if (letter == 'D')
		step.flag = '-';
	else if (letter == 'N')
		step.flag = 0;
	if (arg->type == TEP_PRINT_FUNC)
		give_up(c, -ENOTSUP, "a helper function of a plug-in");
	if (arg->type != TEP_PRINT_DYNAMIC_ARRAY) {
		complain(c, "ARG TYPE NOT FIELD BUT ", arg->type);
		return;
	}
	f = arg->dynarray.field;
	step.size = f->size;
	step.offset = f->offset;
	step.place = f->flags & TEP_FIELD_IS_RELATIVE ? PLACE_RELATIVE : PLACE_DYNAMIC;
	if (len)
		step.count = compile_expr(c, len);
	add_step(c, step, 0);
}

void compile_pointer(struct compiler *c, const struct tep_print_arg *arg, const char *letters, const struct tep_print_arg *len)
{
	struct step step = { .code = STEP_POINTER };

	switch (letters[0]) {
	case 'F':
	case 'f':
	case 'S':
	case 's':
		step.code = STEP_SYMBOL;
		step.flag = letters[0] == 'F' || letters[0] == 'S' ? SYMBOL_OFFSET : SYMBOL_NAME;
		compile_number(c, &step, arg);
		add_step(c, step, 0);
		break;
	case 'M':
	case 'm':
		mac(c, arg, letters);
		break;
	case 'I':
	case 'i':
		ip(c, arg, letters);
		break;
	case 'U':
		uuid(c, arg, letters[1]);
		break;
	case 'h':
		buffer(c, arg, letters[1], len);
		break;
	default:
		compile_number(c, &step, arg);
		add_step(c, step, 18);
	}
}

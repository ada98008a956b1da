/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a print format token by token, for the check that lib/event/vet.h describes. Only lib/event/vet-*.c use this. */
#ifndef RINGSIDE_VET_LEXER_H
#define RINGSIDE_VET_LEXER_H

#include "lib/event/vet.h"

/* This is the kind of a token. ITEM is a name or a number. END is the end of the print format. BAD means that vet_refuse() was called. */
enum kind { END, ITEM, STRING, CHARACTER, OP, OPEN, CLOSE, COMMA, BAD };

/* This is the lexer. The members .kind and .token always describe the next token. */
struct lexer {
	const char *at;	 /* the text that follows the token */
	const char *end; /* the end of the print format */
	enum kind kind;
	struct text token;
	const names_t *fields; /* the names of the event's fields */
	struct vetted *vetted; /* where vet_refuse() stores the reason */
	int depth;	       /* how deeply the format is nested at the token */
	int ops;	       /* how many operators the present argument has so far */
};

/* Reads the next token. When the text is not a token of a print format, calls vet_refuse(), and the kind becomes BAD. */
void vet_next(struct lexer *lex);

/*
 * vet_is() tells whether the next token is the text @token. vet_is_op() tells whether it is the operator @op. vet_is_one_of() tells whether it is one of
 * the @n texts in @list.
 */
bool vet_is(const struct lexer *lex, const char *token);
bool vet_is_op(const struct lexer *lex, const char *op);
bool vet_is_one_of(const struct lexer *lex, const char *const *list, size_t n);

/* If the next token is of this kind, or is this operator, skips the token and returns true. Otherwise calls vet_fault() and returns false. */
bool vet_expect(struct lexer *lex, enum kind kind);
bool vet_expect_op(struct lexer *lex, const char *op);

/*
 * Refuses the format for the reason @why, a static text. @damaged is true if no kernel writes a format like this one. A reason that was stored earlier is
 * kept. Returns false.
 */
bool vet_refuse(struct lexer *lex, const char *why, bool damaged);

/* Refuses the format because the next token is not allowed in its place. Returns false. */
bool vet_fault(struct lexer *lex);

#endif

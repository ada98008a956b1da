/* SPDX-License-Identifier: GPL-2.0 */
/* A print format token by token, and how it is refused. Inside lib/event/vet-*.c only. */
#ifndef RINGSIDE_VET_LEXER_H
#define RINGSIDE_VET_LEXER_H

#include "lib/event/vet.h"

enum kind { END, ITEM, STRING, CHARACTER, OP, OPEN, CLOSE, COMMA, BAD };

/* The next token is always known: all that is read before the decision what it is. */
struct lexer {
	const char *at, *end;	/* behind the token */
	enum kind kind;
	struct text token;
	const names_t *fields;
	struct vetted *vetted;
	int depth, ops;
};

/* Reads the next token; BAD when it is none, after vet_refuse(). */
void vet_next(struct lexer *lex);

/* Is the token this text; this operator; one of those texts? */
bool vet_is(const struct lexer *lex, const char *token);
bool vet_is_op(const struct lexer *lex, const char *op);
bool vet_is_one_of(const struct lexer *lex, const char *const *list, size_t n);

/* Goes behind a token that has to be there; false: it is not, after vet_fault(). */
bool vet_expect(struct lexer *lex, enum kind kind);
bool vet_expect_op(struct lexer *lex, const char *op);

/* Beyond what is read here, or (@damaged) nothing that a kernel writes: the format does not pass. False. */
bool vet_refuse(struct lexer *lex, const char *why, bool damaged);

/* The same for a token that cannot stand where it does. */
bool vet_fault(struct lexer *lex);

#endif

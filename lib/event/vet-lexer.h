/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a print format token by token, and refuses a format that does not follow the grammar. Only lib/event/vet-*.c use this. */
#ifndef RINGSIDE_VET_LEXER_H
#define RINGSIDE_VET_LEXER_H

#include "lib/event/vet.h"

enum kind { END, ITEM, STRING, CHARACTER, OP, OPEN, CLOSE, COMMA, BAD };

/* The lexer always holds the token that comes next. */
struct lexer {
	const char *at, *end; /* the text behind the token */
	enum kind kind;
	struct text token;
	const names_t *fields;
	struct vetted *vetted;
	int depth, ops;
};

/* Reads the next token. Its kind is BAD when the text there is no token of the grammar; vet_refuse() has been called then. */
void vet_next(struct lexer *lex);

/* Is the token this text, this operator, or one of these texts? */
bool vet_is(const struct lexer *lex, const char *token);
bool vet_is_op(const struct lexer *lex, const char *op);
bool vet_is_one_of(const struct lexer *lex, const char *const *list, size_t n);

/* Skips a token that has to be there. Returns false when it is not there, after vet_fault(). */
bool vet_expect(struct lexer *lex, enum kind kind);
bool vet_expect_op(struct lexer *lex, const char *op);

/* Refuses the format for the reason @why, a static text. @damaged: no kernel writes such a format. Returns false. */
bool vet_refuse(struct lexer *lex, const char *why, bool damaged);

/* Refuses the format because the token cannot stand at its place. Returns false. */
bool vet_fault(struct lexer *lex);

#endif

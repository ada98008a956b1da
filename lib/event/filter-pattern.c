// SPDX-License-Identifier: GPL-2.0
#include "lib/event/filter-ast.h"
#include <regex.h>
#include <strings.h>

enum pattern_kind {
	PATTERN_EQUAL,
	PATTERN_WORDS, /* a regular expression that has only plain characters, and perhaps ^ and $ at its ends */
	PATTERN_REGEX,
};

struct pattern {
	enum pattern_kind kind;
	bool at_start, at_end; /* PATTERN_WORDS: ^ and $ */
	size_t n;
	const char *at; /* into text */
	char *text;
	regex_t regex;
};

/*
 * Is the regular expression only a part of a name? Most of them are. glibc's matcher takes a lock and some hundred nanoseconds even for these, and comparing
 * characters is quicker.
 */
static bool words_init(struct pattern *p)
{
	const char *at = p->text;
	size_t n = strlen(at);

	p->at_start = n && *at == '^';
	at += p->at_start;
	n -= p->at_start;
	p->at_end = n && at[n - 1] == '$';
	n -= p->at_end;
	for (size_t i = 0; i < n; i++)
		if (strchr(".[*\\^$", at[i]) || (unsigned char)at[i] >= 0x80)
			return false;
	p->at = at;
	p->n = n;
	p->kind = PATTERN_WORDS;
	return true;
}

static int regex_init(struct pattern *p, char **why)
{
	int err = regcomp(&p->regex, p->text, REG_ICASE | REG_NOSUB);
	char text[128];

	if (!err) {
		p->kind = PATTERN_REGEX;
		return 0;
	}
	if (err == REG_ESPACE)
		return -ENOMEM;
	regerror(err, &p->regex, text, sizeof(text));
	*why = strdup(text);
	return *why ? -EINVAL : -ENOMEM;
}

int pattern_new(struct pattern **out, const char *text, bool regex, char **why)
{
	struct pattern *p = calloc(1, sizeof(*p));
	int err = 0;

	if (!p || !(p->text = strdup(text))) {
		free(p);
		return -ENOMEM;
	}
	p->at = p->text;
	p->n = strlen(text);
	if (regex && !words_init(p))
		err = regex_init(p, why);
	if (err) {
		pattern_free(p);
		return err;
	}
	*out = p;
	return 0;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	if (p->kind == PATTERN_REGEX)
		regfree(&p->regex);
	free(p->text);
	free(p);
}

static bool words_match(const struct pattern *p, const char *at, size_t n)
{
	if (n < p->n)
		return false;
	if (p->at_start && p->at_end)
		return n == p->n && !strncasecmp(at, p->at, n);
	if (p->at_start)
		return !strncasecmp(at, p->at, p->n);
	if (p->at_end)
		return !strncasecmp(at + n - p->n, p->at, p->n);
	for (size_t i = 0; i <= n - p->n; i++)
		if (!strncasecmp(at + i, p->at, p->n))
			return true;
	return false;
}

/* Matches a copy with a NUL behind it, which regexec() needs and texts in records do not always have. */
static bool regex_match(const struct pattern *p, const char *at, size_t n)
{
	__cleanup(free_ptr) char *big = NULL;
	char small[256], *copy = small;

	if (n >= sizeof(small)) {
		copy = big = malloc(n + 1);
		if (!big)
			return false;
	}
	memcpy(copy, at, n);
	copy[n] = '\0';
	return !regexec(&p->regex, copy, 0, NULL, 0);
}

bool pattern_match(const struct pattern *p, const char *at, size_t n)
{
	switch (p->kind) {
	case PATTERN_EQUAL:
		return n == p->n && !memcmp(at, p->at, n);
	case PATTERN_WORDS:
		return words_match(p, at, n);
	case PATTERN_REGEX:
		return regex_match(p, at, n);
	}
	return false;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/probe/spec.h"
#include "lib/base/err.h"
#include "lib/base/latency-events.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"

#include <ctype.h>
#include <stdarg.h>

/* These separate the words of a probe. */
#define BLANKS " \t\n"

static int parse_function(struct probe_spec *spec, char *target);
static int parse_user(struct probe_spec *spec, char *target);
static int parse_usdt(struct probe_spec *spec, char *target);
static int parse_name(struct probe_spec *spec, char *target);

static const struct {
	const char *name;
	int (*parse)(struct probe_spec *spec, char *target);
} types[] = {
	[PROBE_KPROBE] = { "kprobe", parse_function },
	[PROBE_KRETPROBE] = { "kretprobe", parse_function },
	[PROBE_UPROBE] = { "uprobe", parse_user },
	[PROBE_URETPROBE] = { "uretprobe", parse_user },
	[PROBE_USDT] = { "usdt", parse_usdt },
	[PROBE_FPROBE] = { "fprobe", parse_function },
	[PROBE_FRETPROBE] = { "fretprobe", parse_function },
	[PROBE_TPROBE] = { "tprobe", parse_name },
	[PROBE_EPROBE] = { "eprobe", parse_name },
	[PROBE_RAW] = { "raw", parse_name },
};

const char *probe_type_name(enum probe_type type)
{
	return types[type].name;
}

int probe_fail(const struct probe_spec *spec, size_t column, int err, const char *fmt, ...)
{
	struct str s = { 0 };
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	fail(err, "%s\n  %s\n  %*s^", str_text(&s), spec->text, (int)column, "");
	str_fini(&s);
	return -err;
}

/* Returns the column of @at in the text. @at points into @base, which is a work copy of @spec->text. */
static size_t column_of(const char *base, const char *at)
{
	return (size_t)(at - base);
}

/* Returns how many bytes at @at are the sign of an operator: "<<" of "operator<<(...)". */
static size_t operator_sign(const char *at)
{
	return str_starts(at, "()") || str_starts(at, "[]") ? 2 : strspn(at, "<>=!+-*/%^&|~,");
}

size_t symbol_span(const char *name, const char *stops)
{
	static const char operator[] = "operator", anonymous[] = "(anonymous namespace)";
	size_t n = strlen(name);
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		if (str_starts(name + i, operator) && (!i || (!isalnum((unsigned char)name[i - 1]) && name[i - 1] != '_'))) {
			i += strlen(operator);
			i += operator_sign(name + i);
		} else if (str_starts(name + i, anonymous)) {
			i += strlen(anonymous);
		}
		if (i >= n || (!depth && strchr(stops, name[i])))
			return MIN(i, n);
		if (strchr("(<[{", name[i]))
			depth++;
		else if (strchr(")]}", name[i]) || (name[i] == '>' && i && name[i - 1] != '-'))
			depth -= depth > 0;
	}
	/* If brackets do not close, they are not counted as brackets. */
	return depth ? strcspn(name, stops) : n;
}

/* Cuts the offset off "FUNC+OFFSET". */
static int take_offset(struct probe_spec *spec, char *symbol)
{
	char *plus = strrchr(symbol, '+');

	/* The "+" of operator+ and operator++ begins no offset. */
	if (!plus || !plus[1] || strchr("(=", plus[1]))
		return 0;
	*plus = '\0';
	if (parse_u64(plus + 1, &spec->offset))
		return fail(EINVAL, "probe '%s': '%s' is no offset; write FUNCTION+0x10 or FUNCTION+16", spec->text, plus + 1);
	return 0;
}

static int set_text(char **to, const char *text)
{
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

static int parse_function(struct probe_spec *spec, char *target)
{
	char *module = strchr(target, '@');
	int err;

	if (module) {
		*module++ = '\0';
		err = set_text(&spec->module, module);
		if (err)
			return err;
	}
	err = take_offset(spec, target);
	return err ? err : set_text(&spec->function, target);
}

static int parse_name(struct probe_spec *spec, char *target)
{
	return set_text(&spec->function, target);
}

/* Cuts "FILE:" off *@target, which then points to the rest. */
static int take_file(struct probe_spec *spec, char **target, const char *rest)
{
	char *colon = strchr(*target, ':');

	if (!colon || colon == *target || !colon[1])
		return fail(EINVAL, "probe '%s': a %s needs a file and %s: %s:FILE:%s", spec->text, probe_type_name(spec->type), rest,
			    probe_type_name(spec->type), rest);
	*colon = '\0';
	if (set_text(&spec->file, *target))
		return -ENOMEM;
	*target = colon + 1;
	return 0;
}

static int parse_user(struct probe_spec *spec, char *target)
{
	uint64_t number;
	char *line;
	int err;

	err = take_file(spec, &target, "SYMBOL");
	if (err)
		return err;
	if (!parse_u64(target, &spec->offset))
		return 0;
	/* A number behind the last colon is a line, as in SOURCE.c:LINE. Class::method has none. */
	line = strrchr(target, ':');
	if (line && line > target && line[-1] != ':' && !parse_u64(line + 1, &number)) {
		if (number == 0 || number > UINT32_MAX)
			return fail(EINVAL, "probe '%s': there is no line %s", spec->text, line + 1);
		*line = '\0';
		spec->line = (unsigned int)number;
		return set_text(&spec->source, target);
	}
	err = take_offset(spec, target);
	return err ? err : set_text(&spec->function, target);
}

static int parse_usdt(struct probe_spec *spec, char *target)
{
	char *colon;
	int err;

	err = take_file(spec, &target, "NAME");
	if (err)
		return err;
	colon = strchr(target, ':');
	if (colon) {
		*colon = '\0';
		if (set_text(&spec->provider, target))
			return -ENOMEM;
		target = colon + 1;
	}
	return set_text(&spec->function, target);
}

/* Returns the colon in front of an argument's type. It is the last colon outside of brackets and quotes that has a word behind it and is not part of "::". */
static char *type_colon(char *expr)
{
	char *colon = strrchr(expr, ':');

	if (!colon || colon == expr || colon[-1] == ':' || !isalpha((unsigned char)colon[1]))
		return NULL;
	return strpbrk(colon, ").>-") ? NULL : colon;
}

static bool is_identifier(const char *text)
{
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && *text != '_')
			return false;
	return true;
}

static int set_event(struct probe_spec *spec, size_t column, char *name)
{
	char *slash = name + strcspn(name, "/:.");
	int err = 0;

	if (*slash) {
		*slash = '\0';
		err = set_text(&spec->group, name);
		name = slash + 1;
	}
	if (!is_identifier(name) || (spec->group && !is_identifier(spec->group)))
		return probe_fail(spec, column, EINVAL, "name= takes GROUP/EVENT or EVENT, of letters, digits and _");
	return err ? err : set_text(&spec->event, name);
}

static int add_arg(struct probe_spec *spec, size_t column, char *word)
{
	struct probe_arg arg = { .column = column };
	char *equals = strchr(word, '='), *colon;
	int err = 0;

	if (equals) {
		*equals = '\0';
		if (strcmp(word, "name") == 0)
			return set_event(spec, column + 5, equals + 1);
		if (!is_identifier(word))
			return probe_fail(spec, column, EINVAL, "'%s' cannot be the name of an argument: letters, digits and _ only", word);
		err = set_text(&arg.name, word);
		word = equals + 1;
		arg.column += (size_t)(word - equals) + strlen(arg.name ? arg.name : "");
	}
	colon = type_colon(word);
	if (colon) {
		*colon = '\0';
		err = err ? err : set_text(&arg.type, colon + 1);
	}
	if (!err && !*word)
		err = probe_fail(spec, arg.column, EINVAL, "an argument without an expression");
	err = err ? err : set_text(&arg.expr, word);
	err = err ? err : vec_push(&spec->args, arg);
	if (err) {
		free(arg.name);
		free(arg.expr);
		free(arg.type);
	}
	return err;
}

/* Parses the type in front of the first colon. Returns 0, or -EINVAL after a message. */
static int parse_type(struct probe_spec *spec, char *word, size_t len)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strlen(types[i].name) == len && strncmp(types[i].name, word, len) == 0) {
			spec->type = (enum probe_type)i;
			return 0;
		}
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		strv_add(&names, types[i].name);
	word[len] = '\0';
	nearest_names(word, &names, 2, &best);
	near = strchr(word, '/') ? strdup(", or uprobe:./program:main for a program or a library") : join_names(&best, "; did you mean ", "?");
	probe_fail(spec, 0, EINVAL, "a probe begins with its type and a colon, as kprobe:do_sys_openat2%s", near ? near : "");
	strv_fini(&names);
	strv_fini(&best);
	return -EINVAL;
}

static int parse_words(struct probe_spec *spec, char *work)
{
	size_t len = strcspn(work, ":" BLANKS);
	char *target = work + len + 1, *rest;
	int err = parse_type(spec, work, len);

	if (err)
		return err;
	if (spec->text[len] != ':' || !*target || isspace((unsigned char)*target))
		return probe_fail(spec, len, EINVAL, "a %s needs a target behind its colon", probe_type_name(spec->type));
	/* The kernel takes each line for a command of its own. What the lines behind the first one make would stay for good. */
	if (spec->type == PROBE_RAW && strchr(str_trim(target), '\n'))
		return fail(EINVAL, "probe '%s': a raw probe is one line; give each an option of its own", spec->text);
	if (spec->type == PROBE_RAW)
		return set_text(&spec->function, str_trim(target));
	rest = target + symbol_span(target, BLANKS);
	if (str_starts(rest, " const") && strchr(BLANKS, rest[6]))
		rest += strlen(" const");
	if (*rest)
		*rest++ = '\0';
	err = types[spec->type].parse(spec, target);
	while (!err && *(rest += strspn(rest, BLANKS))) {
		char *word = rest;

		rest += strcspn(rest, BLANKS);
		if (*rest)
			*rest++ = '\0';
		err = add_arg(spec, column_of(work, word), word);
	}
	return err;
}

int probe_spec_parse(struct probe_spec *out, const char *text)
{
	__cleanup(free_ptr) char *work = strdup(text);
	int err;

	*out = (struct probe_spec){ .text = strdup(text) };
	err = work && out->text ? parse_words(out, work) : -ENOMEM;
	if (err)
		probe_spec_fini(out);
	return err;
}

/* Checks what --latency demands of a probe. */
static int check_latency(const struct probe_spec *spec)
{
	if (spec->type != PROBE_KPROBE && spec->type != PROBE_UPROBE)
		return probe_fail(spec, 0, EINVAL, "--latency takes a kprobe or a uprobe: it sets the return's probe by itself");
	if (spec->offset || spec->source)
		return probe_fail(spec, strlen(types[spec->type].name) + 1, EINVAL, "--latency is of a whole function: no offset, no source line");
	if (spec->group)
		return fail(EINVAL, "probe '%s': name= takes no group with --latency: by the group " LATENCY_GROUP " a report knows the pair", spec->text);
	return 0;
}

static int copy_text(char **to, const char *text)
{
	return text ? set_text(to, text) : 0;
}

/* Makes spec->back and moves the arguments that are fetched at the return there. */
static int split(struct probe_spec *spec)
{
	struct probe_spec *back = calloc(1, sizeof(*back));
	size_t kept = 0;
	int err;

	if (!back)
		return -ENOMEM;
	spec->back = back;
	spec->latency = back->latency = true;
	back->type = spec->type == PROBE_KPROBE ? PROBE_KRETPROBE : PROBE_URETPROBE;
	err = set_text(&spec->group, LATENCY_GROUP);
	err = err ? err : copy_text(&back->text, spec->text);
	err = err ? err : copy_text(&back->file, spec->file);
	err = err ? err : copy_text(&back->function, spec->function);
	err = err ? err : copy_text(&back->module, spec->module);
	err = err ? err : copy_text(&back->group, spec->group);
	err = err ? err : vec_reserve(&back->args, spec->args.n);
	for (size_t i = 0; !err && i < spec->args.n; i++)
		if (strstr(spec->args.at[i].expr, "$retval"))
			err = vec_push(&back->args, spec->args.at[i]);
		else
			spec->args.at[kept++] = spec->args.at[i];
	if (!err)
		spec->args.n = kept;
	return err;
}

int probe_spec_parse_latency(struct probe_spec *out, const char *text)
{
	int err = probe_spec_parse(out, text);

	if (err)
		return err;
	err = check_latency(out);
	err = err ? err : split(out);
	if (err)
		probe_spec_fini(out);
	return err;
}

void probe_spec_fini(struct probe_spec *spec)
{
	vec_each (&spec->args, arg) {
		free(arg->name);
		free(arg->expr);
		free(arg->type);
	}
	vec_fini(&spec->args);
	free(spec->text);
	free(spec->file);
	free(spec->function);
	free(spec->provider);
	free(spec->module);
	free(spec->source);
	free(spec->group);
	free(spec->event);
	if (spec->back)
		probe_spec_fini(spec->back);
	free(spec->back);
	*spec = (struct probe_spec){ 0 };
}

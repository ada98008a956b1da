/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/probe/command.h"
#include "lib/base/err.h"
#include "lib/base/latency-events.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"
#include "lib/probe/command-args.h"
#include "lib/probe/elf.h"
#include "lib/probe/place.h"

#include <ctype.h>

enum {
	NAME_MOST = 48, /* the kernel allows 64 bytes; the rest is for what makes the name unique */
	PROBES_MOST = 512,
	MANY = 64,	     /* if a glob has this many functions or more, they are armed at places where arming is faster */
	CALLS_AT_ONCE = 512, /* how many calls of one function may be open; returns of more are missed; the kernel's default is 10 or two for each CPU */
};

void probe_commands_fini(probe_commands_t *v)
{
	vec_each (v, c) {
		free(c->group);
		free(c->event);
		free(c->text);
		free(c->plain);
		free(c->remove);
		fetches_fini(&c->args);
	}
	vec_fini(v);
}

void probe_world_fini(struct probe_world *world)
{
	kbtf_close(world->btf);
	world->btf = NULL;
}

/* --- names ------------------------------------------------------------------------------------------------- */

static bool name_exists(const struct probe_world *world, const char *group, const char *event)
{
	return world->event_exists && world->event_exists(world->ctx, group, event);
}

static bool name_taken(const struct probe_world *world, const probe_commands_t *made, const char *group, const char *event)
{
	vec_each (made, c)
		if (strcmp(c->group, group) == 0 && strcmp(c->event, event) == 0)
			return true;
	return name_exists(world, group, event);
}

/* Returns an event name made of @from. It has letters, digits and _, and does not begin with a digit. */
static char *clean_name(const char *from, const char *suffix)
{
	struct str s = { 0 };

	for (; *from && *from != '(' && s.len < NAME_MOST; from++) {
		bool good = isalnum((unsigned char)*from) || *from == '_';

		if (good || (s.len && s.at[s.len - 1] != '_'))
			str_addc(&s, good ? *from : '_');
	}
	if (!s.len || isdigit((unsigned char)s.at[0])) {
		__cleanup(free_ptr) char *rest = str_take(&s);

		str_addf(&s, "p_%s", rest ? rest : "");
	}
	str_add(&s, suffix);
	return str_take(&s);
}

/* Like name_taken(), but for both events of a --latency: the call and the return, whose name follows from the call's. */
static bool pair_taken(const struct probe_world *world, const probe_commands_t *made, const char *group, const char *event)
{
	__cleanup(free_ptr) char *back = str_printf("%s" LATENCY_RETURN, event);

	return name_taken(world, made, group, event) || !back || name_taken(world, made, group, back);
}

static int choose_name(const struct probe_world *world, const probe_commands_t *made, const char *from, const char *suffix, struct probe_command *c)
{
	bool (*taken)(const struct probe_world *world, const probe_commands_t *made, const char *group, const char *event) = c->spec->back ? pair_taken
																	   : name_taken;
	const struct probe_spec *spec = c->spec;
	__cleanup(free_ptr) char *base = spec->event ? strdup(spec->event) : clean_name(from, suffix);

	c->group = strdup(spec->group ? spec->group : "ringside");
	c->event = base ? strdup(base) : NULL;
	/* If the user has given a name, the first event gets exactly that name. Further probes of the same text get numbers. */
	if (spec->event && c->group && name_exists(world, c->group, spec->event))
		return fail(EEXIST,
			    "probe '%s': there is an event %s/%s already; choose another name, or remove it with "
			    "`ringside probe del %s/%s`",
			    spec->text, c->group, spec->event, c->group, spec->event);
	for (unsigned int i = 2; c->group && c->event && taken(world, made, c->group, c->event); i++) {
		free(c->event);
		c->event = str_printf("%s_%u", base, i);
	}
	return c->group && c->event ? 0 : -ENOMEM;
}

/* --- commands ---------------------------------------------------------------------------------------------- */

static int finish(probe_commands_t *out, struct probe_command *c, char letter, const char *where)
{
	struct str s = { 0 };

	str_addc(&s, letter);
	if (c->spec->latency && c->spec->type == PROBE_KRETPROBE)
		str_addf(&s, "%d", CALLS_AT_ONCE);
	str_addf(&s, ":%s/%s %s", c->group, c->event, where);
	vec_each (&c->args, f)
		str_addf(&s, " %s=%s%s%s", f->name, f->text, f->type ? ":" : "", f->type ? f->type : "");
	c->text = str_take(&s);
	c->remove = str_printf("-:%s/%s", c->group, c->event);
	return c->text && c->remove ? vec_push(out, *c) : -ENOMEM;
}

static void drop(struct probe_command *c)
{
	probe_commands_t one = { 0 };

	if (!vec_push(&one, *c))
		probe_commands_fini(&one);
}

/* Adds one probe at @where. It is named after @from. If it is the second half of a pair, it is named after @event. */
static int add_probe(struct probe_world *world, const struct probe_spec *spec, const struct probe_target *t, const char *from, const char *event, char letter,
		     const char *where, probe_commands_t *out)
{
	struct probe_command c = { .spec = spec };
	int err;

	if (event) {
		c.group = strdup(spec->group);
		c.event = str_printf("%s" LATENCY_RETURN, event);
		err = c.group && c.event ? 0 : -ENOMEM;
	} else {
		err = choose_name(world, out, from, t->ret ? "_return" : "", &c);
	}
	err = err ? err : probe_args_compile(world, t, &c);
	err = err ? err : finish(out, &c, letter, where);
	if (err)
		drop(&c);
	return err;
}

/* Adds a probe, and with --latency also the probe of its return. */
static int add_probes(struct probe_world *world, const struct probe_spec *spec, const struct probe_target *t, const char *from, char letter, const char *where,
		      probe_commands_t *out)
{
	struct probe_target back = *t;
	int err = add_probe(world, spec, t, from, NULL, letter, where, out);

	back.ret = true;
	return err || !spec->back ? err : add_probe(world, spec->back, &back, NULL, out->at[out->n - 1].event, 'r', where, out);
}

/* Adds the probe of one kernel function, "name" or "name [module]". */
static int add_function(struct probe_world *world, const struct probe_spec *spec, const char *listed, probe_commands_t *out)
{
	static const struct {
		char letter;
		bool ret;
		const char *behind;
	} how[] = {
		[PROBE_KPROBE] = { 'p', false, "" },
		[PROBE_KRETPROBE] = { 'r', true, "" },
		[PROBE_FPROBE] = { 'f', false, "" },
		[PROBE_FRETPROBE] = { 'f', true, "%return" },
	};
	__cleanup(free_ptr) char *name = strndup(listed, strcspn(listed, " \t"));
	struct probe_target t = { .function = name, .ret = how[spec->type].ret };
	struct str where = { 0 };
	int err = name ? 0 : -ENOMEM;

	if (!err && world->function_check)
		err = world->function_check(world->ctx, spec, name);
	if (err)
		return err;
	str_addf(&where, "%s%s%s", spec->module ? spec->module : "", spec->module ? ":" : "", name);
	if (spec->offset)
		str_addf(&where, "+%llu", (unsigned long long)spec->offset);
	str_add(&where, how[spec->type].behind);
	err = str_ok(&where);
	err = err ? err : add_probes(world, spec, &t, name, how[spec->type].letter, str_text(&where), out);
	str_fini(&where);
	return err;
}

/* Adds probes for all functions of a glob. Functions that cannot be probed are left out. */
static int add_functions(struct probe_world *world, const struct probe_spec *spec, const strv_t *names, probe_commands_t *out)
{
	bool moves = names->n >= MANY && spec->type == PROBE_KPROBE && !spec->offset && !spec->latency;
	__cleanup(free_ptr) int *behind = calloc(names->n + 1, sizeof(*behind));
	size_t before = out->n;
	int err = behind ? 0 : -ENOMEM;

	if (!err && world->behind)
		err = world->behind(world->ctx, names, behind);
	for (size_t i = 0; i < names->n && !err; i++) {
		if (behind[i] < 0)
			continue;
		err = add_function(world, spec, names->at[i], out);
		if (!err && moves && behind[i])
			err = probe_move_behind(&out->at[out->n - 1], (unsigned int)behind[i]);
	}
	if (!err && out->n == before)
		err = fail(ENOENT, "probe '%s': no function that matches can be probed by its name", spec->text);
	return err;
}

static unsigned int most_of(const struct probe_world *world)
{
	return world->most ? world->most : PROBES_MOST;
}

static bool is_of_functions(const struct probe_spec *spec)
{
	return spec->type == PROBE_KPROBE || spec->type == PROBE_KRETPROBE || spec->type == PROBE_FPROBE || spec->type == PROBE_FRETPROBE;
}

/* Lists in *@out the kernel functions that match the glob of @spec. If @spec has no such glob, lists none. Returns 0, or -errno after a message. */
static int find_functions(const struct probe_world *world, const struct probe_spec *spec, strv_t *out)
{
	unsigned int most = most_of(world);
	int err;

	if (!is_of_functions(spec) || !glob_is(spec->function))
		return 0;
	if (!world->functions)
		return fail(EINVAL, "probe '%s': no glob can be used here", spec->text);
	err = world->functions(world->ctx, spec->function, out);
	if (!err && out->n > most)
		err = fail(E2BIG, "probe '%s' matches %zu functions and at most %u are armed; narrow the glob, or raise --max-probes", spec->text, out->n,
			   most);
	return err;
}

/* Adds the probe of one place in a program. */
static int add_place(struct probe_world *world, const struct probe_spec *spec, struct probe_target *t, const char *path, const struct elf_symbol *symbol,
		     probe_commands_t *out)
{
	const char *from = symbol->demangled ? symbol->demangled : symbol->name;
	__cleanup(free_ptr) char *where = str_printf("%s:0x%llx", path, (unsigned long long)symbol->offset);
	int err = where ? 0 : -ENOMEM;

	t->offset = symbol->offset;
	if (!err && !world->force)
		err = elf_check_instruction(t->elf, spec, t->offset, t->ret || spec->back);
	return err ? err : add_probes(world, spec, t, from, t->ret ? 'r' : 'p', where, out);
}

static int compile_user(struct probe_world *world, const struct probe_spec *spec, probe_commands_t *out)
{
	struct probe_target t = { .ret = spec->type == PROBE_URETPROBE };
	__cleanup(free_ptr) char *path = NULL;
	elf_symbols_t places = { 0 };
	int err = elf_find(spec->file, world->pid, &path);

	err = err ? err : elf_open(&t.elf, path);
	err = err ? err : elf_places(t.elf, spec, most_of(world), &places);
	vec_each (&places, symbol)
		err = err ? err : add_place(world, spec, &t, path, symbol, out);
	elf_symbols_fini(&places);
	elf_close(t.elf);
	return err;
}

static int add_usdt(struct probe_world *world, const struct probe_spec *spec, const char *path, struct elf_file *elf, const struct usdt *u,
		    probe_commands_t *out)
{
	const struct probe_target t = { .elf = elf, .offset = u->offset, .usdt = &u->args };
	__cleanup(free_ptr) char *where = u->semaphore ? str_printf("%s:0x%llx(0x%llx)", path, (unsigned long long)u->offset, (unsigned long long)u->semaphore)
						       : str_printf("%s:0x%llx", path, (unsigned long long)u->offset);

	return where ? add_probe(world, spec, &t, u->name, NULL, 'p', where, out) : -ENOMEM;
}

static int no_usdt(struct elf_file *elf, const struct probe_spec *spec)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };
	usdts_t all = { 0 };

	elf_usdts(elf, NULL, NULL, &all);
	vec_each (&all, u)
		if (!strv_has(&names, u->name))
			strv_add(&names, u->name);
	nearest_names(spec->function, &names, 3, &best);
	near = join_names(&best, "; did you mean ", "?");
	fail(ENOENT, "%s has no USDT probe '%s'%s%s", elf_path(elf), spec->function, near ? near : "",
	     names.n ? "; `ringside probe usdt FILE` lists them" : ", and no other either");
	usdts_fini(&all);
	strv_fini(&names);
	strv_fini(&best);
	return -ENOENT;
}

static int compile_usdt(struct probe_world *world, const struct probe_spec *spec, probe_commands_t *out)
{
	__cleanup(free_ptr) char *path = NULL;
	struct elf_file *elf = NULL;
	usdts_t found = { 0 };
	int err = elf_find(spec->file, world->pid, &path);

	err = err ? err : elf_open(&elf, path);
	err = err ? err : elf_usdts(elf, spec->provider, spec->function, &found);
	if (!err && !found.n)
		err = no_usdt(elf, spec);
	for (size_t i = 0; !err && i < found.n; i++)
		err = add_usdt(world, spec, path, elf, &found.at[i], out);
	usdts_fini(&found);
	elf_close(elf);
	return err;
}

/* Checks an argument that begins with a name: it must be a field of the event or a common field. */
static int check_field(const struct probe_spec *spec, const struct probe_arg *arg, const strv_t *fields)
{
	__cleanup(free_ptr) char *near = NULL;

	if (!fields->n || strv_has(fields, arg->expr) || strcmp(arg->expr, "comm") == 0)
		return 0;
	near = place_suggestion(arg->expr, strlen(arg->expr), fields);
	return probe_fail(spec, arg->column, ENOENT, "%s has no field '%s'%s", spec->function, arg->expr, near ? near : "");
}

static int check_fields(struct probe_world *world, const struct probe_spec *spec)
{
	strv_t fields = { 0 };
	int err = 0;

	if (spec->type != PROBE_EPROBE || !world->event_fields || world->event_fields(world->ctx, spec->function, &fields))
		return 0;
	vec_each (&spec->args, arg)
		if (!err && (isalpha((unsigned char)arg->expr[0]) || arg->expr[0] == '_'))
			err = check_field(spec, arg, &fields);
	strv_fini(&fields);
	return err;
}

/* Adds a tprobe or an eprobe. The kernel itself resolves the names in these. */
static int compile_event(struct probe_world *world, const struct probe_spec *spec, probe_commands_t *out)
{
	bool event = spec->type == PROBE_EPROBE;
	struct probe_command c = { .spec = spec };
	__cleanup(free_ptr) char *where = strdup(spec->function);
	int err = where ? check_fields(world, spec) : -ENOMEM;

	err = err ? err : choose_name(world, out, spec->function, "", &c);
	for (size_t i = 0; !err && i < spec->args.n; i++) {
		const struct probe_arg *arg = &spec->args.at[i];
		bool plain = event && (isalpha((unsigned char)arg->expr[0]) || arg->expr[0] == '_');
		struct fetch f = {
			.name = arg->name ? strdup(arg->name) : clean_name(arg->expr, ""),
			.type = arg->type ? strdup(arg->type) : NULL,
		};

		/* A field of an event is written $field. If it points to a string, the string is fetched. */
		f.text = str_printf(plain && arg->type && strstr(arg->type, "string") ? "+0($%s)" : plain ? "$%s" : "%s", arg->expr);
		err = f.name && f.text ? probe_args_add(&c.args, f) : -ENOMEM;
	}
	if (!err && event)
		*(strpbrk(where, "/:.") ? strpbrk(where, "/:.") : where) = strpbrk(where, "/:.") ? '.' : *where;
	err = err ? err : finish(out, &c, event ? 'e' : 't', where);
	if (err)
		drop(&c);
	return err;
}

/* Takes a command "p:GROUP/EVENT REST" as the user has written it for the kernel. Only the name is needed, to enable the event and to remove it. */
static int compile_raw(const struct probe_spec *spec, probe_commands_t *out)
{
	const char *colon = strchr(spec->function, ':');
	size_t group = colon ? strcspn(colon + 1, "/ ") : 0, event;
	struct probe_command c = { .spec = spec };
	int err;

	if (!colon || colon[1 + group] != '/')
		return fail(EINVAL, "probe '%s': a raw probe needs its name: raw:p:GROUP/EVENT ...", spec->text);
	event = strcspn(colon + 2 + group, " ");
	c.group = strndup(colon + 1, group);
	c.event = strndup(colon + 2 + group, event);
	c.text = strdup(spec->function);
	c.remove = c.group && c.event ? str_printf("-:%s/%s", c.group, c.event) : NULL;
	err = c.text && c.remove ? vec_push(out, c) : -ENOMEM;
	if (err)
		drop(&c);
	return err;
}

/* Adds the probes of one text. @functions are those of find_functions(). Returns 0, -ENOMEM, or another -errno after a message. */
static int compile(struct probe_world *world, const struct probe_spec *spec, const strv_t *functions, probe_commands_t *out)
{
	switch (spec->type) {
	case PROBE_KPROBE:
	case PROBE_KRETPROBE:
	case PROBE_FPROBE:
	case PROBE_FRETPROBE:
		return glob_is(spec->function) ? add_functions(world, spec, functions, out) : add_function(world, spec, spec->function, out);
	case PROBE_UPROBE:
	case PROBE_URETPROBE:
		return compile_user(world, spec, out);
	case PROBE_USDT:
		return compile_usdt(world, spec, out);
	case PROBE_TPROBE:
	case PROBE_EPROBE:
		return compile_event(world, spec, out);
	case PROBE_RAW:
		return compile_raw(spec, out);
	}
	return -EINVAL;
}

int probe_compile(struct probe_world *world, const struct probe_spec *spec, probe_commands_t *out)
{
	strv_t functions = { 0 };
	int err = find_functions(world, spec, &functions);

	if (!err) {
		err = compile(world, spec, &functions, out);
		if (err == -ENOMEM)
			fail(ENOMEM, "no memory for the probe '%s'", spec->text);
	}
	strv_fini(&functions);
	return err;
}

int probe_refused(const struct probe_command *c, int err, const char *what, size_t at)
{
	const char *text = c->plain ? c->plain : c->text;
	size_t column = strlen(probe_type_name(c->spec->type)) + 1, end = 0;

	/* In the command, the arguments stand in the order in which the user has typed them. */
	for (size_t i = 0; i < c->args.n && i < c->spec->args.n; i++) {
		const struct fetch *f = &c->args.at[i];
		__cleanup(free_ptr) char *word = str_printf(" %s=%s", f->name, f->text);
		const char *found = word ? strstr(text + end, word) : NULL;

		if (!found)
			break;
		end = (size_t)(found - text) + strlen(word);
		if ((size_t)(found - text) < at && at <= end + 8)
			column = c->spec->args.at[i].column;
	}
	probe_fail(c->spec, column, err, "the kernel refuses this probe: %s", what);
	note("  as the kernel got it: %s", text);
	return -err;
}

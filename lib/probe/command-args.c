/* SPDX-License-Identifier: GPL-2.0 */
/* Translates the arguments of a probe into what the kernel fetches. */
#include "lib/probe/command-args.h"
#include "lib/base/err.h"
#include "lib/base/latency-events.h"
#include "lib/base/str.h"
#include "lib/probe/elf.h"
#include "lib/probe/place.h"

enum { ARGS_MOST = 128 }; /* the kernel's MAX_TRACE_ARGS */

/* Makes the name of a field unique: a second "name" becomes "name_2". */
static int make_unique(fetches_t *args, struct fetch *f)
{
	__cleanup(free_ptr) char *base = strdup(f->name);

	if (!base)
		return -ENOMEM;
	for (unsigned int i = 2;; i++) {
		bool taken = false;

		vec_each (args, other)
			taken |= strcmp(other->name, f->name) == 0;
		if (!taken)
			return 0;
		free(f->name);
		f->name = str_printf("%s_%u", base, i);
		if (!f->name)
			return -ENOMEM;
	}
}

int probe_args_add(fetches_t *args, struct fetch f)
{
	int err = make_unique(args, &f);

	if (!err)
		err = vec_push(args, f);
	if (err)
		fetch_fini(&f);
	return err;
}

static int kernel_fetch(struct probe_world *world, const struct probe_spec *spec, const char *function, const struct probe_arg *arg, struct fetch *f)
{
	int err = world->btf ? 0 : kbtf_open(&world->btf, world->btf_dir);

	return err ? err : kbtf_fetch(world->btf, spec, function, arg, world->entry_args, f);
}

static int usdt_fetch(const struct probe_spec *spec, const struct probe_target *t, const struct probe_arg *arg, struct fetch *out)
{
	vec_each (t->usdt, f) {
		const char *type = arg->type ? arg->type : f->type;

		if (strcmp(f->name, arg->expr))
			continue;
		if (!f->text)
			return probe_fail(spec, arg->column, ENOTSUP, "%s is in a place that no fetch argument reaches", f->name);
		/* If the type is a string, the argument is its address. */
		out->text = arg->type && strstr(arg->type, "string") ? str_printf("+0(%s)", f->text) : strdup(f->text);
		out->type = type ? strdup(type) : NULL;
		out->name = strdup(arg->name ? arg->name : f->name);
		return out->text && out->name ? 0 : -ENOMEM;
	}
	return probe_fail(spec, arg->column, ENOENT, "this probe has %zu arguments: arg1 to arg%zu", t->usdt->n, t->usdt->n);
}

/* Adds the stack pointer behind all other arguments. A return has the same value as its call, and no other call has it. */
static int add_stack_pointer(const struct probe_spec *spec, struct probe_command *c)
{
#ifdef __x86_64__
	const char *at_return = LATENCY_SP_POPPED;
#else
	const char *at_return = LATENCY_SP;
#endif
	struct fetch f = {
		.name = strdup(spec->back ? LATENCY_SP : at_return),
		.text = strdup("$stack"),
		.type = strdup("x64"),
		.hidden = true,
	};

	if (f.name && f.text && f.type)
		return probe_args_add(&c->args, f);
	fetch_fini(&f);
	return -ENOMEM;
}

int probe_args_compile(struct probe_world *world, const struct probe_target *t, struct probe_command *c)
{
	const struct probe_spec *spec = c->spec;
	int err = 0;

	if (spec->args.n > ARGS_MOST)
		return fail(E2BIG, "probe '%s' has %zu arguments; the kernel takes %d", spec->text, spec->args.n, ARGS_MOST);
	for (size_t i = 0; !err && i < spec->args.n; i++) {
		const struct probe_arg *arg = &spec->args.at[i];
		struct fetch f = { 0 };

		if (t->usdt)
			err = usdt_fetch(spec, t, arg, &f);
		else if (t->elf)
			err = elf_fetch(t->elf, spec, t->offset, t->ret, arg, &f);
		else
			err = kernel_fetch(world, spec, t->function, arg, &f);
		if (!err)
			err = probe_args_add(&c->args, f);
		else
			fetch_fini(&f);
	}
	/* If the user has chosen no arguments, all arguments of a USDT probe are fetched. */
	for (size_t i = 0; !err && t->usdt && !spec->args.n && i < t->usdt->n; i++) {
		const struct probe_arg all = { .expr = t->usdt->at[i].name };
		struct fetch f = { 0 };

		if (!t->usdt->at[i].text)
			continue;
		err = usdt_fetch(spec, t, &all, &f);
		if (!err)
			err = probe_args_add(&c->args, f);
		else
			fetch_fini(&f);
	}
	return err ? err : spec->latency ? add_stack_pointer(spec, c) : 0;
}

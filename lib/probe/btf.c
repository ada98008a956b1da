/* SPDX-License-Identifier: GPL-2.0 */
/* Finds kernel functions in BTF, and makes the beginnings of fetch expressions of their parameters. */
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/probe/abi.h"
#include "lib/probe/btf-type.h"
#include "lib/probe/fetch.h"
#include "lib/probe/place.h"

#include <bpf/libbpf.h>
#include <dirent.h>
#include <elf.h>
#include <stdio.h>

/* A function's prototype, and the BTF in which it is. */
struct kfunc {
	const struct btf *btf;
	const struct btf_type *proto;
};

struct kbtf {
	char *dir;
	struct btf *vmlinux;
	VEC(struct btf *) modules;
	bool modules_loaded;
};

int kbtf_open(struct kbtf **out, const char *dir)
{
	struct kbtf *k = calloc(1, sizeof(*k));
	__cleanup(free_ptr) char *path = NULL;

	if (!k)
		return -ENOMEM;
	libbpf_set_print(NULL);
	k->dir = strdup(dir ? dir : "/sys/kernel/btf");
	path = k->dir ? str_printf("%s/vmlinux", k->dir) : NULL;
	if (!path) {
		kbtf_close(k);
		return -ENOMEM;
	}
	k->vmlinux = btf__parse(path, NULL);
	if (!k->vmlinux) {
		int err = errno;

		if (err != ENOMEM)
			fail(err,
			     "%s cannot be read (%m), so arguments have no names here: this kernel needs CONFIG_DEBUG_INFO_BTF; "
			     "write registers and offsets instead, as +0($arg2):string",
			     path);
		kbtf_close(k);
		return -err;
	}
	*out = k;
	return 0;
}

static void drop_modules(struct kbtf *k)
{
	vec_each (&k->modules, m)
		btf__free(*m);
	vec_fini(&k->modules);
}

void kbtf_close(struct kbtf *k)
{
	if (!k)
		return;
	drop_modules(k);
	btf__free(k->vmlinux);
	free(k->dir);
	free(k);
}

/*
 * Opens the BTF of all modules, when the kernel's own BTF lacks a function. A module's BTF refers to the kernel's. Returns 0, -ENOMEM, or another -errno
 * after a message.
 */
static int load_modules(struct kbtf *k)
{
	struct dirent *entry;
	DIR *dir;
	int err = 0;

	if (k->modules_loaded)
		return 0;
	dir = opendir(k->dir);
	if (!dir && errno == ENOENT)
		return 0;
	if (!dir)
		return errno == ENOMEM ? -ENOMEM : fail(errno, "%s, which has the BTF of modules, cannot be read: %m", k->dir);
	while (!err && (entry = readdir(dir))) {
		__cleanup(free_ptr) char *path = str_printf("%s/%s", k->dir, entry->d_name);
		struct btf *btf;

		if (entry->d_name[0] == '.' || strcmp(entry->d_name, "vmlinux") == 0)
			continue;
		/* A module whose BTF cannot be read (it may be on its way out) has no functions for us. */
		btf = path ? btf__parse_split(path, k->vmlinux) : NULL;
		if (!path || (!btf && errno == ENOMEM))
			err = -ENOMEM;
		if (btf && vec_push(&k->modules, btf)) {
			btf__free(btf);
			err = -ENOMEM;
		}
	}
	closedir(dir);
	if (err)
		drop_modules(k);
	k->modules_loaded = !err;
	return err;
}

static bool find_function(const struct btf *btf, const char *name, struct kfunc *out)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);

	if (id < 0)
		return false;
	out->btf = btf;
	out->proto = btf__type_by_id(btf, btf__type_by_id(btf, (uint32_t)id)->type);
	return out->proto && btf_is_func_proto(out->proto);
}

/* Finds the prototype of a function. Returns 0, -ENOENT when no BTF has it, or -ENOMEM, all without a message. Returns another -errno after a message. */
static int find_prototype(struct kbtf *k, const char *name, struct kfunc *out)
{
	int err;

	if (find_function(k->vmlinux, name, out))
		return 0;
	err = load_modules(k);
	if (err)
		return err;
	vec_each (&k->modules, m)
		if (find_function(*m, name, out))
			return 0;
	return -ENOENT;
}

static int add_names(const struct btf *btf, uint32_t first, strv_t *out)
{
	int err = 0;

	for (uint32_t id = first; !err && id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (btf_is_func(type))
			err = strv_add(out, btf_text(btf, type->name_off));
	}
	return err;
}

/* Says that no BTF has the function, and which of its functions have the nearest names. */
static int not_in_btf(const struct kbtf *k, const char *function)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };
	int err = add_names(k->vmlinux, 1, &names);

	vec_each (&k->modules, m)
		err = err ? err : add_names(*m, btf__type_cnt(k->vmlinux), &names);
	if (!err && !nearest_names(function, &names, 5, &best))
		near = join_names(&best, "; nearest: ", "");
	strv_fini(&names);
	strv_fini(&best);
	return fail(ENOENT, "%s is not in this kernel's BTF, so nothing is known of its parameters%s", function, near ? near : "");
}

static void spell_type(const struct btf *btf, uint32_t type_id, struct str *out)
{
	struct ctype type = btf_ctype(btf, type_id);

	type.ops->spell(&type, out);
}

/* Spells the type in front of a name, as in "int name" or "char *name". */
static void spell_before_name(const struct btf *btf, uint32_t type_id, struct str *out)
{
	spell_type(btf, type_id, out);
	str_add(out, str_ends(str_text(out), "*") ? "" : " ");
}

int kbtf_prototype(struct kbtf *k, const char *function, char **out)
{
	struct str s = { 0 };
	struct kfunc f;
	int err = find_prototype(k, function, &f);

	if (err)
		return err;
	spell_before_name(f.btf, f.proto->type, &s);
	str_addf(&s, "%s(", function);
	for (uint16_t i = 0; i < btf_vlen(f.proto); i++) {
		const struct btf_param *p = &btf_params(f.proto)[i];

		str_add(&s, i ? ", " : "");
		if (p->type) {
			spell_before_name(f.btf, p->type, &s);
			str_add(&s, btf_text(f.btf, p->name_off));
		} else {
			str_add(&s, "...");
		}
	}
	str_add(&s, btf_vlen(f.proto) ? ")" : "void)");
	*out = str_take(&s);
	return *out ? 0 : -ENOMEM;
}

/* --- where a parameter is ---------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64, STACK_BEGIN = 8, REGISTERS = 6 }; /* on the stack, the return address comes first */
static const char second_result[] = "%dx";
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64, STACK_BEGIN = 0, REGISTERS = 8 };
static const char second_result[] = "%x1";
#else
enum { MACHINE = EM_NONE, STACK_BEGIN = 0, REGISTERS = 0 };
static const char second_result[] = "";
#endif

static bool at_return(const struct probe_spec *spec)
{
	return spec && (spec->type == PROBE_KRETPROBE || spec->type == PROBE_FRETPROBE);
}

static int in_registers(struct place *p, const struct abi_place *abi, const struct probe_spec *spec, bool result)
{
	struct ctype_info info;

	p->type.ops->info(&p->type, &info);
	for (unsigned int i = 0; i < abi->n; i++) {
		struct place_part *part = &p->parts[i];
		bool second = result && abi->parts[i].number > 1;

		*part = (struct place_part){ .at = abi->parts[i].at, .size = abi->parts[i].size };
		/* An fprobe sees only the first register of a result. */
		if (abi->parts[i].class != ABI_INTEGER || (second && spec && spec->type == PROBE_FRETPROBE))
			continue;
		if (result)
			snprintf(part->text, sizeof(part->text), "%s", second ? second_result : "$retval");
		else
			snprintf(part->text, sizeof(part->text), "$arg%u", abi->parts[i].number);
	}
	p->n_parts = abi->n;
	if (!abi->reference && (abi->n > 1 || info.kind == CTYPE_STRUCT || !p->parts[0].text[0]))
		return 0;
	str_add(&p->text, p->parts[0].text);
	p->n_parts = 0;
	p->memory = abi->reference;
	return str_ok(&p->text);
}

static int on_stack(struct place *p, const struct abi_place *abi, const struct probe_spec *spec, const char **why)
{
	struct ctype_info info;

	p->type.ops->info(&p->type, &info);
	/* On x86-64, $argN continues behind the registers with the words on the stack. The kernel keeps these for the return. */
	if (MACHINE == EM_X86_64 && info.size <= 8) {
		p->n_parts = 1;
		p->parts[0] = (struct place_part){ .size = (unsigned int)info.size };
		snprintf(p->parts[0].text, sizeof(p->parts[0].text), "$arg%u", (unsigned int)(REGISTERS + 1 + abi->stack / 8));
		if (info.kind == CTYPE_STRUCT)
			return 0;
		p->n_parts = 0;
		str_add(&p->text, p->parts[0].text);
		return str_ok(&p->text);
	}
	if (at_return(spec)) {
		*why = "it was passed on the stack, which the kernel does not keep for the return";
		return -ENOTSUP;
	}
	str_add(&p->text, "$stack");
	p->memory = true;
	p->offset = (int64_t)abi->stack + STACK_BEGIN;
	if (abi->reference) {
		int err = place_load(p);

		p->memory = true;
		return err;
	}
	return str_ok(&p->text);
}

static int place_abi(struct place *p, const struct abi_place *abi, const struct probe_spec *spec, bool result, const char **why)
{
	*why = abi->kind == ABI_NOTHING ? "a value without bytes is not passed" : abi->why;
	if (abi->kind == ABI_REGISTERS)
		return in_registers(p, abi, spec, result);
	return abi->kind == ABI_STACK ? on_stack(p, abi, spec, why) : -ENOTSUP;
}

/*
 * Makes the beginning of an expression for the parameter of that name, or for $retval. Returns 0, -ENOENT when there is no such parameter, or -ENOTSUP when
 * it cannot be fetched. *@why is then the reason. No message is printed.
 */
static int begin(struct place *p, const struct kfunc *f, const struct probe_spec *spec, const char *name, size_t len, const char **why)
{
	struct ctype result = btf_ctype(f->btf, f->proto->type);
	struct abi_place abi;
	struct abi_call call;

	*p = (struct place){ .type = result };
	if (len == 7 && strncmp(name, "$retval", 7) == 0) {
		abi_result(MACHINE, &result, &abi);
		if (abi.kind != ABI_NOTHING)
			return place_abi(p, &abi, spec, true, why);
		/* The function returns nothing. A user who wants $retval all the same gives it a type. */
		str_add(&p->text, "$retval");
		return str_ok(&p->text);
	}
	abi_begin(&call, MACHINE, &result);
	for (uint16_t i = 0; i < btf_vlen(f->proto); i++) {
		const struct btf_param *param = &btf_params(f->proto)[i];
		const char *its = btf_text(f->btf, param->name_off);

		p->type = btf_ctype(f->btf, param->type);
		abi_next(&call, &p->type, ABI_BY_TYPE, &abi);
		if (strlen(its) == len && strncmp(its, name, len) == 0)
			return place_abi(p, &abi, spec, false, why);
	}
	return -ENOENT;
}

/* --- expressions ------------------------------------------------------------------------------------------------ */

static int no_parameter(const struct probe_spec *spec, const struct kfunc *f, const char *function, const struct probe_arg *arg, size_t len)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 };
	int err;

	for (uint16_t i = 0; i < btf_vlen(f->proto); i++)
		strv_add(&names, btf_text(f->btf, btf_params(f->proto)[i].name_off));
	near = place_suggestion(arg->expr, len, &names);
	err = probe_fail(spec, arg->column, ENOENT, "%s has no parameter '%.*s'%s", function, prec(len), arg->expr,
			 names.n ? near ? near : "" : "; it has none at all");
	strv_fini(&names);
	return err;
}

static int gone(const struct probe_spec *spec, const char *function, const struct probe_arg *arg)
{
	return probe_fail(spec, arg->column, EINVAL,
			  "the parameters are gone when %s returns, and this kernel does not keep them for "
			  "return probes; fetch them with a kprobe, or $retval here",
			  function);
}

static int compile(const struct kfunc *f, const struct probe_spec *spec, const char *function, const struct probe_arg *arg, bool entry_args, struct fetch *out)
{
	size_t len = place_name(arg->expr);
	bool retval = str_starts(arg->expr, "$retval");
	struct place p;
	const char *why;
	int err = begin(&p, f, spec, arg->expr, len, &why);

	if (err == -ENOENT)
		err = no_parameter(spec, f, function, arg, len);
	else if (err == -ENOTSUP)
		err = probe_fail(spec, arg->column, ENOTSUP, "'%.*s' cannot be fetched: %s", prec(len), arg->expr, why);
	else if (!err && retval && !at_return(spec))
		err = probe_fail(spec, arg->column, EINVAL, "$retval is there at the return only: use a kretprobe");
	else if (!err && !retval && at_return(spec) && !entry_args)
		err = gone(spec, function, arg);
	err = err ? err : place_walk(&p, spec, arg, arg->expr + len);
	err = err ? err : place_fetch(&p, spec, arg, out);
	place_fini(&p);
	return err;
}

/* Returns true for an expression that the kernel understands as it is. */
static bool is_kernels_own(const char *expr)
{
	static const char *const own[] = { "$arg", "$stack", "$comm", "%", "@", "+", "-", "\\" };

	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (str_starts(expr, own[i]))
			return true;
	return false;
}

static int pass_through(const struct probe_arg *arg, struct fetch *out)
{
	out->text = strdup(arg->expr);
	out->type = arg->type ? strdup(arg->type) : NULL;
	return out->text && (out->type || !arg->type) ? 0 : -ENOMEM;
}

int kbtf_fetch(struct kbtf *k, const struct probe_spec *spec, const char *function, const struct probe_arg *arg, bool entry_args, struct fetch *out)
{
	struct kfunc f;
	int err;

	*out = (struct fetch){ .name = arg->name ? strdup(arg->name) : place_field(arg->expr) };
	if (!out->name)
		return -ENOMEM;
	if (at_return(spec) && !entry_args && str_starts(arg->expr, "$arg"))
		return gone(spec, function, arg);
	if (is_kernels_own(arg->expr))
		return pass_through(arg, out);
	err = find_prototype(k, function, &f);
	if (err == -ENOENT && strcmp(arg->expr, "$retval") == 0)
		return pass_through(arg, out);
	if (err == -ENOENT)
		return probe_fail(spec, arg->column, ENOENT, "%s is not in this kernel's BTF, so its parameters have no names; use $arg1, $arg2 …", function);
	return err ? err : compile(&f, spec, function, arg, entry_args, out);
}

int kbtf_variables(struct kbtf *k, const char *function, unsigned int depth, variables_t *out)
{
	struct kfunc f;
	int err = find_prototype(k, function, &f);

	if (err == -ENOENT)
		not_in_btf(k, function);
	for (uint16_t i = 0; !err && i <= btf_vlen(f.proto); i++) {
		bool ret = i == btf_vlen(f.proto);
		const char *name = ret ? "$retval" : btf_text(f.btf, btf_params(f.proto)[i].name_off);
		struct place p = { 0 };
		const char *why;

		if (*name) {
			err = begin(&p, &f, NULL, name, strlen(name), &why);
			err = err == -ENOTSUP ? place_list_why(&p.type, name, why, out) : err ? err : place_list(&p, name, depth, out);
		}
		place_fini(&p);
	}
	return err;
}

int kbtf_names(struct kbtf *k, const struct probe_spec *spec, const char *function, const struct probe_arg *base, strv_t *out)
{
	size_t len = base ? place_name(base->expr) : 0;
	struct place p = { 0 };
	struct ctype type;
	const char *why;
	struct kfunc f;
	int err = find_prototype(k, function, &f);

	if (err)
		return err == -ENOENT ? fail(ENOENT, "%s is not in this kernel's BTF", function) : err;
	if (base) {
		err = begin(&p, &f, spec, base->expr, len, &why);
		err = err ? err : place_walk(&p, spec, base, base->expr + len);
		err = err ? err : place_members(&p, out);
	} else if (at_return(spec)) {
		type = btf_ctype(f.btf, f.proto->type);
		err = place_candidate("$retval", &type, out);
	}
	for (uint16_t i = 0; !err && !base && !at_return(spec) && i < btf_vlen(f.proto); i++) {
		type = btf_ctype(f.btf, btf_params(f.proto)[i].type);
		err = place_candidate(btf_text(f.btf, btf_params(f.proto)[i].name_off), &type, out);
	}
	place_fini(&p);
	return err;
}

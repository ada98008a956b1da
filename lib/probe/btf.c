/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/probe/btf.h"
#include "lib/base/err.h"

#include <bpf/libbpf.h>
#include <dirent.h>

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

		fail(err, "%s cannot be read (%m), so arguments have no names here: this kernel needs CONFIG_DEBUG_INFO_BTF; "
		     "write registers and offsets instead, as +0($arg2):string", path);
		kbtf_close(k);
		return -err;
	}
	*out = k;
	return 0;
}

void kbtf_close(struct kbtf *k)
{
	if (!k)
		return;
	vec_each (&k->modules, m)
		btf__free(*m);
	vec_fini(&k->modules);
	btf__free(k->vmlinux);
	free(k->dir);
	free(k);
}

/* Modules' types build upon the kernel's; they are opened when the kernel itself lacks a function. */
static int load_modules(struct kbtf *k)
{
	struct dirent *entry;
	DIR *dir;
	int err = 0;

	if (k->modules_loaded)
		return 0;
	k->modules_loaded = true;
	dir = opendir(k->dir);
	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir))) {
		__cleanup(free_ptr) char *path = str_printf("%s/%s", k->dir, entry->d_name);
		struct btf *btf;

		if (entry->d_name[0] == '.' || strcmp(entry->d_name, "vmlinux") == 0)
			continue;
		/* One that cannot be read (a module on its way out) has no functions for us. */
		btf = path ? btf__parse_split(path, k->vmlinux) : NULL;
		if (btf && vec_push(&k->modules, btf)) {
			btf__free(btf);
			err = -ENOMEM;
		}
	}
	closedir(dir);
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

int kbtf_function(struct kbtf *k, const char *name, struct kfunc *out)
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

static int add_functions(const struct btf *btf, uint32_t from, strv_t *out)
{
	for (uint32_t id = from; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (btf_is_func(t) && strv_add(out, btf_name(btf, t)))
			return -ENOMEM;
	}
	return 0;
}

int kbtf_functions(struct kbtf *k, strv_t *out)
{
	int err = load_modules(k);

	err = err ? err : add_functions(k->vmlinux, 1, out);
	vec_each (&k->modules, m)
		err = err ? err : add_functions(*m, btf__type_cnt(k->vmlinux), out);
	return err;
}

const char *btf_name(const struct btf *btf, const struct btf_type *type)
{
	const char *name = btf__name_by_offset(btf, type->name_off);

	return name ? name : "";
}

const struct btf_type *btf_plain(const struct btf *btf, uint32_t type_id, uint32_t *id)
{
	const struct btf_type *t = btf__type_by_id(btf, type_id);

	while (t && (btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t))) {
		type_id = t->type;
		t = btf__type_by_id(btf, type_id);
	}
	if (id)
		*id = type_id;
	return t;
}

bool btf_is_char(const struct btf *btf, uint32_t type_id)
{
	const struct btf_type *t = btf__type_by_id(btf, type_id);

	while (t && (btf_is_mod(t) || btf_is_type_tag(t)))
		t = btf__type_by_id(btf, t->type);
	return t && btf_is_int(t) && t->size == 1 && strcmp(btf_name(btf, t), "char") == 0;
}

static void spell_pointer(const struct btf *btf, const struct btf_type *t, struct str *out)
{
	const struct btf_type *to = btf__type_by_id(btf, t->type);

	if (to && btf_is_func_proto(to)) {
		btf_spell(btf, to->type, out);
		str_add(out, " (*)()");
		return;
	}
	btf_spell(btf, t->type, out);
	str_add(out, out->len && out->at[out->len - 1] == '*' ? "*" : " *");
}

void btf_spell(const struct btf *btf, uint32_t type_id, struct str *out)
{
	static const struct {
		uint16_t kind;
		const char *prefix;
	} words[] = {
		{ BTF_KIND_STRUCT, "struct " }, { BTF_KIND_UNION, "union " }, { BTF_KIND_ENUM, "enum " },
		{ BTF_KIND_ENUM64, "enum " },	{ BTF_KIND_CONST, "const " }, { BTF_KIND_VOLATILE, "volatile " },
	};
	const struct btf_type *t = btf__type_by_id(btf, type_id);
	const char *prefix = "";

	if (!t || btf_is_void(t)) {
		str_add(out, "void");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (btf_kind(t) == words[i].kind)
			prefix = words[i].prefix;
	if (btf_is_fwd(t))
		prefix = btf_kflag(t) ? "union " : "struct ";
	if (btf_is_ptr(t)) {
		spell_pointer(btf, t, out);
	} else if (btf_is_array(t)) {
		btf_spell(btf, btf_array(t)->type, out);
		str_addf(out, "[%u]", btf_array(t)->nelems);
	} else if (btf_is_mod(t) || btf_is_type_tag(t)) {
		str_add(out, btf_is_type_tag(t) || btf_is_restrict(t) ? "" : prefix);
		btf_spell(btf, t->type, out);
	} else {
		str_addf(out, "%s%s", prefix, *btf_name(btf, t) ? btf_name(btf, t) : "{...}");
	}
}

int kbtf_prototype(struct kbtf *k, const char *function, char **out)
{
	struct str s = { 0 };
	struct kfunc f;
	int err = kbtf_function(k, function, &f);

	if (err)
		return err;
	btf_spell(f.btf, f.proto->type, &s);
	str_addf(&s, "%s%s(", s.at[s.len - 1] == '*' ? "" : " ", function);
	for (uint16_t i = 0; i < btf_vlen(f.proto); i++) {
		const struct btf_param *p = &btf_params(f.proto)[i];

		str_add(&s, i ? ", " : "");
		if (!p->type) {
			str_add(&s, "...");
			continue;
		}
		btf_spell(f.btf, p->type, &s);
		str_addf(&s, "%s%s", s.at[s.len - 1] == '*' ? "" : " ",
			 btf__name_by_offset(f.btf, p->name_off));
	}
	str_add(&s, btf_vlen(f.proto) ? ")" : "void)");
	*out = str_take(&s);
	return *out ? 0 : -ENOMEM;
}

/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/probes.h"

#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/probe/print-format.h"
#include "lib/tracefs/ksyms.h"
#include "lib/tracefs/select.h"
#include "lib/tracefs/sites.h"

int probe_set_new(struct probe_set **out, const char *text, bool latency)
{
	int (*parse)(struct probe_spec * spec, const char *text) = latency ? probe_spec_parse_latency : probe_spec_parse;
	struct probe_set *set = calloc(1, sizeof(*set));
	int err = set ? parse(&set->spec, text) : -ENOMEM;

	if (err) {
		free(set);
		return err;
	}
	*out = set;
	return 0;
}

void probe_set_free(struct probe_set *set)
{
	if (!set)
		return;
	probe_commands_fini(&set->commands);
	probe_spec_fini(&set->spec);
	free(set);
}

/* Takes those names out that the kernel would refuse, because they are on its blacklist or several functions have them. Returns 0 or -ENOMEM. */
static int drop_refused(strv_t *names, size_t *refused)
{
	strv_t black = { 0 };
	size_t kept = 0;
	int err = ksyms_blacklist(&black);

	strv_sort(names);
	for (size_t i = 0, same; i < names->n; i += same) {
		for (same = 1; i + same < names->n && strcmp(names->at[i], names->at[i + same]) == 0; same++)
			free(names->at[i + same]);
		if (same > 1 || ksyms_has(&black, names->at[i]))
			free(names->at[i]);
		else
			names->at[kept++] = names->at[i];
	}
	*refused = names->n - kept;
	names->n = kept;
	strv_fini(&black);
	return err;
}

int probes_functions(const struct tracedir *top, const char *glob, strv_t *out, size_t *refused)
{
	strv_t found = { 0 };
	int err = functions_find(top, glob, &found);

	*refused = 0;
	/* Behind the name of a module's function, the kernel's list has the module in brackets. */
	vec_each (&found, name)
		(*name)[strcspn(*name, " ")] = '\0';
	if (!err && drop_refused(&found, refused))
		err = fail(ENOMEM, "no memory for the list of functions");
	vec_each (&found, name)
		if (!err && strv_own(out, take(*name)))
			err = fail(ENOMEM, "no memory for the list of functions");
	strv_fini(&found);
	return err;
}

static int functions(void *ctx, const char *glob, strv_t *out)
{
	size_t refused;
	int err = probes_functions(ctx, glob, out, &refused);

	return !err && !out->n ? fail(ENOENT, "no function that can be probed matches '%s'", glob) : err;
}

static int behind(__unused void *ctx, const strv_t *functions_, int *out)
{
	return sites_behind(functions_, out, NULL, NULL);
}

static int function_check(void *ctx, const struct probe_spec *spec, const char *name)
{
	/* The functions that match a glob come from the kernel's list, so they exist. */
	return glob_is(spec->function) ? 0 : function_exists(ctx, name);
}

static bool event_exists(void *ctx, const char *group, const char *event)
{
	__cleanup(free_ptr) char *folder = str_printf("events/%s/%s", group, event);

	return !folder || tracedir_has(ctx, folder);
}

static int fields_of(void *ctx, const char *event, strv_t *out)
{
	__cleanup(free_ptr) char *name = strdup(event);

	/* SYSTEM/EVENT and SYSTEM.EVENT are understood, too. */
	if (name && strpbrk(name, "/."))
		*strpbrk(name, "/.") = ':';
	return name ? event_fields(ctx, name, out) : -ENOMEM;
}

/* Returns true if return probes can fetch arguments. The kernel's README then has the line "kernel return probes support: $retval, $arg<N>, $comm". */
static bool has_entry_args(const struct tracedir *top)
{
	__cleanup(free_ptr) char *readme = NULL;
	const char *line = tracedir_read(top, "README", &readme) ? NULL : strstr(readme, "kernel return probes support:");

	return line && memmem(line, strcspn(line, "\n"), "$arg", 4);
}

struct probe_world probes_world(const struct tracedir *top)
{
	return (struct probe_world){
		.functions = functions,
		.behind = behind,
		.function_check = function_check,
		.event_exists = event_exists,
		.event_fields = fields_of,
		.ctx = (void *)top,
		.entry_args = has_entry_args(top),
	};
}

int probes_check(struct record_spec *spec, const struct tracedir *top)
{
	struct probe_world world = probes_world(top);
	probe_commands_t all = { 0 };
	int err = 0;

	world.force = spec->force;
	world.most = (unsigned int)MIN(spec->max_probes, (uint64_t)UINT32_MAX);
	world.pid = spec->pids.n == 1 ? spec->pids.at[0] : 0;
	vec_each (&spec->buffers, buffer)
		vec_each (&buffer->events, event) {
			size_t before = all.n;

			if (err || !event->probes)
				continue;
			/* All probes go into one list first, so that no two of them get the same name. */
			err = probe_compile(&world, &event->probes->spec, &all);
			for (size_t i = before; i < all.n; i++) {
				const struct probe_command *c = &all.at[i];

				if (!err && (strv_own(&event->found, str_printf("%s:%s", c->group, c->event)) || vec_push(&event->probes->commands, *c)))
					err = fail(ENOMEM, "no memory for the probe '%s'", event->probes->spec.text);
			}
		}
	vec_fini(&all);
	probe_world_fini(&world);
	return err;
}

int probes_arm(struct session *s, const struct record_spec *spec)
{
	int err = 0;

	vec_each (&spec->buffers, buffer)
		vec_each (&buffer->events, event) {
			if (err || !event->probes)
				continue;
			vec_each (&event->probes->commands, c) {
				__cleanup(free_ptr) char *what = NULL;
				size_t at;

				err = session_dynevent(s, c->text, c->plain, c->remove, &what, &at);
				if (err && what)
					err = probe_refused(c, -err, what, at);
				if (err)
					break;
			}
		}
	return err;
}

/* Returns true if the format is that of the probe @c. A format begins with "name: EVENT". */
static bool is_of(const struct event_text *text, const struct probe_command *c)
{
	size_t n = strlen(c->event);

	return strcmp(text->system, c->group) == 0 && text->format.at && str_starts(text->format.at, "name: ") &&
	       strncmp(text->format.at + 6, c->event, n) == 0 && text->format.at[6 + n] == '\n';
}

static int describe(const struct probe_command *c, struct metadata *meta)
{
	vec_each (&meta->formats, text)
		if (is_of(text, c))
			return probe_print_format(c, &text->format);
	return 0;
}

int probes_describe(const struct record_spec *spec, struct metadata *meta)
{
	vec_each (&spec->buffers, buffer)
		vec_each (&buffer->events, event) {
			if (!event->probes)
				continue;
			vec_each (&event->probes->commands, c)
				if (describe(c, meta))
					return fail(ENOMEM, "no memory for the formats of probes");
		}
	return 0;
}

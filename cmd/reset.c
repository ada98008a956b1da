/* SPDX-License-Identifier: GPL-2.0 */
/* ringside reset: puts back what dead recordings have changed, or turns all tracing off. */
#include "cmd/commands.h"
#include "lib/base/err.h"
#include "lib/tracefs/dynevent.h"
#include "lib/tracefs/journal.h"
#include "lib/tracefs/reset.h"
#include "lib/tracefs/stays.h"
#include "lib/tracefs/target.h"

#include <stdio.h>

/* Options apply to the target before them, as in trace-cmd: -B one -b 4096 -B two -d. */
struct target {
	const char *name; /* "" is the top instance; NULL: all other instances */
	uint64_t size_kb; /* 0: the size stays */
	bool remove;
};

struct reset {
	bool stale, dry, off, events;
	strv_t kept; /* the kinds of dynamic events that are kept, or "all" */
	VEC(struct target) targets;
};

/* --- reset --stale ------------------------------------------------------------------------------------------ */

static int explain(const struct journal_info *info)
{
	strv_t steps = { 0 };
	int err = journal_explain(info, &steps);

	printf("recording of pid %d (%s):\n", (int)info->pid, info->command);
	vec_each (&steps, step)
		printf("  %s\n", *step);
	strv_fini(&steps);
	return err;
}

/* Says that a killed recording is still ending: its guard has not put everything back within GUARD_MS. */
static int still_ending(const struct journal_info *info)
{
	if (!info->guard)
		return fail(EBUSY, "the recording of pid %d was killed and has not ended yet: run `ringside reset --stale` again when it has", (int)info->pid);
	return fail(EBUSY,
		    "the recording of pid %d was killed, and its guard, pid %d, is putting back what it changed: run `ringside reset --stale` again later",
		    (int)info->pid, (int)info->guard);
}

static int reset_stale(bool dry)
{
	enum { GUARD_MS = 5000 };
	journals_t all = { 0 };
	size_t dead = 0;
	int err = journals_find_ended(NULL, GUARD_MS, &all), ret;

	vec_each (&all, info) {
		if (!journal_is_stale(info) && !info->ending)
			continue;
		dead++;
		ret = info->ending ? still_ending(info) : dry ? explain(info) : journal_replay(info);
		if (!dry && !ret)
			printf("put back what the recording of pid %d had changed: %s\n", (int)info->pid, info->command);
		err = err ? err : ret;
	}
	ret = journals_readable(NULL);
	err = err ? err : ret;
	if (!dead && !err)
		puts("no dead recording has left anything behind");
	journals_fini(&all);
	return err;
}

/* --- reset -------------------------------------------------------------------------------------------------- */

/*
 * Puts back what `start` found. If `start` was not used, or with --off, turns everything off. Sets *@off to true if that was done in the top instance: then
 * dynamic events are removed, too, as trace-cmd does.
 */
static int reset_named(const struct reset *reset, const struct tracedir *top, const struct target *t, const char *name, bool *off)
{
	struct tracedir dir = TRACEDIR_NONE;
	size_t put_back;
	int err = target_unused(top, name);

	if (!err)
		err = stays_put_back(NULL, top, name, &put_back);
	if (err)
		return err;
	/* An instance made by start is gone now. */
	if (put_back && !target_exists(top, name)) {
		if (t->size_kb)
			note("instance '%s' was made by `ringside start` or `ringside set`, and is removed: -b has no effect", name);
		return 0;
	}
	err = target_open(&dir, top, name, false);
	if (!err && !t->remove && (!put_back || reset->off)) {
		err = reset_instance(top, &dir);
		*off |= !*name;
	}
	if (!err && !t->remove && t->size_kb)
		err = reset_size(&dir, t->size_kb);
	tracedir_fini(&dir);
	return !err && t->remove ? reset_remove(top, name) : err;
}

static int reset_target(const struct reset *reset, const struct tracedir *top, const struct target *t, bool *off)
{
	strv_t names = { 0 };
	int err, ret;

	if (t->name)
		return reset_named(reset, top, t, t->name, off);
	err = tracedir_list(top, TRACEDIR_INSTANCES, &names);
	if (err)
		fail(-err, "%s/instances: %s", top->path, strerror(-err));
	vec_each (&names, name) {
		ret = reset_named(reset, top, t, *name, off);
		err = err ? err : ret;
	}
	strv_fini(&names);
	return err;
}

/* Was the dynamic event made by a running recording, or by a start whose settings stay? Then it is removed together with them. */
static bool is_owned(const journals_t *all, const struct tracedir *top, const struct dynevent *d)
{
	__cleanup(free_ptr) char *path = str_printf("dynamic_events:%s", d->name);
	const struct journal_info *info = path ? journals_owner(all, top->path, path) : NULL;

	return info && (info->alive || info->stays);
}

/* Removes dynamic events. With @owned, also those that other ringside processes have made. */
static int remove_dynevents(const struct reset *reset, const struct tracedir *top, bool owned)
{
	journals_t journals = { 0 };
	dynevents_t all = { 0 };
	strv_t names = { 0 };
	int err = dynevents_read(top, &all);

	if (!err && !owned)
		err = journals_find(NULL, &journals);
	vec_each (&all, d) {
		const char *kind = dynevent_kind(d);

		if (err || strv_has(&reset->kept, "all") || (kind && strv_has(&reset->kept, kind)) || (!owned && is_owned(&journals, top, d)))
			continue;
		if (strv_add(&names, d->name))
			err = fail(ENOMEM, "out of memory");
	}
	err = err ? err : dynevents_remove(top, &names);
	strv_fini(&names);
	dynevents_fini(&all);
	journals_fini(&journals);
	return err;
}

static int reset_all(const struct reset *reset)
{
	struct tracedir top = TRACEDIR_NONE;
	bool off = false;
	int err = tracedir_open(&top, NULL), ret;

	if (err)
		return err;
	vec_each (&reset->targets, t) {
		ret = reset_target(reset, &top, t, &off);
		err = err ? err : ret;
	}
	if (reset->events || off) {
		ret = remove_dynevents(reset, &top, reset->events);
		err = err ? err : ret;
	}
	tracedir_fini(&top);
	return err;
}

/* --- the command -------------------------------------------------------------------------------------------- */

static int add_target(struct reset *reset, const char *name)
{
	return vec_push(&reset->targets, (struct target){ .name = name });
}

static int take_instance(void *ctx, __unused const struct opt *opt, const char *value)
{
	return add_target(ctx, value);
}

static int take_all(void *ctx, __unused const struct opt *opt, __unused const char *value)
{
	return add_target(ctx, NULL);
}

static int take_top(void *ctx, __unused const struct opt *opt, __unused const char *value)
{
	return add_target(ctx, "");
}

/* Returns the target to which an option applies: the last one named, or the top instance. Returns NULL for lack of memory. */
static struct target *current(struct reset *reset)
{
	if (!reset->targets.n && add_target(reset, ""))
		return NULL;
	return &reset->targets.at[reset->targets.n - 1];
}

static int take_size(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct target *t = current(ctx);

	if (!t)
		return -ENOMEM;
	if (parse_size(value, 1024, &t->size_kb) || !t->size_kb) {
		usage(&cmd_reset, "-b takes a size in kB, and '%s' is none", value);
		return -EINVAL;
	}
	return 0;
}

static int take_remove(void *ctx, __unused const struct opt *opt, __unused const char *value)
{
	struct target *t = current(ctx);

	if (!t)
		return -ENOMEM;
	if (t->name && !*t->name) {
		usage(&cmd_reset, "-d is for instances: give it after -B or -a; the top one cannot be removed");
		return -EINVAL;
	}
	t->remove = true;
	return 0;
}

/* Handles -k kprobe,synth. */
static int take_kept(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct reset *reset = ctx;
	__cleanup(free_ptr) char *list = NULL;
	strv_t kinds = { 0 };
	int err = strv_split(&reset->kept, value, ",");

	for (size_t i = 0; !err && dynevent_kinds[i]; i++)
		err = strv_add(&kinds, dynevent_kinds[i]);
	err = err ? err : strv_add(&kinds, "all");
	vec_each (&reset->kept, kind) {
		if (err || strv_has(&kinds, *kind))
			continue;
		list = join_names(&kinds, "", "");
		usage(&cmd_reset, "-k %s: '%s' is no kind of dynamic event; there is %s", value, *kind, list ? list : "all");
		err = -EINVAL;
	}
	strv_fini(&kinds);
	return err;
}

static const struct opt options[] = {
	{ OPT_FLAG, .name = "stale", .help = "put back the settings that killed recordings have changed, and nothing else",
	  .offset = OPT_TO(struct reset, stale) },
	{ OPT_FLAG, .name = "dry-run", .help = "with --stale: only print what would be put back", .offset = OPT_TO(struct reset, dry) },
	{ OPT_FLAG, .name = "off", .help = "turn all tracing off, even what was on before `ringside start`", .offset = OPT_TO(struct reset, off) },
	{ OPT_FLAG, .name = "dynamic-events",
	  .help = "remove all dynamic events (probes and synthetic events), no matter who made them and which instances are reset",
	  .offset = OPT_TO(struct reset, events) },
	{ OPT_CALL, 'k', .name = "keep", .arg = "KIND", .call = take_kept, .complete = "=kprobe kretprobe uprobe uretprobe eprobe synth fprobe tprobe all",
	  .help = "do not remove dynamic events of this kind (kprobe, uprobe, synth, ...); all: remove none; repeatable" },
	{ OPT_CALL, 'B', .name = "instance|buffer", .arg = "NAME", .complete = "instances",
	  .help = "reset this trace instance, not the top instance; repeatable", .call = take_instance },
	{ OPT_CALL_FLAG, 'a', .name = "all", .help = "reset all instances except the top instance", .call = take_all },
	{ OPT_CALL_FLAG, 't', .name = "top", .help = "with -B or -a: reset the top instance as well", .call = take_top },
	{ OPT_CALL_FLAG, 'd', .name = "delete", .help = "remove the instances of the preceding -B or -a", .call = take_remove },
	{ OPT_CALL, 'b', .name = "buffer-size", .arg = "KB", .help = "set this size per CPU for the buffers of the preceding -B, -a or -t", .call = take_size },
	OPT_END,
};

static int run(int argc, char **argv)
{
	struct reset reset = { 0 };
	char **operands;
	int n = opt_parse(&cmd_reset, &reset, argc, argv, &operands), err;

	if (n < 0)
		err = n;
	else if (n)
		err = usage(&cmd_reset, "it takes no arguments, and here is '%s'", *operands);
	else if (reset.stale && (reset.targets.n || reset.kept.n))
		err = usage(&cmd_reset, "--stale puts back what recordings changed, and goes with --dry-run only");
	else if (reset.dry && !reset.stale)
		err = usage(&cmd_reset, "--dry-run goes with --stale");
	else if (reset.stale)
		err = reset_stale(reset.dry);
	else
		err = current(&reset) ? reset_all(&reset) : fail(ENOMEM, "out of memory");
	vec_fini(&reset.targets);
	strv_fini(&reset.kept);
	if (n < 0)
		return opt_status(n);
	return err < 0 ? 1 : err;
}

const struct cmd cmd_reset = {
	.name = "reset",
	.synopsis = "[OPTION...]",
	.summary = "put back the settings that ringside start or a killed recording changed, or turn all tracing off",
	.details = "`ringside reset` resets the top instance, or the instances of -B, -a and -t. If `ringside start`, `set` or `sqlhist`\n"
		   "has changed settings of an instance, `ringside reset` puts back the former settings.\n"
		   "If none of them has changed settings of the instance, or if --off is given, `ringside reset` turns all tracing in the\n"
		   "instance off, no matter who turned tracing on. This is what it does:\n"
		   "  - The tracer, events, filters, pids and triggers are removed.\n"
		   "  - The buffer is emptied, and the trace clock is set to the local clock.\n"
		   "  - The trace options and the buffer size stay as they are.\n"
		   "  - In the top instance, all dynamic events are removed, except the kinds that -k names and the events that belong to a\n"
		   "    running recording or to a `ringside start` in another instance.",
	.opts = options,
	.run = run,
};

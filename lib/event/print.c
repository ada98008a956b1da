/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/print.h"
#include "lib/event/print-program.h"
#include <traceevent/event-parse.h>

static void compile_event(struct compiler *c, const struct print_env *env)
{
	if (env->as == PRINT_PLUGIN)
		compile_plugin(c);
	else if (env->as == PRINT_RAW)
		compile_raw(c);
	else if (env->as == PRINT_FIELDS || c->event->flags & TEP_EVENT_FL_FAILED)
		compile_fields(c);
	else
		compile_format(c);
}

/* Compiles the whole print format, or only @n of its arguments if @args, the first of them, is not NULL. */
static int compile(struct print_program **out, const struct tep_event *event, const struct tep_print_arg *args, size_t n, const struct print_env *env,
		   const char **why)
{
	static const struct spec plain = { .base = 10, .precision = -1, .width_expr = NO_EXPR, .precision_expr = NO_EXPR };
	static const char slack[SLACK];
	struct compiler c = { .event = event };

	c.program = calloc(1, sizeof(*c.program));
	if (!c.program)
		return -ENOMEM;
	c.program->env = *env;
	c.program->swap = env->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (vec_push(&c.program->specs, plain))
		give_up(&c, -ENOMEM, "memory");
	if (args)
		compile_args(&c, args, n);
	else
		compile_event(&c, env);
	add_step(&c, (struct step){ .code = STEP_END }, SLACK);
	add_pool(&c, slack, SLACK);
	if (c.err) {
		print_free(c.program);
		if (why)
			*why = c.why;
		return c.err;
	}
	*out = c.program;
	return 0;
}

int print_compile(struct print_program **out, const struct tep_event *event, const struct print_env *env, const char **why)
{
	return compile(out, event, NULL, 0, env, why);
}

int print_compile_args(struct print_program **out, const struct tep_event *event, const struct tep_print_arg *args, size_t n, const struct print_env *env)
{
	return compile(out, event, args, n, env, NULL);
}

void print_free(struct print_program *program)
{
	if (!program)
		return;
	vec_fini(&program->steps);
	vec_fini(&program->insns);
	vec_fini(&program->specs);
	vec_fini(&program->entries);
	str_fini(&program->pool);
	free(program);
}

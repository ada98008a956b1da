// SPDX-License-Identifier: GPL-2.0
/*
 * lib/event/filter: libtraceevent's filters are the oracle. They are not asked for what they get wrong:
 *   - order, division and shifts to the right of signed fields: it takes -1 for the greatest number
 *   - 'x' of one character: it compares with the address of its copy of that text
 *   - __data_loc texts without a NUL at their end: it copies the size of the field, 4 bytes; of size 0: it reads the
 *     byte before them; in the other byte order: it does not swap
 *   - texts of no declared size, as buf of ftrace/print: it looks at the byte before them and finds them empty
 *   - the digits of an address without a symbol, or of a number, as text: it compares a variable of a function that
 *     has returned
 *   - text fields and arrays as numbers: it reads what is on its stack
 *   - division by zero (SIGFPE), shifts by 64 and more (undefined), CPU as text (a NULL pointer)
 *   - one field compared with another, a value before the field, a negative number, a comparison of a sum, a field
 *     alone: refused, in part with a double free; those are in filter.c with their meaning in C
 *   - junk behind the expression: it is ignored if it is a single item
 */
#include "lib/event/filter.h"
#include "tests/unit/filter-records.h"
#include "tests/unit/unit.h"

enum { RECORDS = 200, EXPRESSIONS = 3000 };

/* Both must say the same of made-up records of every event that @text is about. */
static void compare_with_oracle(const struct kernel *kernel, const char *text, uint64_t *state, size_t records, size_t counts[2])
{
	struct tep_event_filter *oracle = tep_filter_alloc(kernel->tep);
	struct filter *filter;
	struct tep_event *event;
	int err;

	ck_assert_int_eq(filter_new(&filter, kernel->tep, kernel->comms, kernel->symbols), 0);
	err = filter_add(filter, text, false);
	ck_assert_msg(!err, "%s: %d", text, err);
	err = tep_filter_add_filter_str(oracle, text);
	ck_assert_msg(!err, "libtraceevent does not take %s: %d %s", text, err, oracle->error_buffer);
	for (int i = 0; (event = tep_get_event(kernel->tep, i)); i++) {
		enum filter_verdict verdict = filter_event(filter, event->id);

		if (!tep_event_filtered(oracle, event->id)) {
			ck_assert_msg(verdict == FILTER_NEVER, "%s: %s passes", text, event->name);
			continue;
		}
		for (size_t n = 0; n < records; n++) {
			struct record record;
			bool got, want;

			record_make(kernel, event, state, &record);
			got = filter_match(filter, event->id, &record);
			want = oracle_match(oracle, &record);
			ck_assert_msg(got == want, "%s: %s: %d, libtraceevent says %d", text, event->name, got, want);
			ck_assert_msg(verdict == FILTER_SOMETIMES || got == (verdict == FILTER_ALWAYS), "%s: verdict %d is wrong", text, verdict);
			counts[got]++;
			free((void *)record.data);
		}
	}
	filter_free(filter);
	tep_filter_free(oracle);
}

static const char *const expressions[] = {
	"sched_switch",
	"sched/sched_switch",
	"sched",
	"SCHED : next_pid == 1",
	" sched / sched_switch : next_pid == 120",
	"sched_switch,sched_wakeup",
	"sched_switch, irq: common_pid == 160",
	"sched_w.*: pid == 120",
	"sched_wak[ei].*: prio != 120",
	".*: common_pid == 0",
	".*/.*: common_flags & 1",
	"sched/.*: COMM == \"ls\"",
	"sched_switch: next_pid == 1234",
	"sched_switch: next_pid != 1234",
	"sched_switch:next_pid==164&&prev_prio==120",
	"sched_switch: next_pid == 0x4d2",
	"sched_switch: next_pid == 0170",
	"sched_switch: next_pid == 4294967295",
	"sched_switch: next_pid == 18446744073709551615",
	"sched_switch: prev_state == 0xffffffffffffffea",
	"sched_switch: prev_state != 0x8000000000000000",
	"sched_switch: prev_comm == \"ls\"",
	"sched_switch: prev_comm != \"ls\"",
	"sched_switch: prev_comm == \"\"",
	"sched_switch: prev_comm == 'bash'",
	"sched_switch: prev_comm == \"abcdefghijklmnop\"",
	"sched_switch: prev_comm == \"abcdefghijklmno\"",
	"sched_switch: prev_comm =~ \"a\"",
	"sched_switch: prev_comm =~ \"^a\"",
	"sched_switch: prev_comm =~ \"^a$\"",
	"sched_switch: prev_comm =~ \"$\"",
	"sched_switch: prev_comm =~ \"^$\"",
	"sched_switch: prev_comm =~ \"LS\"",
	"sched_switch: prev_comm =~ \"swapper/.\"",
	"sched_switch: prev_comm =~ \"^[a-f]*$\"",
	"sched_switch: prev_comm =~ \"p$\"",
	"sched_switch: prev_comm =~ \"^trace-\"",
	"sched_switch: prev_comm =~ \"a\\|b\"",
	"sched_switch: prev_comm =~ \"\\(ba\\)sh\"",
	"sched_switch: prev_comm =~ \".*\"",
	"sched_switch: prev_comm =~ 'nop'",
	"sched_switch: prev_comm !~ \"a\"",
	"sched_switch: prev_comm !~ \"^b.*h$\"",
	"sched_switch: next_comm =~ \"ls\" || next_comm =~ \"bash\"",
	"sched_switch: COMM == \"trace-cmd\"",
	"sched_switch: COMM == \"<idle>\"",
	"sched_switch: COMM == \"<...>\"",
	"sched_switch: COMM != \"sh\"",
	"sched_switch: COMM =~ \"s\"",
	"sched_switch: COMM !~ \"^tr\"",
	"sched_switch: CPU == 1",
	"sched_switch: CPU != 1",
	"sched_switch: CPU < 2 && CPU >= 1",
	"sched_switch: CPU & 1",
	"sched_switch: next_pid == 1 && next_prio == 120",
	"sched_switch: next_pid == 1 || next_prio == 120",
	"sched_switch: next_pid == 1 || next_prio == 120 && prev_pid == 1",
	"sched_switch: next_pid == 1 && next_prio == 120 || prev_pid == 1",
	"sched_switch: next_pid == 1 && (next_prio == 120 || prev_pid == 1)",
	"sched_switch: (next_pid == 1 || next_prio == 120) && (prev_pid == 1 || prev_prio == 120)",
	"sched_switch: !(next_pid == 1)",
	"sched_switch: !next_pid == 1",
	"sched_switch: !next_pid == 1 && prev_prio == 120",
	"sched_switch: prev_prio == 120 && !next_pid == 1",
	"sched_switch: prev_prio == 120 || !(next_pid == 1 && prev_pid != 1) || CPU == 3",
	"sched_switch: ((((next_pid == 1))))",
	"sched_switch: next_pid & 1",
	"sched_switch: next_pid | 0",
	"sched_switch: next_pid ^ 1",
	"sched_switch: next_pid + 1",
	"sched_switch: next_pid - 1",
	"sched_switch: next_pid * 2",
	"sched_switch: next_pid << 33",
	"sched_switch: prev_state & 2 && next_pid == 164",
	"sched_switch: !next_pid & 1",
	"sched_switch: common_type == 316 || common_preempt_count > 0",
	"kmalloc: bytes_req > 1000",
	"kmalloc: bytes_req >= 0x8000000000000000",
	"kmalloc: bytes_req < 3",
	"kmalloc: bytes_req <= 3 && bytes_alloc > 120",
	"kmalloc: bytes_req / 100",
	"kmalloc: bytes_req % 3",
	"kmalloc: bytes_req >> 10",
	"kmalloc: call_site == \"vfs_open\"",
	"kmalloc: call_site != \"vfs_open\"",
	"kmalloc: call_site =~ \"^vfs_\"",
	"kmalloc: ptr =~ \"vfs_r.*d\"",
	"kmem: call_site =~ \"vfs\" && ptr != 0",
	"irq_handler_entry: name == \"ls\"",
	"irq_handler_entry: name != \"ls\"",
	"irq_handler_entry: name == \"\"",
	"irq_handler_entry: name =~ \"a\" && irq != 1",
	"irq_handler_entry: name !~ \"^tra\"",
	"irq_handler_entry: name == \"abcdefghijklmnop\"",
	"block: rwbs == \"a\"",
	"block_rq_issue: comm == \"bash\" || cmd == \"bash\"",
	"block: cmd =~ \"[0-9]\"",
	"block: sector > 164 && nr_sector < 0x7fffffff",
	"sched: next_pid == 1",
	"sched: !(next_pid == 1)",
	"sched: next_pid == 1 || pid == 1",
	"sched: pid == 1 && next_pid == 1",
	"sched: (pid == 1 || next_pid == 1) && (prio == 120 || next_prio == 120)",
	"sched: !(pid == 1 || next_pid == 1) || comm == \"ls\"",
	"sched: comm == \"bash\" || next_comm =~ \"bash\" || filename =~ \"a\"",
	"sched,kmem: !(pid & 1)",
	"hrtimer_start: function =~ \"vfs\" && was_armed == 1",
	"hrtimer_start: mode == 2 || was_armed == 0",
	"raw_syscalls: id == 1",
	"sys_exit: ret == 0xffffffffffffffea",
	"sys_exit: ret & 0x8000000000000000",
	"timer: now == 120 || function == \"vfs_read\"",
};

START_TEST(table)
{
	struct kernel kernel;
	uint64_t state = 7;
	size_t counts[2] = { 0 };

	kernel_init(&kernel, "tests/data/events.dat");
	for (size_t i = 0; i < ARRAY_LEN(expressions); i++)
		compare_with_oracle(&kernel, expressions[i], &state, RECORDS, counts);
	ck_assert_uint_gt(counts[true], 10000);
	ck_assert_uint_gt(counts[false], 10000);
	kernel_fini(&kernel);
}
END_TEST

/* --- random expressions of what libtraceevent gets right ---------------------------------------- */

struct generator {
	uint64_t state;
	struct tep_event *event;
	struct str text;
};

static uint64_t below(struct generator *g, uint64_t n)
{
	return random_below(&g->state, n);
}

static const char *pick(struct generator *g, const char *const *list, size_t n)
{
	return list[below(g, n)];
}

#define PICK(g, ...) pick(g, (const char *const[]){ __VA_ARGS__ }, ARRAY_LEN(((const char *const[]){ __VA_ARGS__ })))

static struct tep_format_field *some_field(struct generator *g)
{
	int nr = g->event->format.nr_fields, common = g->event->format.nr_common, n;
	struct tep_format_field *field;

	n = below(g, nr + (below(g, 4) ? 0 : common));
	field = n < nr ? g->event->format.fields : g->event->format.common_fields;
	for (n = n < nr ? n : n - nr; n; n--)
		field = field->next;
	return field;
}

static void add_text_term(struct generator *g, const char *name)
{
	static const char *const patterns[] = { "a", "^b", "$", "s.*h", "LS", "[a-c]", "vfs", "0x1", "^$", ".", "p$" };

	if (below(g, 2))
		str_addf(&g->text, "%s %s \"%s\"", name, PICK(g, "==", "!="), pick(g, words, WORDS));
	else
		str_addf(&g->text, "%s %s \"%s\"", name, PICK(g, "=~", "!~"), pick(g, patterns, ARRAY_LEN(patterns)));
}

/* Nothing that digits could match, see above. */
static void add_symbol_term(struct generator *g, const char *name)
{
	if (below(g, 2))
		str_addf(&g->text, "%s %s \"%s\"", name, PICK(g, "==", "!="), PICK(g, "vfs_open", "vfs_read", "vfs"));
	else
		str_addf(&g->text, "%s %s \"%s\"", name, PICK(g, "=~", "!~"), PICK(g, "^VFS_", "vfs_o", "s_r.*d$"));
}

static void add_number_term(struct generator *g, const struct tep_format_field *field)
{
	uint64_t number = numbers[below(g, NUMBERS)];
	const char *op = PICK(g, "==", "!=", "==", "!=", "<", "<=", ">", ">=");

	if (field->flags & TEP_FIELD_IS_SIGNED)
		op = PICK(g, "==", "!=");
	if (below(g, 4))
		str_addf(&g->text, "%s %s %#llx", field->name, op, (unsigned long long)number);
	else
		str_addf(&g->text, "%s %s %llu", field->name, PICK(g, "&", "|", "^", "+", "-", "*"), (unsigned long long)number);
}

static void add_term(struct generator *g)
{
	struct tep_format_field *field = some_field(g);
	unsigned int special = below(g, 10);

	if (special == 0)
		add_text_term(g, "COMM");
	else if (special == 1)
		str_addf(&g->text, "CPU %s %d", PICK(g, "==", "!=", "<", ">=", "&"), (int)below(g, 4));
	else if (field->flags & TEP_FIELD_IS_STRING && field->size)
		add_text_term(g, field->name);
	else if (field->flags & (TEP_FIELD_IS_POINTER | TEP_FIELD_IS_LONG) && field->size == 8 && below(g, 2))
		add_symbol_term(g, field->name);
	else if (field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC) || !field->size || field->size > 8)
		str_add(&g->text, "CPU != 7");
	else
		add_number_term(g, field);
}

static void add_expression(struct generator *g, int depth)
{
	for (int n = 1 + below(g, 3);; n--) {
		if (!below(g, 5))
			str_add(&g->text, "!");
		if (depth && !below(g, 3)) {
			str_add(&g->text, "(");
			add_expression(g, depth - 1);
			str_add(&g->text, ")");
		} else {
			add_term(g);
		}
		if (n == 1)
			return;
		str_add(&g->text, PICK(g, " && ", "||"));
	}
}

START_TEST(random_expressions)
{
	struct generator g = { .state = 20250101 };
	struct kernel kernel;
	size_t counts[2] = { 0 };

	kernel_init(&kernel, "tests/data/events.dat");
	for (int i = 0; i < EXPRESSIONS; i++) {
		g.event = tep_get_event(kernel.tep, below(&g, tep_get_events_count(kernel.tep)));
		str_clear(&g.text);
		str_addf(&g.text, "%s/%s: ", g.event->system, g.event->name);
		add_expression(&g, 3);
		compare_with_oracle(&kernel, str_text(&g.text), &g.state, 30, counts);
	}
	ck_assert_uint_gt(counts[true], 10000);
	ck_assert_uint_gt(counts[false], 10000);
	str_fini(&g.text);
	kernel_fini(&kernel);
}
END_TEST

TCase *filter_oracle_case(void)
{
	TCase *tc = tcase_create("oracle");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, table);
	tcase_add_test(tc, random_expressions);
	return tc;
}

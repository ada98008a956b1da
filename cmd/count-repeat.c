/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/count-repeat.h"
#include "cmd/live.h"
#include "cmd/output.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Ctrl-C ends the current run, and no other run follows. The process of the run also gets a signal from the terminal, but it does not get one that was sent to
 * ringside only.
 */
enum { BY_TERMINAL = 1, SENT };
static volatile sig_atomic_t interrupted;

static void on_interrupt(__unused int signal, siginfo_t *info, __unused void *context)
{
	interrupted = info->si_code == SI_USER ? SENT : BY_TERMINAL;
}

/* A series of numbers, of which only sums are kept. */
struct spread {
	double sum, squares;
	uint64_t least, most, n;
};

/* A row of the table. */
struct total {
	char *texts[COUNT_MOST_KEYS]; /* NULL: the event has no such field */
	int64_t numbers[COUNT_MOST_KEYS];
	struct spread counts;
};

struct totals {
	size_t nkeys;
	bool numeric[COUNT_MOST_KEYS], is_signed[COUNT_MOST_KEYS];
	VEC(struct total) rows;
	MAP(struct text, uint32_t) index; /* rows by the bytes of their keys */
	strv_t bytes;			  /* the memory of the index's keys */
	struct spread elapsed;
	uint64_t runs, beyond, dropped, lost;
};

static void add_to(struct spread *s, uint64_t value)
{
	s->least = s->n ? MIN(s->least, value) : value;
	s->most = MAX(s->most, value);
	s->sum += (double)value;
	s->squares += (double)value * (double)value;
	s->n++;
}

/* Returns the mean of all runs. A run in which the event did not happen counts as 0. */
static double mean_of(const struct spread *s, uint64_t runs)
{
	return s->sum / (double)runs;
}

static double deviation_of(const struct spread *s, uint64_t runs)
{
	const double n = (double)runs, variance = runs > 1 ? (s->squares - s->sum * s->sum / n) / (n - 1) : NAN;

	return variance < 0 ? 0 : sqrt(variance);
}

/* Returns the standard error of the mean in percent of it, which perf stat shows after +-. */
static double error_of(const struct spread *s, uint64_t runs)
{
	const double mean = mean_of(s, runs);

	return mean > 0 ? deviation_of(s, runs) / sqrt((double)runs) / mean * 100 : NAN;
}

/* --- from the process of a run to ours ------------------------------------------------------------------------- */

/* The process of a run sends its counts through a pipe. run_head comes first; row_head comes before each row. */
struct run_head {
	uint64_t rows, elapsed_ns, beyond, dropped, lost;
	bool numeric[COUNT_MOST_KEYS], is_signed[COUNT_MOST_KEYS];
};
struct row_head {
	uint64_t n;
	int64_t numbers[COUNT_MOST_KEYS];
	uint32_t sizes[COUNT_MOST_KEYS]; /* of the texts, with their NULs; 0: there is no text */
};

static int send_run(void *to, const struct counts *counts, uint64_t elapsed_ns)
{
	const int fd = *(const int *)to;
	const size_t nkeys = MAX(counts->spec->keys.n, (size_t)1);
	struct run_head head = { counts->rows.n, elapsed_ns, counts->beyond, counts->dropped, counts->lost, { false }, { false } };
	int err;

	memcpy(head.numeric, counts->numeric, sizeof(head.numeric));
	memcpy(head.is_signed, counts->is_signed, sizeof(head.is_signed));
	err = io_write(fd, &head, sizeof(head));
	vec_each (&counts->rows, row) {
		struct row_head at = { .n = row->n };

		for (size_t i = 0; i < nkeys; i++) {
			at.numbers[i] = row->values[i].number;
			at.sizes[i] = row->values[i].text ? (uint32_t)strlen(row->values[i].text) + 1 : 0;
		}
		err = err ? err : io_write(fd, &at, sizeof(at));
		for (size_t i = 0; !err && i < nkeys; i++)
			err = io_write(fd, row->values[i].text, at.sizes[i]);
	}
	return err;
}

static int read_all(int fd, pid_t from, struct str *out)
{
	char bytes[65536];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0)
			str_addn(out, bytes, (size_t)n);
		else if (interrupted == SENT)
			kill(from, SIGINT);
	}
	return n < 0 ? -errno : str_ok(out);
}

static struct total *total_of(struct totals *t, const struct row_head *head, const char *texts, size_t size)
{
	struct str bytes = { 0 };
	struct total row = { 0 };
	map_entry(&t->index) entry;
	size_t n;

	str_addn(&bytes, head->sizes, t->nkeys * sizeof(*head->sizes));
	str_addn(&bytes, texts, size);
	n = bytes.len;
	entry = str_ok(&bytes) ? NULL : map_find_text(&t->index, str_text(&bytes), n);
	if (entry || bytes.oom) {
		str_fini(&bytes);
		return entry ? &t->rows.at[entry->value] : NULL;
	}
	memcpy(row.numbers, head->numbers, sizeof(row.numbers));
	for (size_t i = 0; i < t->nkeys; texts += head->sizes[i++])
		row.texts[i] = head->sizes[i] ? strdup(texts) : NULL;
	if (strv_own(&t->bytes, str_take(&bytes)) || !(entry = map_add_text(&t->index, t->bytes.at[t->bytes.n - 1], n)))
		return NULL;
	entry->value = (uint32_t)t->rows.n;
	return vec_push(&t->rows, row) ? NULL : &t->rows.at[entry->value];
}

/* Adds a run's counts to the totals. Returns 0, 1 if the run did not finish, or -ENOMEM. */
static int take_run(struct totals *t, const struct str *text)
{
	const char *at = str_text(text), *end = at + text->len;
	struct run_head head;

	if (text->len < sizeof(head))
		return 1;
	memcpy(&head, at, sizeof(head));
	at += sizeof(head);
	for (uint64_t i = 0; i < head.rows; i++) {
		struct row_head row;
		struct total *total;
		size_t size = 0;

		if ((size_t)(end - at) < sizeof(row))
			return 1;
		memcpy(&row, at, sizeof(row));
		at += sizeof(row);
		for (size_t k = 0; k < t->nkeys; k++)
			size += row.sizes[k];
		if ((size_t)(end - at) < size)
			return 1;
		total = total_of(t, &row, at, size);
		if (!total)
			return -ENOMEM;
		add_to(&total->counts, row.n);
		at += size;
	}
	for (size_t k = 0; k < t->nkeys; k++) {
		t->numeric[k] = head.numeric[k] && (t->numeric[k] || !t->runs);
		t->is_signed[k] |= head.is_signed[k];
	}
	add_to(&t->elapsed, head.elapsed_ns);
	t->beyond += head.beyond;
	t->dropped += head.dropped;
	t->lost += head.lost;
	t->runs++;
	return 0;
}

/* Runs in the process of a run, and does not return. */
static void run_once(struct count_repeat *r, int fd)
{
	signal(SIGINT, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	r->view->sink = send_run;
	r->view->to = &fd;
	r->view->table.columns = r->view->table.sort = NULL;
	_exit(output_end(r->once(r->ctx)));
}

/* Makes one run. Returns 0; or 1 if no other run is to follow, with the exit status in *@status; or -errno after a message. */
static int one_run(struct count_repeat *r, struct totals *t, int *status)
{
	struct str text = { 0 };
	int ends[2], err, how = 0;
	pid_t pid;

	output_flush();
	if (pipe2(ends, O_CLOEXEC))
		return fail(errno, "cannot make a pipe: %m");
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		run_once(r, ends[1]);
	}
	err = pid < 0 ? -errno : 0;
	close(ends[1]);
	err = err ? err : read_all(ends[0], pid, &text);
	close(ends[0]);
	while (pid > 0 && waitpid(pid, &how, 0) < 0 && errno == EINTR)
		;
	*status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
	if (!err && !interrupted)
		err = take_run(t, &text);
	str_fini(&text);
	return err < 0 ? fail(-err, "counting run %" PRIu64 ": %s", t->runs + 1, strerror(-err)) : err || interrupted;
}

/* --- the table ------------------------------------------------------------------------------------------------- */

enum { MEAN, ERROR, DEVIATION, MIN_, MAX_, RUNS, FIGURES };

static void add_row(struct table *table, const struct totals *t, const struct total *row, const struct table_column *columns)
{
	const struct spread *counts = &row->counts;
	const unsigned int at = (unsigned int)t->nkeys;

	table_row(table, TABLE_ROOT);
	for (unsigned int i = 0; i < t->nkeys; i++) {
		if (columns[i].type == TABLE_TEXT)
			table_text(table, i, row->texts[i]);
		else if (row->texts[i])
			table_id(table, i, row->numbers[i]);
	}
	table_real(table, at + MEAN, mean_of(counts, t->runs));
	table_real(table, at + ERROR, error_of(counts, t->runs));
	table_real(table, at + DEVIATION, deviation_of(counts, t->runs));
	table_count(table, at + MIN_, counts->n < t->runs ? 0 : counts->least);
	table_count(table, at + MAX_, counts->most);
	table_count(table, at + RUNS, counts->n);
}

static void add_notes(struct table *table, const struct totals *t, const struct count_repeat *r)
{
	const double elapsed = mean_of(&t->elapsed, t->runs) / 1e9, error = error_of(&t->elapsed, t->runs);

	/* Output for programs has the elapsed time as a fact. */
	if (t->elapsed.sum > 0)
		table_fact(table, "elapsed", (uint64_t)mean_of(&t->elapsed, t->runs));
	if (r->view->table.form != TABLE_FOR_PEOPLE || t->elapsed.sum <= 0)
		;
	else if (isnan(error))
		table_note(table, "%.6f seconds elapsed", elapsed);
	else
		table_note(table, "%.6f seconds elapsed, +- %.2f %%, the mean of %" PRIu64 " runs", elapsed, error, t->runs);
	if (t->runs < r->times)
		table_note(table, "only %" PRIu64 " of %" PRIu64 " runs were counted, because counting was stopped", t->runs, r->times);
	if (t->beyond)
		table_note(table, "%" PRIu64 " events of all runs are in no row, as only %d different keys are told apart", t->beyond, COUNT_MOST_ROWS);
	if (t->dropped)
		table_note(table,
			   "%" PRIu64
			   " events of all runs are in no row, as the kernel's table had no room for more different keys; --map-size makes it larger",
			   t->dropped);
	table_fact(table, "runs", t->runs);
}

/* Fills in the columns of the table. Those of keys come first. */
static void fill_columns(const struct count_spec *spec, const struct totals *t, struct table_column *columns)
{
	struct table_column *figures = columns + t->nkeys;

	columns[0] = (struct table_column){ "event", TABLE_TEXT };
	for (size_t i = 0; i < spec->keys.n; i++)
		columns[i] = (struct table_column){ spec->keys.at[i].text, counts_type(t->numeric[i], t->is_signed[i]) };
	figures[MEAN] = (struct table_column){ "mean", TABLE_REAL };
	figures[ERROR] = (struct table_column){ "error", TABLE_REAL, .head = "+-%" };
	figures[DEVIATION] = (struct table_column){ "stddev", TABLE_REAL };
	figures[MIN_] = (struct table_column){ "min", TABLE_COUNT };
	figures[MAX_] = (struct table_column){ "max", TABLE_COUNT };
	figures[RUNS] = (struct table_column){ "runs", TABLE_COUNT, .more = true };
}

/* Prints the table. Without runs it is only set up, which checks the user's options for it. */
static int show(const struct count_repeat *r, const struct totals *t, int out)
{
	struct table_column columns[COUNT_MOST_KEYS + FIGURES + 1] = { { NULL } };
	const struct table_spec of = { .columns = columns, .sort = "-mean" };
	const struct table_meta meta = { .file = LIVE_FILE, .span = (uint64_t)t->elapsed.sum, .place = r->view->place, .why = r->view->why, .lost = t->lost };
	struct table *table;
	int err;

	fill_columns(&r->view->spec, t, columns);
	err = table_new(&table, &of, &r->view->table);
	if (err || !t->runs) {
		table_free(err ? NULL : table);
		return err;
	}
	vec_each (&t->rows, row)
		add_row(table, t, row, columns);
	add_notes(table, t, r);
	err = table_show(table, &meta, out);
	table_free(table);
	return err;
}

static void totals_fini(struct totals *t)
{
	vec_each (&t->rows, row)
		for (size_t i = 0; i < t->nkeys; i++)
			free(row->texts[i]);
	vec_fini(&t->rows);
	map_fini(&t->index);
	strv_fini(&t->bytes);
}

int count_repeat(struct count_repeat *r, int out, bool *complete)
{
	const struct sigaction action = { .sa_sigaction = on_interrupt, .sa_flags = SA_SIGINFO };
	sigset_t set;
	struct totals totals = { .nkeys = MAX(r->view->spec.keys.n, (size_t)1) };
	int err = 0, status = 0;

	*complete = false;
	if (show(r, &totals, out))
		return 2;
	sigaction(SIGINT, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	while (!err && totals.runs < r->times)
		err = one_run(r, &totals, &status);
	/* If the first run failed, its own process has printed why. */
	if (err < 0)
		status = 1;
	else if (!totals.runs)
		status = status ? status : 1;
	else
		*complete = !show(r, &totals, out);
	if (totals.runs && !*complete)
		status = 1;
	totals_fini(&totals);
	return status;
}

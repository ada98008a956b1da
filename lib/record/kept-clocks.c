/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/kept-clocks.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/str.h"
#include "lib/record/shift.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DRAFT SPOOL_CLOCKS ".tmp"

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void write_text(const struct kept_clocks *kept, struct str *out)
{
	str_addf(out, "id %" PRIu64 "\ndate %" PRId64 "\nuntil %" PRId64 "\n", kept->peer_id, kept->date_us, kept->until);
	if (kept->host)
		str_addf(out, "host %s\n", kept->host);
	vec_each (&kept->cpus, cpu) {
		str_addf(out, "clock %" PRIu64 "\n", cpu->round_ns);
		for (size_t i = 0; i < cpu->n; i++)
			str_addf(out, "%" PRId64 " %" PRId64 " %" PRId64 "\n", cpu->at[i].time, cpu->at[i].offset, cpu->at[i].error);
	}
	str_add(out, "end\n");
}

int kept_clocks_save(const struct kept_clocks *kept, const struct spool *spool)
{
	struct str text = { 0 };
	int fd, err;

	write_text(kept, &text);
	err = str_ok(&text);
	fd = err ? -1 : openat(spool->fd, DRAFT, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (!err)
		err = fd < 0 ? -errno : io_write(fd, text.at, text.len);
	close_fd(&fd);
	if (!err && renameat(spool->fd, DRAFT, spool->fd, SPOOL_CLOCKS))
		err = -errno;
	str_fini(&text);
	return err;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Reads @n numbers with blanks between them. Returns false when the line has anything else. */
static bool numbers(const char *line, int64_t *out, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *end;

		errno = 0;
		out[i] = strtoll(line, &end, 10);
		if (end == line || errno || *end != (i + 1 < n ? ' ' : '\0'))
			return false;
		line = end + 1;
	}
	return true;
}

/* Returns true if @v can be a time. The limit is not lower because the clock tai already reads more than 2^60. */
static bool is_time(int64_t v)
{
	return v >= -CLOCKS_FAR && v <= CLOCKS_FAR;
}

static bool take_sample(struct clocks *clocks, const int64_t *v)
{
	if (clocks->n == CLOCKS_KEPT || !is_time(v[0]) || !is_time(v[1]) || !is_time(v[2]) || v[2] < 0 || (clocks->n && v[0] <= clocks->at[clocks->n - 1].time))
		return false;
	clocks->at[clocks->n++] = (struct clocks_sample){ .time = v[0], .offset = v[1], .error = v[2] };
	return true;
}

/* Takes a line of the file. Returns 1 after the last line, 0 after any other line, or -errno without a message. */
static int take_line(struct kept_clocks *kept, const char *line)
{
	const size_t cpus = kept->cpus.n;
	int64_t v[3];

	if (strcmp(line, "end") == 0)
		return 1;
	if (str_starts(line, "id ") && numbers(line + 3, v, 1)) {
		kept->peer_id = (uint64_t)v[0];
	} else if (str_starts(line, "date ") && numbers(line + 5, v, 1)) {
		kept->date_us = v[0];
	} else if (str_starts(line, "until ") && numbers(line + 6, v, 1) && is_time(v[0])) {
		kept->until = v[0];
	} else if (str_starts(line, "host ") && !kept->host) {
		kept->host = strdup(line + 5);
		return kept->host ? 0 : -ENOMEM;
	} else if (str_starts(line, "clock ") && numbers(line + 6, v, 1)) {
		return vec_push(&kept->cpus, (struct clocks){ .round_ns = (uint64_t)v[0] });
	} else if (!cpus || !numbers(line, v, 3) || !take_sample(&kept->cpus.at[cpus - 1], v)) {
		return -EBADMSG;
	}
	return 0;
}

/* Reads the file of clocks. Returns 0, -ENOENT when there is none, or -errno without a message. */
static int load(const struct spool *spool, struct kept_clocks *kept)
{
	struct text text = { 0 };
	char *rest, *line;
	int err = io_slurp_at(spool->fd, SPOOL_CLOCKS, &text);

	rest = text.at;
	while (!err && (line = strsep(&rest, "\n")))
		err = take_line(kept, line);
	free(text.at);
	if (err < 0)
		return err;
	return err && kept->cpus.n && kept->cpus.at[0].n ? 0 : -EBADMSG;
}

/* --- into a file's metadata --------------------------------------------------------------------------------------- */

/* Adds a line about the clock to the statistics. @cpu is used when the clock has no name. */
static int tell_clock(const struct kept_clocks *kept, size_t cpu, const struct clocks_line *line, struct metadata *meta)
{
	const struct clocks *clocks = &kept->cpus.at[cpu];
	const struct clocks_sample *last = &clocks->at[clocks->n - 1];
	struct str s = { 0 };

	if (kept->host)
		str_addf(&s, "Host: %s\nclock", kept->host);
	else
		str_addf(&s, "Clock of CPU %zu", cpu);
	str_addf(&s, ": offset %" PRId64 " ns at %" PRId64 ", error %" PRId64 " ns", clocks_here(line, last->time) - last->time, last->time, line->error);
	if (line->has_drift)
		str_addf(&s, ", drift %.3f ppm, error %.3f ppm", line->drift_ppm, line->drift_error_ppm);
	str_addf(&s, ", round trip %" PRIu64 " ns\n", clocks->round_ns);
	return str_ok(&s) || strv_own(&meta->cpustat, str_take(&s)) ? fail(ENOMEM, "no memory for the clock of a machine") : 0;
}

static int tell(const struct kept_clocks *kept, struct metadata *meta)
{
	const size_t cpus = kept->host ? meta->ncpus : kept->cpus.n;
	int err = 0;

	shift_begin(meta, kept->peer_id);
	for (size_t cpu = 0; !err && cpu < cpus; cpu++) {
		const size_t whose = cpu < kept->cpus.n && kept->cpus.at[cpu].n ? cpu : 0;
		const struct clocks *clocks = &kept->cpus.at[whose];
		struct clocks_line line;

		clocks_fit(clocks, MAX(MIN(kept->until, CLOCKS_FAR), clocks->at[clocks->n - 1].time), &line);
		err = shift_add(meta, &line);
		if (!err && whose == cpu)
			err = tell_clock(kept, cpu, &line, meta);
	}
	/* From now on, all times are times of our clock. */
	if (meta->has_date)
		meta->date_us = kept->date_us;
	return err;
}

int kept_clocks_tell(const struct spool *spool, struct metadata *meta)
{
	struct kept_clocks kept = { 0 };
	int err = load(spool, &kept);

	if (!err)
		err = tell(&kept, meta);
	else if (err == -ENOMEM)
		err = fail(ENOMEM, "no memory for the clocks of a machine");
	else if (err != -ENOENT)
		warn("%s/" SPOOL_CLOCKS " %s%s, so the times stay that machine's own", spool->path,
		     err == -EBADMSG ? "is damaged" : "cannot be read: ", err == -EBADMSG ? "" : strerror(-err));
	kept_clocks_fini(&kept);
	return err == -ENOMEM ? err : 0;
}

void kept_clocks_fini(struct kept_clocks *kept)
{
	free(kept->host);
	vec_fini(&kept->cpus);
	*kept = (struct kept_clocks){ 0 };
}

/* SPDX-License-Identifier: GPL-2.0 */
/* `ringside dump --options`: prints each option in the order of the file. */
#include "cmd/dump.h"
#include "lib/data/format.h"

#include <inttypes.h>
#include <stdio.h>

/* How many of the options that can occur several times have been printed. */
struct seen {
	size_t cpustat, hook, procmaps, guest, buffer, unknown;
};

static void print_line(const char *text, size_t size)
{
	fwrite(text, 1, size, stdout);
	if (!size || text[size - 1] != '\n')
		putchar('\n');
}

static void print_next(const strv_t *list, size_t *at)
{
	if (*at < list->n)
		print_line(list->at[*at], strlen(list->at[*at]));
	++*at;
}

static void date(const struct metadata *meta)
{
	printf("%s0x%" PRIx64 " [microseconds]\n", meta->date_us < 0 ? "-" : "", meta->date_us < 0 ? -(uint64_t)meta->date_us : (uint64_t)meta->date_us);
}

static void offset(const struct metadata *meta)
{
	printf("%" PRId64 "\n", meta->ts_offset);
}

static void trace_clock(const struct metadata *meta)
{
	print_line(meta->trace_clock.at, meta->trace_clock.size);
}

static void uname_text(const struct metadata *meta)
{
	print_line(meta->uname.at, meta->uname.size);
}

static void version(const struct metadata *meta)
{
	print_line(meta->version.at, meta->version.size);
}

static void last_boot(const struct metadata *meta)
{
	print_line(meta->last_boot.at, meta->last_boot.size);
}

static void cpucount(const struct metadata *meta)
{
	printf("%u\n", meta->ncpus);
}

static void trace_id(const struct metadata *meta)
{
	printf("0x%" PRIX64 "\n", meta->trace_id);
}

static void tsc2nsec(const struct metadata *meta)
{
	const struct tsc2nsec *tsc = &meta->tsc2nsec;

	printf("%u %u %" PRIu64 " [multiplier, shift, offset]\n", tsc->mult, tsc->shift, tsc->offset);
}

static void time_shift(const struct metadata *meta)
{
	const struct time_shift *shift = &meta->time_shift;
	unsigned int n = 0;

	printf("0x%" PRIx64 " [peer's trace id]\n", shift->peer_id);
	printf("0x%x [peer's protocol flags]\n", shift->flags);
	printf("%zu [peer's CPU count]\n", shift->cpus.n);
	vec_each (&shift->cpus, cpu) {
		printf("%zu [samples count for CPU %u]\n", cpu->samples.n, n++);
		vec_each (&cpu->samples, s)
			printf("\t%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " [offset * scaling >> fraction @ time]\n", s->offset, s->scaling, s->fraction,
			       s->time);
	}
}

/* Printers of options whose whole contents are in one place of the metadata. */
static void (*const kinds[])(const struct metadata *meta) = {
	[DAT_DATE] = date,
	[DAT_OFFSET] = offset,
	[DAT_TRACECLOCK] = trace_clock,
	[DAT_UNAME] = uname_text,
	[DAT_VERSION] = version,
	[DAT_LAST_BOOT_INFO] = last_boot,
	[DAT_CPUCOUNT] = cpucount,
	[DAT_TRACEID] = trace_id,
	[DAT_TSC2NSEC] = tsc2nsec,
	[DAT_TIME_SHIFT] = time_shift,
};

static void print_guest(const struct metadata *meta, size_t i)
{
	const struct guest *guest;

	if (i >= meta->guests.n)
		return;
	guest = &meta->guests.at[i];
	printf("%s [Guest name]\n0x%" PRIX64 " [trace id]\n%zu [Guest CPUs]\n", guest->name, guest->trace_id, guest->cpus.n);
	vec_each (&guest->cpus, cpu)
		printf("  %u %d [guest cpu, host pid]\n", cpu->cpu, cpu->pid);
}

/* Prints a buffer option. In version 6 no option names the top buffer, so it is passed over. */
static void print_buffer(const struct datfile *file, size_t i)
{
	const struct datbuf *buf;

	if (file->version == 6)
		i++;
	if (i >= file->buffers.n)
		return;
	buf = &file->buffers.at[i];
	printf("\"%s\" [name]\n", buf->name);
	if (buf->clock)
		printf("\"%s\" [clock]\n", buf->clock);
	if (buf->latency)
		return;
	printf("%u [Page size, bytes]\n%zu [CPUs]:\n", buf->page_size, buf->cpus.n);
	vec_each (&buf->cpus, cpu)
		printf("   %u %" PRIu64 "\t%" PRIu64 "\t[id, data offset and size]\n", cpu->cpu, cpu->offset, cpu->size);
}

static void print_unknown(const struct metadata *meta, size_t i)
{
	const struct text *data;

	if (i >= meta->unknown.n)
		return;
	data = &meta->unknown.at[i].data;
	for (size_t at = 0; at < data->size; at++)
		printf("%s%02x", at == 0 ? "" : at % 16 ? " " : "\n", (unsigned char)data->at[at]);
	putchar('\n');
}

static void print_option(const struct datfile *file, const struct datsection *option, struct seen *seen)
{
	const struct metadata *meta = &file->meta;
	const char *name = dat_option_name(option->id);

	printf("\t\t[Option %s, %" PRIu64 " bytes]", name ? name : option->name + strlen("option "), option->size);
	/* Options that only point at a section show its place. */
	if (option->id >= DAT_HEADER_INFO && option->id != DAT_BUFFER_TEXT && option->id != DAT_LAST_BOOT_INFO && name) {
		vec_each (&file->sections, section)
			if (section->id == option->id && !dump_is_option(section))
				printf(" @ %" PRIu64, section->offset);
		putchar('\n');
		return;
	}
	putchar('\n');
	if (option->id < ARRAY_LEN(kinds) && kinds[option->id])
		kinds[option->id](meta);
	else if (option->id == DAT_CPUSTAT)
		print_next(&meta->cpustat, &seen->cpustat);
	else if (option->id == DAT_HOOK)
		print_next(&meta->hooks, &seen->hook);
	else if (option->id == DAT_PROCMAPS)
		print_next(&meta->procmaps, &seen->procmaps);
	else if (option->id == DAT_GUEST)
		print_guest(meta, seen->guest++);
	else if (option->id == DAT_BUFFER || option->id == DAT_BUFFER_TEXT)
		print_buffer(file, seen->buffer++);
	else
		print_unknown(meta, seen->unknown++);
}

void dump_options(const struct datfile *file)
{
	struct seen seen = { 0 };

	vec_each (&file->sections, section)
		if (dump_is_option(section))
			print_option(file, section, &seen);
}

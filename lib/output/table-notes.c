/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the notes above and below a table for people. */
#include "lib/analysis/lost-text.h"
#include "lib/output/table-rows.h"

int table_notes(const struct table *t, const struct table_meta *meta, int fd)
{
	const bool lost = (meta->lost || meta->lost_more) && !meta->lost_told, apart = table_sums(t) || t->n || t->cut;
	struct str out = { 0 };
	int err;

	if (t->cut)
		str_addf(&out, "... and %zu more rows\n", t->cut);
	if (lost) {
		if (apart)
			str_addc(&out, '\n');
		lost_text(meta->lost, meta->lost_more, &out);
		str_addc(&out, '\n');
	}
	vec_each (&t->notes, note)
		str_addf(&out, "%s%s\n", note == t->notes.at && !lost && apart ? "\n" : "", *note);
	err = table_flush(fd, &out, 0);
	str_fini(&out);
	return err;
}

/* At most this many files are named; of more, only the number is told. */
enum { FILES_NAMED = 4 };

static void add_files(const struct table_meta *meta, struct str *out)
{
	if (!meta->files) {
		str_addf(out, "the file%s%s", meta->file ? " " : "", meta->file ? meta->file : "");
		return;
	}
	if (meta->files->n > FILES_NAMED) {
		str_addf(out, "%zu files", meta->files->n);
		return;
	}
	str_add(out, "the files");
	vec_each (meta->files, file)
		str_addf(out, "%s %s", file == meta->files->at ? "" : file + 1 == meta->files->at + meta->files->n ? " and" : ",", *file);
}

int table_place(const struct table_meta *meta, int fd)
{
	struct str out = { 0 };
	int err;

	str_add(&out, "From ");
	if (strcmp(meta->place, "file") == 0)
		add_files(meta, &out);
	else
		str_addf(&out, "the %s", meta->place);
	str_addf(&out, "%s%s\n", meta->why ? ": " : "", meta->why ? meta->why : "");
	err = table_flush(fd, &out, 0);
	str_fini(&out);
	return err;
}

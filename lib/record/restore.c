/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/restore.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/outfile.h"
#include "lib/data/assemble.h"
#include "lib/data/format.h"
#include "lib/data/page.h"
#include "lib/data/rewrite.h"
#include "lib/record/gather.h"
#include "lib/record/kept-clocks.h"
#include "lib/record/links.h"
#include "lib/record/names.h"
#include "lib/tracefs/journal.h"
#include "lib/tracefs/meta.h"
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* GUARD_MS: the longest time that the guard of a dead recording may take. LOOK_MS: the time between two looks at it. */
enum { GUARD_MS = 60000, LOOK_MS = 20 };

static int write_file(const struct restore_spec *spec, const char *output, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers,
		      uint64_t *size)
{
	struct write_options how = { .version = spec->version, .codec = codec_find(spec->compression) };
	int err = pool_new(&how.pool, pool_default_threads());

	if (err)
		return fail(-err, "cannot start threads for compressing: %s", strerror(-err));
	err = assemble(output, meta, buffers, nbuffers, &how, size);
	pool_free(how.pool);
	return err;
}

/* Adds the names of tasks that the recording had gathered before it ended. */
static int add_names(const struct spool *spool, struct metadata *meta)
{
	struct text lines = { 0 };
	struct names *names = NULL;
	int err = spool_read_names(spool, &lines);

	if (!err && lines.size)
		err = names_new(&names, -1);
	if (names && (names_add(names, &lines) || names_join(names, &meta->cmdlines)))
		err = fail(ENOMEM, "no memory for names of tasks");
	names_free(names);
	free(lines.at);
	return err;
}

/* Returns the name of the file that was to be made of the folder: "trace.dat" for "trace.dat.spool/". */
static char *name_of(const char *folder)
{
	size_t n = strlen(folder);

	while (n > 1 && folder[n - 1] == '/')
		n--;
	if (n > strlen(SPOOL_SUFFIX) && strncmp(folder + n - strlen(SPOOL_SUFFIX), SPOOL_SUFFIX, strlen(SPOOL_SUFFIX)) == 0)
		n -= strlen(SPOOL_SUFFIX);
	return strndup(folder, n);
}

static int restore_from(const struct restore_spec *spec, const struct spool *spool, const char *output, struct restored *out)
{
	__cleanup(free_ptr) char *path = str_printf("%s/meta", spool->path);
	const struct codec *codec = spec->version >= 7 ? codec_find(spec->compression) : NULL;
	struct gathered g = { 0 };
	struct datfile *meta = NULL;
	int err;

	if (path && access(path, F_OK) && errno == ENOENT)
		return fail(ENOENT, "%s holds no recording that was cut short: there is no file meta in it", spool->path);
	err = path ? datfile_open(&meta, path) : -ENOMEM;
	if (err)
		return err;
	err = gather_buffers(&g, meta);
	if (!err)
		err = add_names(spool, &meta->meta);
	if (!err)
		err = kept_clocks_tell(spool, &meta->meta);
	if (!err)
		err = gather_spools(&g, spool, codec, out);
	if (!err && !out->bytes && !spec->empty)
		err = fail(ENODATA, "%s holds no events: the recording was killed before the first took place", spool->path);
	if (!err)
		err = write_file(spec, output, &meta->meta, g.buffers.at, g.buffers.n, &out->size);
	gathered_fini(&g);
	datfile_close(meta);
	return err;
}

/* Returns the journal of the recording that wrote this spool, or NULL if it has none any more. */
static const struct journal_info *journal_of(const journals_t *all, const struct spool *spool)
{
	size_t n = strlen(spool->full);

	vec_each (all, info)
		vec_each (&info->saves, path)
			if (strncmp(*path, spool->full, n) == 0 && (*path)[n] == '/' && !info->stays)
				return info;
	return NULL;
}

/*
 * Waits until the rest of the kernel's buffers is in the spool. The recording's guard writes it, and may still be at work. If the guard has died too, we
 * write it.
 */
static void await_rest(const struct spool *spool)
{
	bool waits = true;

	for (unsigned int ms = 0; waits && ms < GUARD_MS; ms += LOOK_MS) {
		const struct journal_info *info;
		journals_t all = { 0 };

		journals_find(NULL, &all);
		info = journal_of(&all, spool);
		waits = info && info->alive;
		if (info && !waits)
			journal_rescue(info);
		journals_fini(&all);
		if (waits)
			nanosleep(&(struct timespec){ .tv_nsec = LOOK_MS * (long)NSEC_PER_MSEC }, NULL);
	}
}

static int restore_folder(const struct restore_spec *spec, const char *path, const char *output, struct restored *out)
{
	struct spool spool = SPOOL_NONE;
	int err = spool_open(&spool, path);

	if (!err)
		await_rest(&spool);
	if (!err)
		err = output_check(output);
	if (!err)
		err = restore_from(spec, &spool, output, out);
	if (!err)
		spool_remove(&spool);
	spool_fini(&spool);
	return err;
}

/* Restores a trace file whose end is missing, as far as it goes. */
static int restore_cut(const struct restore_spec *spec, const char *output, struct restored *out)
{
	struct rewrite rewrite = { 0 };
	struct datfile *file;
	int err = datfile_open(&file, spec->paths[0]);

	if (err)
		return err;
	err = rewrite_init(&rewrite, file);
	vec_each (&rewrite.buffers, buffer)
		vec_each (&buffer->cpus, cpu) {
			out->bytes += cpu->size;
			out->cpus += cpu->size > 0;
		}
	if (!err && !out->bytes && (file->damaged || rewrite.damaged))
		err = fail(
			ENODATA,
			"%s ends at offset %llu and no events are left in it, so there is nothing to restore; take another copy of it, or name %s" SPOOL_SUFFIX
			" or the files %s.cpuN, if they are there",
			file->path, (unsigned long long)file->size, file->path, file->path);
	if (!err)
		err = write_file(spec, output, &file->meta, rewrite.buffers.at, rewrite.buffers.n, &out->size);
	rewrite_fini(&rewrite);
	datfile_close(file);
	return err;
}

/* Returns true if the file begins as a trace file does. */
static bool begins_as_trace(const char *path)
{
	__cleanup(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char magic[DAT_MAGIC_SIZE];

	return fd >= 0 && io_pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && !memcmp(magic, DAT_MAGIC, sizeof(magic));
}

/* Reads what a tracing directory tells of its machine when there is no recording. */
static int read_machine(struct metadata *meta, const struct restore_machine *machine, const char *program)
{
	struct tracedir copy = { .path = (char *)machine->tracing_dir };
	struct session *session = NULL;
	int err;

	if (machine->tracing_dir) {
		copy.fd = open(copy.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (copy.fd < 0)
			return fail(errno, "-t %s: %m", copy.path);
		err = meta_all(meta, &copy, false, program);
		close_fd(&copy.fd);
		return err ? err : meta_kallsyms_of(meta, machine->kallsyms ? machine->kallsyms : "/proc/kallsyms");
	}
	err = session_open(&session, &(struct session_opts){ 0 });
	if (!err)
		err = meta_all(meta, session_dir(session), true, program);
	if (!err)
		err = machine->kallsyms ? meta_kallsyms_of(meta, machine->kallsyms) : meta_kallsyms(meta, session);
	if (session)
		session_close(session);
	return err;
}

/* A file that holds the data of one CPU, named "FILE.cpuN". */
struct cpu_file {
	const char *path; /* borrowed */
	char *stem;	  /* its name before ".cpuN"; for an instance's file, it ends with the name of the instance */
	unsigned int cpu;
};
typedef VEC(struct cpu_file) cpufiles_t;

/* Refuses a single file out of a spool folder: part of that CPU's data may be in a file beside it. */
static int check_alone(const char *path)
{
	__cleanup(free_ptr) char *packed = str_printf("%s" SPOOL_PACKED, path);
	bool beside = str_ends(path, SPOOL_PACKED) || str_ends(path, SPOOL_HANDED);
	const char *slash = strrchr(path, '/');

	if (!packed)
		return fail(ENOMEM, "no memory for a file name");
	if (!beside && access(packed, F_OK))
		return 0;
	return fail(EINVAL, "%s is only a part of what was recorded: `ringside restore %.*s` takes all of the folder", path, slash ? (int)(slash - path) : 1,
		    slash ? path : ".");
}

/* If a file's name has no number of a CPU, the number is its place in the list, as with trace-cmd. */
static int list_files(const struct restore_spec *spec, cpufiles_t *out)
{
	for (size_t i = 0; i < spec->npaths; i++) {
		const char *slash = strrchr(spec->paths[i], '/');
		struct cpu_file file = { .path = spec->paths[i], .cpu = (unsigned int)i };
		int err = check_alone(file.path);

		if (err)
			return err;
		if (!spool_name(slash ? slash + 1 : file.path, &file.stem, &file.cpu))
			file.stem = strdup("");
		if (!file.stem || vec_push(out, file)) {
			free(file.stem);
			return fail(ENOMEM, "no memory for the list of files");
		}
	}
	return 0;
}

/* Returns the name of the file's buffer. The files of the top buffer have the shortest stem. */
static const char *buffer_of(const cpufiles_t *files, const struct cpu_file *file)
{
	const char *top = file->stem;
	size_t n;

	vec_each (files, other)
		if (strlen(other->stem) < strlen(top) && str_starts(file->stem, other->stem))
			top = other->stem;
	n = strlen(top);
	return file->stem[n] == '.' && n ? file->stem + n + 1 : file->stem + n;
}

/*
 * What the sub-buffers of a file are. A sub-buffer without events, such as zeros, is not counted: it does not tell what kind of file this is. Bad ones are no
 * sub-buffers at all: their header says that they have more bytes than there are, or not even the first event can be read.
 */
struct sound {
	uint64_t good, damaged, bad; /* .damaged: of the good ones, how many cannot be read up to their end */
	uint64_t first_bad, first;   /* the offset of the first bad one, and of the first one that is bad or damaged */
};

static void judge_page(struct sound *sound, uint64_t at, bool whole, bool has_events)
{
	if (!whole && !sound->bad && !sound->damaged)
		sound->first = at;
	if (!whole && !has_events && !sound->bad++)
		sound->first_bad = at;
	sound->damaged += !whole && has_events;
	sound->good += has_events;
}

/* Decodes the sub-buffers of @cpu. Returns 0 or -errno. */
static int sound_out(struct sound *sound, struct page_format *format, const struct write_cpu *cpu)
{
	__cleanup(free_ptr) char *page = malloc(format->page_size);
	recordvec_t records = { 0 };
	int err = page ? 0 : -ENOMEM;

	for (uint64_t at = cpu->offset; !err && at < cpu->offset + cpu->size; at += format->page_size) {
		ssize_t got = io_pread(cpu->fd, page, format->page_size, at);
		struct page_info info;
		size_t bad;

		err = got < 0 ? (int)got : 0;
		records.n = 0;
		err = err ? err : page_decode(format, page, (size_t)got, &info, &records, &bad);
		if (!err || err == -EINVAL)
			judge_page(sound, at, !err, err ? records.n && info.used <= format->page_size - format->data_offset : info.used != 0);
		err = err == -EINVAL ? 0 : err;
	}
	vec_fini(&records);
	return err;
}

/* Refuses a file most of whose sub-buffers are none, and warns of damaged ones. *@good counts the others. */
static int check_sound(const struct cpu_file *file, const struct metadata *meta, const struct write_cpu *cpu, uint64_t *good)
{
	struct page_format format;
	struct sound sound = { 0 };
	int err = page_format_parse(&format, &meta->header_page, meta->big_endian, meta->user_long_size);

	if (err)
		return err;
	format.page_size = meta->page_size;
	err = sound_out(&sound, &format, cpu);
	if (err)
		return fail(-err, "cannot read %s: %s", file->path, strerror(-err));
	if (sound.bad > sound.good)
		return fail(EINVAL,
			    "%s is no file of recorded data: what begins at offset %" PRIu64
			    " is no sub-buffer of the ring buffer; if another machine recorded it, name that machine's partial file with -i",
			    file->path, sound.first_bad);
	if (sound.bad || sound.damaged)
		warn("%s is damaged: %" PRIu64 " of its sub-buffers, the first one at offset %" PRIu64 ", cannot be read as a whole", file->path,
		     sound.bad + sound.damaged, sound.first);
	*good += sound.good;
	return 0;
}

/* *@good counts the sub-buffers that have events. */
static int add_cpu_file(const struct cpu_file *file, const struct metadata *meta, struct write_buffer *buffer, struct restored *out, uint64_t *good)
{
	size_t before = buffer->cpus.n;
	int fd, err;

	vec_each (&buffer->cpus, cpu)
		if (cpu->cpu == file->cpu)
			return fail(EINVAL, "%s: CPU %u%s%s has a file already", file->path, file->cpu, *buffer->name ? " of " : "", buffer->name);
	fd = open(file->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(errno, "%s: %m", file->path);
	err = gather_file(buffer, file->cpu, fd, out);
	if (err)
		return fail(-err, "cannot read %s: %s", file->path, strerror(-err));
	return buffer->cpus.n > before ? check_sound(file, meta, &buffer->cpus.at[before], good) : 0;
}

static int add_files(const cpufiles_t *files, const struct metadata *meta, struct gathered *g, struct restored *out)
{
	int err = vec_push(&g->buffers, (struct write_buffer){ .name = "", .page_size = meta->page_size });
	uint64_t good = 0;

	vec_each (files, file) {
		const char *name = buffer_of(files, file);

		if (!err && !gathered_buffer(g, name))
			err = vec_push(&g->buffers, (struct write_buffer){ .name = name, .page_size = meta->page_size });
		if (err == -ENOMEM)
			return fail(ENOMEM, "no memory for the list of buffers");
		if (!err)
			err = add_cpu_file(file, meta, gathered_buffer(g, name), out, &good);
	}
	gathered_sort(g);
	if (!err && !good)
		err = fail(ENODATA, "%s%s: no whole sub-buffer with events is in there", files->at[0].path, files->n > 1 ? " and the others" : "");
	return err;
}

static int restore_cpus(const struct restore_spec *spec, const char *output, struct restored *out)
{
	struct metadata here = { 0 };
	struct datfile *partial = NULL;
	struct gathered g = { 0 };
	cpufiles_t files = { 0 };
	const struct metadata *meta = &here;
	int err = list_files(spec, &files);

	if (!err)
		err = output_check(output);
	/* Damage may be found only later, so the raw data stay. */
	vec_each (&files, file)
		err = err ? err : outfile_check_input(output, file->path);
	if (!err && spec->input)
		err = outfile_check_input(output, spec->input);
	if (!err)
		err = spec->input ? datfile_open(&partial, spec->input) : read_machine(&here, &(struct restore_machine){ 0 }, spec->program);
	if (partial)
		meta = &partial->meta;
	if (!err)
		err = add_files(&files, meta, &g, out);
	if (!err)
		err = write_file(spec, output, meta, g.buffers.at, g.buffers.n, &out->size);
	gathered_fini(&g);
	vec_each (&files, file)
		free(file->stem);
	vec_fini(&files);
	datfile_close(partial);
	metadata_fini(&here);
	return err;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Returns the spool folder into which all the links @paths lead, in new memory. Returns NULL when they do not lead into one folder. */
static char *folder_of_links(char *const *paths, size_t n, char **output)
{
	__cleanup(free_ptr) char *folder = links_folder(paths[0], output);

	for (size_t i = 1; folder && i < n; i++) {
		__cleanup(free_ptr) char *other = links_folder(paths[i], NULL);

		if (!other || strcmp(other, folder))
			return NULL;
	}
	return take(folder);
}

/*
 * Returns the spool folder that the user means by "FILE.cpu0" and others beside it, by "FILE", or by the folder's own name. Returns NULL when there is none.
 * *@output becomes the name of the file that was to be made of the folder. Both are new memory.
 */
static char *folder_meant(const struct restore_spec *spec, char **output)
{
	const char *first = spec->paths[0];
	__cleanup(free_ptr) char *beside = NULL, *link = str_printf("%s.cpu0", first);
	char *folder = folder_of_links(spec->paths, spec->npaths, output);

	if (folder || spec->npaths > 1 || !link || spool_folder(first, NULL, &beside))
		return folder;
	folder = is_folder(beside) ? take(beside) : links_folder(link, NULL);
	if (folder)
		*output = strdup(first);
	else if (is_folder(first))
		*output = name_of(first);
	return folder ? folder : is_folder(first) ? strdup(first) : NULL;
}

int restore(const struct restore_spec *spec, char **name, struct restored *out)
{
	__cleanup(free_ptr) char *made = NULL;
	__cleanup(free_ptr) char *folder = folder_meant(spec, &made);
	const char *first = folder ? folder : spec->paths[0];
	bool whole;
	struct stat st;

	*out = (struct restored){ 0 };
	*name = NULL;
	if (!*first)
		return fail(ENOENT, "the name of what is to be restored is empty: give the folder FILE.spool, or the files FILE.cpuN");
	if (stat(first, &st))
		return fail(errno, "%s: %m%s", first, errno == ENOENT ? "; name what was left: the folder FILE.spool, or the files FILE.cpuN" : "");
	whole = !folder && spec->npaths == 1 && begins_as_trace(first);
	if (((!folder && S_ISDIR(st.st_mode)) || whole) && spec->npaths > 1)
		return fail(EINVAL, "%s: give one folder at a time", first);
	if ((folder || whole) && spec->input)
		return fail(EINVAL, "%s has metadata of its own: -i is for files of CPUs, FILE.cpu0 and so on", first);
	*name = spec->output ? strdup(spec->output) : folder ? take(made) : strdup("trace.dat");
	if (!*name)
		return fail(ENOMEM, "out of memory");
	if (!spec->output && (strcmp(*name, first) == 0 || whole))
		return fail(EINVAL, "name the file that is to be made of %s with -o", first);
	if (folder)
		return restore_folder(spec, folder, *name, out);
	return whole ? restore_cut(spec, *name, out) : restore_cpus(spec, *name, out);
}

int restore_partial(const struct restore_spec *spec, const struct restore_machine *machine)
{
	struct metadata meta = { 0 };
	uint64_t size;
	int err = output_check(spec->output);

	if (!err)
		err = read_machine(&meta, machine, spec->program);
	if (!err)
		err = write_file(spec, spec->output, &meta, NULL, 0, &size);
	metadata_fini(&meta);
	return err;
}

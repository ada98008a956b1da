/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies this program to a host that has none, as a tar archive. The archive also has the libraries that the program runs with, and the loader. So the host
 * needs only a kernel for the same processor.
 */
#define _GNU_SOURCE
#include "lib/record/host.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 512 };

#define PUSHED_LOADER "loader"

/* The header of a plain file in an archive, as POSIX defines it ("ustar"). */
struct tar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100], magic[6], version[2], rest[247];
};
_Static_assert(sizeof(struct tar_header) == BLOCK, "a header is a block");

static int add_header(int to, const char *name, uint64_t size)
{
	struct tar_header h = { .type = '0', .magic = "ustar", .version = { '0', '0' } };
	unsigned int sum = 0;

	snprintf(h.name, sizeof(h.name), "%s", name);
	snprintf(h.mode, sizeof(h.mode), "%07o", 0700);
	snprintf(h.uid, sizeof(h.uid), "%07o", 0);
	snprintf(h.gid, sizeof(h.gid), "%07o", 0);
	snprintf(h.size, sizeof(h.size), "%011llo", (unsigned long long)size);
	snprintf(h.mtime, sizeof(h.mtime), "%011o", 0);
	memset(h.sum, ' ', sizeof(h.sum));
	for (size_t i = 0; i < sizeof(h); i++)
		sum += ((const unsigned char *)&h)[i];
	snprintf(h.sum, sizeof(h.sum), "%06o", sum);
	return io_write(to, &h, sizeof(h));
}

/* Adds a file to the archive. Returns 0 or -errno. */
static int add_file(int to, const char *path, const char *name)
{
	static const char zeroes[BLOCK];
	__cleanup(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	int err;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	err = add_header(to, name, (uint64_t)st.st_size);
	err = err ?: io_copy(fd, 0, to, (uint64_t)st.st_size);
	return err ?: io_write(to, zeroes, (BLOCK - (size_t)st.st_size % BLOCK) % BLOCK);
}

struct archive {
	int fd, err;
};

/* Adds a library under the name that the loader looks for. The loader itself gets the name PUSHED_LOADER. */
static int add_library(struct dl_phdr_info *info, size_t size __unused, void *ctx)
{
	struct archive *a = ctx;
	const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : NULL;

	/* The program itself has an empty name, and what the kernel maps (the vDSO) has a name without a path. */
	if (!name || a->err)
		return 0;
	a->err = add_file(a->fd, info->dlpi_name, str_starts(name, "ld-") ? PUSHED_LOADER : name);
	return 0;
}

int push_archive(void)
{
	static const char end[2 * BLOCK];
	struct archive a = { .fd = memfd_create("ringside", MFD_CLOEXEC) };

	if (a.fd < 0)
		return fail(errno, "--push: no memory for a copy of this program: %m");
	a.err = add_file(a.fd, "/proc/self/exe", "ringside");
	dl_iterate_phdr(add_library, &a);
	a.err = a.err ?: io_write(a.fd, end, sizeof(end));
	if (!a.err)
		return a.fd;
	close_fd(&a.fd);
	return fail(-a.err, "--push: cannot copy this program: %s", strerror(-a.err));
}

const char *push_command(void)
{
	return "d=$(mktemp -d \"${TMPDIR:-/tmp}/ringside.XXXXXX\") && tar xf - -C \"$d\" && echo \"$d\"";
}

/* Returns the last line that the shell has printed, which names the folder of the copy. Returns NULL when it does not look like a path. */
static const char *folder_of(struct str *said)
{
	char *line;

	while (said->len && strchr("\r\n", said->at[said->len - 1]))
		said->at[--said->len] = '\0';
	line = said->len ? memrchr(said->at, '\n', said->len) : NULL;
	line = line ? line + 1 : said->at;
	if (!said->len || *line != '/' || strspn(line, "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != strlen(line))
		return NULL;
	return line;
}

/* Returns how many bytes stand in front of "ringside" in --ringside, as in "sudo ringside". They stand in front of the copy as well. */
static int prefix_of(const char *there)
{
	return there && str_ends(there, " ringside") ? prec(strlen(there) - strlen("ringside")) : 0;
}

int push_take(struct host *h)
{
	const char *there = h->spec->there ? h->spec->there : "";
	const char *folder = str_room(&h->got, 1) && h->got.at ? (h->got.at[h->got.len] = '\0', folder_of(&h->got)) : NULL;
	struct str s = { 0 };

	if (!folder)
		return -EPROTO;
	/* A program that was linked without libraries has no loader. */
	str_addf(&s, "d=%s; r=$d/ringside; [ ! -e $d/" PUSHED_LOADER " ] || r=\"$d/" PUSHED_LOADER " --library-path $d $r\"; %.*s$r", folder, prefix_of(there),
		 there);
	h->there = str_take(&s);
	str_clear(&h->got);
	return h->there ? 0 : -ENOMEM;
}

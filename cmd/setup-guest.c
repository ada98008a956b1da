/* SPDX-License-Identifier: GPL-2.0 */
/* ringside setup-guest [OPTION...] GUEST */
#define _GNU_SOURCE
#include "cmd/commands.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/net/fifos.h"
#include <fcntl.h>
#include <grp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct context {
	struct fifos_spec spec;
	uint64_t cpus;
	bool attach;
};

static int set_mode(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct context *c = ctx;
	char *end;
	unsigned long mode = strtoul(value, &end, 8);

	if (*value < '0' || *value > '7' || *end || mode > 0777)
		return fail(EINVAL, "-p %s: permissions are a number in octal, as in 0660", value);
	c->spec.mode = (mode_t)mode;
	return 0;
}

static int set_group(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct context *c = ctx;
	const struct group *group = getgrnam(value);

	if (!group)
		return fail(EINVAL, "-g: there is no group '%s'", value);
	c->spec.group = group->gr_gid;
	return 0;
}

static const struct opt options[] = {
	{ OPT_U64(struct context, cpus), 'c', .name = "cpus", .arg = "NUMBER", .positive = true,
	  .help = "make FIFOs for this many CPUs of the guest (default: the number that virsh tells)" },
	{ OPT_CALL, 'p', .name = "permissions", .arg = "MODE", .call = set_mode, .help = "give the FIFOs these permissions, in octal (default: 0660)" },
	{ OPT_CALL, 'g', .name = "group", .arg = "GROUP", .call = set_group, .help = "give the FIFOs and their folder to this group" },
	{ OPT_FLAG(struct context, attach), 'a', .name = "attach",
	  .help = "connect the FIFOs to serial ports that virsh adds to the guest; the guest has these ports from its next start on" },
	{ OPT_STR(struct context, spec.folder), .name = "folder", .arg = "DIR", .complete = "dirs",
	  .help = "make the FIFOs below this folder (default: " FIFOS_FOLDER ")" },
	OPT_END,
};

/* Runs virsh with the given input and output. Returns 0, or -errno after a message. */
static int run_virsh(const char *const *words, int in, int out)
{
	posix_spawn_file_actions_t files;
	int status = 0, err;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	err = posix_spawnp(&pid, words[0], &files, NULL, (char **)words, environ);
	posix_spawn_file_actions_destroy(&files);
	if (err == ENOENT)
		return fail(ENOENT, "there is no virsh here, libvirt's program for its guests: %s",
			    words[1][0] == 'v' ? "say with -c how many CPUs the guest has"
					       : "without -a the FIFOs are made, and the guest's emulator is told of them by hand");
	if (err)
		return fail(err, "cannot run virsh: %s", strerror(err));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail(errno, "cannot wait for virsh: %m");
	return status ? fail(EIO, "virsh %s has failed: does libvirt know the guest '%s'? `virsh list --all` lists those that it knows", words[1], words[3])
		      : 0;
}

/* Asks how many CPUs the guest can have. */
static int ask_cpus(struct context *c)
{
	const char *const words[] = { "virsh", "vcpucount", "--maximum", c->spec.guest, NULL };
	__cleanup(close_fd) int null = open("/dev/null", O_RDONLY | O_CLOEXEC), said = memfd_create("virsh", MFD_CLOEXEC);
	char text[64] = { 0 };
	int err = null < 0 || said < 0 ? fail(errno, "cannot prepare to run virsh: %m") : run_virsh(words, null, said);

	if (err)
		return err;
	if (io_pread(said, text, sizeof(text) - 1, 0) < 0 || parse_u64(str_trim(text), &c->cpus) || !c->cpus)
		return fail(EIO, "virsh does not say how many CPUs '%s' has: say it with -c", c->spec.guest);
	return 0;
}

static int attach_one(const struct context *c, unsigned int cpu)
{
	const char *const words[] = { "virsh", "attach-device", "--config", c->spec.guest, "/dev/stdin", NULL };
	__cleanup(close_fd) int in = memfd_create("device", MFD_CLOEXEC), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct str xml = { 0 };
	int err;

	fifos_xml(&c->spec, cpu, &xml);
	err = in < 0 || null < 0 ? -errno : str_ok(&xml) ?: io_pwrite(in, xml.at, xml.len, 0);
	str_fini(&xml);
	return err ? fail(-err, "cannot prepare to run virsh: %s", strerror(-err)) : run_virsh(words, in, null);
}

static int check_cpus(const struct context *c)
{
	if (c->cpus <= FIFOS_MOST_CPUS)
		return 0;
	return fail(EINVAL, "a guest with %llu CPUs: at most %d are possible", (unsigned long long)c->cpus, FIFOS_MOST_CPUS);
}

static int set_up(struct context *c)
{
	int err = c->cpus ? 0 : ask_cpus(c) ?: check_cpus(c);

	c->spec.cpus = (unsigned int)c->cpus;
	err = err ? err : fifos_make(&c->spec);
	for (unsigned int cpu = 0; cpu < c->spec.cpus && c->attach && !err; cpu++)
		err = attach_one(c, cpu);
	return err;
}

static int run(int argc, char **argv)
{
	struct context c = { .spec = { .folder = FIFOS_FOLDER, .mode = 0660, .group = (gid_t)-1 } };
	char **operands;
	int n = opt_parse(&cmd_setup_guest, &c, argc, argv, &operands);

	if (n < 0)
		return opt_status(n);
	if (n != 1)
		return usage(&cmd_setup_guest, n ? "it takes the name of one guest" : "it needs the name of a guest");
	if (*c.spec.folder != '/')
		return usage(&cmd_setup_guest, "--folder: a path from the root is wanted");
	c.spec.guest = operands[0];
	if (!fifos_name_ok(c.spec.guest) || check_cpus(&c))
		return 2;
	return set_up(&c) ? 1 : 0;
}

const struct cmd cmd_setup_guest = {
	.name = "setup-guest",
	.synopsis = "[-c NUMBER] [OPTION...] GUEST",
	.summary = "make the FIFOs through which a guest's data can go to trace-cmd",
	.details = "The FIFOs are " FIFOS_FOLDER "/GUEST/trace-pipe-cpuN.in and .out, one pair for each CPU of the guest.\n"
		   "The guest's emulator connects each pair to a virtio serial port.\n"
		   "`trace-cmd record -A GUEST` uses the FIFOs. `ringside record -A` uses a vsocket or TCP, and needs no FIFOs.\n\n"
		   "Examples:\n"
		   "  ringside setup-guest -c 4 -g libvirt-qemu web\n"
		   "  ringside setup-guest -a web",
	.opts = options,
	.run = run,
};

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/bpf/program.h"
#include "lib/base/io.h"
#include "lib/base/str.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <unistd.h>

/* The events of these systems are not tracepoints of their own. */
static const char *const others[] = { "syscalls", "ftrace", "synthetic", "kprobes", "uprobes", "eprobes" };

/* Returns true if one of the lines, such as "p:probes/open do_sys_openat2", makes the event. */
static bool is_dynamic(const char *text, const char *system, size_t nsystem, const char *name)
{
	for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		const char *at = line + strcspn(line, ":\n");

		if (*at++ != ':' || strncmp(at, system, nsystem) || at[nsystem] != '/')
			continue;
		at += nsystem + 1;
		if (strncmp(at, name, strlen(name)) == 0 && strchr(" \t\n", at[strlen(name)]))
			return true;
	}
	return false;
}

const char *bpf_tracepoint(const char *dynamic, const char *event)
{
	const char *colon = strchr(event, ':');
	const size_t n = colon ? (size_t)(colon - event) : 0;

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (strlen(others[i]) == n && strncmp(others[i], event, n) == 0)
			return NULL;
	return colon && !is_dynamic(dynamic, event, n, colon + 1) ? colon + 1 : NULL;
}

/* Returns the verifier's last message, which stands in front of its statistics. */
static char *last_words(char *log)
{
	char *end = strstr(log, "\nprocessed ");

	if (end)
		*end = '\0';
	for (size_t n = strlen(log); n && log[n - 1] == '\n'; n--)
		log[n - 1] = '\0';
	end = strrchr(log, '\n');
	return end ? end + 1 : log;
}

enum { LOG_SIZE = 65536 };

static int load(struct bpf_code *code, uint32_t attach, char **why)
{
	__cleanup(free_ptr) char *log = calloc(1, LOG_SIZE);
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .attach_btf_id = attach, .expected_attach_type = attach ? BPF_TRACE_RAW_TP : 0);
	const enum bpf_prog_type type = attach ? BPF_PROG_TYPE_TRACING : BPF_PROG_TYPE_RAW_TRACEPOINT;
	int fd, err = code_settle(code);

	if (err || !log)
		return -ENOMEM;
	libbpf_set_print(NULL);
	fd = bpf_prog_load(type, "ringside", "GPL", code->insns.at, code->insns.n, &opts);
	if (fd >= 0)
		return fd;
	err = -errno;
	/* The program is loaded once more, to learn the reason. */
	opts.log_buf = log;
	opts.log_size = LOG_SIZE;
	opts.log_level = 1;
	fd = bpf_prog_load(type, "ringside", "GPL", code->insns.at, code->insns.n, &opts);
	if (fd >= 0)
		return fd;
	*why = str_printf("this kernel does not take BPF programs for this (%s%s%s)", strerror(-err), *log ? ": " : "", last_words(log));
	return err;
}

int bpf_program_load(struct bpf_program *out, struct bpf_code *code, const char *tracepoint, struct bpf_types *types, char **why)
{
	const uint32_t attach = types ? bpf_types_tracepoint(types, tracepoint) : 0;

	*out = (struct bpf_program)BPF_PROGRAM_NONE;
	if (types && !attach) {
		*why = str_printf("this kernel has no types of the tracepoint %s (CONFIG_DEBUG_INFO_BTF)", tracepoint);
		return -EOPNOTSUPP;
	}
	out->typed = attach;
	out->prog = load(code, attach, why);
	return out->prog < 0 ? out->prog : 0;
}

int bpf_program_attach(struct bpf_program *program, const char *tracepoint, char **why)
{
	int err;

	program->link = bpf_raw_tracepoint_open(program->typed ? NULL : tracepoint, program->prog);
	err = program->link < 0 ? -errno : 0;
	if (err)
		*why = str_printf("this kernel runs no BPF program at the tracepoint %s (%s)", tracepoint, strerror(-err));
	return err;
}

void bpf_program_detach(struct bpf_program *program)
{
	close_fd(&program->link);
	program->link = -1;
}

uint64_t bpf_program_missed(const struct bpf_program *program)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	return program->prog >= 0 && bpf_obj_get_info_by_fd(program->prog, &info, &size) == 0 ? info.recursion_misses : 0;
}

void bpf_program_close(struct bpf_program *program)
{
	close_fd(&program->link);
	close_fd(&program->prog);
	*program = (struct bpf_program)BPF_PROGRAM_NONE;
}

static int make_array(size_t size, size_t n, uint32_t flags, char **why)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = flags);
	int fd, err;

	libbpf_set_print(NULL);
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "ringside", sizeof(uint32_t), (uint32_t)size, (uint32_t)n, &opts);
	err = fd < 0 ? -errno : 0;
	if (err)
		*why = str_printf("this kernel makes no BPF map for us (%s)", strerror(-err));
	return err ? err : fd;
}

int bpf_array(size_t size, size_t n, char **why)
{
	return make_array(size, n, 0, why);
}

int bpf_array_mapped(size_t size, size_t n, void **elements, char **why)
{
	int fd = make_array(size, n, BPF_F_MMAPABLE, why), err;
	void *at;

	if (fd < 0)
		return fd;
	at = mmap(NULL, size * n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED) {
		err = -errno;
		*why = str_printf("this kernel does not show us a BPF map (%s)", strerror(-err));
		close(fd);
		return err;
	}
	*elements = at;
	return fd;
}

void bpf_array_unmap(void *elements, size_t size)
{
	if (elements)
		munmap(elements, size);
}

int bpf_array_put(int fd, uint32_t index, const void *element)
{
	return bpf_map_update_elem(fd, &index, element, BPF_ANY) ? -errno : 0;
}

int bpf_array_get(int fd, uint32_t index, void *element)
{
	return bpf_map_lookup_elem(fd, &index, element) ? -errno : 0;
}

size_t bpf_cpus(void)
{
	const int n = libbpf_num_possible_cpus();

	return n > 0 ? (size_t)n : 1;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a fuzz target a plain program:
 *	TARGET FILE...				each file is an input
 *	TARGET --mutate N --seed S FILE...	N inputs made of the files by a fixed random sequence
 * What the target prints is thrown away (sanitizers write to their log_path). An input that ends the program or
 * takes longer than 20 s is left as fuzz-input in the current folder. Prints how many inputs it ran.
 */
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { SECONDS = 20 };

/* What is run now. */
static struct {
	uint8_t *at;
	size_t size, cap;
} input;

typedef VEC(struct text) files_t;

static void save_input(void)
{
	int fd = open("fuzz-input", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd >= 0)
		io_write(fd, input.at, input.size);
}

static void stop(int sig)
{
	static const char text[] = "fuzz: too slow, too large or ended by a signal; see fuzz-input\n";

	save_input();
	if (write(1, text, sizeof(text) - 1) < 0)
		_exit(2);
	_exit(sig ? 1 : 2);
}

/* Of the sanitizers, when they are there. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t), void (*on_free)(const volatile void *)) __attribute__((weak));

/* No single allocation may be beyond a small multiple of the file and what one chunk of pages needs. */
static void on_malloc(const volatile void *at __attribute__((unused)), size_t size)
{
	if (size > ((size_t)40 << 20) + 300 * input.size)
		stop(0);
}

static void on_free(const volatile void *at __attribute__((unused)))
{
}

static void run(void)
{
	alarm(SECONDS);
	LLVMFuzzerTestOneInput(input.at, input.size);
	alarm(0);
}

static uint64_t draw(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* A place in the input: often near the front, where most structure is. */
static size_t place(uint64_t *state)
{
	uint64_t r = draw(state), span = r & 3 ? input.size : input.size / 16 + 1;

	return (size_t)((r >> 8) % span);
}

/* A number of 1 to 8 bytes in either byte order, of those that break arithmetic, or next to what is there. */
static void put_number(uint64_t *state)
{
	/* clang-format off */
	static const uint64_t extremes[] = {
		0, 1, 2, 3, 4, 7, 8, 0x7f, 0x80, 0xff, 0xfff, 0x1000, 0x7fff, 0x8000, 0xffff, 0x100000,
		0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
		0x8000000000000000, 0xfffffffffffffff0, 0xffffffffffffffff,
	};
	/* clang-format on */
	uint64_t r = draw(state);
	size_t n = (size_t)1 << (r & 3), at = place(state);
	uint64_t v = extremes[(r >> 8) % ARRAY_LEN(extremes)];

	if (n > input.size)
		return;
	at = MIN(at, input.size - n);
	if (r & 0x10) {
		v = 0;
		memcpy(&v, input.at + at, n);
		v += (r >> 16) % 33 - 16;
	} else if (r & 0x20) {
		v = __builtin_bswap64(v) >> (64 - 8 * n);
	}
	if (r & 0x40)
		v = input.size + (r >> 16) % 9 - 4;
	memcpy(input.at + at, &v, n);
}

/* Bytes of another file, or of this one, over what is here. */
static void splice(uint64_t *state, const files_t *files)
{
	const struct text *from = &files->at[draw(state) % files->n];
	size_t at = place(state), n, start;

	if (!from->size)
		return;
	start = (size_t)(draw(state) % from->size);
	n = (size_t)(draw(state) % 600) + 1;
	n = MIN(n, MIN(from->size - start, input.size - at));
	memcpy(input.at + at, from->at + start, n);
}

static void cut_out(uint64_t *state)
{
	size_t at = place(state), n = (size_t)(draw(state) % 64) + 1;

	n = MIN(n, input.size - at);
	memmove(input.at + at, input.at + at + n, input.size - at - n);
	input.size -= n;
}

static void mutate(uint64_t *state, const files_t *files)
{
	const struct text *from = &files->at[draw(state) % files->n];
	unsigned int times = 1 + (unsigned int)(draw(state) % 6);

	input.size = from->size;
	memcpy(input.at, from->at, from->size);
	while (times-- && input.size > 1) {
		uint64_t r = draw(state);

		switch (r % 8) {
		case 0:
		case 1:
			input.at[place(state)] ^= (uint8_t)(1 << (r >> 8) % 8);
			break;
		case 2:
			splice(state, files);
			break;
		case 3:
			if ((r >> 8) % 4 == 0)
				input.size = 1 + place(state);
			else
				cut_out(state);
			break;
		default:
			put_number(state);
			break;
		}
	}
}

static int load(files_t *files, int n, char **paths)
{
	for (int i = 0; i < n; i++) {
		struct text text;
		int err = io_slurp(paths[i], &text);

		if (err || vec_push(files, text)) {
			printf("fuzz: cannot read %s\n", paths[i]);
			return -1;
		}
		input.cap = MAX(input.cap, text.size + 1);
	}
	input.at = malloc(input.cap);
	return input.at && files->n ? 0 : -1;
}

static void replay(const files_t *files)
{
	vec_each (files, file) {
		memcpy(input.at, file->at, file->size);
		input.size = file->size;
		run();
	}
}

int main(int argc, char **argv)
{
	uint64_t times = 0, seed = 1;
	files_t files = { 0 };
	int null = open("/dev/null", O_WRONLY), first = 1;

	if (argc > 5 && !strcmp(argv[1], "--mutate") && !strcmp(argv[3], "--seed") && !parse_u64(argv[2], &times) && !parse_u64(argv[4], &seed))
		first = 5;
	if (load(&files, argc - first, argv + first))
		return 2;
	signal(SIGALRM, stop);
	signal(SIGABRT, stop);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(save_input);
	if (__sanitizer_install_malloc_and_free_hooks)
		__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	dup2(null, 2);
	if (!times)
		replay(&files);
	for (uint64_t i = 0; i < times; i++) {
		mutate(&seed, &files);
		run();
	}
	printf("%llu inputs\n", (unsigned long long)(times ? times : files.n));
	vec_each (&files, file)
		free(file->at);
	vec_fini(&files);
	free(take(input.at));
	input.size = 0;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/line-edit.h"
#include "cmd/line-history.h"
#include "lib/base/err.h"
#include "lib/base/library.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <stdio.h>
#include <unistd.h>

#ifdef RINGSIDE_EDIT
#include <dlfcn.h>
#include <histedit.h>
#include <locale.h>
#include <wchar.h>

/* The functions of libedit that are used. libedit is loaded only at a prompt; linked, it would be loaded at each start of the program. */
#define EDIT_CALLS(call) \
	call(el_init) call(el_end) call(el_set) call(el_get) call(el_gets) call(el_line) call(el_insertstr) call(el_deletestr) call(el_source) call(el_resize) \
		call(history_init) call(history_end) call(history)

struct edit_calls {
#define EDIT_POINTER(name) __typeof__(&name) name;
	EDIT_CALLS(EDIT_POINTER)
};

static const struct library_call edit_rows[] = {
#define EDIT_ROW(name) { #name, offsetof(struct edit_calls, name) },
	EDIT_CALLS(EDIT_ROW){ NULL },
};

struct edit {
	struct edit_calls call;
	EditLine *el;
	History *history;
	FILE *out;
	mbstate_t state;
};
#else
struct edit {
	int none;
};
#endif

struct line {
	const struct line_options *options;
	const char *prompt;
	char *history;	   /* the file of the history; NULL: none */
	struct edit *edit; /* NULL: lines cannot be edited */
	struct str text;
};

/* --- bytes -------------------------------------------------------------------------------------------------------- */

/* Reads a byte. Returns 1, 0 at the end, -EINTR if interrupted, or another -errno. */
static int get_byte(const struct line *line, char *byte)
{
	ssize_t n;

	do {
		n = *line->options->interrupted ? (errno = EINTR, -1) : read(STDIN_FILENO, byte, 1);
	} while (n < 0 && errno == EINTR && !*line->options->interrupted);
	return n < 0 ? -errno : (int)n;
}

/* Reads a line without editing, as the terminal delivers it. */
static int read_plain(struct line *line)
{
	char byte;
	int err;

	fflush(stdout);
	fputs(line->prompt, stderr);
	fflush(stderr);
	while ((err = get_byte(line, &byte)) > 0 && byte != '\n')
		str_addc(&line->text, byte);
	if (err < 0)
		return err;
	return err || line->text.len;
}

#ifdef RINGSIDE_EDIT
static const char library[] = "libedit.so.2";

/* libedit passes only the editor to its callbacks. The line is found by asking the editor, for which the library has to be found again. */
static struct line *line_of(EditLine *el)
{
	void *loaded = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
	__typeof__(&el_get) get = NULL;
	struct line *line = NULL;

	if (!loaded)
		return NULL;
	*(void **)&get = dlsym(loaded, "el_get");
	if (get)
		get(el, EL_CLIENTDATA, &line);
	dlclose(loaded);
	return line;
}

/* --- completion --------------------------------------------------------------------------------------------------- */

enum { MOST_SHOWN = 200, SHOWN_WIDTH = 78 };

/* Returns the length of the beginning that all words share, regardless of case. */
static size_t shared(const strv_t *words)
{
	size_t n = words->n ? strlen(words->at[0]) : 0;

	vec_each (words, word) {
		size_t same = 0;

		while (same < n && ((*word)[same] | 0x20) == (words->at[0][same] | 0x20))
			same++;
		n = same;
	}
	/* The beginning must not end inside a character. */
	while (n && words->n && !utf8_begins(words->at[0][n]))
		n--;
	return n;
}

static void show_words(const struct edit *edit, const strv_t *words)
{
	size_t width = 1, column = 0, n = MIN(words->n, (size_t)MOST_SHOWN);

	for (size_t i = 0; i < n; i++)
		width = MAX(width, strlen(words->at[i]) + 2);
	for (size_t i = 0; i < n; i++) {
		column = column && column + width <= SHOWN_WIDTH ? column : 0;
		fprintf(edit->out, "%s%-*s", column ? "" : "\n", prec(width), words->at[i]);
		column += width;
	}
	fputc('\n', edit->out);
	if (words->n > n)
		fprintf(edit->out, "... and %zu more\n", words->n - n);
	fflush(edit->out);
}

static unsigned char complete_at(struct line *line, EditLine *el, strv_t *words)
{
	const struct edit *edit = line->edit;
	const LineInfo *info = edit->call.el_line(el);
	const size_t at = (size_t)(info->cursor - info->buffer);
	__cleanup(free_ptr) char *text = strndup(info->buffer, (size_t)(info->lastchar - info->buffer)), *word = NULL;
	size_t from = at, n;

	if (!text)
		return CC_ERROR;
	line->options->complete(line->options->ctx, text, at, &from, words);
	n = shared(words);
	if (!words->n)
		return CC_ERROR;
	if (words->n > 1 && n <= at - from) {
		show_words(edit, words);
		return CC_REDISPLAY;
	}
	/* libedit counts characters to delete. Completed words have one byte per character, so bytes can be counted. */
	word = str_printf("%.*s%s", prec(n), words->at[0], words->n == 1 ? " " : "");
	edit->call.el_deletestr(el, (int)(at - from));
	return word && !edit->call.el_insertstr(el, word) ? CC_REFRESH : CC_ERROR;
}

static unsigned char on_tab(EditLine *el, __unused int key)
{
	struct line *line = line_of(el);
	strv_t words = { 0 };
	unsigned char what = line && line->options->complete ? complete_at(line, el, &words) : CC_ERROR;

	strv_fini(&words);
	return what;
}

/* --- editing ------------------------------------------------------------------------------------------------------ */

static char *on_prompt(EditLine *el)
{
	const struct line *line = line_of(el);

	return (char *)(line ? line->prompt : "");
}

/* Replaces libedit's own function, which would read on after a signal. */
static int on_key(EditLine *el, wchar_t *key)
{
	const struct line *line = line_of(el);
	char byte;
	int err = 0;

	while (line && (err = get_byte(line, &byte)) > 0) {
		const size_t n = mbrtowc(key, &byte, 1, &line->edit->state);

		if (n == 1 || n == 0)
			return 1;
		/* Bytes that are no character are left out. */
		if (n == (size_t)-1)
			line->edit->state = (mbstate_t){ 0 };
	}
	*key = L'\0';
	return line && !err ? 0 : -1;
}

static void set_up(struct line *line)
{
	const struct edit_calls *call = &line->edit->call;
	EditLine *el = line->edit->el;
	HistEvent event;

	call->el_set(el, EL_CLIENTDATA, line);
	call->el_set(el, EL_PROMPT, on_prompt);
	call->el_set(el, EL_EDITOR, "emacs");
	call->el_set(el, EL_SIGNAL, 0);
	call->el_set(el, EL_GETCFN, on_key);
	call->el_set(el, EL_ADDFN, "ringside-complete", "complete the word", on_tab);
	call->el_set(el, EL_BIND, "^I", "ringside-complete", NULL);
	call->el_set(el, EL_BIND, "^R", "em-inc-search-prev", NULL);
	call->history(line->edit->history, &event, H_SETSIZE, HISTORY_LINES);
	call->history(line->edit->history, &event, H_SETUNIQUE, 1);
	call->el_set(el, EL_HIST, call->history, line->edit->history);
	call->el_source(el, NULL);
}

static void free_edit(struct edit *edit)
{
	if (edit && edit->el)
		edit->call.el_end(edit->el);
	if (edit && edit->history)
		edit->call.history_end(edit->history);
	if (edit && edit->out)
		fclose(edit->out);
	free(edit);
}

static void open_edit(struct line *line)
{
	struct edit *edit = calloc(1, sizeof(*edit));
	char why[LIBRARY_WHY];
	strv_t lines = { 0 };
	HistEvent event;

	if (!edit || library_load(library, edit_rows, &edit->call, why)) {
		free(edit);
		return;
	}
	if (!setlocale(LC_CTYPE, "") || mblen("\xc3\xa4", 2) != 2)
		setlocale(LC_CTYPE, "C.UTF-8");
	/* libedit gets its own stream, so that ringside's stdout has only text. */
	edit->out = fdopen(dup(STDOUT_FILENO), "w");
	edit->history = edit->call.history_init();
	edit->el = edit->out && edit->history ? edit->call.el_init("ringside", stdin, edit->out, stderr) : NULL;
	if (!edit->el) {
		free_edit(edit);
		return;
	}
	line->edit = edit;
	set_up(line);
	if (line->history)
		history_read(line->history, &lines);
	vec_each (&lines, old)
		edit->call.history(edit->history, &event, H_ENTER, *old);
	strv_fini(&lines);
}

static int read_edited(struct line *line)
{
	struct edit *edit = line->edit;
	const char *text;
	int n = 0;

	fflush(stdout);
	edit->call.el_resize(edit->el);
	edit->state = (mbstate_t){ 0 };
	/* The terminal is prepared before the prompt is printed. el_gets() would do it after that, and an end of file typed in between would be lost. */
	edit->call.el_set(edit->el, EL_PREP_TERM, 1);
	text = edit->call.el_gets(edit->el, &n);
	fflush(edit->out);
	if (text && n > 0) {
		str_addn(&line->text, text, (size_t)n - (text[n - 1] == '\n'));
		return 1;
	}
	return *line->options->interrupted ? -EINTR : 0;
}

void line_remember(struct line *line, const char *text)
{
	HistEvent event;

	if (!line->edit || !text[strspn(text, " \t")])
		return;
	line->edit->call.history(line->edit->history, &event, H_ENTER, text);
	if (line->history)
		history_append(line->history, text);
}
#else
static void open_edit(__unused struct line *line)
{
}

static void free_edit(__unused struct edit *edit)
{
}

static int read_edited(struct line *line)
{
	return read_plain(line);
}

void line_remember(__unused struct line *line, __unused const char *text)
{
}
#endif

/* --- either ------------------------------------------------------------------------------------------------------- */

int line_open(struct line **out, const struct line_options *options)
{
	struct line *line = *out = calloc(1, sizeof(*line));

	if (!line)
		return fail(ENOMEM, "out of memory");
	line->options = options;
	line->history = history_path(options->name);
	open_edit(line);
	return 0;
}

void line_close(struct line *line)
{
	if (!line)
		return;
	free_edit(line->edit);
	free(line->history);
	str_fini(&line->text);
	free(line);
}

bool line_is_edited(const struct line *line)
{
	return line->edit != NULL;
}

int line_read(struct line *line, const char *prompt, const char **text)
{
	int err;

	line->prompt = prompt;
	str_clear(&line->text);
	err = line->edit ? read_edited(line) : read_plain(line);
	if (err < 0 && err != -EINTR)
		return fail(-err, "the terminal cannot be read: %m");
	if (line->text.oom)
		return fail(ENOMEM, "out of memory");
	*text = str_text(&line->text);
	return err;
}

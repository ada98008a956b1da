/* SPDX-License-Identifier: GPL-2.0 */
/* Reads what the user has typed for --hosts and --rsh: the names of hosts, and the command that gives a shell on a host. */
#include "lib/record/hosts.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/str.h"
#include <ctype.h>

enum { LONGEST_NAME = 200 };

bool host_is_here(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "localhost") == 0;
}

/* Checks the name of a host. It becomes a word of a command line and a part of a file's name. */
static int check_host(const char *name, const strv_t *before)
{
	if (name[0] == '-')
		return fail(EINVAL, "--hosts: '%s' begins like an option, and the name of a host must not", name);
	if (name[0] == '.' && name[1])
		return fail(EINVAL, "--hosts: '%s' is no host's name", name);
	if (strlen(name) > LONGEST_NAME)
		return fail(EINVAL, "--hosts: a name of %zu bytes is too long", strlen(name));
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-@:%+[]", *c))
			return fail(EINVAL, "--hosts: '%s' is no host's name: it has letters, digits, and . _ - @ : %% + [ ]", name);
	if (strv_has(before, name) || (host_is_here(name) && (strv_has(before, ".") || strv_has(before, "localhost"))))
		return fail(EINVAL, "--hosts: %s is named twice", name);
	return 0;
}

static int add_file(const char *path, strv_t *names);

static int add_name(const char *name, bool in_file, strv_t *names)
{
	int err;

	if (name[0] == '@' && !in_file)
		return add_file(name + 1, names);
	if (!*name)
		return fail(EINVAL, "--hosts: an empty name is among the hosts");
	err = check_host(name, names);
	return err ? err : strv_add(names, name) ? fail(ENOMEM, "no memory for the hosts") : 0;
}

/* Adds the hosts in a file. Each line has one host. What stands behind # is a remark. */
static int add_file(const char *path, strv_t *names)
{
	struct text file = { 0 }, rest, line;
	int err = io_slurp(path, &file);

	if (err)
		return fail(-err, "--hosts: %s: %s", path, strerror(-err));
	rest = file;
	while (!err && text_line(&rest, &line)) {
		__cleanup(free_ptr) char *copy = strndup(line.at, line.size);
		char *name;

		if (!copy) {
			err = fail(ENOMEM, "no memory for the hosts");
			break;
		}
		copy[strcspn(copy, "#")] = '\0';
		name = str_trim(copy);
		if (*name)
			err = add_name(name, true, names);
	}
	free(file.at);
	return err;
}

int hosts_list(const char *text, strv_t *names)
{
	int err = 0;

	for (const char *at = text; at && !err;) {
		size_t n = strcspn(at, ",");
		__cleanup(free_ptr) char *copy = strndup(at, n);

		err = copy ? add_name(str_trim(copy), false, names) : fail(ENOMEM, "no memory for the hosts");
		at = at[n] ? at + n + 1 : NULL;
	}
	return err || names->n ? err : fail(EINVAL, "--hosts %s: no host is named", text);
}

int hosts_words(const char *text, strv_t *words)
{
	struct str word = { 0 };
	bool any = false;
	char quote = 0;
	int err = 0;

	for (const char *c = text;; c++) {
		bool blank = !*c || (!quote && isspace((unsigned char)*c));

		if (quote ? *c == quote && *c : *c == '"' || *c == '\'') {
			quote = quote ? 0 : *c;
			any = true;
		} else if (!blank) {
			str_addc(&word, *c);
			any = true;
		} else if (any && !err) {
			err = str_ok(&word) ?: strv_add(words, str_text(&word));
			str_clear(&word);
			any = false;
		}
		if (!*c)
			break;
	}
	str_fini(&word);
	if (err)
		return fail(ENOMEM, "no memory for a command");
	if (quote)
		return fail(EINVAL, "--rsh %s: a quotation mark is not closed", text);
	return words->n ? 0 : fail(EINVAL, "--rsh needs the name of a command");
}

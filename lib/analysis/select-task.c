/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/select.h"
#include "lib/base/parse.h"

#include <stdio.h>

/* Does a glob in @list match @text? An element of @list may have several globs with commas in between. If @list is empty, the result is true. */
static bool is_in(const strv_t *list, const char *text)
{
	vec_each (list, words) {
		for (const char *at = *words; *at; at += strcspn(at, ","), at += *at == ',') {
			__cleanup(free_ptr) char *word = strndup(at, strcspn(at, ","));

			if (word && glob_match(word, text))
				return true;
		}
	}
	return !list->n;
}

bool select_task(const struct select_options *opt, const char *comm, int pid)
{
	char number[16];

	if (!opt->comms.n && !opt->pids.n && !opt->tids.n)
		return true;
	snprintf(number, sizeof(number), "%d", pid);
	if ((opt->comms.n || opt->pids.n) && !(opt->comms.n && is_in(&opt->comms, comm)) && !(opt->pids.n && is_in(&opt->pids, number)))
		return false;
	return is_in(&opt->tids, number);
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/thread.h"

#include <signal.h>

int thread_start(pthread_t *out, void *(*run)(void *ctx), void *ctx)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(out, NULL, run, ctx);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Starts threads that get no signals. */
#ifndef RINGSIDE_THREAD_H
#define RINGSIDE_THREAD_H

#include <pthread.h>

/* Does what pthread_create(3) does, but all signals are blocked in the new thread. Returns 0, or a positive errno such as EAGAIN, without a message. */
int thread_start(pthread_t *out, void *(*run)(void *ctx), void *ctx);

#endif

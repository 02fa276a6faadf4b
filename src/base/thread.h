#ifndef PAVANE_BASE_THREAD_H
#define PAVANE_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* A thread that works for the one that conducts: signals do not come to it, its
 * name is seen by whoever looks, and where the processor is short it does not
 * push aside the one that it works for, so that it finds several things to do
 * when its turn comes. */
bool pv_thread_start(
    pthread_t *thread, const char *name, void *(*run)(void *), void *ctx);

#endif

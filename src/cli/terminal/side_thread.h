#ifndef PAVANE_CLI_TERMINAL_SIDE_THREAD_H
#define PAVANE_CLI_TERMINAL_SIDE_THREAD_H

#include <pthread.h>

/* Starts a thread that takes no signals: those are for one that waits for
 * them (signals.h). Ends the program (pavane_out_of_memory) where the system
 * has room for no more. */
pthread_t pv_side_thread_start(void *(*run)(void *ctx), void *ctx);

#endif

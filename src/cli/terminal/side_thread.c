#include "cli/terminal/side_thread.h"

#include <signal.h>

#include "pavane/pavane.h"

pthread_t pv_side_thread_start(void *(*run)(void *ctx), void *ctx)
{
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, run, ctx) != 0)
		pavane_out_of_memory(sizeof(thread));
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return thread;
}

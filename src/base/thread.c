#include "base/thread.h"

#include <sched.h>
#include <signal.h>

bool pv_thread_start(
    pthread_t *thread, const char *name, void *(*run)(void *), void *ctx)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool is_started = pthread_create(thread, NULL, run, ctx) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!is_started)
		return false;
	pthread_setname_np(*thread, name);
#ifdef SCHED_BATCH
	struct sched_param none = {0};
	pthread_setschedparam(*thread, SCHED_BATCH, &none);
#endif
	return true;
}

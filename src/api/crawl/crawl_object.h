#ifndef PAVANE_API_CRAWL_CRAWL_OBJECT_H
#define PAVANE_API_CRAWL_CRAWL_OBJECT_H

#include <pthread.h>
#include <stdatomic.h>

#include "pavane/core.h"

struct pv_crawl;

/* What a pavane_crawl is inside. */
struct pavane_crawl {
	struct pv_crawl *crawl;
	char *directory;
	pthread_t thread;       /* that runs it, where it was spawned ... */
	atomic_bool is_spawned; /* ... and not joined yet */
	enum pavane_end end;
	atomic_bool
	    is_busy; /* a call is at work that runs, steps or closes it */
	pavane_line_fn on_line;
	void *ctx;
};

#endif

#ifndef PAVANE_API_CRAWL_CRAWL_OBJECT_H
#define PAVANE_API_CRAWL_CRAWL_OBJECT_H

#include <pthread.h>

#include "pavane/core.h"

struct pv_crawl;

/* What a pavane_crawl is inside. */
struct pavane_crawl {
	struct pv_crawl *crawl;
	char *directory;
	pthread_t thread; /* that runs it, where it was spawned */
	enum pavane_end end;
};

#endif

#ifndef PAVANE_API_CRAWL_RUNTIME_H
#define PAVANE_API_CRAWL_RUNTIME_H

#include "crawl/runtime.h"
#include "pavane/runtime.h"

/* NULL for none. */
struct pv_runtime *pv_runtime_of(struct pavane_runtime *runtime);

#endif

#ifndef PAVANE_API_CRAWL_RUNTIME_H
#define PAVANE_API_CRAWL_RUNTIME_H

#include "crawl/runtime.h"
#include "pavane/runtime.h"
#include "store/orders.h"

/* As pavane_runtime_pause_host, of a host that is paused since then. */
bool pv_runtime_pause_since(struct pavane_runtime *runtime, const char *host,
    const struct pv_pause *pause);

/* NULL for none. */
struct pv_runtime *pv_runtime_of(struct pavane_runtime *runtime);

#endif

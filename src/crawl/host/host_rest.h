#ifndef PAVANE_CRAWL_HOST_HOST_REST_H
#define PAVANE_CRAWL_HOST_HOST_REST_H

#include "policy/values/manners.h"

/* How long a host rests whose name could not be resolved, or whose robots.txt
 * could not be fetched: as its back-off says, longer with each of `failures`
 * before this one. */
int64_t pv_host_rest_ms(const struct pv_manners *manners, uint32_t failures);

#endif

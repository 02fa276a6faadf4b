#ifndef PAVANE_CRAWL_HOST_HOST_REST_H
#define PAVANE_CRAWL_HOST_HOST_REST_H

#include "policy/values/manners.h"

/* How long to leave a host alone that could not be asked at all, as its name or
 * its robots.txt could not be had: as its back-off says, longer with each of
 * `failures` before this one. */
int64_t pv_host_rest_ms(const struct pv_manners *manners, uint32_t failures);

#endif

#ifndef PAVANE_CRAWL_RESPITE_H
#define PAVANE_CRAWL_RESPITE_H

#include "policy/manners.h"

/* How long to leave a host alone that could not be asked at all, as its name or
 * its robots.txt could not be had: as its back-off says, longer with each of
 * `failures` before this one. */
int64_t pv_respite_ms(const struct pv_manners *manners, uint32_t failures);

#endif

#ifndef PAVANE_LIMITER_ALONE_H
#define PAVANE_LIMITER_ALONE_H

#include "limiter/limiter.h"

/* The limiter of a crawl that shares no clock with another: it grants each
 * claim at once, since the crawl's own schedule keeps its own promises. Opening
 * it never fails, and needs no place. */
extern const struct pv_limiter_kind pv_limiter_alone;

#endif

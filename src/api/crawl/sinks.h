#ifndef PAVANE_API_CRAWL_SINKS_H
#define PAVANE_API_CRAWL_SINKS_H

#include "crawl/consumers/program_sink.h"
#include "pavane/pavane.h"

/* The sinks of a program, which may be built against another header, as ours has
 * them. */
struct pv_given_sinks {
	struct pavane_sink items[PV_PROGRAM_SINKS_MAX];
	const struct pavane_sink *list[PV_PROGRAM_SINKS_MAX];
};

/* Has the options name them instead of those that they name. More than there may
 * be are left as they are: the crawl refuses so many. */
void pv_given_sinks_read(
    struct pv_given_sinks *given, struct pavane_crawl_options *options);

#endif

#ifndef PAVANE_CRAWL_CONSUMERS_PROGRAM_SINK_H
#define PAVANE_CRAWL_CONSUMERS_PROGRAM_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/why.h"
#include "pavane/sink.h"
#include "sink/sink.h"

/* A kind of sink whose verbs are the program's (pavane/sink.h), once for each
 * that it has given. Its length is kept by the name of a file below `sink/`,
 * where no file of ours is.
 *
 * What a verb of the program says of its failure is left in the page or in the
 * database as it is: the end of the crawl says it. */
#define PV_PROGRAM_SINKS_MAX 4
#define PV_PROGRAM_PART_MAX ((size_t)8 << 20)

extern const struct pv_sink_kind pv_consumer_program_sink;

/* Whether a crawl can have them; false, with the reason. */
bool pv_program_sinks_check(
    const struct pavane_sink *const *sinks, size_t count, struct pv_why *why);

#endif

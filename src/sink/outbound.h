#ifndef PAVANE_SINK_OUTBOUND_H
#define PAVANE_SINK_OUTBOUND_H

#include "policy/shard.h"
#include "record/link.h"

/* The links of a crawl that are for its other shards, in a file for each:
 * outbound/3.jsonl in the crawl's directory (sink/outbound_line.h). A file that
 * nothing was written to is not made.
 *
 * It is a sink like others, so the lengths of its files are committed with what
 * the state says of the links: no end of the process loses a line, cuts it, or
 * writes it twice. What is appended comes from the frontier (on_elsewhere) and
 * not from pages.
 */
#define PV_OUTBOUND_DIRECTORY "outbound"

struct pv_sink;

/* On the thread that commits: adds the link to the file of the shard that its
 * verdict names; false if it cannot be written: errno says why. */
bool pv_outbound_append(
    struct pv_sink *sink, const struct pv_link *link, struct pv_str via);

/* The same, to the files of all shards but this one and that of the host: a
 * page to which a seed was redirected widens the scope of all. */
bool pv_outbound_append_to_all(struct pv_sink *sink, struct pv_str host,
    const struct pv_link *link, struct pv_str via);

#endif

#ifndef PAVANE_NAMES_LOOKUP_H
#define PAVANE_NAMES_LOOKUP_H

#include "names/channel.h"
#include "names/gathering.h"
#include "names/limits.h"

/* One name being asked for: its IPv4 and its IPv6 addresses at once, until both
 * questions have been answered or its time is up.
 *
 * Once IPv4 addresses are known, or that there is no such name, the rest is
 * waited for a moment longer only: there are name servers that never say
 * anything to the other question. What is known when time is up is the answer.
 */
struct pv_lookup;

/* The gathering holds what was found; where that is nothing, `otherwise` and
 * `why` tell how it went. Never called within pv_lookup_start. */
typedef void (*pv_lookup_fn)(
    void *ctx, enum pv_name_result otherwise, const char *why);

/* The gathering, whose host is asked for, is the caller's, and in use until the
 * end is reported or the look-up is dropped. The limits outlive it. */
struct pv_lookup *pv_lookup_start(struct pv_channel *channel,
    const struct pv_names_limits *limits, struct pv_gathering *gathering,
    pv_lookup_fn on_end, void *ctx);

/* Ends it without a word. What the channel still asks for it goes on until it
 * is answered or the channel closes. */
void pv_lookup_drop(struct pv_lookup *lookup);

#endif

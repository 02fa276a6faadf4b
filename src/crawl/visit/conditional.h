#ifndef PAVANE_CRAWL_VISIT_CONDITIONAL_H
#define PAVANE_CRAWL_VISIT_CONDITIONAL_H

#include <stdbool.h>

/* A visit in an update, to an address of which there is a copy: what it asks
 * for, or why it is not made. Of other visits all of this
 * says nothing. */
struct pv_flight;
struct pv_request;

/* Of what we have only what is new is wanted. */
void pv_conditional_ask(
    const struct pv_flight *flight, struct pv_request *request);

/* Whether a sitemap says that it is as it was: then it is committed so, and not
 * asked for. Of that the journal, which tells of requests, has no line. */
bool pv_conditional_is_listed(const struct pv_flight *flight);

/* Prepares the journal's line of a visit that is refused, which is the last
 * word of this update on what was answered before. */
void pv_conditional_prepare_refusal(struct pv_flight *flight);

#endif

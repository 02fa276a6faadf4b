#ifndef PAVANE_CRAWL_LOOK_H
#define PAVANE_CRAWL_LOOK_H

#include "crawl/robots_store.h"
#include "frontier/address_table.h"
#include "frontier/host_table.h"

/* A look into a crawl's directory, running or not: what is known there of one
 * address, of its host, and of its host's robots.txt. Nothing is changed, and
 * whoever crawls is not disturbed.
 */
struct pv_url;
struct pv_why;
struct pv_look;

struct pv_look_answer {
	bool is_running; /* somebody crawls there */
	uint64_t pages;  /* of all hosts */
	uint64_t bytes;

	bool is_known; /* the address */
	struct pv_address_row row;
	struct pv_buf via; /* where it was found; empty for a seed */

	bool has_host;
	struct pv_host host;
	enum pv_holding holding;

	struct pv_saved_robots robots; /* of its authority */
	struct pv_buf robots_copy;     /* the last good one */
};

/* NULL, with the reason, if there is no crawl, or its state cannot be read. */
struct pv_look *pv_look_open(const char *directory, struct pv_why *why);
void pv_look_close(struct pv_look *look);

void pv_look_answer_init(struct pv_look_answer *answer);
void pv_look_answer_finish(struct pv_look_answer *answer);

/* What is known of an address in its crawl identity. False, with the reason,
 * if the state cannot be read. */
bool pv_look_at(struct pv_look *look, const struct pv_url *url,
    struct pv_look_answer *answer, struct pv_why *why);

#endif

#ifndef PAVANE_CRAWL_HOST_DNS_H
#define PAVANE_CRAWL_HOST_DNS_H

#include <stdint.h>

/* From a host's name to an address at which the schedule paces it; or to the
 * reason why it cannot or may not be asked. */
struct pv_crawl;
struct pv_live_host;

struct pv_dns {
	int64_t look_up_next; /* of a name that nobody could tell; PV_NEVER */
	uint64_t control_changes; /* of pauses, that were heeded */
};

void pv_dns_init(struct pv_dns *naming);

/* A host was taken, or its address has become too old. */
void pv_dns_begin(struct pv_crawl *crawl, struct pv_live_host *host);

/* How long it took to look up the host's name, once for each time that it was;
 * negative otherwise. */
int64_t pv_dns_take_ms(struct pv_live_host *host);

/* Looks up once more those whose time has come. */
void pv_dns_step(struct pv_crawl *crawl);

#endif

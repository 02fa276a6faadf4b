#ifndef PAVANE_CLI_DEMO_SITE_H
#define PAVANE_CLI_DEMO_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The site of `pavane demo`: a thread that answers HTTP requests on a port of
 * this machine only, and keeps a ledger of how its visitor behaves. It answers
 * one request after the other, which is all that a polite visitor needs. */
struct pv_demo_site;

/* What the site has seen. */
struct pv_demo_ledger {
	size_t requests;
	size_t least_gap_us;  /* between the end of an answer and the next
				 request; SIZE_MAX before there are two */
	bool is_robots_first; /* the first request was for robots.txt */
	size_t missed;        /* of what a visitor should ask for */
	size_t repeated;      /* asked for more often than needed */
	size_t forbidden;     /* asked for against robots.txt */
	size_t hurried;       /* requested again before its Retry-After */
};

/* At this port, or at any if it is 0. NULL if none is available: errno says
 * why. */
struct pv_demo_site *pv_demo_site_start(uint16_t port);

uint16_t pv_demo_site_port(const struct pv_demo_site *site);
void pv_demo_site_read_ledger(
    struct pv_demo_site *site, struct pv_demo_ledger *ledger);
void pv_demo_site_stop(struct pv_demo_site *site);

#endif

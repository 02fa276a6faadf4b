#ifndef PAVANE_CRAWL_HOST_PROBE_H
#define PAVANE_CRAWL_HOST_PROBE_H

/* What a host is asked for that has failed too often in a row
 * (schedule/backoff.h): a page, since servers that have too much to do often
 * answer for what is none, and one that has not failed yet, since what failed
 * may be broken for good. What stands beside it may be, too: so of the pages at
 * hand it is the one that would come last.
 *
 * Where that has failed as well, or there is none, it is a page that the host
 * has answered well before (known_page.h): if that comes well, the others are
 * broken for good, and if it fails, the host is not well, and no page has lost
 * a try by it. Such a request is a host's like any other and has a line in the
 * journal, but it is no visit: of its address nothing changes. Where too little
 * was answered well, there is only what has failed.
 */
struct pv_flight;
struct pv_task;

/* The task that is to be released in the place of this one, which goes back
 * to its host's line; or the same. */
struct pv_task *pv_probe_choose(struct pv_task *task);

enum pv_probe {
	PV_PROBE_ITSELF,
	PV_PROBE_LATER, /* the host is parked until it is known what to ask for */
	PV_PROBE_KNOWN, /* a page that was answered well, opened */
};

/* What is asked for in the place of this visit, which may be requested. */
enum pv_probe pv_probe_look(struct pv_flight *flight, struct pv_flight **known);

#endif

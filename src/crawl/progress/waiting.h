#ifndef PAVANE_CRAWL_PROGRESS_WAITING_H
#define PAVANE_CRAWL_PROGRESS_WAITING_H

#include "base/buf.h"
#include "schedule/wait.h"

/* What the hosts that we hold wait for, and until when: for people, and to see
 * whether all of them wait too long. */
struct pv_crawl;
struct pv_live_host;

/* Why a host is not asked now, and how long that lasts at least; PV_WAIT_NOT
 * or PV_WAIT_NO_VISITS for one that waits for nothing. */
struct pv_wait pv_waiting_of(
    const struct pv_crawl *crawl, const struct pv_live_host *host);

/* A host with what it waits for; NULL for none. */
struct pv_waiting_host {
	const struct pv_live_host *host;
	struct pv_wait wait;
};

/* Those that wait: how many there are, the one that may go on first, and the
 * same of those that wait for more than a few seconds. */
struct pv_waiting {
	size_t count;
	uint64_t reasons[PV_WAIT_COUNT];
	struct pv_waiting_host first;
	size_t long_count;
	struct pv_waiting_host first_long;
};

void pv_waiting_look(const struct pv_crawl *crawl, struct pv_waiting *waiting);

/* "docs.example.org waits until 14:03:00 as long as its Retry-After asks; 3
 * more hosts wait longer"; nothing for none. `others` may be 0. */
void pv_waiting_write(const struct pv_crawl *crawl,
    const struct pv_waiting_host *waiting, size_t others, struct pv_buf *buf);

/* "until 14:03:00 "; nothing where nobody knows. */
void pv_waiting_write_until(
    const struct pv_crawl *crawl, struct pv_wait wait, struct pv_buf *buf);

/* "waits for docs.example.org:8443 until 14:03:00 (delay 5s)"; nothing for
 * none. */
void pv_waiting_write_briefly(const struct pv_crawl *crawl,
    const struct pv_waiting_host *waiting, struct pv_buf *buf);

#endif

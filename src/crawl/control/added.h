#ifndef PAVANE_CRAWL_CONTROL_ADDED_H
#define PAVANE_CRAWL_CONTROL_ADDED_H

#include "crawl/control/mailbox.h"
#include "frontier/papers.h"
#include "url/url.h"

/* Addresses that the program adds while the crawl runs: judged as seeds are, and
 * reported to the frontier, a batch with each commit, so that who adds them is
 * held back by the disk.
 */
#define PV_ADDED_BATCH 200
#define PV_ADDED_TAG_MAX 255

struct pv_crawl;

struct pv_added_item {
	struct pv_command *command;
	struct pv_fingerprint fingerprint;
	size_t link;       /* its number in the report */
	struct pv_buf url; /* as it is known */
	bool is_given;     /* to the frontier; else it has its answer */
	bool is_seed;      /* and admitted */
	bool was_known;    /* before, and how: */
	bool was_refused;
	bool was_done;
	bool asks_anew; /* though it was */
};

struct pv_added {
	struct pv_crawl *crawl;
	struct pv_added_item items[PV_ADDED_BATCH];
	size_t count;
	bool is_under_way;
	bool has_left;        /* some of them out, for want of room */
	struct pv_job before; /* looks what is known */
	struct pv_job noting; /* with the report: what was added as a seed */
	struct pv_job after;  /* looks what has become of it */
	struct pv_report report;
	struct pv_url url;
};

void pv_added_init(struct pv_added *added, struct pv_crawl *crawl);

/* Nothing may be under way. */
void pv_added_finish(struct pv_added *added);

/* Takes the commands to add that are first in the box, and gives them on. They
 * are answered when that is on the disk, or now if nothing is to be written. */
void pv_added_step(struct pv_added *added, struct pv_mailbox *mailbox);

/* When the writer has been stopped: answers what has not come back. */
void pv_added_give_up(struct pv_added *added, const char *why);

#endif

#ifndef PAVANE_CRAWL_SHARD_INBOUND_H
#define PAVANE_CRAWL_SHARD_INBOUND_H

#include "base/why.h"
#include "crawl/shard/inbound_files.h"
#include "frontier/papers.h"
#include "url/url.h"

/* What other shards of a divided crawl have found for this one: lines of their
 * files (sink/outbound_line.h), on their way into the frontier, a batch at a
 * time, each sent when the one before has been written.
 *
 * They are read anew at each start that names them; what is known stays as it
 * is. A line that is none is left out, with its file and number in the log, and
 * no other line with it. The last line of a file may still be under way: without
 * its end it is passed over.
 */
struct pv_crawl;

struct pv_inbound {
	struct pv_inbound_files files;
	bool is_read; /* to their end */
	bool is_done;
	bool is_full;       /* limits.known: nothing more is read */
	uint64_t room;      /* that it left for a batch */
	unsigned under_way; /* jobs of a batch that have not come back */
	uint64_t count;     /* links so far */
	uint64_t faults;    /* lines that are none ... */
	uint64_t told;      /* ... of those in the log */
	struct pv_report report;
	struct pv_job noting;
	struct pv_count_request counting;
	struct pv_buf widened; /* a line for each page that the scope is widened
				  to, and that is not noted yet */
	struct pv_url url;
};

/* Finds the files; false, with the reason, if one that was named is not there.
 * In any case to be finished. */
bool pv_inbound_open(struct pv_crawl *crawl, struct pv_why *why);
void pv_inbound_finish(struct pv_crawl *crawl);

/* Before the writer starts, when there is a scope: widens that by the seeds of
 * other shards that are news, so that what was refused can be judged anew. They
 * are in `widened` until they are noted, in the transaction of whoever did. */
void pv_inbound_widen(struct pv_crawl *crawl);
void pv_inbound_note_widened(struct pv_crawl *crawl);

/* Goes on, if the last batch is written. */
void pv_inbound_step(struct pv_crawl *crawl);

#endif

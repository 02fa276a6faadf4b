#ifndef PAVANE_CRAWL_VISIT_REWRITE_H
#define PAVANE_CRAWL_VISIT_REWRITE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Pages as they are kept in a mirror whose links are rewritten
 * (output.mirror.rewrite): while the crawl runs with whole addresses, since
 * what is not here yet may never come; and when it ends, linked to one another
 * (mirror/links/relinking.h). After a kill no link of the mirror is broken, and
 * the end of the next run completes the rewriting. */
struct pv_crawl;
struct pv_database;
struct pv_policy;
struct pv_flight;
struct pv_read_job;
struct pv_reader_desk;

struct pv_linking {
	atomic_bool has_kept; /* a page, in this run */
	bool is_linked;       /* all of them to one another */
};

/* Whether links of pages are rewritten. */
bool pv_rewrite_is_wanted(const struct pv_policy *policy);

/* Before the store is started, and after it was stopped. */
void pv_rewrite_open(struct pv_crawl *crawl);
void pv_rewrite_close(struct pv_crawl *crawl);

/* The text as it is to be kept, in a thread of the pool, until its next page;
 * without ptr where it is kept as it came. */
struct pv_str pv_rewrite_prepare(
    struct pv_read_job *job, struct pv_reader_desk *desk);

/* When all is committed, in the loop's thread: links all that is kept, unless
 * it is, or the end is one for which nobody wants to wait. */
void pv_rewrite_link(struct pv_crawl *crawl);

/* The same before that, when it is known which files are to go: so that no link
 * leads to one while they do. */
void pv_rewrite_link_anew(struct pv_crawl *crawl);

/* That all of a mirror is linked, for who has done so. */
void pv_rewrite_note_linked(struct pv_database *database);

#endif

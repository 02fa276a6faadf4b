#ifndef PAVANE_CRAWL_VISIT_OPEN_VISIT_H
#define PAVANE_CRAWL_VISIT_OPEN_VISIT_H

#include "crawl/conductor.h"
#include "crawl/host/robots_store.h"
#include "crawl/visit/resume.h"
#include "limiter/shared_clocks.h"
#include "mirror/kept/dead_ends.h"
#include "record/page.h"

/* An open visit: a task on its way from its release to the commit of what
 * came of it. It owns the task, and all that is found out about it; it is
 * the pool's while it is being read, and the loop's else. */
enum pv_open_stage {
	PV_OPEN_FETCHING,
	PV_OPEN_READING,  /* in the pool */
	PV_OPEN_SETTLING, /* given to the frontier and the sinks */
};

struct pv_open {
	struct pv_work_item work; /* the first, so that it is found by it */
	struct pv_crawl *crawl;
	struct pv_open *next; /* among all */
	struct pv_open **link;
	enum pv_open_stage stage;

	struct pv_task *task;
	struct pv_live_host *host;
	struct pv_authority *authority; /* NULL where robots.txt is ignored */
	struct pv_robots_rules *rules;  /* shared; NULL for none */
	struct pv_url url;
	struct pv_str authority_text; /* within url */

	uint32_t flight; /* the schedule's */
	bool is_in_flight;
	bool is_urgent; /* it brought a wait that must outlive any end */
	bool is_sent;
	bool is_out_of_tries; /* it is not tried again for its host's sake */
	struct pv_transfer *transfer; /* the fetcher's; NULL while there is
				       none */

	/* among the crawls on this machine */
	struct pv_shared_claim host_claim;
	struct pv_shared_claim address_claim;

	int64_t released_at;
	struct pv_wait due; /* from when it might start, and why not before */
	uint64_t given_us;  /* to the pool */
	int64_t pool_us;    /* how long it waited for a thread */
	struct pv_response response;

	/* the part of a large body, as it is, or as it is to be kept */
	struct pv_part part;
	struct pv_buf part_texts;
	bool is_continuing;
	enum pv_part_plan part_plan;
	bool part_count_had;
	uint64_t part_bytes_had;
	uint64_t part_bytes_came;

	/* what is made of it */
	enum pv_report_kind kind;
	bool is_abandoned; /* it could not be kept: it is pending again */
	bool is_dropped;   /* it was not read */
	struct pv_body decoded;
	struct pv_page page;
	struct pv_result result;
	struct pv_copy copy; /* that was made of it, if its page is kept */
	struct pv_verdict verdict;
	bool is_same_page;     /* it came under so many addresses before that it
			      leads no further */
	bool has_more_links;   /* than were taken from it */
	uint32_t gave_up_rule; /* whose pattern took too long; 0 */
	struct pv_robots_rules *read_rules; /* of a robots.txt */
	struct pv_buf robots_text;          /* which they were read from */
	struct pv_saved_robots saved_robots;
	struct pv_url location; /* where a robots.txt is */
	bool has_location;
	bool is_bare;      /* it is kept, and shows nothing without scripts */
	bool is_in_update; /* as it was begun, for the writer */
	struct pv_buf moved_to;      /* where it was redirected to ... */
	enum pv_dead_end dead_end;   /* ... if that leads to nothing, why */
	struct pv_buf seed_redirect; /* where a seed was redirected to */
	bool has_vouched;            /* there are new vouchers */

	/* the papers */
	struct pv_report report;
	struct pv_job line;
	unsigned parts; /* that have not come back */
	uint64_t held_bytes;
};

/* An open visit of a task that was just released; the url is parsed. */
struct pv_open *pv_open_create(struct pv_crawl *crawl, struct pv_task *task);

/* With its task, if it still has one. */
void pv_open_destroy(struct pv_open *open);

/* The memory that it holds, its task left aside. */
size_t pv_open_bytes(const struct pv_open *open);

/* What is worth a word of an answer that is as good as any; the first counts. */
void pv_open_remark(struct pv_open *open, const char *what);

/* The same, behind what is there, for which there is always room. */
void pv_open_add_remark(struct pv_open *open, const char *what);

/* The memory for its body is the crawl's: taken when it is to come, and given
 * back when it has been read. */
void pv_open_take_body(struct pv_open *open);
void pv_open_give_body(struct pv_open *open);

/* Lets go of those that are kept to be used again. */
void pv_open_drop_spare(struct pv_crawl *crawl);

static inline bool pv_open_is_robots(const struct pv_open *open)
{
	return open->task->authority != NULL;
}

#endif

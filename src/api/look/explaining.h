#ifndef PAVANE_API_LOOK_EXPLAINING_H
#define PAVANE_API_LOOK_EXPLAINING_H

#include "api/look/explained.h"
#include "base/system.h"
#include "explain/inquiry.h"
#include "explain/state_view.h"
#include "policy/policy.h"
#include "policy/sameness.h"
#include "policy/shard.h"
#include "scope/explain.h"

/* What an explanation may know of the world. */
struct pv_explaining_sources {
	struct pv_sameness sameness;
	const char *robots_name; /* a file; NULL for none */
	struct pv_buf robots;    /* its text */
	bool is_robots_cut;      /* what is beyond the ceiling is missing */
	struct pv_shard shard;   /* without a crawl */
	bool has_crawl;          /* of which is known what it knows */
	struct pv_inquiry *inquiry;
};

/* An address that is being explained. */
struct pv_explaining {
	const struct pv_explaining_sources *sources;
	struct pv_explained *explained;
	const struct pv_policy *policy;
	struct pv_url url;
	struct pv_buf given; /* as it was asked about, without its fragment */
	unsigned changes;    /* what made it into the url */
	struct pv_host_manners manners;
	struct pv_state_view_answer known;
	const char *step; /* that refuses it */
	size_t decided;   /* its line, from 1; 0: none */
	struct pv_verdict verdict;
	struct pv_buf reason; /* why it would not be fetched */
	int64_t until_wall_ms;
	struct pv_time now; /* of all lines */
};

/* Tells it in lines, and what they come to. */
void pv_explaining_explain(
    struct pv_explaining *explaining, struct pavane_explanation *explanation);

#endif

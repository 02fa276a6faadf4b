#ifndef PAVANE_TRIAL_TRIAL_H
#define PAVANE_TRIAL_TRIAL_H

#include "fields/rows.h"
#include "http/headers.h"
#include "policy/policy.h"
#include "record/verdict.h"
#include "url/url.h"

/* What a policy's kinds of pages make of one page, for `pavane try`: its rows,
 * the links that it follows, and of each field without a value how near its
 * source came. Nothing is kept. Of a link it is said whether the page asks not to
 * follow it; whether it is in scope, `pavane explain` says.
 */

/* How the kind of the page is known. */
enum pv_trial_reason {
	PV_TRIAL_NAMED, /* somebody said so */
	PV_TRIAL_MATCH, /* its address fits */
	PV_TRIAL_FOUND, /* a crawl found it as one */
};

/* A page, and what is known of it; borrowed for the call. */
struct pv_trial_page {
	struct pv_str body;               /* as it came */
	const struct pv_headers *headers; /* NULL: they are not known */
	const struct pv_url *url;         /* what it counts as */
	bool has_url;                     /* else that is made up */
	struct pv_str carry;              /* JSON, or empty */
	const struct pv_page_kind *kind;
	enum pv_trial_reason reason;
};

struct pv_trial_link {
	struct pv_str url;
	const char *as;
	struct pv_str carry;    /* JSON, or empty */
	enum pv_reason refused; /* PV_REASON_NONE: a crawl follows it, if it is
				   in scope */
};

/* A field that has no value, or is not all there; in the order of the page. */
struct pv_trial_problem {
	const char *field; /* as in fields/rows.h, or "follow.KIND", "each";
			      NULL: the whole page */
	const char *why;
	struct pv_str near; /* a sentence without its full stop; may be empty */
	bool is_required;
	size_t count; /* rows and records of which this is true */
};

struct pv_trial {
	const struct pv_trial_page *page;
	struct pv_rows rows; /* whose arena has the texts of all below */
	struct pv_trial_link *links;
	size_t link_count;
	size_t link_size;
	struct pv_trial_problem *problems;
	size_t problem_count;
	size_t problem_size;
	size_t other_links;    /* to pages, which this kind does not follow */
	enum pv_reason closed; /* why none of its links is followed; or
				  PV_REASON_NONE */
	bool is_bare;          /* it shows nothing without scripts */
};

/* The policy and the page outlive it. */
void pv_trial_run(struct pv_trial *trial, const struct pv_policy *policy,
    const struct pv_trial_page *page);
void pv_trial_finish(struct pv_trial *trial);

/* Whether a required field is missing. */
bool pv_trial_lacks(const struct pv_trial *trial);

#endif

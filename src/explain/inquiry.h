#ifndef PAVANE_EXPLAIN_INQUIRY_H
#define PAVANE_EXPLAIN_INQUIRY_H

#include "base/buf.h"
#include "record/verdict.h"

/* Asks a host for its robots.txt, and then for a page, outside of a crawl, for
 * `pavane explain` and `pavane try`: as a crawl by this policy would, with its
 * name, its vetted addresses, its clocks and its deadlines, each hop of a
 * redirect in its own host's time. It has a loop of its own, and one authority
 * is asked once, however often somebody wants to know.
 *
 * It is no crawl of robots.txt alone: a crawl has a directory, a state, sinks
 * and a frontier, commits what it finds and keeps no text of it with its
 * reasons; what the two share (schedule, names, fetch, decoding, what a status
 * means) stands below both.
 */
struct pv_policy;
struct pv_environment;
struct pv_headers;
struct pv_url;
struct pv_why;
struct pv_inquiry;

enum pv_inquiry_result {
	PV_INQUIRY_RULES,   /* there is a text: rules, or the page */
	PV_INQUIRY_OPEN,    /* there is none: all is allowed */
	PV_INQUIRY_MOVED,   /* a page lies elsewhere: `url` says where */
	PV_INQUIRY_CLOSED,  /* it cannot be fetched: all is forbidden */
	PV_INQUIRY_REFUSED, /* the host may not be asked for anything */
	PV_INQUIRY_NO_NAME, /* nobody knows the host */
	PV_INQUIRY_PUT_OFF, /* its time is too far away to be waited for */
};

struct pv_inquiry_answer {
	enum pv_inquiry_result result;
	enum pv_reason reason; /* of a refusal */
	unsigned http_status;  /* 0 where there was no answer */
	unsigned redirects;
	struct pv_buf url; /* where it was looked for last */
	struct pv_buf text;
	bool is_cut;
	int64_t until_wall_ms; /* PV_INQUIRY_PUT_OFF: when it may be asked */
	char why[240];         /* what went wrong, for a person */
};

/* The policy outlives it; its environment are the real ones
 * (crawl/environment.h), outside of tests. NULL, with the reason, if nothing
 * can be fetched. */
struct pv_inquiry *pv_inquiry_create(const struct pv_policy *policy,
    const struct pv_environment *around, struct pv_why *why);
void pv_inquiry_destroy(struct pv_inquiry *inquiry);

/* The robots.txt of the address's authority; blocks until it is known. What is
 * given out lives as long as the inquiry. */
const struct pv_inquiry_answer *pv_inquiry_ask(
    struct pv_inquiry *inquiry, const struct pv_url *url);

/* A page that robots.txt allows, which the caller has asked for before. */
struct pv_page_question {
	size_t bytes_max;       /* of a larger one the beginning is taken */
	int64_t crawl_delay_ms; /* that robots.txt asks for; 0 for none */
};

/* Its host is asked in its time, after what was asked for last; blocks until
 * that is answered. Redirects are not followed: another host is asked for its
 * robots.txt first. */
void pv_inquiry_ask_page(struct pv_inquiry *inquiry, const struct pv_url *url,
    const struct pv_page_question *question, struct pv_inquiry_answer *answer);

void pv_inquiry_answer_init(struct pv_inquiry_answer *answer, size_t bytes_max);
void pv_inquiry_answer_finish(struct pv_inquiry_answer *answer);

/* The headers of the last answer, until the next question. */
const struct pv_headers *pv_inquiry_headers(const struct pv_inquiry *inquiry);

#endif

#ifndef PAVANE_READING_ANSWER_H
#define PAVANE_READING_ANSWER_H

#include "record/response.h"
#include "record/visit.h"
#include "robots/matcher.h"
#include "url/url.h"

/* An answer that has come to its end: what was asked, and what came, its parts
 * put together and its content coding undone. From then on nobody changes it;
 * all that it points to lives as long as its visit is open.
 */
struct pv_answer {
	const struct pv_visit *visit;
	const struct pv_url *url;
	struct pv_str authority; /* "https://example.org", of the url */
	const struct pv_robots_rules *rules; /* its; NULL: none are known */
	struct pv_str robots_of; /* the authority whose robots.txt it is; empty:
				    it is none */
	const struct pv_response *response;
	struct pv_str text; /* of the body; empty if there was none, or it was
			       not kept; as it came where its coding could not
			       be undone */
	bool is_mapped;     /* it lies in a file */
	int64_t wall_ms;    /* when it was asked for */
};

static inline bool pv_answer_is_robots(const struct pv_answer *answer)
{
	return answer->robots_of.len > 0;
}

/* Whether it is whole, and a success. */
bool pv_answer_is_success(const struct pv_answer *answer);

/* The label of the encoding that its header names; empty if it names none. */
struct pv_str pv_answer_charset(const struct pv_answer *answer);

#endif

#ifndef PAVANE_FETCH_REQUEST_HEAD_H
#define PAVANE_FETCH_REQUEST_HEAD_H

#include <stdbool.h>

#include "base/buf.h"

struct curl_slist;
struct pv_policy;

/* The headers of our requests: who we say we are, what types the policy keeps,
 * what codings we read, and what the policy adds. They are the same for all, but for what smells of a
 * secret, which is for origins that the person named. */
struct pv_request_head {
	struct pv_buf agent;         /* the User-Agent's value; libcurl would
					print a header with it for each */
	struct curl_slist *open;     /* all that is no secret */
	struct curl_slist *complete; /* and the rest */
};

void pv_request_head_init(
    struct pv_request_head *head, const struct pv_policy *policy);
void pv_request_head_finish(struct pv_request_head *head);

#endif

#ifndef PAVANE_FETCH_REQUEST_HEAD_H
#define PAVANE_FETCH_REQUEST_HEAD_H

#include <curl/curl.h>

#include "base/buf.h"

struct pv_policy;
struct pv_request;

/* The headers of our requests: who we say we are, what types the policy keeps,
 * what codings we read, and what the policy adds. They are the same for all,
 * but for what smells of a secret, which is for origins that the person
 * named. */
struct pv_request_head {
	struct pv_buf agent;         /* the User-Agent's value; libcurl would
					print a header with it for each */
	struct curl_slist *open;     /* all that is no secret */
	struct curl_slist *complete; /* and the rest */
};

void pv_request_head_init(
    struct pv_request_head *head, const struct pv_policy *policy);
void pv_request_head_finish(struct pv_request_head *head);

/* What a request has for itself: whether it is for news only (RFC 9110, 13.1.2
 * and 13.1.3), or for the rest of what there is (13.1.5 and 14.2). Its lines
 * stand before those of all. */
enum { PV_CONDITIONS = 4 };

struct pv_condition_head {
	struct pv_buf texts[PV_CONDITIONS];
	struct curl_slist lines[PV_CONDITIONS];
};

void pv_condition_head_init(struct pv_condition_head *conditions);
void pv_condition_head_finish(struct pv_condition_head *conditions);

/* The request's own lines and then those: it is the list's, and changed with
 * the next call. */
struct curl_slist *pv_condition_head_before(
    struct pv_condition_head *conditions, const struct pv_request *request,
    struct curl_slist *lines);

#endif

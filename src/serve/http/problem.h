#ifndef PAVANE_SERVE_HTTP_PROBLEM_H
#define PAVANE_SERVE_HTTP_PROBLEM_H

#include "serve/http/reply.h"

/* Answers that say why a request is refused or failed, for programs and people
 * alike: application/problem+json (RFC 9457) with the members type, title,
 * status and detail. */

/* Makes the reply one of this status, whose detail is a sentence. A body and a
 * stream that it had are dropped; its headers stay. */
void pv_problem_reply(struct pv_reply *reply, unsigned status,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What a status is called (RFC 9110, 15): "Not Found"; "Error" where we give
 * none of that number. */
const char *pv_problem_title(unsigned status);

#endif

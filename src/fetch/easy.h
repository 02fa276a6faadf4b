#ifndef PAVANE_FETCH_EASY_H
#define PAVANE_FETCH_EASY_H

#include <curl/curl.h>

struct pv_exchange;

/* The options of libcurl: those of every request once, when its easy handle is
 * made, and the rest before each.
 *
 * It asks for http and https and nothing else, follows nothing, knows no
 * credentials but those of the address and the policy, no proxy but the
 * policy's, decodes no content, and leaves all deadlines to us.
 */
CURL *pv_easy_create(struct pv_exchange *exchange);

/* Before a request; of the exchange, all else is ready. */
void pv_easy_aim(struct pv_exchange *exchange);

#endif

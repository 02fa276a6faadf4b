#ifndef PAVANE_FETCH_JAR_H
#define PAVANE_FETCH_JAR_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <curl/curl.h>

#include "policy/secrets/cookies.h"

/* What requests to a host have in common beyond their connections: TLS
 * sessions, of which libcurl keeps the latest eight, and, by policy, cookies.
 *
 * libcurl takes at most 50 cookies from one response, none longer than 4 KiB,
 * sends at most 150 in one request, and lets none be set for a public suffix,
 * but it puts no ceiling on how many there are. That is ours: before there are
 * more than PV_JAR_COOKIES_MAX, all are forgotten.
 *
 * All lanes have one jar, since hosts of one domain may be on several: libcurl
 * locks what it takes from it, each sort of thing by a mutex of its own, and
 * what is ours has one, too.
 */
#define PV_JAR_COOKIES_MAX ((size_t)5000)

struct pv_jar {
	CURLSH *share;
	bool has_cookies;
	pthread_mutex_t shared[CURL_LOCK_DATA_LAST]; /* libcurl's */
	pthread_mutex_t mutex;
	struct pv_cookies given; /* of the policy's file */
	size_t set_count; /* how many came at most, since they were counted */
};

void pv_jar_init(struct pv_jar *jar, bool has_cookies);

/* Takes the cookies of a file, before anybody joins; false, with the reason, if
 * it cannot be read. They stay when all others are forgotten. */
bool pv_jar_fill(struct pv_jar *jar, const char *path, struct pv_why *why);

/* No easy handle may use it any more. */
void pv_jar_finish(struct pv_jar *jar);

/* An easy handle takes part in it from now on. */
void pv_jar_join(const struct pv_jar *jar, CURL *easy);

/* So many cookies came with a response of this easy handle, which rests. */
void pv_jar_count(struct pv_jar *jar, size_t count, CURL *easy);

#endif

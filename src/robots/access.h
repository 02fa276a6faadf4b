#ifndef PAVANE_ROBOTS_ACCESS_H
#define PAVANE_ROBOTS_ACCESS_H

#include <stdint.h>

/* What it means for a host how it answered when it was asked for /robots.txt
 * (RFC 9309, 2.3.1). */
enum pv_robots_access {
	PV_ROBOTS_READ_IT,
	PV_ROBOTS_ELSEWHERE,     /* follow the redirect */
	PV_ROBOTS_ALL_ALLOWED,   /* it has none */
	PV_ROBOTS_ALL_FORBIDDEN, /* it has not said: until it does */
};

/* So many redirects are followed; the next counts as 404, and so does a loop,
 * which comes to it. */
#define PV_ROBOTS_REDIRECTS_MAX 5

/* What an answer means, after so many redirects. A status of 0 is no answer,
 * for whatever reason: name, connection, TLS, time, size, or a redirect that
 * may not be followed. */
enum pv_robots_access pv_robots_access(int status, unsigned redirects);

/* How long a good answer is valid while no other can be fetched (2.4). */
#define PV_ROBOTS_GOOD_MS INT64_C(86400000)

/* How long after a good answer it is asked for again, where somebody wants to
 * believe it for so long: early enough that there is time to try once more. */
int64_t pv_robots_refresh_ms(int64_t ttl_ms);

#endif

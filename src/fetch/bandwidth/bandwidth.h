#ifndef PAVANE_FETCH_BANDWIDTH_BANDWIDTH_H
#define PAVANE_FETCH_BANDWIDTH_BANDWIDTH_H

#include "base/str.h"
#include "fetch/bandwidth/valve.h"

struct uv_loop_s;

/* The limits on bytes a second, on the loop: one valve for the whole crawl, one
 * for each clock of a host's that has a limit, and a timer for each that
 * somebody waits for, set to when the first of them may go on.
 *
 * A piece of a body passes its host's valve first and then the crawl's; one
 * that may not come yet gets a call when it may. Bodies are counted as they
 * come, in their content coding; headers are charged, because they cannot be
 * kept waiting. What TLS, framing and packets weigh is not counted.
 *
 * The valve of a host outlives its requests until it is full again, so that a
 * host has no more for being asked anew.
 */
struct pv_bandwidth;
struct pv_throttle;

/* What limits one request. */
struct pv_course {
	struct pv_flow flow;
	struct pv_throttle *host;  /* NULL: no limit */
	struct pv_throttle *crawl; /* NULL: no limit */
	size_t paid_host;          /* bytes that it has let through, and ... */
	size_t paid_crawl;         /* ... it, but that have not come yet */
	size_t asked;              /* bytes of the piece that waits */
};

/* The course's next piece may come. Called by the loop; the piece must be asked
 * for again. */
typedef void (*pv_course_fn)(struct pv_course *course);

/* `limit` in bytes a second for all together; PV_NONE for none. */
struct pv_bandwidth *pv_bandwidth_create(
    struct uv_loop_s *loop, int64_t limit, pv_course_fn go_on);

/* From now on all together have so many bytes a second; only where there is a
 * limit. */
void pv_bandwidth_set_limit(struct pv_bandwidth *bandwidth, int64_t limit);

/* Nobody may be on course; memory goes when the loop has run its closing
 * callbacks. NULL is fine. */
void pv_bandwidth_destroy(struct pv_bandwidth *bandwidth);

/* A request begins. All that are of one clock share its limit, of which the
 * latest said counts: bytes a second, or none if it is not positive. */
void pv_bandwidth_join(struct pv_bandwidth *bandwidth, struct pv_course *course,
    struct pv_str clock, int64_t limit);

/* It has ended, or wants no more calls. */
void pv_bandwidth_leave(struct pv_course *course);

/* Whether so many bytes of its body may come now; if not, a call follows when
 * they may. They have been read from the network when this is asked, so that
 * they count though the request be dropped then. */
bool pv_bandwidth_pass(struct pv_course *course, size_t bytes);

/* So many bytes have come. */
void pv_bandwidth_charge(struct pv_course *course, size_t bytes);

/* How many clocks have a limit that something is known of. */
size_t pv_bandwidth_count(const struct pv_bandwidth *bandwidth);

/* Whether anything limits it: what nothing limits need not ask. */
static inline bool pv_course_is_limited(const struct pv_course *course)
{
	return course->host || course->crawl;
}

#endif

#ifndef PAVANE_BASE_LEASE_H
#define PAVANE_BASE_LEASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Until when a crawl may be sure that the hosts it asks are its own.
 *
 * Where several machines work one crawl, each host belongs to one of them, and
 * another one takes it over when the owner has been silent for long enough. So
 * an owner that cannot say that it is alive has to stop by itself, before
 * anybody else could begin: it holds a lease, which is renewed each time that
 * the others are known to have heard of it, and asks for nothing once that is
 * over. A crawl by itself has a lease without an end.
 *
 * Times are milliseconds of CLOCK_BOOTTIME (pv_boot_now_ms), which nobody sets
 * and which goes on while the machine sleeps. The loop renews a lease; any
 * thread may read it, such as the one that is about to send a request.
 */
struct pv_lease {
	_Atomic int64_t until_ms;
	_Atomic int64_t begin_until_ms;
};

#define PV_LEASE_ENDLESS INT64_MAX

/* Of a lease so much at its end is only for what was begun before: 5 s of 30. */
#define PV_LEASE_MARGIN(ttl_ms) ((ttl_ms) / 6)

/* One without an end. */
static inline void pv_lease_init_endless(struct pv_lease *lease)
{
	atomic_init(&lease->until_ms, PV_LEASE_ENDLESS);
	atomic_init(&lease->begin_until_ms, PV_LEASE_ENDLESS);
}

/* One that is over until it is renewed. */
static inline void pv_lease_init(struct pv_lease *lease)
{
	atomic_init(&lease->until_ms, 0);
	atomic_init(&lease->begin_until_ms, 0);
}

/* Holds for so long from when its renewal was sent, which was before others
 * could hear of it. An older renewal that is answered late shortens nothing. */
static inline void pv_lease_renew(
    struct pv_lease *lease, int64_t sent_ms, int64_t ttl_ms)
{
	int64_t until_ms = sent_ms + ttl_ms;
	if (until_ms <= atomic_load(&lease->until_ms))
		return;
	atomic_store(&lease->until_ms, until_ms);
	atomic_store(
	    &lease->begin_until_ms, until_ms - PV_LEASE_MARGIN(ttl_ms));
}

/* Is over at once: somebody else owns the hosts, or may. */
static inline void pv_lease_drop(struct pv_lease *lease)
{
	atomic_store(&lease->begin_until_ms, 0);
	atomic_store(&lease->until_ms, 0);
}

/* When it ends; PV_LEASE_ENDLESS for one that does not, and for none (NULL). */
static inline int64_t pv_lease_until(const struct pv_lease *lease)
{
	return lease ? atomic_load(&lease->until_ms) : PV_LEASE_ENDLESS;
}

/* Whether a request may be begun at that time, and whether none may be sent any
 * more. */
static inline bool pv_lease_may_begin(
    const struct pv_lease *lease, int64_t boot_ms)
{
	return !lease || atomic_load(&lease->begin_until_ms) > boot_ms;
}

static inline bool pv_lease_is_over(
    const struct pv_lease *lease, int64_t boot_ms)
{
	return pv_lease_until(lease) <= boot_ms;
}

#endif

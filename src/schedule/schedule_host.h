#ifndef PAVANE_SCHEDULE_SCHEDULE_HOST_H
#define PAVANE_SCHEDULE_SCHEDULE_HOST_H

#include "base/str.h"
#include "schedule/schedule.h"
#include "schedule/visit_head.h"
#include "schedule/wait.h"

/* The hosts of a schedule: what is known of each, and what is to be asked of
 * it next.
 *
 * A host has one address at a time, and a clock by name, which others may
 * share. Of its visits only a head is held here, which the caller fills up as
 * they are released.
 */
struct pv_address;
struct pv_hours;
struct pv_manners;

struct pv_host_plan {
	struct pv_str clock; /* hosts that name the same one share it */
	const struct pv_address *address; /* the one that was chosen */
	const struct pv_manners *manners; /* their texts are kept, borrowed */
	void *ctx;                        /* the caller's */
};

/* Adds a host, which may start at once unless its clock is known from
 * before. */
struct pv_schedule_host *pv_schedule_host_add(
    struct pv_schedule *schedule, const struct pv_host_plan *plan, int64_t now);

/* Forgets a host of which nothing is in flight, with its visits. Its clock
 * stays as long as it has something to say; where too many do, only when that
 * ends is kept (schedule/forgotten.h). */
void pv_schedule_host_remove(
    struct pv_schedule *schedule, struct pv_schedule_host *host);

void *pv_schedule_host_ctx(const struct pv_schedule_host *host);

/* Another address was chosen, where the host may have to be treated
 * otherwise; its clock and ctx stay. */
void pv_schedule_host_move(struct pv_schedule *schedule,
    struct pv_schedule_host *host, const struct pv_host_plan *plan,
    int64_t now);

/* Nothing of the host is released before then: PV_NEVER until told
 * otherwise, 0 to let it go on. */
void pv_schedule_host_park(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t until, int64_t now);

/* The same for a person who has paused the host: until it is resumed, whatever
 * else it waits for. */
void pv_schedule_host_pause(struct pv_schedule *schedule,
    struct pv_schedule_host *host, bool is_paused, int64_t now);

/* What the host's robots.txt asks for; 0 or NULL for nothing. The hours are
 * taken over. Of hosts that share a clock, the longest Crawl-delay counts. */
void pv_schedule_host_crawl_delay(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t delay_ms);
void pv_schedule_host_visit_time(struct pv_schedule *schedule,
    struct pv_schedule_host *host, const struct pv_hours *hours, int64_t now);

/* Why the host is not released now, and how long that lasts at least. */
struct pv_wait pv_schedule_host_wait(const struct pv_schedule *schedule,
    const struct pv_schedule_host *host, struct pv_time now);

/* The same as far as the host, its clock and its address go, whatever the
 * crawl's own rate allows: now, if it might be released at once. */
int64_t pv_schedule_host_ready_at(
    const struct pv_schedule_host *host, struct pv_time now);

/* The host that is due first, among those that pv_schedule_first_due counts;
 * NULL if there is none. */
const struct pv_schedule_host *pv_schedule_first_host(
    const struct pv_schedule *schedule);

/* How many failures in a row its clock has counted (schedule/backoff.h). */
uint32_t pv_schedule_host_failures(const struct pv_schedule_host *host);

/* The host's clock and its address's, to be written down and to be set again
 * in another run. What a clock that others share knows already stays, if that
 * is stricter. */
struct pv_saved_clock pv_schedule_host_save(
    const struct pv_schedule_host *host, struct pv_time now);
void pv_schedule_host_restore(struct pv_schedule *schedule,
    struct pv_schedule_host *host, const struct pv_saved_clock *saved,
    struct pv_time now);

/* As if host and address had been asked then, so that both wait their full delay: for
 * each host that is known from a run that ended uncleanly, or from another worker. An
 * address of which it is known when it was asked rests from then on alone: hosts that
 * come to it one after the other would let it rest for ever. */
void pv_schedule_host_rest(
    struct pv_schedule *schedule, struct pv_schedule_host *host, int64_t since);

/* What the host's clock and its address say, for other crawls on this machine:
 * from when the next request may start as far as times go, and how long one
 * makes the next wait if nothing goes wrong. */
struct pv_host_dues {
	int64_t clock_until;
	int64_t clock_rest_ms;
	bool is_rest_from_end;
	int64_t connections;
	bool is_in_doubt; /* it has failed, so that a request is to be alone */
	int64_t refused_since; /* by other crawls at the clock; 0: not */
	int64_t address_until;
	int64_t address_rest_ms;
	int64_t address_refused_since;
	bool is_address_shared; /* by other hosts of the schedule */
};

struct pv_host_dues pv_schedule_host_dues(const struct pv_schedule_host *host);

/* These crawls refuse a request: nothing is released before then. */
void pv_schedule_host_defer_clock(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t until, int64_t now);
void pv_schedule_host_defer_address(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t until, int64_t now);

/* They have granted it, at the clock and at the address. */
void pv_schedule_host_grant(struct pv_schedule_host *host);

/* Visits */

struct pv_visit_batch {
	const uint64_t *visits; /* borrowed for the call */
	size_t count;
};

/* Hands over the next visits of a host; returns how many were taken, which is
 * fewer when the head is full. */
size_t pv_schedule_push(struct pv_schedule *schedule,
    struct pv_schedule_host *host, const struct pv_visit_batch *batch,
    int64_t now);

/* How many visits of a host it has that were not released. */
size_t pv_schedule_host_visits(const struct pv_schedule_host *host);

/* Takes back the visits of a host that were not released, in their order;
 * returns how many. */
size_t pv_schedule_host_clear(struct pv_schedule *schedule,
    struct pv_schedule_host *host, uint64_t visits[PV_VISIT_HEAD_MAX]);

/* Hands over one that comes before all others, such as robots.txt or a visit
 * that was given up; false if the head is full. */
bool pv_schedule_push_first(struct pv_schedule *schedule,
    struct pv_schedule_host *host, uint64_t visit, int64_t now);

#endif

#include "crawl/host/host_visits.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/host/host_slots.h"

/* Visits that are asked for at a time, when fewer than half as many are at
 * hand: each host's part of so many, for they cost memory, and all have to be
 * given back at the end; but enough for more to come before the schedule has
 * run out of them. */
#define VISITS_OF_ALL 65536
#define VISITS_MAX 128
#define VISITS_MIN (PV_VISIT_HEAD_MAX * 3 / 4)
#define VISIT_BYTES ((size_t)512) /* of a visit's texts, about */

/* Of which so few in the schedule are filled up. */
#define HEAD_MIN (PV_VISIT_HEAD_MAX / 4)

/* So many of a host may be set aside until robots.txt is known. */
#define ASIDE_MAX 1000

/* Of many hosts each gets so much as it may be asked for in this time; in less
 * while places are short, since what is at hand when it leaves has to be given
 * back. */
#define STAY_MS 3000
#define SHORT_STAY_MS 1000

void pv_host_visits_init(struct pv_host_visits *visits)
{
	visits->later_next = PV_NEVER;
}

static size_t count_aside(const struct pv_live_host *host)
{
	size_t count = 0;
	const struct pv_authority *authority = host->authorities;
	for (; authority; authority = authority->host_next)
		count += authority->aside.count;
	return count;
}

/* However the wall clock has been set: no longer than any failure rests. */
static void put_in_line(
    struct pv_crawl *crawl, struct pv_live_host *host, struct pv_task *task)
{
	int64_t rest_ms = task->visit.not_before_wall_ms - crawl->now.wall_ms;
	int64_t most_ms = host->manners.manners.backoff.max_ms;
	if (rest_ms <= 0) {
		pv_task_line_push(&host->ready, task);
		return;
	}
	task->rests_until =
	    pv_crawl_now(crawl) + (rest_ms < most_ms ? rest_ms : most_ms);
	if (!host->later.count || task->rests_until < host->feed.later_at)
		host->feed.later_at = task->rests_until;
	if (host->feed.later_at < crawl->hosts.visits.later_next)
		crawl->hosts.visits.later_next = host->feed.later_at;
	pv_task_line_push(&host->later, task);
}

static void on_visits(
    struct pv_visit_request *request, enum pv_store_status status)
{
	struct pv_live_host *host = request->ctx;
	struct pv_crawl *crawl = host->crawl;
	struct pv_visit_list *visits = &request->visits;
	pv_outbox_came_back(&crawl->outbox);
	host->feed.is_asking = false;
	host->feed.has_more = host->feed.has_more_since_asked ||
			      visits->count == request->max ||
			      visits->texts.is_full;
	for (size_t i = 0; i < visits->count; i++) {
		struct pv_visit visit = pv_visit_list_get(visits, i);
		struct pv_task *task = pv_task_create(&host->tasks, &visit);
		task->host = host;
		task->ready_at = pv_crawl_now(crawl);
		put_in_line(crawl, host, task);
	}
	pv_visit_list_finish(visits);
	free(request);
	host->feed.request = NULL;
	pv_halt_note_status(crawl, status);
	pv_host_events_note(crawl, host);
	if (status == PV_STORE_OK && !crawl->halt.is_ending) {
		pv_host_visits_feed(crawl, host);
		if (pv_live_host_is_idle(host))
			pv_host_slots_offer(crawl, host);
	}
}

static size_t part_of_stay(const struct pv_live_host *host, int64_t stay_ms)
{
	int64_t rest_ms =
	    host->scheduled
		? pv_schedule_host_dues(host->scheduled).clock_rest_ms
		: 0;
	return rest_ms > 0 ? 1 + (size_t)(stay_ms / rest_ms) : VISITS_MAX;
}

static size_t part_of_host(
    const struct pv_crawl *crawl, const struct pv_live_host *host)
{
	size_t part = VISITS_OF_ALL / crawl->hosts.held.count;
	if (part >= VISITS_MAX)
		return VISITS_MAX;
	size_t of_stay = part_of_stay(
	    host, pv_host_slots_are_short(crawl) ? SHORT_STAY_MS : STAY_MS);
	if (part < VISITS_MIN)
		part = VISITS_MIN;
	return part < of_stay ? part : of_stay;
}

static size_t count_at_hand(const struct pv_live_host *host)
{
	size_t scheduled =
	    host->scheduled ? pv_schedule_host_visits(host->scheduled) : 0;
	return host->ready.count + scheduled;
}

static void ask_for_visits(struct pv_crawl *crawl, struct pv_live_host *host)
{
	size_t part = part_of_host(crawl, host);
	if (host->feed.is_asking || !host->feed.has_more ||
	    crawl->halt.is_ending || count_at_hand(host) >= (part + 1) / 2 ||
	    count_aside(host) + host->later.count >= ASIDE_MAX)
		return;
	host->feed.is_asking = true;
	host->feed.has_more_since_asked = false;
	host->feed.request = pv_alloc(sizeof(*host->feed.request));
	*host->feed.request = (struct pv_visit_request){
	    .host_id = host->id,
	    .max = part,
	    .done = on_visits,
	    .ctx = host,
	};
	pv_visit_list_init(&host->feed.request->visits,
	    part * VISIT_BYTES + 3 * (size_t)crawl->policy->scope.max_url);
	pv_outbox_give(&crawl->outbox, PV_PAPER_VISIT_REQUEST,
	    host->feed.request, pv_crawl_now(crawl));
}

/* A task is known to the schedule by its place in memory. */
static uint64_t number_of(struct pv_task *task)
{
	return (uint64_t)(uintptr_t)task;
}

static void push_ready(struct pv_crawl *crawl, struct pv_live_host *host)
{
	uint64_t numbers[PV_VISIT_HEAD_MAX];
	struct pv_visit_batch batch = {.visits = numbers};
	struct pv_task *task = host->ready.first;
	for (; task && batch.count < PV_VISIT_HEAD_MAX; task = task->next)
		numbers[batch.count++] = number_of(task);
	size_t taken = pv_schedule_push(
	    crawl->schedule, host->scheduled, &batch, pv_crawl_now(crawl));
	for (size_t i = 0; i < taken; i++)
		pv_task_line_pop(&host->ready);
}

void pv_host_visits_put_back(
    struct pv_crawl *crawl, struct pv_live_host *host, struct pv_task *task)
{
	if (!pv_schedule_push_first(crawl->schedule, host->scheduled,
		number_of(task), pv_crawl_now(crawl)))
		pv_task_line_push_first(&host->ready, task);
}

void pv_host_visits_take_back(struct pv_live_host *host)
{
	uint64_t numbers[PV_VISIT_HEAD_MAX];
	size_t count = pv_schedule_host_clear(
	    host->crawl->schedule, host->scheduled, numbers);
	while (count > 0)
		pv_task_line_push_first(&host->ready,
		    (struct pv_task *)(uintptr_t)numbers[--count]);
}

void pv_host_visits_go_on(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (host->phase == PV_HOST_PACED && host->ready.count)
		push_ready(crawl, host);
	if (host->phase == PV_HOST_PACED || host->phase == PV_HOST_REFUSED)
		ask_for_visits(crawl, host);
}

static void note_refused(
    struct pv_host_visits *visits, struct pv_live_host *host)
{
	if (host->feed.refused_link)
		return;
	host->feed.refused_next = visits->refused;
	host->feed.refused_link = &visits->refused;
	if (host->feed.refused_next)
		host->feed.refused_next->feed.refused_link =
		    &host->feed.refused_next;
	visits->refused = host;
}

struct pv_live_host *pv_host_visits_take_refused(struct pv_host_visits *visits)
{
	struct pv_live_host *host = visits->refused;
	if (host)
		pv_live_host_forget_refused(host);
	return host;
}

void pv_host_visits_feed(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (host->phase == PV_HOST_REFUSED)
		note_refused(&crawl->hosts.visits, host);
	else
		pv_host_visits_go_on(crawl, host);
}

/* Each release looks whether more visits are to be at hand, so that a host that
 * has more in the frontier, and enough at hand for now, asks for them later. */
void pv_host_visits_on_release(
    struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (pv_schedule_host_visits(host->scheduled) <= HEAD_MIN)
		pv_host_visits_feed(crawl, host);
}

void pv_host_visits_expect(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (host->feed.has_more || count_at_hand(host))
		return;
	host->feed.has_more = true;
	host->feed.has_more_since_asked = true;
	pv_host_visits_feed(crawl, host);
}

/* What has rested goes behind what is ready. */
static void look_at_later(struct pv_crawl *crawl, struct pv_live_host *host)
{
	struct pv_task_line later = {0};
	struct pv_task *task;
	pv_task_line_put_first(&later, &host->later);
	host->feed.later_at = PV_NEVER;
	while ((task = pv_task_line_pop(&later))) {
		bool is_rested = task->rests_until <= pv_crawl_now(crawl);
		pv_task_line_push(
		    is_rested ? &host->ready : &host->later, task);
		if (!is_rested && task->rests_until < host->feed.later_at)
			host->feed.later_at = task->rests_until;
	}
	pv_host_visits_feed(crawl, host);
}

void pv_host_visits_step(struct pv_crawl *crawl)
{
	int64_t now = pv_crawl_now(crawl);
	if (crawl->hosts.visits.later_next > now)
		return;
	crawl->hosts.visits.later_next = PV_NEVER;
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		struct pv_live_host *host = crawl->hosts.held.items[i];
		if (host->later.count && host->feed.later_at <= now)
			look_at_later(crawl, host);
		if (host->later.count &&
		    host->feed.later_at < crawl->hosts.visits.later_next)
			crawl->hosts.visits.later_next = host->feed.later_at;
	}
	crawl->hosts.visits.later_next =
	    pv_held_hosts_next_look(crawl, crawl->hosts.visits.later_next);
}

void pv_host_visits_ask_all(struct pv_crawl *crawl)
{
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		crawl->hosts.held.items[i]->feed.has_more = true;
		pv_host_visits_feed(crawl, crawl->hosts.held.items[i]);
	}
}

bool pv_host_visits_ask_rest(struct pv_crawl *crawl)
{
	bool is_asking = false;
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		struct pv_live_host *host = crawl->hosts.held.items[i];
		if (host->feed.has_more)
			pv_host_visits_feed(crawl, host);
		is_asking = is_asking || host->feed.is_asking ||
			    host->feed.refused_link;
	}
	return is_asking;
}

/* What was taken out again while the answer was under way comes later: so that
 * is asked for anew. */
void pv_host_visits_on_work(
    void *ctx, const uint64_t *host_ids, size_t count, bool has_waiting_hosts)
{
	struct pv_crawl *crawl = ctx;
	if (has_waiting_hosts)
		pv_host_slots_note_waiting(crawl);
	for (size_t i = 0; i < count; i++) {
		struct pv_live_host *host =
		    pv_held_hosts_find(&crawl->hosts.held, host_ids[i]);
		if (!host)
			continue;
		host->feed.has_more = true;
		host->feed.has_more_since_asked = true;
		pv_host_visits_feed(crawl, host);
	}
}

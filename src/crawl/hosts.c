#include "crawl/hosts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "crawl/conductor.h"
#include "crawl/halt.h"
#include "crawl/naming.h"
#include "crawl/saved_state.h"
#include "crawl/settling.h"

/* So many hosts are held at once; the rest wait in the frontier. */
#define HOSTS_MAX 16384
#define NAME_MAX_BYTES 256

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

/* Hosts that are looked through in a millisecond, at most, for those whose
 * failures have rested. */
#define LOOKED_AT_A_MS 128

/* Of many hosts each gets so much as it may be asked for in this time; in less
 * while places are short, since what is at hand when it leaves has to be given
 * back. */
#define STAY_MS 3000
#define SHORT_STAY_MS 1000

static struct pv_str key_of(const struct pv_live_host *host)
{
	return (struct pv_str){(const char *)&host->id, sizeof(host->id)};
}

void pv_hosts_init(struct pv_crawl *crawl)
{
	pv_map_init(&crawl->hosts_by_id, crawl->frontier->key);
	pv_map_init(&crawl->hosts_by_name, crawl->frontier->key);
	pv_authorities_init(&crawl->authorities, crawl->frontier->key);
	crawl->host_max = HOSTS_MAX;
	crawl->has_waiting_hosts = true;
}

static void note_place(struct pv_crawl *crawl, const struct pv_live_host *host)
{
	uint32_t place = (uint32_t)host->place;
	*pv_map_get(&crawl->hosts_by_id, key_of(host)) = place;
	*pv_map_get(&crawl->hosts_by_name, host->name) = place;
}

static void forget(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (host->scheduled)
		pv_schedule_host_remove(crawl->schedule, host->scheduled);
	crawl->around.names->forget(crawl->names, host);
	pv_map_remove(&crawl->hosts_by_id, key_of(host));
	pv_map_remove(&crawl->hosts_by_name, host->name);
	crawl->host_count--;
	struct pv_live_host *last = crawl->hosts[crawl->host_count];
	crawl->hosts[host->place] = last;
	last->place = host->place;
	if (last != host)
		note_place(crawl, last);
	if (host->request)
		pv_visit_list_finish(&host->request->visits);
	pv_live_host_destroy(host);
}

void pv_hosts_finish(struct pv_crawl *crawl)
{
	while (crawl->host_count)
		forget(crawl, crawl->hosts[crawl->host_count - 1]);
	free(crawl->hosts);
	free(crawl->returns);
	pv_map_finish(&crawl->hosts_by_id);
	pv_map_finish(&crawl->hosts_by_name);
	pv_authorities_finish(&crawl->authorities);
	pv_host_list_finish(&crawl->host_request.hosts);
}

/* Taking */

static void hold(struct pv_crawl *crawl, const struct pv_host *host)
{
	struct pv_live_host *live = pv_live_host_create(host);
	live->place = crawl->host_count;
	*PV_ARRAY_PUSH(crawl->hosts, crawl->host_count, crawl->host_size) =
	    live;
	pv_map_add(&crawl->hosts_by_id, key_of(live), (uint32_t)live->place);
	pv_map_add(&crawl->hosts_by_name, live->name, (uint32_t)live->place);
	pv_naming_begin(crawl, live);
}

static void on_hosts(
    struct pv_host_request *request, enum pv_store_status status)
{
	struct pv_crawl *crawl = request->ctx;
	crawl->outbox.under_way--;
	crawl->is_taking_hosts = false;
	if (status == PV_STORE_OK) {
		pv_places_hear(crawl, request);
		for (size_t i = 0; i < request->hosts.count; i++) {
			struct pv_host host =
			    pv_host_list_get(&request->hosts, i);
			hold(crawl, &host);
		}
	}
	pv_host_list_finish(&request->hosts);
	pv_halt_note_status(crawl, status);
}

static void take_hosts(struct pv_crawl *crawl)
{
	if (crawl->is_taking_hosts || !crawl->has_waiting_hosts ||
	    crawl->halt.is_ending ||
	    (!pv_places_free(crawl) && !pv_places_are_to_look(crawl)))
		return;
	crawl->is_taking_hosts = true;
	crawl->host_request = (struct pv_host_request){
	    .done = on_hosts,
	    .ctx = crawl,
	};
	pv_places_ask(crawl, &crawl->host_request);
	pv_host_list_init(&crawl->host_request.hosts,
	    crawl->host_request.max * NAME_MAX_BYTES);
	pv_outbox_give(&crawl->outbox, PV_PAPER_HOST_REQUEST,
	    &crawl->host_request, pv_crawl_now(crawl));
}

/* One host by its name */

struct wish {
	struct pv_host_request request;
	struct pv_crawl *crawl;
	pv_wish_fn then;
	void *ctx;
	char name[];
};

static struct pv_live_host *find_by_name(
    const struct pv_crawl *crawl, struct pv_str name)
{
	const uint32_t *place = pv_map_get(&crawl->hosts_by_name, name);
	struct pv_live_host *host = place ? crawl->hosts[*place] : NULL;
	return host && host->phase != PV_HOST_LEAVING ? host : NULL;
}

static void on_wish(
    struct pv_host_request *request, enum pv_store_status status)
{
	struct wish *wish = request->ctx;
	struct pv_crawl *crawl = wish->crawl;
	crawl->outbox.under_way--;
	crawl->wish_count--;
	if (status == PV_STORE_OK && request->hosts.count) {
		struct pv_host host = pv_host_list_get(&request->hosts, 0);
		hold(crawl, &host);
	}
	wish->then(crawl, find_by_name(crawl, request->name), wish->ctx);
	pv_host_list_finish(&request->hosts);
	free(wish);
	pv_halt_note_status(crawl, status);
}

void pv_hosts_wish(
    struct pv_crawl *crawl, struct pv_str name, pv_wish_fn then, void *ctx)
{
	struct pv_live_host *host = find_by_name(crawl, name);
	if (host) {
		then(crawl, host, ctx);
		return;
	}
	struct wish *wish = pv_alloc(sizeof(*wish) + name.len);
	memcpy(wish->name, name.ptr, name.len);
	wish->crawl = crawl;
	wish->then = then;
	wish->ctx = ctx;
	wish->request = (struct pv_host_request){
	    .name = {wish->name, name.len},
	    .max = 1,
	    .done = on_wish,
	    .ctx = wish,
	};
	pv_host_list_init(&wish->request.hosts, NAME_MAX_BYTES);
	crawl->wish_count++;
	pv_outbox_give(&crawl->outbox, PV_PAPER_HOST_REQUEST, &wish->request,
	    pv_crawl_now(crawl));
}

/* What was taken out again while the answer was under way comes later: so that
 * is asked for anew. */
void pv_hosts_on_work(
    void *ctx, const uint64_t *host_ids, size_t count, bool has_waiting_hosts)
{
	struct pv_crawl *crawl = ctx;
	if (has_waiting_hosts) {
		crawl->has_waiting_hosts = true;
		crawl->places.next_outside = pv_crawl_now(crawl);
	}
	for (size_t i = 0; i < count; i++) {
		struct pv_str key = {
		    (const char *)&host_ids[i], sizeof(host_ids[i])};
		uint32_t *place = pv_map_get(&crawl->hosts_by_id, key);
		if (!place)
			continue;
		struct pv_live_host *host = crawl->hosts[*place];
		host->has_more = true;
		host->has_more_since_asked = true;
		pv_hosts_feed(crawl, host);
	}
}

/* Feeding */

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
    struct pv_crawl *crawl, struct pv_live_host *host, struct pv_errand *errand)
{
	int64_t rest_ms = errand->visit.not_before_wall_ms - crawl->now.wall_ms;
	int64_t most_ms = host->manners.manners.backoff.max_ms;
	if (rest_ms <= 0) {
		pv_errand_line_push(&host->ready, errand);
		return;
	}
	errand->rests_until =
	    pv_crawl_now(crawl) + (rest_ms < most_ms ? rest_ms : most_ms);
	if (!host->later.count || errand->rests_until < host->later_at)
		host->later_at = errand->rests_until;
	if (host->later_at < crawl->later_next)
		crawl->later_next = host->later_at;
	pv_errand_line_push(&host->later, errand);
}

static void on_visits(
    struct pv_visit_request *request, enum pv_store_status status)
{
	struct pv_live_host *host = request->ctx;
	struct pv_crawl *crawl = host->crawl;
	struct pv_visit_list *visits = &request->visits;
	crawl->outbox.under_way--;
	host->is_asking = false;
	host->has_more = host->has_more_since_asked ||
			 visits->count == request->max || visits->texts.is_full;
	for (size_t i = 0; i < visits->count; i++) {
		struct pv_visit visit = pv_visit_list_get(visits, i);
		struct pv_errand *errand =
		    pv_errand_create(&host->errands, &visit);
		errand->host = host;
		errand->ready_at = pv_crawl_now(crawl);
		put_in_line(crawl, host, errand);
	}
	pv_visit_list_finish(visits);
	free(request);
	host->request = NULL;
	pv_halt_note_status(crawl, status);
	if (status == PV_STORE_OK && !crawl->halt.is_ending) {
		pv_hosts_feed(crawl, host);
		if (pv_live_host_is_idle(host))
			pv_places_offer(crawl, host);
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
	size_t part = VISITS_OF_ALL / crawl->host_count;
	if (part >= VISITS_MAX)
		return VISITS_MAX;
	size_t of_stay = part_of_stay(
	    host, pv_places_are_short(crawl) ? SHORT_STAY_MS : STAY_MS);
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
	if (host->is_asking || !host->has_more || crawl->halt.is_ending ||
	    count_at_hand(host) >= (part + 1) / 2 ||
	    count_aside(host) + host->later.count >= ASIDE_MAX)
		return;
	host->is_asking = true;
	host->has_more_since_asked = false;
	host->request = pv_alloc(sizeof(*host->request));
	*host->request = (struct pv_visit_request){
	    .host_id = host->id,
	    .max = part,
	    .done = on_visits,
	    .ctx = host,
	};
	pv_visit_list_init(&host->request->visits,
	    part * VISIT_BYTES + 3 * (size_t)crawl->policy->scope.max_url);
	pv_outbox_give(&crawl->outbox, PV_PAPER_VISIT_REQUEST, host->request,
	    pv_crawl_now(crawl));
}

/* An errand is known to the schedule by its place in memory. */
static uint64_t number_of(struct pv_errand *errand)
{
	return (uint64_t)(uintptr_t)errand;
}

static void push_ready(struct pv_crawl *crawl, struct pv_live_host *host)
{
	uint64_t numbers[PV_VISIT_HEAD_MAX];
	struct pv_visit_batch batch = {.visits = numbers};
	struct pv_errand *errand = host->ready.first;
	for (; errand && batch.count < PV_VISIT_HEAD_MAX; errand = errand->next)
		numbers[batch.count++] = number_of(errand);
	size_t taken = pv_schedule_push(
	    crawl->schedule, host->scheduled, &batch, pv_crawl_now(crawl));
	for (size_t i = 0; i < taken; i++)
		pv_errand_line_pop(&host->ready);
}

void pv_hosts_put_back(
    struct pv_crawl *crawl, struct pv_live_host *host, struct pv_errand *errand)
{
	if (!pv_schedule_push_first(crawl->schedule, host->scheduled,
		number_of(errand), pv_crawl_now(crawl)))
		pv_errand_line_push_first(&host->ready, errand);
}

void pv_hosts_take_back(struct pv_live_host *host)
{
	uint64_t numbers[PV_VISIT_HEAD_MAX];
	size_t count = pv_schedule_host_clear(
	    host->crawl->schedule, host->scheduled, numbers);
	while (count > 0)
		pv_errand_line_push_first(&host->ready,
		    (struct pv_errand *)(uintptr_t)numbers[--count]);
}

void pv_hosts_feed(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (host->phase == PV_HOST_REFUSED)
		pv_settling_refuse_ready(crawl, host);
	if (host->phase == PV_HOST_PACED && host->ready.count)
		push_ready(crawl, host);
	if (host->phase == PV_HOST_PACED || host->phase == PV_HOST_REFUSED)
		ask_for_visits(crawl, host);
}

/* Each release looks whether more visits are to be at hand, so that whoever has
 * more, and enough at hand not to ask for them now, asks later. */
void pv_hosts_on_release(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (pv_schedule_host_visits(host->scheduled) <= HEAD_MIN)
		pv_hosts_feed(crawl, host);
}

void pv_hosts_expect(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (host->has_more || count_at_hand(host))
		return;
	host->has_more = true;
	host->has_more_since_asked = true;
	pv_hosts_feed(crawl, host);
}

/* What has rested goes behind what is ready. */
static void look_at_later(struct pv_crawl *crawl, struct pv_live_host *host)
{
	struct pv_errand_line later = host->later;
	struct pv_errand *errand;
	host->later = (struct pv_errand_line){0};
	host->later_at = PV_NEVER;
	while ((errand = pv_errand_line_pop(&later))) {
		bool is_rested = errand->rests_until <= pv_crawl_now(crawl);
		pv_errand_line_push(
		    is_rested ? &host->ready : &host->later, errand);
		if (!is_rested && errand->rests_until < host->later_at)
			host->later_at = errand->rests_until;
	}
	pv_hosts_feed(crawl, host);
}

int64_t pv_hosts_next_look(const struct pv_crawl *crawl, int64_t due_at)
{
	int64_t soonest =
	    pv_crawl_now(crawl) + (int64_t)crawl->host_count / LOOKED_AT_A_MS;
	return due_at > soonest ? due_at : soonest;
}

static void wake_later(struct pv_crawl *crawl)
{
	int64_t now = pv_crawl_now(crawl);
	if (crawl->later_next > now)
		return;
	crawl->later_next = PV_NEVER;
	for (size_t i = 0; i < crawl->host_count; i++) {
		struct pv_live_host *host = crawl->hosts[i];
		if (host->later.count && host->later_at <= now)
			look_at_later(crawl, host);
		if (host->later.count && host->later_at < crawl->later_next)
			crawl->later_next = host->later_at;
	}
	crawl->later_next = pv_hosts_next_look(crawl, crawl->later_next);
}

void pv_hosts_ask_all(struct pv_crawl *crawl)
{
	for (size_t i = 0; i < crawl->host_count; i++) {
		crawl->hosts[i]->has_more = true;
		pv_hosts_feed(crawl, crawl->hosts[i]);
	}
}

bool pv_hosts_ask_rest(struct pv_crawl *crawl)
{
	bool is_asking = false;
	for (size_t i = 0; i < crawl->host_count; i++) {
		struct pv_live_host *host = crawl->hosts[i];
		if (host->has_more)
			pv_hosts_feed(crawl, host);
		is_asking = is_asking || host->is_asking;
	}
	return is_asking;
}

/* Giving back */

static void on_given(struct pv_host_return *giving, enum pv_store_status status)
{
	struct pv_live_host *host = giving->ctx;
	struct pv_crawl *crawl = host->crawl;
	crawl->outbox.under_way--;
	crawl->places.leaving--;
	forget(crawl, host);
	pv_halt_note_status(crawl, status);
}

void pv_hosts_give(
    struct pv_crawl *crawl, struct pv_live_host *host, int64_t ready_at)
{
	if (host->phase == PV_HOST_LEAVING)
		return;
	host->phase = PV_HOST_LEAVING;
	crawl->places.leaving++;
	host->giving = pv_alloc(sizeof(*host->giving));
	*host->giving = (struct pv_host_return){
	    .host_id = host->id,
	    .state = pv_live_host_state(host, crawl->now),
	    .has_clock = host->scheduled != NULL,
	    .done = on_given,
	    .ctx = host,
	};
	int64_t *until_wall_ms = &host->giving->state.until_wall_ms;
	if (ready_at != PV_NEVER &&
	    pv_saved_until_wall(ready_at, crawl->now) > *until_wall_ms)
		*until_wall_ms = pv_saved_until_wall(ready_at, crawl->now);
	if (host->scheduled)
		pv_schedule_host_park(crawl->schedule, host->scheduled,
		    PV_NEVER, pv_crawl_now(crawl));
	pv_outbox_give(&crawl->outbox, PV_PAPER_HOST_RETURN, host->giving,
	    pv_crawl_now(crawl));
}

/* They are still held here: what they look like is told until the end. */
static void on_all_given(
    struct pv_host_returns *giving, enum pv_store_status status)
{
	struct pv_crawl *crawl = giving->ctx;
	crawl->outbox.under_way--;
	free(crawl->returns);
	crawl->returns = NULL;
	pv_halt_note_status(crawl, status);
}

void pv_hosts_give_all(struct pv_crawl *crawl)
{
	size_t count = 0, size = 0;
	for (size_t i = 0; i < crawl->host_count; i++) {
		struct pv_live_host *host = crawl->hosts[i];
		if (host->phase == PV_HOST_LEAVING)
			continue;
		host->phase = PV_HOST_LEAVING;
		struct pv_host_state state =
		    pv_live_host_state(host, crawl->now);
		if (pv_live_host_is_saved(host, &state))
			continue;
		*PV_ARRAY_PUSH(crawl->returns, count, size) =
		    (struct pv_host_return){
			.host_id = host->id, .state = state};
	}
	crawl->host_returns = (struct pv_host_returns){
	    .items = crawl->returns,
	    .count = count,
	    .done = on_all_given,
	    .ctx = crawl,
	};
	pv_outbox_give(&crawl->outbox, PV_PAPER_HOST_RETURNS,
	    &crawl->host_returns, pv_crawl_now(crawl));
}

bool pv_hosts_are_idle(const struct pv_crawl *crawl)
{
	if (crawl->has_waiting_hosts || crawl->is_taking_hosts)
		return false;
	for (size_t i = 0; i < crawl->host_count; i++) {
		if (!pv_live_host_is_idle(crawl->hosts[i]))
			return false;
	}
	return true;
}

void pv_hosts_step(struct pv_crawl *crawl)
{
	pv_places_step(crawl);
	take_hosts(crawl);
	pv_naming_step(crawl);
	wake_later(crawl);
}

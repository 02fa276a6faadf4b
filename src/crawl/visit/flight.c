#include "crawl/visit/flight.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "robots/robots.h"

/* Longer addresses are refused before they are visited, but those of seeds. */
#define URL_MAX PV_SEED_ADDRESS_MAX

/* Those of so many bytes are kept to be used again, of so many in all. */
#define SPARE_BYTES ((size_t)64 << 10)
#define SPARE_ALL_BYTES ((size_t)8 << 20)

/* Of a probe no more is wanted than of a robots.txt. */
static uint64_t body_ceiling(
    const struct pv_crawl *crawl, const struct pv_task *task)
{
	int64_t most = crawl->policy->fetch.max_size;
	if (task->authority)
		return PV_ROBOTS_BYTES;
	return most == PV_NONE ? UINT64_MAX : (uint64_t)most;
}

static void list(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	flight->next = crawl->flights.first;
	flight->link = &crawl->flights.first;
	if (flight->next)
		flight->next->link = &flight->next;
	crawl->flights.first = flight;
	pv_drain_event_enter(&crawl->flights.drained);
	pv_live_host_open_visit(flight->host);
}

static void unlist(struct pv_flight *flight)
{
	*flight->link = flight->next;
	if (flight->next)
		flight->next->link = flight->link;
	pv_drain_event_leave(&flight->crawl->flights.drained);
	pv_live_host_close_visit(flight->host);
	pv_host_events_note(flight->crawl, flight->host);
}

static struct pv_flight *make(struct pv_crawl *crawl, uint64_t ceiling)
{
	struct pv_flight *flight = pv_alloc(sizeof(*flight));
	pv_url_init(&flight->url, URL_MAX);
	pv_resumption_init(&flight->part);
	pv_response_init(&flight->response, crawl->flights.spill, ceiling);
	pv_body_init(&flight->decoded, crawl->flights.spill, ceiling);
	pv_findings_init(&flight->findings);
	pv_page_init(&flight->record.page);
	pv_link_list_init(
	    &flight->record.report.links, PV_FINDINGS_LINKS_BYTES);
	return flight;
}

/* One that was used before, with its memory. */
static struct pv_flight *take_spare(struct pv_crawl *crawl, uint64_t ceiling)
{
	struct pv_flight *flight = crawl->flights.spare;
	struct pv_flight kept = *flight;
	crawl->flights.spare = flight->next;
	crawl->flights.spare_bytes -= kept.held_bytes;
	*flight = (struct pv_flight){
	    .url = kept.url,
	    .part = kept.part,
	    .response = kept.response,
	    .decoded = kept.decoded,
	    .findings = kept.findings,
	    .record.page = kept.record.page,
	    .record.report.links = kept.record.report.links,
	};
	pv_resumption_clear(&flight->part);
	pv_response_clear(&flight->response, ceiling);
	pv_body_clear(&flight->decoded);
	flight->decoded.ceiling = ceiling;
	pv_findings_clear(&flight->findings);
	pv_page_clear(&flight->record.page);
	pv_link_list_clear(&flight->record.report.links);
	return flight;
}

struct pv_flight *pv_flight_create(struct pv_crawl *crawl, struct pv_task *task)
{
	uint64_t ceiling = body_ceiling(crawl, task);
	struct pv_flight *flight = crawl->flights.spare
				       ? take_spare(crawl, ceiling)
				       : make(crawl, ceiling);
	flight->crawl = crawl;
	flight->task = task;
	flight->host = task->host;
	flight->released_at = pv_crawl_now(crawl);
	flight->wait_ms = -1;
	flight->pacing = PV_PACING_NONE;
	flight->record.is_in_update =
	    crawl->update.round.number > 1 || task->visit.round;
	pv_url_parse(&flight->url, task->visit.url);
	flight->authority_text =
	    pv_url_between(&flight->url, 0, flight->url.parts.path);
	list(flight);
	return flight;
}

static void finish(struct pv_flight *flight)
{
	pv_url_finish(&flight->url);
	pv_resumption_finish(&flight->part);
	pv_response_finish(&flight->response);
	pv_body_finish(&flight->decoded);
	pv_findings_finish(&flight->findings);
	pv_page_finish(&flight->record.page);
	pv_link_list_finish(&flight->record.report.links);
	free(flight);
}

size_t pv_flight_bytes(const struct pv_flight *flight)
{
	return sizeof(*flight) + flight->response.body.memory.size +
	       flight->response.headers.text.size +
	       flight->decoded.memory.size + flight->url.text.size +
	       pv_findings_bytes(&flight->findings) +
	       pv_page_bytes(&flight->record.page) +
	       pv_link_list_bytes(&flight->record.report.links);
}

static void count(const struct pv_flight *flight, int more)
{
	struct pv_flights *flights = &flight->crawl->flights;
	size_t one = (size_t)more;
	flights->fetching += flight->stage == PV_FLIGHT_FETCHING ? one : 0;
	flights->reading += flight->stage == PV_FLIGHT_READING ? one : 0;
	flights->settling += flight->stage >= PV_FLIGHT_READING ? one : 0;
}

void pv_flight_enter(struct pv_flight *flight, enum pv_flight_stage stage)
{
	count(flight, -1);
	flight->stage = stage;
	count(flight, 1);
}

void pv_flight_weigh(struct pv_flight *flight)
{
	struct pv_flights *flights = &flight->crawl->flights;
	flights->bytes -= flight->held_bytes;
	flight->held_bytes = pv_flight_bytes(flight);
	flights->bytes += flight->held_bytes;
}

void pv_flight_destroy(struct pv_flight *flight)
{
	struct pv_flights *flights = &flight->crawl->flights;
	pv_flight_enter(flight, PV_FLIGHT_RELEASED);
	flights->bytes -= flight->held_bytes;
	unlist(flight);
	pv_task_destroy(flight->task);
	pv_robots_rules_release(flight->rules);
	pv_robots_rules_release(pv_findings_take_rules(&flight->findings));
	flight->held_bytes = pv_flight_bytes(flight);
	if (flight->held_bytes > SPARE_BYTES ||
	    flight->held_bytes > SPARE_ALL_BYTES - flights->spare_bytes) {
		finish(flight);
		return;
	}
	flight->next = flights->spare;
	flights->spare = flight;
	flights->spare_bytes += flight->held_bytes;
}

bool pv_flight_is_visit(const struct pv_flight *flight)
{
	return flight->task->authority == NULL;
}

bool pv_flight_is_robots(const struct pv_flight *flight)
{
	return flight->task->authority && !flight->task->is_probe;
}

/* A robots.txt that lies elsewhere is still its authority's. */
static struct pv_str robots_of(const struct pv_flight *flight)
{
	const struct pv_task *task = flight->task;
	if (!pv_flight_is_robots(flight) || !task->visit.standing.redirects)
		return (struct pv_str){NULL, 0};
	return task->authority->text;
}

void pv_flight_refuse(struct pv_flight *flight, struct pv_verdict verdict)
{
	flight->kind = PV_REPORT_REFUSED;
	flight->verdict = verdict;
}

void pv_flight_fail(
    struct pv_flight *flight, enum pv_outcome outcome, const char *why)
{
	flight->kind = PV_REPORT_DONE;
	pv_response_fail(&flight->response, outcome, why);
}

void pv_flight_fill_page(struct pv_flight *flight, enum pv_change change)
{
	struct pv_page *page = &flight->record.page;
	if (!flight->is_sent)
		flight->wall_ms = flight->crawl->now.wall_ms;
	page->visit = &flight->task->visit;
	page->host = flight->host->name;
	page->is_robots = pv_flight_is_robots(flight);
	page->robots_of = robots_of(flight);
	page->is_probe = flight->task->is_probe;
	page->verdict = flight->verdict;
	page->change = change;
	page->pacing = flight->pacing;
	page->wall_ms = flight->wall_ms;
	page->wait_ms = flight->wait_ms;
}

void pv_flight_take_body(struct pv_flight *flight)
{
	struct pv_flights *flights = &flight->crawl->flights;
	struct pv_buf *memory = &flight->response.body.memory;
	if (!flights->spare_body_count || memory->ptr)
		return;
	size_t ceiling = memory->ceiling;
	*memory = flights->spare_bodies[--flights->spare_body_count];
	memory->ceiling = ceiling;
}

void pv_flight_give_body(struct pv_flight *flight)
{
	struct pv_flights *flights = &flight->crawl->flights;
	struct pv_buf *memory = &flight->response.body.memory;
	pv_body_clear(&flight->response.body);
	if (!memory->ptr)
		return;
	if (flights->spare_body_count == PV_SPARE_BODIES ||
	    memory->size > SPARE_BYTES) {
		pv_buf_finish(memory);
		return;
	}
	flights->spare_bodies[flights->spare_body_count++] = *memory;
	pv_buf_init(memory, memory->ceiling);
}

void pv_flights_drop_spare(struct pv_flights *flights)
{
	while (flights->spare_body_count)
		pv_buf_finish(
		    &flights->spare_bodies[--flights->spare_body_count]);
	while (flights->spare) {
		struct pv_flight *flight = flights->spare;
		flights->spare = flight->next;
		finish(flight);
	}
}

#include "api/look/fleet_view.h"

#include "policy/values/host_pattern.h"
#include "record/fingerprint.h"
#include "url/url.h"

/* The owner, of whom nothing is known if it was reaped since. */
static void take_owner(
    const struct pv_visited_crawl *crawl, struct pv_state_view_fleet *fleet)
{
	fleet->is_silent = fleet->worker != 0;
	for (size_t i = 0; i < crawl->worker_count; i++) {
		const struct pv_visited_worker *worker = &crawl->workers[i];
		bool is_living = pv_visited_is_living(worker);
		fleet->living += is_living;
		if (worker->number != fleet->worker)
			continue;
		fleet->is_silent = !is_living;
		fleet->seen_ms = worker->seen_ms;
		pv_buf_append_text(&fleet->place, worker->place);
	}
}

static void take_address(const struct pv_visited_address *visited,
    struct pv_state_view_answer *answer)
{
	struct pv_state_address *address = &answer->address;
	answer->is_known = visited->is_known;
	if (!visited->is_known)
		return;
	*address = visited->address;
	pv_buf_append(&answer->via, address->via);
	address->via = (struct pv_str){NULL, 0};
	/* Nobody fetches for a clock that nobody owns. */
	if (address->state == PV_STATE_IN_FLIGHT && !answer->fleet.worker)
		address->state = PV_STATE_PENDING;
}

/* Who takes a host over goes by what is left of its clock's rest, and owes the whole
 * delay if another had it before. */
static void take_host(const struct pv_visited_address *visited, int64_t wall_ms,
    struct pv_state_view_answer *answer)
{
	answer->has_host = visited->has_host || visited->has_clock;
	answer->host.state = visited->host;
	pv_state_view_set_rest(answer, visited->left_ms, wall_ms);
	answer->host.owes_delay = visited->was_owned && !answer->is_running;
	answer->holding = PV_HOST_WAITING;
}

/* Orders that cannot be read are none, as for the workers. */
static void take_pauses(const struct pv_visited_crawl *crawl,
    struct pv_str host, struct pv_state_view_answer *answer)
{
	struct pv_orders orders;
	pv_orders_init(&orders);
	if (crawl->wish[0])
		pv_orders_read(&orders, pv_str_of(crawl->wish));
	pv_state_view_note_pause(
	    pv_orders_pause_of(&orders, PV_STR(""), 0), &answer->pause);
	pv_state_view_note_pause(
	    pv_orders_pause_of(&orders, host, 0), &answer->pause);
	pv_orders_finish(&orders);
}

static void take(const struct pv_visited_crawl *crawl,
    const struct pv_visited_address *visited, int64_t wall_ms,
    struct pv_state_view_answer *answer)
{
	struct pv_state_view_fleet *fleet = &answer->fleet;
	fleet->is_there = true;
	fleet->is_finished = crawl->is_finished;
	fleet->is_on_its_way = visited->is_on_its_way;
	fleet->has_clock = visited->has_clock;
	fleet->worker = visited->worker;
	fleet->left_ms = visited->left_ms;
	take_owner(crawl, fleet);
	answer->is_running = fleet->worker && !fleet->is_silent;
	answer->pages = (uint64_t)crawl->pages;
	answer->bytes = (uint64_t)crawl->bytes;
	take_address(visited, answer);
	take_host(visited, wall_ms, answer);
	answer->robots = visited->robots;
	pv_buf_append(&answer->robots_copy, visited->robots_copy);
}

bool pv_fleet_view_at(struct pv_fleet_visit *visit,
    const struct pv_policy *policy, const struct pv_url *url, int64_t wall_ms,
    struct pv_state_view_answer *answer)
{
	struct pv_visited_address visited;
	struct pv_host_manners manners;
	struct pv_str host = pv_host_name_trim(pv_url_host(url));
	pv_policy_manners(policy, host, NULL, &manners);
	const struct pv_visited_question question = {
	    .address = pv_url_page(url),
	    .authority = pv_url_between(url, 0, url->parts.path),
	    .host = host,
	    .clock = manners.clock,
	};
	bool is_read = visit->kind->find_address(
	    visit->visitor, &visit->crawl, &question, &visited, &visit->why);
	if (is_read) {
		take(&visit->crawl, &visited, wall_ms, answer);
		take_pauses(&visit->crawl, host, answer);
	}
	pv_visited_address_finish(&visited);
	return is_read;
}

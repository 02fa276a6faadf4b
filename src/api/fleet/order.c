#include <string.h>

#include "api/fleet/visit.h"
#include "api/problems.h"
#include "api/sized.h"
#include "base/system.h"
#include "crawl/control/order.h"
#include "pavane/fleet.h"
#include "policy/sources/load.h"
#include "store/orders.h"

/* Of several that give orders at a time each tries again with what the others have
 * written; so often one cannot lose. */
#define TRIES 100

#define TEXT_MAX ((size_t)1 << 20)

/* An order to the workers of a fleet. */
struct wish {
	struct pv_fleet_visit visit;
	const struct pavane_fleet_order *given;
	const char *const *assignments;
	size_t count;
	struct pv_why notes;
	struct pv_orders orders;
	size_t living; /* workers, before it is given */
};

typedef enum pavane_answer (*wish_fn)(struct wish *wish);

static bool has_host(void *ctx, struct pv_str host)
{
	struct wish *wish = ctx;
	bool is_there = false;
	wish->visit.kind->find_host(wish->visit.visitor,
	    wish->visit.crawl.number, host, &is_there, &wish->visit.why);
	return is_there;
}

static bool read_orders(struct wish *wish)
{
	struct pv_str text = pv_str_of(wish->visit.crawl.wish);
	pv_orders_init(&wish->orders);
	if (!text.len || pv_orders_read(&wish->orders, text) == 0)
		return true;
	pv_why_add(&wish->visit.why, (struct pv_place){0}, PV_STR(""),
	    "the orders in the database cannot be read: they are a later "
	    "version's, or damaged");
	return false;
}

static bool write_orders(struct wish *wish, bool *is_written)
{
	struct pv_buf text;
	pv_buf_init(&text, TEXT_MAX);
	pv_orders_write(&wish->orders, &text);
	bool is_answered =
	    wish->visit.kind->wish(wish->visit.visitor, &wish->visit.crawl,
		pv_buf_str(&text), is_written, &wish->visit.why);
	pv_buf_finish(&text);
	return is_answered;
}

/* PAVANE_LATE: somebody else was faster. */
static enum pavane_answer try_once(struct wish *wish, wish_fn change)
{
	enum pavane_answer answer = PAVANE_UNREADABLE;
	bool is_written = false;
	if (read_orders(wish)) {
		answer = change(wish);
		if (answer == PAVANE_YES && !write_orders(wish, &is_written))
			answer = PAVANE_UNREADABLE;
		else if (answer == PAVANE_YES && !is_written)
			answer = PAVANE_LATE;
	}
	pv_orders_finish(&wish->orders);
	return answer;
}

static enum pavane_answer give(struct wish *wish, wish_fn change)
{
	enum pavane_answer answer = PAVANE_LATE;
	const char *name = wish->given->name;
	wish->visit.on_line = wish->given->on_line;
	wish->visit.ctx = wish->given->ctx;
	bool is_there = pv_visit_open(&wish->visit, wish->given->fleet, name);
	for (int i = 0; is_there && answer == PAVANE_LATE && i < TRIES; i++) {
		is_there = i == 0 || pv_visit_again(&wish->visit, name);
		if (is_there)
			answer = try_once(wish, change);
	}
	pv_visit_close(&wish->visit);
	return is_there ? answer : PAVANE_UNREADABLE;
}

/* Orders */

static struct pavane_order order_of(const struct pavane_fleet_order *given)
{
	return (struct pavane_order){
	    .size = sizeof(struct pavane_order),
	    .host = given->host,
	    .until = given->until,
	};
}

static struct pv_order_elsewhere place_of(struct wish *wish)
{
	return (struct pv_order_elsewhere){
	    .orders = &wish->orders,
	    .wall_ms = pv_time_now().wall_ms,
	    .has_host = has_host,
	    .ctx = wish,
	};
}

static enum pavane_answer pause_all(struct wish *wish)
{
	struct pavane_order order = order_of(wish->given);
	struct pv_order_elsewhere place = place_of(wish);
	return pv_order_pause_elsewhere(&order, &place, &wish->visit.why);
}

static enum pavane_answer resume_all(struct wish *wish)
{
	struct pavane_order order = order_of(wish->given);
	struct pv_order_elsewhere place = place_of(wish);
	return pv_order_resume_elsewhere(&order, &place, &wish->visit.why);
}

static enum pavane_answer set_all(struct wish *wish)
{
	const struct pv_order_values values = {
	    wish->assignments, wish->count, &wish->notes};
	struct pv_policy *policy = pv_policy_load_text("the fleet's policy",
	    pv_str_of(wish->visit.crawl.policy), &wish->visit.why);
	enum pavane_answer answer = PAVANE_UNREADABLE;
	if (!pv_why_has_problems(&wish->visit.why))
		answer = pv_order_set_elsewhere(
		    &wish->orders, policy, &values, &wish->visit.why);
	pv_policy_destroy(policy);
	return answer;
}

/* By its number a later worker knows that it is not meant. It is given where none
 * lives, too: one may be about to join again. */
static enum pavane_answer stop_all(struct wish *wish)
{
	wish->living = 0;
	for (size_t i = 0; i < wish->visit.crawl.worker_count; i++)
		wish->living +=
		    pv_visited_is_living(&wish->visit.crawl.workers[i]);
	wish->orders.stop_run = wish->visit.crawl.wish_number + 1;
	return PAVANE_YES;
}

/* For programs */

enum pavane_answer pavane_fleet_pause(const struct pavane_fleet_order *given)
{
	struct pavane_fleet_order own;
	struct wish wish = {.given = &own};
	return pv_sized_read(&own, sizeof(own), given) ? give(&wish, pause_all)
						       : PAVANE_WRONG;
}

enum pavane_answer pavane_fleet_resume(const struct pavane_fleet_order *given)
{
	struct pavane_fleet_order own;
	struct wish wish = {.given = &own};
	return pv_sized_read(&own, sizeof(own), given) ? give(&wish, resume_all)
						       : PAVANE_WRONG;
}

enum pavane_answer pavane_fleet_set(const struct pavane_fleet_order *given,
    const char *const *assignments, size_t count)
{
	struct pavane_fleet_order own;
	struct wish wish = {
	    .given = &own, .assignments = assignments, .count = count};
	if (!pv_sized_read(&own, sizeof(own), given))
		return PAVANE_WRONG;
	pv_why_init(&wish.notes);
	enum pavane_answer answer = give(&wish, set_all);
	if (answer == PAVANE_YES)
		pv_notes_tell(&wish.notes, own.on_line, own.ctx);
	pv_why_finish(&wish.notes);
	return answer;
}

enum pavane_answer pavane_fleet_stop(const struct pavane_fleet_order *given)
{
	struct pavane_fleet_order own;
	struct wish wish = {.given = &own};
	if (!pv_sized_read(&own, sizeof(own), given))
		return PAVANE_WRONG;
	enum pavane_answer answer = give(&wish, stop_all);
	return answer == PAVANE_YES && !wish.living ? PAVANE_NO : answer;
}

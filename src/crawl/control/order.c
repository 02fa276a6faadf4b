#include "crawl/control/order.h"

#include "crawl/control/order_time.h"
#include "crawl/control/settings.h"
#include "policy/sources/assignment.h"
#include "policy/sources/load.h"
#include "policy/sources/overlay.h"
#include "policy/values/host_pattern.h"
#include "store/lock.h"
#include "store/orders.h"
#include "store/state_look.h"
#include "store/tables/merge_notes.h"
#include "store/tables/note.h"
#include "store/tables/state_hosts.h"
#include "url/url.h"

struct order {
	const struct pavane_order *given;
	struct pv_url host; /* an address at the host, if one is named */
	int64_t now_ms;
	int64_t until_ms;
	int64_t run;                  /* the number of the latest */
	struct pv_database *database; /* the state; NULL: it is looked for */
	const struct pv_order_elsewhere
	    *elsewhere;      /* NULL: the orders are in the directory */
	const char *because; /* of a pause; NULL for nothing */
	bool may_be_worker;  /* it is for one worker of a fleet as well */
	struct pv_why *why;
	enum pavane_answer answer;
};

static bool refuse(struct order *order, const char *what, const char *why)
{
	order->answer = PAVANE_WRONG;
	pv_why_add(
	    order->why, (struct pv_place){0}, PV_STR(""), "%s %s", what, why);
	return false;
}

/* When a pause ends */

static bool read_until(struct order *order)
{
	const char *text = order->given->until;
	if (!text)
		return true;
	if (!pv_order_time_read(
		pv_str_of(text), order->now_ms, &order->until_ms))
		return refuse(order, text,
		    "is no time: write a duration such as 2h, a time of the "
		    "day such as 14:30, or a date such as 2026-11-27");
	return order->until_ms > order->now_ms ||
	       refuse(order, text, "is in the past");
}

/* The crawl and its hosts */

static struct pv_str host_of(const struct order *order)
{
	return order->given->host ? pv_host_name_trim(pv_url_host(&order->host))
				  : PV_STR("");
}

static bool read_host(struct order *order)
{
	const char *name = order->given->host;
	struct pv_buf address;
	if (!name)
		return true;
	pv_buf_init(&address, SIZE_MAX);
	pv_buf_append_format(&address, "http://%s/", name);
	bool is_read =
	    pv_url_parse(&order->host, pv_buf_str(&address)) == PV_URL_OK &&
	    strcspn(name, "/?#@\\") == strlen(name);
	pv_buf_finish(&address);
	if (!is_read)
		return refuse(order, name, "is no host name");
	return pv_str_equal(pv_url_host(&order->host),
		   pv_url_host_and_port(&order->host)) ||
	       refuse(order, name,
		   "has a port: a host is paused with all its ports, so leave "
		   "it out");
}

static bool has_host(struct order *order, struct pv_database *database)
{
	enum pv_holding holding;
	struct pv_host host;
	return !order->given->host ||
	       pv_state_hosts_get(database, host_of(order), &host, &holding) ||
	       refuse(order, order->given->host, "is not a host of this crawl");
}

/* Nothing ever runs in a merge of several crawls. */
static bool is_crawl(const struct order *order, struct pv_database *database)
{
	if (!pv_merge_notes_count(database))
		return true;
	pv_why_add(order->why,
	    (struct pv_place){.file = order->given->directory}, PV_STR(""),
	    "is a merge of several crawls, none of which runs there: give the "
	    "order in the directories that it was made of");
	return false;
}

/* What holds for a fleet stands in its database, which would take it back. */
static bool is_by_itself(
    const struct order *order, struct pv_database *database)
{
	if (order->may_be_worker ||
	    !pv_note_get(database, PV_NOTE_FLEET_CRAWL, 0))
		return true;
	pv_why_add(order->why,
	    (struct pv_place){.file = order->given->directory}, PV_STR(""),
	    "is a worker of a fleet: give the order to all of them, with --fleet "
	    "URL NAME in place of the directory");
	return false;
}

/* What the state says; false, with the reason, where it does not go with the
 * order. */
static bool look(struct order *order)
{
	if (order->elsewhere)
		return !order->given->host ||
		       order->elsewhere->has_host(
			   order->elsewhere->ctx, host_of(order)) ||
		       refuse(order, order->given->host,
			   "is not a host of this crawl");
	if (order->database)
		return has_host(order, order->database);
	struct pv_database *database =
	    pv_state_look(order->given->directory, order->why);
	if (!database)
		return false;
	bool is_right = is_crawl(order, database) &&
			is_by_itself(order, database) &&
			has_host(order, database);
	order->run = pv_note_get(database, PV_STR("runs"), 0);
	pv_database_close(database);
	return is_right;
}

static bool begin_checks(struct order *order)
{
	order->answer = PAVANE_UNREADABLE;
	pv_url_init(&order->host, PV_ORDER_HOST_MAX + 16);
	return read_until(order) && read_host(order) && look(order);
}

static bool begin(struct order *order, const struct pavane_order *given,
    int64_t wall_ms, struct pv_why *why)
{
	*order = (struct order){
	    .given = given,
	    .now_ms = wall_ms,
	    .until_ms = INT64_MAX,
	    .why = why,
	};
	return begin_checks(order);
}

/* Orders */

static enum pavane_answer give(
    struct order *order, bool is_right, pv_orders_fn change)
{
	if (is_right && order->elsewhere)
		change(order, order->elsewhere->orders);
	else if (is_right && !pv_orders_change(order->given->directory, change,
				 order, order->why))
		order->answer = PAVANE_UNREADABLE;
	pv_url_finish(&order->host);
	return order->answer;
}

static bool add_pause(void *ctx, struct pv_orders *orders)
{
	struct order *order = ctx;
	pv_orders_tidy(orders, order->now_ms);
	bool is_added = pv_orders_pause(
	    orders, host_of(order), order->now_ms, order->until_ms);
	if (is_added) {
		order->answer = PAVANE_YES;
		pv_orders_say_why(orders, host_of(order),
		    pv_str_of(order->because ? order->because : ""));
	} else {
		pv_why_add(order->why,
		    (struct pv_place){.file = order->given->directory},
		    PV_STR(""), "no more than %d hosts can be paused at a time",
		    PV_ORDER_PAUSES_MAX);
	}
	return is_added;
}

enum pavane_answer pv_order_pause(
    const struct pavane_order *given, int64_t wall_ms, struct pv_why *why)
{
	struct order order;
	bool is_right = begin(&order, given, wall_ms, why);
	return give(&order, is_right, add_pause);
}

static bool remove_pause(void *ctx, struct pv_orders *orders)
{
	struct order *order = ctx;
	pv_orders_tidy(orders, order->now_ms);
	bool was_paused = pv_orders_resume(orders, host_of(order));
	order->answer = was_paused ? PAVANE_YES : PAVANE_NO;
	return was_paused;
}

enum pavane_answer pv_order_resume(
    const struct pavane_order *given, int64_t wall_ms, struct pv_why *why)
{
	struct order order;
	bool is_right = begin(&order, given, wall_ms, why);
	return give(&order, is_right, remove_pause);
}

/* By the program that runs the crawl */

static bool begin_here(struct order *order, const struct pavane_order *given,
    const struct pv_order_here *here, struct pv_why *why)
{
	*order = (struct order){
	    .given = given,
	    .now_ms = here->wall_ms,
	    .until_ms = here->until_wall_ms,
	    .database = here->database,
	    .because = here->because,
	    .why = why,
	};
	if (order->until_ms > order->now_ms)
		return begin_checks(order);
	pv_url_init(&order->host, PV_ORDER_HOST_MAX + 16);
	return refuse(order, "the end of the pause", "is in the past");
}

enum pavane_answer pv_order_pause_here(const struct pavane_order *given,
    const struct pv_order_here *here, struct pv_why *why)
{
	struct order order;
	return give(&order, begin_here(&order, given, here, why), add_pause);
}

enum pavane_answer pv_order_resume_here(const struct pavane_order *given,
    const struct pv_order_here *here, struct pv_why *why)
{
	struct order order;
	return give(&order, begin_here(&order, given, here, why), remove_pause);
}

/* Orders that stand elsewhere */

static bool begin_elsewhere(struct order *order,
    const struct pavane_order *given, const struct pv_order_elsewhere *place,
    struct pv_why *why)
{
	*order = (struct order){
	    .given = given,
	    .now_ms = place->wall_ms,
	    .until_ms = INT64_MAX,
	    .elsewhere = place,
	    .why = why,
	};
	return begin_checks(order);
}

enum pavane_answer pv_order_pause_elsewhere(const struct pavane_order *given,
    const struct pv_order_elsewhere *place, struct pv_why *why)
{
	struct order order;
	return give(
	    &order, begin_elsewhere(&order, given, place, why), add_pause);
}

enum pavane_answer pv_order_resume_elsewhere(const struct pavane_order *given,
    const struct pv_order_elsewhere *place, struct pv_why *why)
{
	struct order order;
	return give(
	    &order, begin_elsewhere(&order, given, place, why), remove_pause);
}

/* Setting */

struct set_order {
	struct order order;
	const struct pv_policy *policy; /* without what is set */
	const char *const *assignments;
	size_t count;
	struct pv_why *notes;
};

static bool refuse_assignment(struct set_order *set, const char *why)
{
	pv_why_add(set->order.why, (struct pv_place){.file = "pavane set"},
	    PV_STR(""), "%s", why);
	return false;
}

static bool set_one(
    struct set_order *set, const char *text, struct pv_orders *orders)
{
	struct pv_str key, value;
	if (!pv_assignment_split(pv_str_of(text), &key, &value))
		return refuse_assignment(set,
		    "expected KEY=VALUE, such as rate.max_rate=5, or KEY= to "
		    "take it back");
	if (!pv_overlay_may_set(key, set->order.why))
		return false;
	return pv_orders_set(orders, key, pv_str_trim(value)) ||
	       refuse_assignment(
		   set, "a value is one line of at most 255 plain characters");
}

static void note_exceptions(struct set_order *set, const char *text)
{
	struct pv_str key, value;
	pv_assignment_split(pv_str_of(text), &key, &value);
	size_t count = pv_overlay_exceptions(set->policy, key);
	if (count && value.len)
		pv_why_note(set->notes, (struct pv_place){0}, key,
		    "%zu entr%s of the policy's domains %s another value, "
		    "which holds there",
		    count, count == 1 ? "y" : "ies",
		    count == 1 ? "has" : "have");
}

static void set_all(struct set_order *set, struct pv_orders *orders)
{
	for (size_t i = 0; i < set->count; i++) {
		if (set_one(set, set->assignments[i], orders))
			note_exceptions(set, set->assignments[i]);
	}
	pv_overlay_destroy(
	    pv_settings_overlay(set->policy, orders, set->order.why));
}

/* Nothing is written if one of them is wrong. */
static bool change_settings(void *ctx, struct pv_orders *orders)
{
	struct set_order *set = ctx;
	struct pv_orders before;
	pv_orders_init(&before);
	for (size_t i = 0; i < orders->setting_count; i++)
		pv_orders_set(&before, pv_str_of(orders->settings[i].key),
		    pv_str_of(orders->settings[i].value));
	set_all(set, orders);
	bool is_same = pv_orders_set_the_same(&before, orders);
	pv_orders_finish(&before);
	if (pv_why_has_problems(set->order.why))
		set->order.answer = PAVANE_WRONG;
	else
		set->order.answer = is_same ? PAVANE_NO : PAVANE_YES;
	return set->order.answer == PAVANE_YES;
}

static struct pv_policy *load_policy(const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/policy.yaml", directory);
	struct pv_policy *policy = pv_policy_load(
	    &(struct pv_sources){.file = pv_buf_text(&path)}, why);
	pv_buf_finish(&path);
	return policy;
}

static struct set_order set_of(const struct pv_policy *policy,
    const struct pv_order_values *values, struct pv_why *why)
{
	return (struct set_order){
	    .order = {.why = why, .answer = PAVANE_UNREADABLE},
	    .policy = policy,
	    .assignments = values->assignments,
	    .count = values->count,
	    .notes = values->notes,
	};
}

enum pavane_answer pv_order_set_elsewhere(struct pv_orders *orders,
    const struct pv_policy *policy, const struct pv_order_values *values,
    struct pv_why *why)
{
	struct set_order set = set_of(policy, values, why);
	change_settings(&set, orders);
	return set.order.answer;
}

enum pavane_answer pv_order_set_here(const char *directory,
    const struct pv_policy *policy, const struct pv_order_values *values,
    struct pv_why *why)
{
	struct set_order set = set_of(policy, values, why);
	if (!pv_orders_change(directory, change_settings, &set, why))
		set.order.answer = PAVANE_UNREADABLE;
	return set.order.answer;
}

enum pavane_answer pv_order_set(const struct pavane_order *given,
    const char *const *assignments, size_t count, struct pv_why *notes,
    struct pv_why *why)
{
	const struct pv_order_values values = {assignments, count, notes};
	const struct pavane_order plain = {
	    .size = sizeof(plain), .directory = given->directory};
	struct order order;
	bool is_right = begin(&order, &plain, 0, why);
	struct pv_policy *policy =
	    is_right ? load_policy(given->directory, why) : NULL;
	if (is_right && !pv_why_has_problems(why))
		order.answer =
		    pv_order_set_here(given->directory, policy, &values, why);
	pv_policy_destroy(policy);
	pv_url_finish(&order.host);
	return order.answer;
}

static bool set_stop(void *ctx, struct pv_orders *orders)
{
	struct order *order = ctx;
	bool is_new = orders->stop_run != order->run;
	orders->stop_run = order->run;
	order->answer = PAVANE_YES;
	return is_new;
}

enum pavane_answer pv_order_stop(
    const struct pavane_order *given, int64_t *process, struct pv_why *why)
{
	struct order order = {
	    .given = given, .why = why, .may_be_worker = true};
	int64_t wanted = *process;
	bool is_right = begin_checks(&order);
	*process = is_right ? pv_lock_holder(given->directory) : 0;
	if (is_right && (!*process || (wanted && *process != wanted))) {
		order.answer = PAVANE_NO;
		is_right = false;
	}
	return give(&order, is_right, set_stop);
}

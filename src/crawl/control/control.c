#include "crawl/control/control.h"

#include "crawl/conductor.h"
#include "crawl/control/pause_text.h"
#include "crawl/control/shared_pauses.h"
#include "crawl/runtime.h"

/* So soon an order holds where something is to be released. */
#define LOOK_MS 100

/* Looking */

/* Of two that hold, the later end is the end. */
static const struct pv_pause *pause_of(
    const struct pv_crawl *crawl, struct pv_str host)
{
	const struct pv_control *control = &crawl->control;
	int64_t now_ms = crawl->now.wall_ms;
	const struct pv_pause *own =
	    pv_orders_pause_of(&control->orders, host, now_ms);
	const struct pv_pause *shared =
	    pv_orders_pause_of(&control->shared, host, now_ms);
	bool is_own =
	    own && (!shared || own->until_wall_ms >= shared->until_wall_ms);
	return is_own ? own : shared;
}

const struct pv_pause *pv_control_pause_of(
    const struct pv_crawl *crawl, struct pv_str host)
{
	return host.len ? pause_of(crawl, host) : NULL;
}

bool pv_control_is_host_paused(const struct pv_crawl *crawl, struct pv_str host)
{
	return pv_control_pause_of(crawl, host);
}

bool pv_control_is_paused(const struct pv_crawl *crawl, struct pv_str host)
{
	return crawl->control.is_paused ||
	       pv_control_is_host_paused(crawl, host);
}

static bool holds_any(
    const struct pv_crawl *crawl, const struct pv_orders *orders)
{
	for (size_t i = 0; i < orders->count; i++) {
		struct pv_str host = pv_str_of(orders->pauses[i].host);
		if (!pause_of(crawl, host))
			continue;
		if (!host.len ||
		    pv_held_hosts_find_name(&crawl->hosts.held, host))
			return true;
	}
	return false;
}

bool pv_control_holds_any(const struct pv_crawl *crawl)
{
	return holds_any(crawl, &crawl->control.orders) ||
	       holds_any(crawl, &crawl->control.shared);
}

/* In words */

/* Of the shared pauses those of hosts that this crawl has: no other keeps it from
 * anything. */
static void find_shared(const struct pv_crawl *crawl, struct pv_orders *found)
{
	const struct pv_orders *shared = &crawl->control.shared;
	for (size_t i = 0; i < shared->count; i++) {
		const struct pv_pause *pause = &shared->pauses[i];
		struct pv_str host = pv_str_of(pause->host);
		if (!pv_held_hosts_find_name(&crawl->hosts.held, host))
			continue;
		pv_orders_pause(
		    found, host, pause->since_wall_ms, pause->until_wall_ms);
		pv_orders_say_why(found, host, pv_str_of(pause->why));
	}
}

void pv_control_write_all(const struct pv_crawl *crawl, struct pv_buf *buf)
{
	struct pv_orders shared;
	int64_t now_ms = crawl->now.wall_ms;
	pv_orders_init(&shared);
	find_shared(crawl, &shared);
	pv_pause_text_write(&crawl->control.orders, now_ms, "", buf);
	pv_pause_text_write(&shared, now_ms, PV_PAUSED_BY_PROGRAM, buf);
	pv_orders_finish(&shared);
}

/* With the option that ends the first. */
static void log_pauses(const struct pv_crawl *crawl)
{
	const struct pv_orders *orders = &crawl->control.orders;
	const char *host = orders->count && !crawl->control.is_paused
			       ? orders->pauses[0].host
			       : "";
	struct pv_buf line;
	pv_buf_init(&line, SIZE_MAX);
	pv_pause_text_write(orders, crawl->now.wall_ms, "", &line);
	if (line.len)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: %s; `pavane resume%s%s%s` ends it", crawl->directory,
		    pv_buf_text(&line), crawl->fleet ? " --fleet URL NAME" : "",
		    *host ? " --host " : "", host);
	else
		pv_log(&crawl->log, PV_LOG_WARNING, "%s: resumed",
		    crawl->directory);
	pv_buf_finish(&line);
}

/* Taking effect */

static void pause_host(struct pv_crawl *crawl, struct pv_str host)
{
	struct pv_live_host *live =
	    pv_held_hosts_find_name(&crawl->hosts.held, host);
	if (live && live->scheduled)
		pv_schedule_host_pause(crawl->schedule, live->scheduled,
		    pv_control_is_host_paused(crawl, host),
		    pv_crawl_now(crawl));
}

/* Of orders that hold, or held until a moment ago. */
static void pause_hosts(struct pv_crawl *crawl, const struct pv_orders *orders)
{
	for (size_t i = 0; i < orders->count; i++) {
		if (orders->pauses[i].host[0])
			pause_host(crawl, pv_str_of(orders->pauses[i].host));
	}
}

static void pause_crawl(struct pv_crawl *crawl)
{
	struct pv_control *control = &crawl->control;
	bool is_paused = pause_of(crawl, PV_STR(""));
	if (is_paused && !control->is_paused)
		control->paused_at = pv_crawl_now(crawl);
	if (!is_paused && control->is_paused)
		control->spent_ms += pv_crawl_now(crawl) - control->paused_at;
	control->is_paused = is_paused;
}

static void note_first_end(
    struct pv_crawl *crawl, const struct pv_orders *orders)
{
	struct pv_control *control = &crawl->control;
	for (size_t i = 0; i < orders->count; i++) {
		int64_t until_ms = orders->pauses[i].until_wall_ms;
		if (until_ms > crawl->now.wall_ms &&
		    until_ms < control->ends_wall_ms)
			control->ends_wall_ms = until_ms;
	}
}

static void apply(struct pv_crawl *crawl)
{
	struct pv_control *control = &crawl->control;
	pause_crawl(crawl);
	pause_hosts(crawl, &control->orders);
	pause_hosts(crawl, &control->shared);
	control->ends_wall_ms = INT64_MAX;
	note_first_end(crawl, &control->orders);
	note_first_end(crawl, &control->shared);
	crawl->control.changes++;
}

static bool are_pauses_equal(
    const struct pv_orders *a, const struct pv_orders *b)
{
	bool are_equal = a->count == b->count;
	for (size_t i = 0; are_equal && i < a->count; i++)
		are_equal =
		    strcmp(a->pauses[i].host, b->pauses[i].host) == 0 &&
		    a->pauses[i].until_wall_ms == b->pauses[i].until_wall_ms &&
		    strcmp(a->pauses[i].why, b->pauses[i].why) == 0;
	return are_equal;
}

void pv_control_take(struct pv_crawl *crawl, struct pv_orders *orders)
{
	struct pv_control *control = &crawl->control;
	struct pv_orders before = control->orders;
	control->orders = *orders;
	pv_orders_init(orders);
	pv_orders_tidy(&control->orders, crawl->now.wall_ms);
	pause_hosts(crawl, &before);
	apply(crawl);
	if (!are_pauses_equal(&before, &control->orders))
		log_pauses(crawl);
	pv_orders_finish(&before);
	pv_settings_take(crawl, &control->orders);
	if (control->orders.stop_run != crawl->run.number ||
	    control->is_stopped)
		return;
	control->is_stopped = true;
	pv_halt_ask(&crawl->halt);
}

static void end_pauses(struct pv_crawl *crawl)
{
	struct pv_control *control = &crawl->control;
	if (crawl->now.wall_ms < control->ends_wall_ms)
		return;
	size_t own = control->orders.count;
	pause_hosts(crawl, &control->orders);
	pause_hosts(crawl, &control->shared);
	pv_orders_tidy(&control->orders, crawl->now.wall_ms);
	pv_orders_tidy(&control->shared, crawl->now.wall_ms);
	apply(crawl);
	if (control->orders.count != own)
		log_pauses(crawl);
}

/* Who pauses hosts in all crawls tells of it himself. */
static void look_at_shared(struct pv_crawl *crawl)
{
	struct pv_control *control = &crawl->control;
	struct pv_orders before = control->shared;
	pv_orders_init(&control->shared);
	if (pv_shared_pauses_read(pv_runtime_pauses(crawl->around.runtime),
		&control->shared_version, &control->shared)) {
		pause_hosts(crawl, &before);
		apply(crawl);
		pv_orders_finish(&before);
	} else {
		control->shared = before;
	}
}

/* The file */

bool pv_control_open(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_control *control = &crawl->control;
	bool is_read = pv_orders_load(
	    crawl->directory, &control->text, &control->orders, why);
	pv_orders_tidy(&control->orders, crawl->now.wall_ms);
	look_at_shared(crawl);
	apply(crawl);
	return is_read;
}

void pv_control_close(struct pv_control *control)
{
	pv_orders_finish(&control->orders);
	pv_orders_finish(&control->shared);
	pv_buf_finish(&control->text);
}

void pv_control_tell(const struct pv_crawl *crawl)
{
	if (crawl->control.orders.count)
		log_pauses(crawl);
}

static void log_fault(struct pv_crawl *crawl, const struct pv_why *why)
{
	struct pv_buf line;
	if (crawl->control.is_unreadable)
		return;
	crawl->control.is_unreadable = true;
	pv_buf_init(&line, SIZE_MAX);
	pv_problem_write(&why->problems.kept[0], &line);
	pv_log(&crawl->log, PV_LOG_WARNING, "%s: pauses stay as they are",
	    pv_buf_text(&line));
	pv_buf_finish(&line);
}

void pv_control_look(struct pv_crawl *crawl)
{
	struct pv_control *control = &crawl->control;
	struct pv_orders orders;
	struct pv_buf text;
	struct pv_why why;
	pv_why_init(&why);
	if (!pv_orders_load(crawl->directory, &text, &orders, &why)) {
		log_fault(crawl, &why);
	} else if (!pv_str_equal(
		       pv_buf_str(&text), pv_buf_str(&control->text))) {
		pv_buf_finish(&control->text);
		control->text = text;
		pv_buf_init(&text, 0);
		pv_control_take(crawl, &orders);
	}
	if (!pv_why_has_problems(&why))
		control->is_unreadable = false;
	pv_buf_finish(&text);
	pv_orders_finish(&orders);
	pv_why_finish(&why);
}

void pv_control_step(struct pv_crawl *crawl)
{
	struct pv_control *control = &crawl->control;
	if (pv_crawl_now(crawl) >= control->look_at) {
		control->look_at = pv_crawl_now(crawl) + LOOK_MS;
		pv_control_look(crawl);
	}
	look_at_shared(crawl);
	end_pauses(crawl);
}

#include "crawl/control/host_look.h"

#include "crawl/conductor.h"
#include "crawl/control/control.h"
#include "crawl/progress/waiting.h"
#include "store/tables/state_hosts.h"

void pv_host_look_nothing(struct pavane_host_look *look)
{
	*look = (struct pavane_host_look){
	    .size = sizeof(*look),
	    .waits_for = "",
	    .waits_why = "",
	    .delay_ms = -1,
	    .robots = "unknown",
	    .given_up = "",
	};
}

static void fill_wait(struct pavane_host_look *look, struct pv_wait wait,
    const struct pv_time *now)
{
	if (wait.reason == PV_WAIT_NOT || wait.reason == PV_WAIT_NO_VISITS)
		return;
	look->waits_for = pv_wait_word(wait.reason);
	look->waits_why = pv_wait_text(wait.reason);
	look->wait_ms = -1;
	if (wait.until == PV_NEVER)
		return;
	look->wait_ms =
	    wait.until > now->monotonic_ms ? wait.until - now->monotonic_ms : 0;
	look->until_ms = now->wall_ms + look->wait_ms;
}

static const char *robots_word(const struct pv_authority *authority)
{
	static const char *const words[] = {
	    [PV_AUTHORITY_UNKNOWN] = "unknown",
	    [PV_AUTHORITY_ASKING] = "asking",
	    [PV_AUTHORITY_OPEN] = "open",
	    [PV_AUTHORITY_RULES] = "rules",
	    [PV_AUTHORITY_CLOSED] = "closed",
	    [PV_AUTHORITY_LOST] = "lost",
	};
	return words[authority ? authority->state : PV_AUTHORITY_UNKNOWN];
}

static const char *given_up(unsigned reason)
{
	const char *why =
	    reason < PV_REASON_COUNT ? pv_reason_get(reason)->of_host : NULL;
	return why ? why : "";
}

/* Of one that is held, where what came of its visits says why if no reason
 * does. */
static const char *given_up_now(const struct pv_live_host *host)
{
	const char *why = given_up(host->reason);
	if (*why)
		return why;
	if (host->reason != PV_REASON_NONE)
		return pv_reason_get(host->reason)->sentence;
	return host->outcome == PV_OUTCOME_NO_NAME ? "its name does not exist"
						   : "it cannot be reached";
}

void pv_host_look_live(const struct pv_crawl *crawl,
    const struct pv_live_host *host, struct pavane_host_look *look)
{
	pv_host_look_nothing(look);
	look->is_held = true;
	fill_wait(look, pv_waiting_of(crawl, host), &crawl->now);
	look->in_flight = host->open;
	look->queued = host->ready.count + host->later.count;
	look->pages = (uint64_t)host->state.pages;
	look->bytes = (uint64_t)host->state.bytes;
	look->robots = robots_word(host->authorities);
	if (host->phase == PV_HOST_REFUSED)
		look->given_up = given_up_now(host);
	if (!host->scheduled)
		return;
	look->queued += pv_schedule_host_visits(host->scheduled);
	look->failures = pv_schedule_host_failures(host->scheduled);
	look->delay_ms = pv_schedule_host_dues(host->scheduled).clock_rest_ms;
}

bool pv_host_look_held(const struct pv_crawl *crawl, struct pv_str name,
    struct pavane_host_look *look)
{
	const struct pv_live_host *host =
	    pv_held_hosts_find_name(&crawl->hosts.held, name);
	if (host)
		pv_host_look_live(crawl, host, look);
	return host;
}

bool pv_host_look_kept(struct pv_database *database, struct pv_str name,
    int64_t wall_ms, struct pavane_host_look *look)
{
	struct pv_host host;
	enum pv_holding holding;
	if (!pv_state_hosts_get(database, name, &host, &holding))
		return false;
	pv_host_look_nothing(look);
	look->pages = (uint64_t)host.state.pages;
	look->bytes = (uint64_t)host.state.bytes;
	look->failures = (uint32_t)host.state.failures;
	look->given_up = given_up((unsigned)host.state.left_reason);
	if (host.state.until_wall_ms > wall_ms &&
	    host.state.wait_reason < PV_WAIT_COUNT)
		fill_wait(look,
		    (struct pv_wait){host.state.until_wall_ms,
			(enum pv_wait_reason)host.state.wait_reason},
		    &(const struct pv_time){wall_ms, wall_ms});
	return true;
}

void pv_host_look_pause(const struct pv_crawl *crawl, struct pv_str name,
    struct pavane_host_look *look)
{
	const struct pv_pause *pause = pv_control_pause_of(crawl, name);
	look->is_paused = pause != NULL;
	look->paused_until_ms = pause ? pause->until_wall_ms : 0;
}

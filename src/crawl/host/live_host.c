#include "crawl/host/live_host.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/host/clock_state.h"
#include "schedule/schedule_host.h"

struct pv_live_host *pv_live_host_create(const struct pv_host *host)
{
	struct pv_live_host *live = pv_alloc(sizeof(*live) + host->name.len);
	char *name = (char *)(live + 1);
	memcpy(name, pv_str_bytes(host->name), host->name.len);
	live->id = host->id;
	live->name = (struct pv_str){name, host->name.len};
	live->state = host->state;
	live->owes_delay = host->owes_delay;
	live->was_held = host->was_held;
	live->pacing = PV_PACING_HOST;
	live->feed.has_more = true;
	live->name_ms = -1;
	return live;
}

void pv_live_host_forget_refused(struct pv_live_host *host)
{
	if (!host->feed.refused_link)
		return;
	*host->feed.refused_link = host->feed.refused_next;
	if (host->feed.refused_next)
		host->feed.refused_next->feed.refused_link =
		    host->feed.refused_link;
	host->feed.refused_next = NULL;
	host->feed.refused_link = NULL;
}

void pv_live_host_destroy(struct pv_live_host *host)
{
	if (!host)
		return;
	pv_live_host_forget_refused(host);
	while (host->tasks.first)
		pv_task_destroy(host->tasks.first);
	while (host->authorities)
		pv_authority_leave(host->authorities);
	pv_known_page_clear(&host->known);
	pv_forgotten_pace_finish(&host->robots_pace.forgotten);
	free(host->why);
	free(host->feed.request);
	free(host->giving);
	free(host);
}

void pv_live_host_tell_why(struct pv_live_host *host, const char *why)
{
	size_t size = strlen(why) + 1;
	free(host->why);
	host->why = pv_alloc(size);
	memcpy(host->why, why, size);
}

bool pv_live_host_has_answered(const struct pv_live_host *host)
{
	const struct pv_authority *authority = host->authorities;
	while (authority && !authority->has_answered)
		authority = authority->host_next;
	return authority != NULL;
}

void pv_live_host_adopt(
    struct pv_live_host *host, struct pv_authority *authority)
{
	if (authority->host == host)
		return;
	pv_authority_join(authority, host, &host->authorities);
}

void pv_live_host_open_visit(struct pv_live_host *host)
{
	host->open++;
}

void pv_live_host_close_visit(struct pv_live_host *host)
{
	host->open--;
}

struct pv_host_state pv_live_host_state(
    const struct pv_live_host *host, struct pv_time now)
{
	struct pv_host_state state = host->state;
	if (host->scheduled) {
		struct pv_saved_clock clock =
		    pv_schedule_host_save(host->scheduled, now);
		state = pv_clock_state_with(state, &clock);
	}
	state.saved_ms = now.monotonic_ms;
	state.owes_delay = host->owes_delay;
	return state;
}

void pv_live_host_note_clocks(
    struct pv_live_host *host, const struct pv_host_state *state)
{
	host->saved_until = state->saved_ms + state->left_ms;
	host->saved_address_until = state->saved_ms + state->address_left_ms;
}

struct pv_host_state pv_live_host_report(
    struct pv_live_host *host, struct pv_time now)
{
	struct pv_host_state state = pv_live_host_state(host, now);
	pv_live_host_note_clocks(host, &state);
	host->is_unsaved = false;
	return state;
}

static bool is_later(int64_t now, int64_t left_ms, int64_t saved_until)
{
	return left_ms > 0 && now + left_ms > saved_until;
}

bool pv_live_host_is_saved(
    const struct pv_live_host *host, const struct pv_host_state *state)
{
	int64_t now = state->saved_ms;
	return !host->is_unsaved &&
	       !is_later(now, state->left_ms, host->saved_until) &&
	       !is_later(
		   now, state->address_left_ms, host->saved_address_until);
}

bool pv_live_host_has_asks(const struct pv_live_host *host)
{
	return host->tasks.asks || host->known.is_being_found;
}

bool pv_live_host_is_idle(const struct pv_live_host *host)
{
	return !host->open && !host->tasks.first && !host->feed.has_more &&
	       !host->feed.is_asking && !pv_live_host_has_asks(host);
}

bool pv_live_host_is_name_paused(const struct pv_live_host *host)
{
	return host->phase == PV_HOST_NAMELESS && !host->is_looked_up &&
	       host->look_up_at == PV_NEVER;
}

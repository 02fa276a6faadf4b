#include "crawl/progress/host_events.h"

#include <stdlib.h>

#include "base/array.h"
#include "crawl/conductor.h"
#include "crawl/control/host_look.h"
#include "crawl/progress/waiting.h"

void pv_host_events_finish(struct pv_host_events *events)
{
	free(events->noted);
}

static bool is_heard(const struct pv_crawl *crawl)
{
	return crawl->run.program.events.on_host && !crawl->halt.is_ending;
}

/* Noting */

void pv_host_events_note(struct pv_crawl *crawl, struct pv_live_host *host)
{
	struct pv_host_events *events = &crawl->progress.host_events;
	if (host->telling.is_noted || !is_heard(crawl))
		return;
	host->telling.is_noted = true;
	*PV_ARRAY_PUSH(events->noted, events->count, events->size) = host->id;
}

/* Telling */

static void tell(const struct pv_crawl *crawl, struct pv_str name,
    const struct pavane_host_look *look)
{
	const struct pv_program *program = &crawl->run.program;
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_append(&text, name);
	program->events.on_host(program->ctx, pv_buf_text(&text), look);
	pv_buf_finish(&text);
}

static struct pv_host_telling telling_of(
    const struct pv_crawl *crawl, const struct pv_live_host *host)
{
	struct pv_host_telling telling = {
	    .wait = pv_waiting_of(crawl, host),
	    .is_given_up = host->phase == PV_HOST_REFUSED,
	};
	if (telling.wait.reason == PV_WAIT_NO_VISITS ||
	    telling.wait.reason == PV_WAIT_NOT)
		telling.wait = (struct pv_wait){0, PV_WAIT_NOT};
	return telling;
}

/* The next tick is always another one. */
static bool is_same(
    const struct pv_host_telling *a, const struct pv_host_telling *b)
{
	return a->is_given_up == b->is_given_up &&
	       a->wait.reason == b->wait.reason &&
	       (a->wait.until == b->wait.until ||
		   a->wait.reason == PV_WAIT_RATE ||
		   a->wait.reason == PV_WAIT_ALL_CRAWLS);
}

static void tell_news(const struct pv_crawl *crawl, struct pv_live_host *host)
{
	struct pv_host_telling telling = telling_of(crawl, host);
	struct pavane_host_look look;
	host->telling.is_noted = false;
	if (host->phase == PV_HOST_LEAVING || is_same(&telling, &host->telling))
		return;
	host->telling = telling;
	pv_host_look_live(crawl, host, &look);
	pv_host_look_pause(crawl, host->name, &look);
	tell(crawl, host->name, &look);
}

void pv_host_events_step(struct pv_crawl *crawl)
{
	struct pv_host_events *events = &crawl->progress.host_events;
	for (size_t i = 0; i < events->count && is_heard(crawl); i++) {
		struct pv_live_host *host =
		    pv_held_hosts_find(&crawl->hosts.held, events->noted[i]);
		if (host)
			tell_news(crawl, host);
	}
	events->count = 0;
}

void pv_host_events_beat(struct pv_crawl *crawl)
{
	const struct pv_held_hosts *held = &crawl->hosts.held;
	for (size_t i = 0; i < held->count && is_heard(crawl); i++)
		tell_news(crawl, held->items[i]);
}

void pv_host_events_leave(
    const struct pv_crawl *crawl, const struct pv_live_host *host)
{
	struct pavane_host_look look;
	if (!is_heard(crawl) || host->telling.wait.reason == PV_WAIT_NOT)
		return;
	pv_host_look_nothing(&look);
	tell(crawl, host->name, &look);
}

#include "crawl/progress/moment.h"

#include <stdio.h>

#include "crawl/conductor.h"
#include "crawl/progress/tally.h"
#include "crawl/progress/waiting.h"
#include "crawl/run/fleet_worker.h"

/* Fetching */

/* An address that is too long loses its middle. */
static void copy_address(struct pv_str url, char *text, size_t size)
{
	size_t half = size / 2 - 2;
	if (url.len < size)
		snprintf(text, size, "%.*s", PV_STR_ARG(url));
	else
		snprintf(text, size, "%.*s...%.*s", (int)half, url.ptr,
		    (int)half, url.ptr + url.len - half);
}

/* The one that was begun last comes first. */
static void fill_fetching(struct pv_crawl *crawl)
{
	struct pavane_progress *progress = &crawl->progress.figures;
	const struct pv_flight *flight = crawl->flights.first;
	size_t count = 0;
	for (; flight && count < PAVANE_FETCHING_MAX; flight = flight->next) {
		char *text = crawl->progress.moment.fetching[count];
		if (flight->stage != PV_FLIGHT_FETCHING)
			continue;
		copy_address(pv_url_page(&flight->url), text,
		    sizeof(crawl->progress.moment.fetching[0]));
		progress->fetching[count++] = text;
	}
	progress->fetching_count = count;
}

/* Hosts that the crawl does not hold yet could take any place. */
static void fill_in_flight(struct pv_crawl *crawl)
{
	struct pavane_progress *progress = &crawl->progress.figures;
	const struct pv_held_hosts *held = &crawl->hosts.held;
	size_t most = (size_t)crawl->policy->rate.concurrency;
	size_t count = crawl->hosts.slots.has_waiting ? most : 0;
	for (size_t i = 0; i < held->count && count < most; i++) {
		const struct pv_live_host *host = held->items[i];
		if (!pv_live_host_is_idle(host))
			count += (size_t)host->manners.manners.connections;
	}
	progress->in_flight = crawl->flights.fetching;
	progress->concurrency = most;
	progress->in_flight_max = count < most ? count : most;
}

/* Waiting */

/* While the crawl is paused it waits for nothing else. */
static void write_briefly(const struct pv_crawl *crawl,
    const struct pv_waiting_host *first, struct pv_buf *buf)
{
	if (!first->host || crawl->control.is_paused ||
	    crawl->lease_watch.is_closed ||
	    first->wait.reason == PV_WAIT_PAUSED)
		return;
	if (buf->len)
		pv_buf_append_text(buf, "; ");
	pv_waiting_write_briefly(crawl, first, buf);
}

static void write_settings(struct pv_crawl *crawl)
{
	struct pv_moment *moment = &crawl->progress.moment;
	struct pv_buf text;
	pv_buf_init(&text, sizeof(moment->settings) - 1);
	pv_orders_write_settings(&crawl->control.settings.orders, &text);
	snprintf(moment->settings, sizeof(moment->settings), "%s",
	    pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void write_proxies(struct pv_crawl *crawl)
{
	struct pv_moment *moment = &crawl->progress.moment;
	struct pv_buf text;
	pv_buf_init(&text, sizeof(moment->proxies) - 1);
	pv_proxies_write(crawl, &text);
	snprintf(
	    moment->proxies, sizeof(moment->proxies), "%s", pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* What a worker of a fleet waits for. */
static void write_fleet(const struct pv_crawl *crawl, struct pv_buf *note)
{
	bool is_idle = pv_fleet_worker_is_idle(crawl);
	if (note->len && (is_idle || crawl->lease_watch.is_closed))
		pv_buf_append_text(note, "; ");
	if (is_idle && !crawl->lease_watch.is_closed)
		pv_buf_append_text(note,
		    "idle: what is left is at hosts of other workers, or rests");
	pv_lease_watch_write(crawl, note);
}

/* A pause comes first, since no wait ends before it. */
static void write_note(struct pv_crawl *crawl, const struct pv_waiting *waiting)
{
	struct pv_moment *moment = &crawl->progress.moment;
	struct pv_buf note;
	pv_buf_init(&note, sizeof(moment->note) - 1);
	pv_control_write_all(crawl, &note);
	snprintf(
	    moment->pauses, sizeof(moment->pauses), "%s", pv_buf_text(&note));
	write_fleet(crawl, &note);
	if (note.len)
		pv_buf_append_text(&note, waiting->long_count ? "; " : "");
	pv_waiting_write(
	    crawl, &waiting->first_long, waiting->long_count - 1, &note);
	snprintf(moment->note, sizeof(moment->note), "%s", pv_buf_text(&note));
	pv_buf_clear(&note);
	pv_buf_append_text(&note, moment->pauses);
	write_fleet(crawl, &note);
	write_briefly(crawl, &waiting->first, &note);
	snprintf(moment->waits_for, sizeof(moment->waits_for), "%s",
	    pv_buf_text(&note));
	pv_buf_finish(&note);
}

static void fill_hosts(struct pv_crawl *crawl)
{
	struct pv_waiting waiting;
	struct pavane_progress *progress = &crawl->progress.figures;
	pv_waiting_look(crawl, &waiting);
	progress->hosts = 0;
	progress->hosts_waiting = waiting.count;
	progress->waiting.count = 0;
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		if (!pv_live_host_is_idle(crawl->hosts.held.items[i]))
			progress->hosts++;
	}
	for (unsigned i = 0; i < PV_WAIT_COUNT; i++)
		pv_tally_add(&progress->waiting, pv_wait_word(i),
		    pv_wait_text(i), waiting.reasons[i]);
	pv_tally_sort(&progress->waiting);
	write_note(crawl, &waiting);
	write_settings(crawl);
	int64_t due = pv_schedule_first_due(crawl->schedule);
	progress->next_ms = due == PV_NEVER || crawl->control.is_paused ||
				    crawl->lease_watch.is_closed
				? -1
			    : due > pv_crawl_now(crawl)
				? due - pv_crawl_now(crawl)
				: 0;
}

void pv_moment_fill(struct pv_crawl *crawl)
{
	fill_fetching(crawl);
	fill_in_flight(crawl);
	write_proxies(crawl);
	if (crawl->halt.phase != PAVANE_ENDED)
		fill_hosts(crawl);
	else
		crawl->progress.moment.waits_for[0] = '\0';
}

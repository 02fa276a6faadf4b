#include "crawl/progress/waiting.h"

#include <time.h>

#include "base/reader.h"
#include "crawl/conductor.h"
#include "policy/values/units.h"

/* Shorter waits are not worth a word. */
#define LONG_MS 5000

#define NAME_SHOWN ((size_t)80)
#define DAY_MS (INT64_C(24) * 3600 * 1000)

static void consider(
    struct pv_wait *wait, int64_t until, enum pv_wait_reason reason)
{
	if (wait->reason == PV_WAIT_NO_VISITS || until < wait->until)
		*wait = (struct pv_wait){until, reason};
}

/* What the schedule does not know: visits that are not given to it yet. */
static struct pv_wait wait_aside(const struct pv_live_host *host)
{
	struct pv_wait wait = {PV_NEVER, PV_WAIT_NO_VISITS};
	const struct pv_authority *authority = host->authorities;
	if (host->later.count)
		consider(&wait, host->feed.later_at, PV_WAIT_TRY_AGAIN);
	for (; authority; authority = authority->host_next) {
		if (authority->state == PV_AUTHORITY_CLOSED &&
		    authority->aside.count)
			consider(&wait, authority->ask_at, PV_WAIT_ROBOTS);
	}
	return wait;
}

struct pv_wait pv_waiting_of(
    const struct pv_crawl *crawl, const struct pv_live_host *host)
{
	struct pv_wait wait = {PV_NEVER, PV_WAIT_NO_VISITS};
	if (pv_live_host_is_name_paused(host))
		return (struct pv_wait){PV_NEVER, PV_WAIT_PAUSED};
	if (host->phase == PV_HOST_NAMELESS)
		return (struct pv_wait){host->look_up_at,
		    host->has_no_proxy ? PV_WAIT_PROXY : PV_WAIT_NAME};
	if (host->phase != PV_HOST_PACED)
		return wait;
	wait =
	    pv_schedule_host_wait(crawl->schedule, host->scheduled, crawl->now);
	return wait.reason == PV_WAIT_NO_VISITS ? wait_aside(host) : wait;
}

static void keep_first(struct pv_waiting_host *first,
    const struct pv_live_host *host, struct pv_wait wait)
{
	if (!first->host || wait.until < first->wait.until)
		*first = (struct pv_waiting_host){host, wait};
}

void pv_waiting_look(const struct pv_crawl *crawl, struct pv_waiting *waiting)
{
	*waiting = (struct pv_waiting){.count = 0};
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		const struct pv_live_host *host = crawl->hosts.held.items[i];
		struct pv_wait wait = pv_waiting_of(crawl, host);
		if (wait.reason == PV_WAIT_NO_VISITS ||
		    wait.reason == PV_WAIT_NOT)
			continue;
		waiting->count++;
		waiting->reasons[wait.reason]++;
		keep_first(&waiting->first, host, wait);
		if (wait.until == PV_NEVER ||
		    wait.until - pv_crawl_now(crawl) < LONG_MS)
			continue;
		waiting->long_count++;
		keep_first(&waiting->first_long, host, wait);
	}
}

static struct pv_str shown(struct pv_str name)
{
	return pv_str_head(name, name.len < NAME_SHOWN ? name.len : NAME_SHOWN);
}

static void write_time(int64_t wall_ms, bool is_near, struct pv_buf *buf)
{
	time_t seconds = (time_t)(wall_ms / 1000);
	struct tm broken;
	char text[32];
	localtime_r(&seconds, &broken);
	strftime(text, sizeof(text), is_near ? "%H:%M:%S" : "%Y-%m-%d %H:%M",
	    &broken);
	pv_buf_append_text(buf, text);
}

void pv_waiting_write_until(
    const struct pv_crawl *crawl, struct pv_wait wait, struct pv_buf *buf)
{
	int64_t left_ms = wait.until - pv_crawl_now(crawl);
	if (wait.until == PV_NEVER)
		return;
	pv_buf_append_text(buf, "until ");
	write_time(crawl->now.wall_ms + left_ms, left_ms < DAY_MS * 5 / 6, buf);
	pv_buf_append_char(buf, ' ');
}

static void write_host(const struct pv_crawl *crawl,
    const struct pv_waiting_host *waiting, struct pv_buf *buf)
{
	pv_buf_append(buf, shown(waiting->host->name));
	pv_buf_append_text(buf, " waits ");
	pv_waiting_write_until(crawl, waiting->wait, buf);
	pv_buf_append_text(buf, pv_wait_text(waiting->wait.reason));
	if (waiting->wait.reason == PV_WAIT_ADDRESS &&
	    pv_schedule_host_dues(waiting->host->scheduled).is_address_shared)
		pv_buf_append_text(
		    buf, ", at an IP address that other hosts share");
}

void pv_waiting_write(const struct pv_crawl *crawl,
    const struct pv_waiting_host *waiting, size_t others, struct pv_buf *buf)
{
	if (!waiting->host)
		return;
	write_host(crawl, waiting, buf);
	if (others)
		pv_buf_append_format(buf, "; %zu more host%s longer", others,
		    others == 1 ? " waits" : "s wait");
}

/* Host and port of an address that is to be requested there. */
static struct pv_str place_of(const struct pv_live_host *host)
{
	struct pv_reader reader;
	if (!host->tasks.first)
		return host->name;
	reader = pv_reader_of(host->tasks.first->visit.url);
	pv_reader_take_until(&reader, '/');
	pv_reader_next(&reader);
	pv_reader_next(&reader);
	return pv_reader_take_until(&reader, '/');
}

/* How long a rest is that comes after each request. */
static int64_t rest_of(const struct pv_waiting_host *waiting)
{
	struct pv_host_dues dues =
	    pv_schedule_host_dues(waiting->host->scheduled);
	switch (waiting->wait.reason) {
	case PV_WAIT_DELAY:
	case PV_WAIT_CRAWL_DELAY:
		return dues.clock_rest_ms;
	case PV_WAIT_ADDRESS:
		return dues.address_rest_ms;
	default:
		return 0;
	}
}

void pv_waiting_write_briefly(const struct pv_crawl *crawl,
    const struct pv_waiting_host *waiting, struct pv_buf *buf)
{
	if (!waiting->host)
		return;
	pv_buf_append_text(buf, "waits for ");
	pv_buf_append(buf, shown(place_of(waiting->host)));
	pv_buf_append_char(buf, ' ');
	pv_waiting_write_until(crawl, waiting->wait, buf);
	pv_buf_append_format(buf, "(%s", pv_wait_name(waiting->wait.reason));
	int64_t rest_ms = waiting->host->scheduled ? rest_of(waiting) : 0;
	if (rest_ms > 0) {
		pv_buf_append_char(buf, ' ');
		pv_unit_write(PV_UNIT_TIME, rest_ms, buf);
	}
	pv_buf_append_char(buf, ')');
}

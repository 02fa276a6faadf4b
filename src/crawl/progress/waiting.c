#include "crawl/progress/waiting.h"

#include <time.h>

#include "crawl/conductor.h"

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
	if (host->phase == PV_HOST_NAMELESS)
		return (struct pv_wait){host->look_up_at, PV_WAIT_NAME};
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

static void write_host(const struct pv_crawl *crawl,
    const struct pv_waiting_host *waiting, struct pv_buf *buf)
{
	struct pv_str name = waiting->host->name;
	int64_t left_ms = waiting->wait.until - pv_crawl_now(crawl);
	pv_buf_append(buf,
	    pv_str_head(name, name.len < NAME_SHOWN ? name.len : NAME_SHOWN));
	pv_buf_append_text(buf, " waits ");
	if (waiting->wait.until != PV_NEVER) {
		pv_buf_append_text(buf, "until ");
		write_time(crawl->now.wall_ms + left_ms,
		    left_ms < DAY_MS * 5 / 6, buf);
		pv_buf_append_char(buf, ' ');
	}
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

#include "crawl/progress/forecast.h"

#include "crawl/conductor.h"
#include "policy/values/units.h"

/* So many pages tell how fast a host answers, and where its links lead. */
#define PAGES_MIN 10

/* What is over sooner is not worth a word. */
#define WORTH_MS (60 * INT64_C(1000))

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* Rounded up: nobody minds if it takes less. */
static long long parts_of(int64_t ms, int64_t unit)
{
	return (long long)((ms + unit - 1) / unit);
}

void pv_forecast_write_time(int64_t ms, struct pv_buf *buf)
{
	long long minutes = parts_of(ms, MINUTE);
	if (ms <= 90 * SECOND)
		pv_buf_append_format(buf, "%lld s", parts_of(ms, SECOND));
	else if (ms <= 90 * MINUTE)
		pv_buf_append_format(buf, "%lld min", minutes);
	else if (ms <= 10 * HOUR && minutes % 60)
		pv_buf_append_format(
		    buf, "%lld h %lld min", minutes / 60, minutes % 60);
	else if (ms <= 48 * HOUR)
		pv_buf_append_format(buf, "%lld h", parts_of(ms, HOUR));
	else
		pv_buf_append_format(buf, "%lld days", parts_of(ms, DAY));
}

/* The one host on which all that is left lies; NULL if there is none. */
static const struct pv_live_host *only_host(const struct pv_crawl *crawl)
{
	const struct pv_live_host *only = NULL;
	if (crawl->hosts.slots.has_waiting ||
	    crawl->hosts.taking.is_under_way || crawl->hosts.taking.wish_count)
		return NULL;
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		const struct pv_live_host *host = crawl->hosts.held.items[i];
		if (pv_live_host_is_idle(host))
			continue;
		if (only)
			return NULL;
		only = host;
	}
	return only && only->scheduled ? only : NULL;
}

/* Whether anything but its rests decides how long a host takes. */
static bool is_plain(
    const struct pv_crawl *crawl, const struct pv_live_host *host)
{
	const struct pv_limits *limits = &crawl->policy->limits;
	const struct pv_manners *manners = &host->manners.manners;
	return limits->pages == PV_NONE && limits->bytes == PV_NONE &&
	       limits->time_ms == PV_NONE && limits->host_pages == PV_NONE &&
	       limits->host_bytes == PV_NONE && manners->max_rate == PV_NONE &&
	       !manners->allowed_hours.count;
}

/* From one request to the next, if nothing goes wrong: how long it is, and the
 * rest that makes it so. */
struct gap {
	int64_t ms;
	int64_t rest_ms;
	const char *words;
};

static void at_least(struct gap *gap, int64_t rest_ms, const char *words)
{
	if (rest_ms > gap->ms)
		*gap = (struct gap){rest_ms, rest_ms, words};
}

static struct gap gap_of(
    const struct pv_crawl *crawl, const struct pv_host_dues *dues)
{
	const struct pv_rate *rate = &crawl->policy->rate;
	double answer_ms = pv_histogram_percentile(&crawl->counters.total, 50);
	struct gap gap = {dues->clock_rest_ms, dues->clock_rest_ms,
	    dues->is_rest_from_end ? "after each answer" : "between requests"};
	if (dues->is_rest_from_end && answer_ms > 0)
		gap.ms += (int64_t)answer_ms;
	at_least(&gap, dues->address_rest_ms, "between requests (ip_delay)");
	at_least(&gap, rate->interval_ms / rate->max_rate,
	    "between requests (max_rate)");
	return gap;
}

static uint64_t addresses_left(const struct pv_crawl *crawl)
{
	const struct pv_counts *counts = &crawl->finishing.counts;
	return counts->states[PV_STATE_PENDING] +
	       counts->states[PV_STATE_IN_FLIGHT];
}

static void tell(struct pv_crawl *crawl, const struct pv_live_host *host,
    const struct gap *gap)
{
	struct pv_buf time, rest;
	uint64_t left = addresses_left(crawl);
	pv_buf_init(&time, 100);
	pv_buf_init(&rest, 100);
	pv_forecast_write_time((int64_t)left * gap->ms, &time);
	pv_unit_write(PV_UNIT_TIME, gap->rest_ms, &rest);
	pv_log(&crawl->log, PV_LOG_INFO,
	    "%.*s: about %s left: %llu addresses known so far, %s %s",
	    PV_STR_ARG(host->name), pv_buf_text(&time),
	    (unsigned long long)left, pv_buf_text(&rest), gap->words);
	pv_buf_finish(&time);
	pv_buf_finish(&rest);
	crawl->progress.has_forecast = true;
}

void pv_forecast_step(struct pv_crawl *crawl)
{
	const struct pv_live_host *host;
	uint64_t left = addresses_left(crawl);
	if (crawl->progress.has_forecast || crawl->halt.is_ending || !left ||
	    crawl->counters.pages < PAGES_MIN || !crawl->seeding.is_done)
		return;
	host = only_host(crawl);
	if (!host || !is_plain(crawl, host))
		return;
	struct pv_host_dues dues = pv_schedule_host_dues(host->scheduled);
	struct gap gap = gap_of(crawl, &dues);
	if (gap.ms > 0 && left < (uint64_t)(INT64_MAX / gap.ms) &&
	    (int64_t)left * gap.ms >= WORTH_MS)
		tell(crawl, host, &gap);
}

#include "crawl/progress/counters.h"

#include "http/status.h"

void pv_counters_init(struct pv_counters *counters, int64_t now)
{
	*counters = (struct pv_counters){
	    .started_at = now,
	};
	pv_spread_init(&counters->lateness);
	pv_spread_init(&counters->commit);
	pv_counters_sample(counters, now);
}

void pv_counters_sent(struct pv_counters *counters)
{
	counters->requests++;
}

void pv_counters_refused(struct pv_counters *counters)
{
	counters->refused++;
}

void pv_counters_ended(struct pv_counters *counters,
    const struct pv_response *response, bool is_optional)
{
	const struct pv_response_times *times = &response->times;
	bool is_missing = is_optional && pv_http_class(response->http_status) ==
					     PV_HTTP_CLIENT_ERROR;
	counters->has_answered |= response->http_status != 0;
	counters->unanswered +=
	    response->http_status == 0 && !response->is_withheld;
	counters->bytes += response->body.size;
	if (response->http_status < PV_STATUS_COUNT && response->http_status &&
	    !is_missing)
		counters->statuses[response->http_status]++;
	if (!response->is_kept && times->connect_ms >= 0)
		pv_histogram_add(&counters->connect,
		    1000 * (times->connect_ms +
			       (times->tls_ms > 0 ? times->tls_ms : 0)));
	if (times->first_byte_ms >= 0)
		pv_histogram_add(
		    &counters->first_byte, 1000 * times->first_byte_ms);
	if (response->outcome == PV_OUTCOME_ANSWERED)
		pv_histogram_add(&counters->total, 1000 * times->total_ms);
}

bool pv_counters_are_silent(const struct pv_counters *counters)
{
	return !counters->has_answered && !counters->all_pages &&
	       !counters->all_bytes;
}

void pv_counters_sample(struct pv_counters *counters, int64_t now)
{
	counters->samples[counters->sample_next++ % PV_SAMPLE_COUNT] =
	    (struct pv_sample){
		now, counters->requests, counters->pages, counters->bytes};
}

struct pv_pace_figures pv_counters_pace(
    const struct pv_counters *counters, int64_t now)
{
	size_t oldest = counters->sample_next < PV_SAMPLE_COUNT
			    ? 0
			    : counters->sample_next % PV_SAMPLE_COUNT;
	const struct pv_sample *sample = &counters->samples[oldest];
	double seconds = (double)(now - sample->at) / 1000;
	if (seconds <= 0)
		return (struct pv_pace_figures){0, 0, 0};
	return (struct pv_pace_figures){
	    .requests =
		(double)(counters->requests - sample->requests) / seconds,
	    .pages = (double)(counters->pages - sample->pages) / seconds,
	    .bytes = (double)(counters->bytes - sample->bytes) / seconds,
	};
}

enum pv_holder pv_counters_holder(
    const struct pv_counters *counters, unsigned *percent)
{
	enum pv_holder most = PV_HELD_BY_NOTHING;
	uint64_t sum = 0;
	for (unsigned i = 0; i < PV_HOLDER_COUNT; i++) {
		sum += counters->held_us[i];
		if (counters->held_us[i] > counters->held_us[most])
			most = (enum pv_holder)i;
	}
	*percent = sum ? (unsigned)(counters->held_us[most] * 100 / sum) : 0;
	return most;
}

#include "crawl/accounts.h"

#include "http/status.h"

void pv_accounts_init(struct pv_accounts *accounts, int64_t now)
{
	*accounts = (struct pv_accounts){
	    .started_at = now,
	};
	pv_accounts_sample(accounts, now);
}

void pv_accounts_sent(struct pv_accounts *accounts)
{
	accounts->requests++;
}

void pv_accounts_ended(
    struct pv_accounts *accounts, const struct pv_response *response)
{
	const struct pv_response_times *times = &response->times;
	accounts->bytes += response->body.size;
	if (response->http_status < PV_STATUS_COUNT && response->http_status)
		accounts->statuses[response->http_status]++;
	if (!response->is_kept && times->connect_ms >= 0)
		pv_histogram_add(&accounts->connect,
		    1000 * (times->connect_ms +
			       (times->tls_ms > 0 ? times->tls_ms : 0)));
	if (times->first_byte_ms >= 0)
		pv_histogram_add(
		    &accounts->first_byte, 1000 * times->first_byte_ms);
	if (response->outcome == PV_OUTCOME_ANSWERED)
		pv_histogram_add(&accounts->total, 1000 * times->total_ms);
}

void pv_accounts_sample(struct pv_accounts *accounts, int64_t now)
{
	accounts->samples[accounts->sample_next++ % PV_SAMPLE_COUNT] =
	    (struct pv_sample){
		now, accounts->requests, accounts->pages, accounts->bytes};
}

struct pv_pace_figures pv_accounts_pace(
    const struct pv_accounts *accounts, int64_t now)
{
	size_t oldest = accounts->sample_next < PV_SAMPLE_COUNT
			    ? 0
			    : accounts->sample_next % PV_SAMPLE_COUNT;
	const struct pv_sample *sample = &accounts->samples[oldest];
	double seconds = (double)(now - sample->at) / 1000;
	if (seconds <= 0)
		return (struct pv_pace_figures){0, 0, 0};
	return (struct pv_pace_figures){
	    .requests =
		(double)(accounts->requests - sample->requests) / seconds,
	    .pages = (double)(accounts->pages - sample->pages) / seconds,
	    .bytes = (double)(accounts->bytes - sample->bytes) / seconds,
	};
}

enum pv_holder pv_accounts_holder(
    const struct pv_accounts *accounts, unsigned *percent)
{
	enum pv_holder most = PV_HELD_BY_NOTHING;
	uint64_t sum = 0;
	for (unsigned i = 0; i < PV_HOLDER_COUNT; i++) {
		sum += accounts->held_us[i];
		if (accounts->held_us[i] > accounts->held_us[most])
			most = (enum pv_holder)i;
	}
	*percent = sum ? (unsigned)(accounts->held_us[most] * 100 / sum) : 0;
	return most;
}

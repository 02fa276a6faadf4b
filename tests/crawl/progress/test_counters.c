#include "crawl/progress/counters.h"

#include "tap.h"

static bool is_near(double found, double wanted)
{
	return found > wanted - 1e-6 && found < wanted + 1e-6;
}

/* Pace */

/* Seconds pass, in each of which so much is done. */
static void pass(
    struct pv_counters *counters, int64_t *now, int seconds, uint64_t requests)
{
	for (int i = 0; i < seconds; i++) {
		*now += 1000;
		for (uint64_t j = 0; j < requests; j++)
			pv_counters_sent(counters);
		counters->pages += 2 * requests;
		counters->bytes += 100 * requests;
		pv_counters_sample(counters, *now);
	}
}

static void test_pace(void)
{
	struct pv_counters counters;
	int64_t now = 500000;
	pv_counters_init(&counters, now);
	ok(is_near(pv_counters_pace(&counters, now).requests, 0),
	    "at the start there is no pace");
	pass(&counters, &now, 3, 5);
	struct pv_pace_figures pace = pv_counters_pace(&counters, now);
	ok(is_near(pace.requests, 5) && is_near(pace.pages, 10) &&
		is_near(pace.bytes, 500),
	    "while there are few samples all count");
	pass(&counters, &now, 100, 7);
	ok(is_near(pv_counters_pace(&counters, now).requests, 7),
	    "what is long past counts no more");
	pass(&counters, &now, PV_SAMPLE_COUNT - 1, 0);
	ok(is_near(pv_counters_pace(&counters, now).requests, 0),
	    "nor what is past the oldest sample");
	pv_counters_sent(&counters);
	ok(is_near(pv_counters_pace(&counters, now + 1000).requests,
	       1.0 / PV_SAMPLE_COUNT),
	    "what came after the last sample counts already");
	ok(counters.requests == 716, "and none is forgotten in the sum");
}

/* Any number of samples behind it, so that each place of the ring is the
 * oldest one once. */
static void test_ring(void)
{
	bool is_right = true;
	for (int samples = 1; samples < 3 * PV_SAMPLE_COUNT; samples++) {
		struct pv_counters counters;
		int64_t now = 0;
		pv_counters_init(&counters, now);
		pass(&counters, &now, samples, 3);
		is_right =
		    is_right &&
		    is_near(pv_counters_pace(&counters, now).requests, 3);
	}
	ok(is_right, "a steady pace is told as it is, however long it lasts");
}

/* Ends */

static struct pv_response response_of(
    enum pv_outcome outcome, uint16_t http_status)
{
	return (struct pv_response){
	    .outcome = outcome,
	    .http_status = http_status,
	    .times = {-1, -1, -1, -1, -1, 0},
	};
}

static void test_sums(void)
{
	struct pv_counters counters;
	struct pv_response response = response_of(PV_OUTCOME_ANSWERED, 200);
	pv_counters_init(&counters, 0);
	response.body.size = 1000;
	pv_counters_ended(&counters, &response, false);
	response = response_of(PV_OUTCOME_ANSWERED, 599);
	response.body.size = 24;
	pv_counters_ended(&counters, &response, false);
	response = response_of(PV_OUTCOME_ANSWERED, 600);
	pv_counters_ended(&counters, &response, false);
	response.http_status = UINT16_MAX;
	pv_counters_ended(&counters, &response, false);
	response = response_of(PV_OUTCOME_NO_CONNECTION, 0);
	pv_counters_ended(&counters, &response, false);
	ok(counters.bytes == 1024, "bytes of bodies are added");
	ok(counters.statuses[200] == 1 && counters.statuses[599] == 1 &&
		counters.statuses[0] == 0,
	    "answers are counted by their status, and only answers");
	response = response_of(PV_OUTCOME_ANSWERED, 404);
	pv_counters_ended(&counters, &response, true);
	ok(!counters.statuses[404], "that there is no robots.txt is no error");
	pv_counters_ended(&counters, &response, false);
	response = response_of(PV_OUTCOME_ANSWERED, 503);
	pv_counters_ended(&counters, &response, true);
	ok(counters.statuses[404] == 1 && counters.statuses[503] == 1,
	    "that there is no page is, and that robots.txt cannot be had");
	ok(counters.requests == 0 && counters.pages == 0,
	    "requests are counted when they go out, pages by who knows them");
}

static void test_times(void)
{
	struct pv_counters counters;
	struct pv_response response = response_of(PV_OUTCOME_ANSWERED, 200);
	pv_counters_init(&counters, 0);
	response.times = (struct pv_response_times){5, 20, 30, 40, 200, 0};
	pv_counters_ended(&counters, &response, false);
	response.is_kept = true;
	response.times = (struct pv_response_times){-1, 0, 0, 10, 100, 0};
	pv_counters_ended(&counters, &response, false);
	ok(counters.connect.count == 1,
	    "a kept connection did not have to be made");
	double connect_ms = pv_histogram_percentile(&counters.connect, 50);
	ok(connect_ms >= 50 && connect_ms < 57,
	    "connecting is TCP and TLS together");
	ok(counters.first_byte.count == 2 && counters.total.count == 2,
	    "what both did is counted twice");
	response = response_of(PV_OUTCOME_TIMEOUT, 0);
	response.times.connect_ms = 7;
	response.times.tls_ms = -1;
	response.times.total_ms = 60000;
	pv_counters_ended(&counters, &response, false);
	ok(counters.connect.count == 2 && counters.first_byte.count == 2 &&
		counters.total.count == 2,
	    "a request without an answer counts as far as it came");
	connect_ms = pv_histogram_percentile(&counters.connect, 1);
	ok(connect_ms >= 7 && connect_ms < 8,
	    "without TLS connecting is TCP alone");
}

/* Holders */

static void test_holder(void)
{
	struct pv_counters counters;
	unsigned percent = 77;
	pv_counters_init(&counters, 0);
	ok(pv_counters_holder(&counters, &percent) == PV_HELD_BY_NOTHING &&
		percent == 0,
	    "nobody holds what has not begun");
	counters.held_us[PV_HELD_BY_POLICY] = 600;
	counters.held_us[PV_HELD_BY_SERVER] = 300;
	counters.held_us[PV_HELD_BY_MACHINE] = 100;
	ok(pv_counters_holder(&counters, &percent) == PV_HELD_BY_POLICY &&
		percent == 60,
	    "who held it most is named, with the share of the time");
	counters.held_us[PV_HELD_BY_SERVER] = 9000;
	ok(pv_counters_holder(&counters, &percent) == PV_HELD_BY_SERVER &&
		percent == 92,
	    "whoever it is now");
	counters.held_us[PV_HELD_BY_SERVER] =
	    (uint64_t)1000000 * 86400 * 365 * 10;
	ok(pv_counters_holder(&counters, &percent) == PV_HELD_BY_SERVER &&
		percent == 99,
	    "for ten years if need be");
}

int main(void)
{
	test_pace();
	test_ring();
	test_sums();
	test_times();
	test_holder();
	return tap_done();
}

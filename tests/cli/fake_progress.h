#ifndef PAVANE_TESTS_CLI_FAKE_PROGRESS_H
#define PAVANE_TESTS_CLI_FAKE_PROGRESS_H

#include "pavane/pavane.h"

/* The progress of a crawl that has never been: something in every field. */
__attribute__((unused)) static void fake_progress(
    struct pavane_progress *progress)
{
	static const struct pavane_percentiles times = {12.5, 340, 1200, 57};
	*progress = (struct pavane_progress){
	    .phase = PAVANE_CRAWLING,
	    .elapsed_ms = 72000,
	    .drain_left_ms = -1,
	    .known = 1305,
	    .pending = 971,
	    .done = 234,
	    .refused = 100,
	    .failed = 5,
	    .pages_per_second = 0.5,
	    .requests_per_second = 1,
	    .in_flight = 1,
	    .concurrency = 20,
	    .open = 2,
	    .hosts = 14,
	    .hosts_waiting = 12,
	    .next_ms = -1,
	    .left_ms = -1,
	    .waiting = {{{"delay", "for its delay to pass", 8},
			    {"retry-after", "as long as its Retry-After asks",
				4}},
		2},
	    .refusals = {{{"host", "on another host", 60},
			     {"robots", "robots.txt forbids it", 39},
			     {"depth", "", 1}},
		3},
	    .outcomes = {{{"answered", "answered", 229},
			     {"timeout", "too slow", 5}},
		2},
	    .statuses = {{{"200", "200", 220}, {"404", "404", 9}}, 2},
	    .name = times,
	    .connect = times,
	    .first_byte = times,
	    .total = times,
	    .pool = {-1, -1, -1, 0},
	    .blocked_ms = 14,
	    .turn_cpu_ms = 9,
	    .note = "",
	    .failures = {{"http://docs.example.org/gone", "404"},
		{"http://docs.example.org/slow", "nothing came for 30s"}},
	    .failure_count = 2,
	    .waits_for = "",
	    .done_share = -1,
	    .in_flight_max = 20,
	    .held_by = "the policy: a host rests 1s after each answer",
	};
}

#endif

#include "crawl/host/clock_state.h"

#include "tap.h"

/* There and back: a number that went by the wrong name would be a host that is
 * asked too early. */
static void test_there_and_back(void)
{
	const struct pv_saved_clock clock = {
	    .left_ms = 1,
	    .until_wall_ms = 2,
	    .wait_ms = 3,
	    .reason = PV_WAIT_RETRY_AFTER,
	    .took_ms = 4,
	    .rest_ms = 5,
	    .rest_until_wall_ms = 6,
	    .window_until_wall_ms = 7,
	    .window_count = 8,
	    .failures = 9,
	    .address_left_ms = 10,
	    .address_until_wall_ms = 11,
	    .address_wait_ms = 12,
	};
	const struct pv_host_state had = {
	    .blocks = 100, .pages = 200, .bytes = 300};
	struct pv_host_state state = pv_clock_state_with(had, &clock);
	ok(state.left_ms == 1 && state.until_wall_ms == 2 &&
		state.wait_ms == 3 &&
		state.wait_reason == PV_WAIT_RETRY_AFTER &&
		state.took_ms == 4 && state.rest_ms == 5 &&
		state.rest_until_wall_ms == 6 &&
		state.window_until_wall_ms == 7 && state.window_count == 8 &&
		state.failures == 9 && state.address_left_ms == 10 &&
		state.address_until_wall_ms == 11 &&
		state.address_wait_ms == 12,
	    "P1: each number of a clock goes by its name");
	ok(state.blocks == 100 && state.pages == 200 && state.bytes == 300,
	    "and what is no clock's stays");
	struct pv_saved_clock back = pv_clock_state_clock(&state);
	ok(back.left_ms == 1 && back.until_wall_ms == 2 && back.wait_ms == 3 &&
		back.reason == PV_WAIT_RETRY_AFTER && back.took_ms == 4 &&
		back.rest_ms == 5 && back.rest_until_wall_ms == 6 &&
		back.window_until_wall_ms == 7 && back.window_count == 8 &&
		back.failures == 9 && back.address_left_ms == 10 &&
		back.address_until_wall_ms == 11 && back.address_wait_ms == 12,
	    "P1: and comes back by it");
}

/* What stands in a file may be anything. */
static void test_strange(void)
{
	const struct pv_host_state state = {
	    .left_ms = INT64_MIN, .wait_reason = INT64_MAX};
	struct pv_saved_clock clock = pv_clock_state_clock(&state);
	const char *word = pv_wait_word(clock.reason);
	ok(word && word[0], "a reason that does not exist has a word as well");
	bool is_kept = true;
	for (int i = 0; i < PV_WAIT_COUNT; i++) {
		const struct pv_host_state known = {.wait_reason = i};
		clock = pv_clock_state_clock(&known);
		word = pv_wait_word(clock.reason);
		const char *text = pv_wait_text(clock.reason);
		is_kept = is_kept && (int)clock.reason == i && word &&
			  word[0] && text && text[0];
	}
	ok(is_kept, "P4: each that does comes back, with a word and a text");
	const struct pv_host_state next = {.wait_reason = PV_WAIT_COUNT};
	ok(pv_clock_state_clock(&next).reason == PV_WAIT_DELAY,
	    "one of another version is taken for a delay");
}

int main(void)
{
	test_there_and_back();
	test_strange();
	return tap_done();
}

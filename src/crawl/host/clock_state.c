#include "crawl/host/clock_state.h"

struct pv_host_state pv_clock_state_with(
    struct pv_host_state state, const struct pv_saved_clock *clock)
{
	state.left_ms = clock->left_ms;
	state.until_wall_ms = clock->until_wall_ms;
	state.wait_ms = clock->wait_ms;
	state.wait_reason = clock->reason;
	state.took_ms = clock->took_ms;
	state.rest_ms = clock->rest_ms;
	state.rest_until_wall_ms = clock->rest_until_wall_ms;
	state.window_until_wall_ms = clock->window_until_wall_ms;
	state.window_count = clock->window_count;
	state.failures = clock->failures;
	state.address_left_ms = clock->address_left_ms;
	state.address_until_wall_ms = clock->address_until_wall_ms;
	state.address_wait_ms = clock->address_wait_ms;
	return state;
}

/* What stands in a file may be of another version, or damaged. */
static enum pv_wait_reason reason_of(int64_t number)
{
	return number >= 0 && number < PV_WAIT_COUNT
		   ? (enum pv_wait_reason)number
		   : PV_WAIT_DELAY;
}

struct pv_saved_clock pv_clock_state_clock(const struct pv_host_state *state)
{
	return (struct pv_saved_clock){
	    .left_ms = state->left_ms,
	    .until_wall_ms = state->until_wall_ms,
	    .wait_ms = state->wait_ms,
	    .reason = reason_of(state->wait_reason),
	    .took_ms = state->took_ms,
	    .rest_ms = state->rest_ms,
	    .rest_until_wall_ms = state->rest_until_wall_ms,
	    .window_until_wall_ms = state->window_until_wall_ms,
	    .window_count = state->window_count,
	    .failures = state->failures,
	    .address_left_ms = state->address_left_ms,
	    .address_until_wall_ms = state->address_until_wall_ms,
	    .address_wait_ms = state->address_wait_ms,
	};
}

#include "crawl/saved_state.h"

void pv_saved_state_set(
    struct pv_host_state *state, const struct pv_saved_clock *clock)
{
	state->left_ms = clock->left_ms;
	state->until_wall_ms = clock->until_wall_ms;
	state->wait_ms = clock->wait_ms;
	state->wait_reason = clock->reason;
	state->took_ms = clock->took_ms;
	state->rest_ms = clock->rest_ms;
	state->rest_until_wall_ms = clock->rest_until_wall_ms;
	state->window_until_wall_ms = clock->window_until_wall_ms;
	state->window_count = clock->window_count;
}

struct pv_saved_clock pv_saved_state_clock(const struct pv_host_state *state)
{
	return (struct pv_saved_clock){
	    .left_ms = state->left_ms,
	    .until_wall_ms = state->until_wall_ms,
	    .wait_ms = state->wait_ms,
	    .reason = (enum pv_wait_reason)state->wait_reason,
	    .took_ms = state->took_ms,
	    .rest_ms = state->rest_ms,
	    .rest_until_wall_ms = state->rest_until_wall_ms,
	    .window_until_wall_ms = state->window_until_wall_ms,
	    .window_count = state->window_count,
	};
}

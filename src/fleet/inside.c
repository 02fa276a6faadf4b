#include "fleet/inside.h"

#include <string.h>

#include "policy/policy.h"

/* At once, but not within what calls. */
void pv_fleet_wake(struct pv_fleet *fleet)
{
	if (!uv_is_closing((uv_handle_t *)&fleet->soon))
		uv_timer_start(&fleet->soon, fleet->go_on, 0, 0);
}

void pv_fleet_lose(struct pv_fleet *fleet, const char *why)
{
	if (fleet->is_lost)
		return;
	fleet->is_lost = true;
	fleet->lost_why = why;
	pv_fleet_wake(fleet);
}

void pv_fleet_hear_refusal(
    struct pv_fleet *fleet, const struct pv_fleet_answer *answer)
{
	struct pv_buf line;
	if (strcmp(answer->sqlstate, "PVFEN") == 0) {
		pv_fleet_lose(fleet,
		    "this worker was silent for too long, and others have "
		    "taken over its hosts");
		return;
	}
	pv_buf_init(&line, 1000);
	pv_buf_append_format(&line,
	    "the fleet's database refuses what it is told (%s): %s",
	    answer->sqlstate, answer->message);
	fleet->options.on_line(fleet->options.ctx, true, pv_buf_text(&line));
	pv_buf_finish(&line);
}

struct pv_str pv_fleet_clock_of(
    const struct pv_fleet *fleet, struct pv_str host)
{
	struct pv_host_manners manners;
	pv_policy_manners(fleet->options.as_read, host, NULL, &manners);
	return manners.clock;
}

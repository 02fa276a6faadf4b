#include "fleet/worker/worker.h"

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

/* What is refused again and again, as by a full disk, is told once in a while. */
#define TELL_MS 60000

static void tell_refusal(
    struct pv_fleet *fleet, const struct pv_fleet_answer *answer)
{
	struct pv_buf line;
	bool is_told = strcmp(answer->sqlstate, fleet->told_state) == 0 &&
		       pv_fleet_now(fleet) < fleet->told_at + TELL_MS;
	if (is_told)
		return;
	memcpy(fleet->told_state, answer->sqlstate, sizeof(fleet->told_state));
	fleet->told_at = pv_fleet_now(fleet);
	pv_buf_init(&line, 1000);
	pv_buf_append_format(&line,
	    "its database refuses what it is told (%s): %s", answer->sqlstate,
	    answer->message);
	fleet->options.on_line(fleet->options.ctx, true, pv_buf_text(&line));
	pv_buf_finish(&line);
}

/* A schema, a table or a function that is not there was there when the line came up:
 * somebody has removed it, and nothing brings it back. */
static bool are_tables_gone(const struct pv_fleet_answer *answer)
{
	static const char *const codes[] = {"3F000", "42P01", "42883"};
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		if (strcmp(answer->sqlstate, codes[i]) == 0)
			return true;
	}
	return false;
}

void pv_fleet_hear_refusal(
    struct pv_fleet *fleet, const struct pv_fleet_answer *answer)
{
	if (strcmp(answer->sqlstate, "PVFEN") == 0) {
		pv_fleet_lose(fleet, PV_FLEET_WAS_SILENT);
	} else if (are_tables_gone(answer)) {
		fleet->is_gone = fleet->is_gone || !fleet->is_lost;
		pv_fleet_lose(fleet, PV_FLEET_TABLES_GONE);
	} else {
		tell_refusal(fleet, answer);
	}
}

struct pv_str pv_fleet_clock_of(
    const struct pv_fleet *fleet, struct pv_str host)
{
	struct pv_host_manners manners;
	pv_policy_manners(fleet->options.as_read, host, NULL, &manners);
	return manners.clock;
}

bool pv_fleet_is_on_standby(const struct pv_fleet *fleet)
{
	return fleet->has_beats &&
	       !pv_fleet_members_has_place(
		   &fleet->beats.members, &fleet->options.as_read->rate);
}

void pv_fleet_figures(
    const struct pv_fleet *fleet, struct pv_fleet_figures *figures)
{
	fleet->options.on_figures(fleet->options.ctx, figures);
	figures->is_halted =
	    figures->is_halted || pv_fleet_is_on_standby(fleet);
	figures->clocks = (int64_t)fleet->taking.owned;
	figures->unsent = (int64_t)fleet->passing.waiting;
}

void pv_fleet_fail(struct pv_fleet *fleet, const char *why)
{
	if (!fleet->why)
		fleet->why = strdup(why);
}

void pv_fleet_begin_session(struct pv_fleet *fleet, int64_t session)
{
	fleet->fence[0] = pv_fleet_number(PV_FLEET_INT8, fleet->worker);
	fleet->fence[1] = pv_fleet_number(PV_FLEET_INT8, session);
	fleet->is_in_session = true;
}

void pv_fleet_doubt(struct pv_fleet *fleet)
{
	fleet->taking.has_looked = false;
	pv_buf_clear(&fleet->taking.last_claimed);
}

void pv_fleet_see_time(
    struct pv_fleet *fleet, const struct pv_fleet_server *server)
{
	fleet->server_offset_ms = server->server_ms - pv_boot_now_ms();
	fleet->server_uncertainty_ms = server->uncertainty_ms;
}

int64_t pv_fleet_server_ahead_ms(const struct pv_fleet *fleet)
{
	const struct pv_clock_events *events = &fleet->events;
	int64_t offset_ms =
	    events->has_offset ? events->offset_ms : fleet->server_offset_ms;
	if (!events->has_offset && !fleet->connections)
		return 0;
	return pv_boot_now_ms() + offset_ms - pv_fleet_time(fleet).wall_ms;
}

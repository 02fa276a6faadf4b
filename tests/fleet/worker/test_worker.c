#include "fleet/worker/worker.h"

#include "tap.h"

/* What a worker makes of what its database refuses. */

static unsigned told;

static void on_line(void *ctx, bool is_warning, const char *text)
{
	(void)ctx;
	(void)text;
	told += is_warning;
}

static void go_on(uv_timer_t *timer)
{
	(void)timer;
}

static void hear(struct pv_fleet *fleet, const char *sqlstate)
{
	struct pv_fleet_answer answer = {
	    .status = PV_FLEET_REFUSED, .message = "no"};
	snprintf(answer.sqlstate, sizeof(answer.sqlstate), "%s", sqlstate);
	pv_fleet_hear_refusal(fleet, &answer);
}

static const struct {
	const char *sqlstate;
	const char *meaning;
	bool is_lost;
	bool is_gone;
	bool is_told;
} cases[] = {
    {"PVFEN", "a worker that was reaped", true, false, false},
    {"3F000", "a schema that was removed", true, true, false},
    {"42P01", "a table that was removed", true, true, false},
    {"42883", "a function that was removed", true, true, false},
    {"53100", "a full disk", false, false, true},
    {"42501", "a right that is missing", false, false, true},
};

static void test_refusals(uv_loop_t *loop)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_fleet fleet = {
		    .options = {.loop = loop, .on_line = on_line},
		    .go_on = go_on,
		};
		uv_timer_init(loop, &fleet.soon);
		told = 0;
		hear(&fleet, cases[i].sqlstate);
		hear(&fleet, cases[i].sqlstate);
		ok(fleet.is_lost == cases[i].is_lost &&
			fleet.is_gone == cases[i].is_gone,
		    "%s: %s", cases[i].meaning,
		    cases[i].is_gone   ? "there is nothing to join again"
		    : cases[i].is_lost ? "it joins again"
				       : "it goes on");
		ok(told == cases[i].is_told, "which is told %s",
		    cases[i].is_told ? "once" : "by the crawl");
		uv_close((uv_handle_t *)&fleet.soon, NULL);
		uv_run(loop, UV_RUN_DEFAULT);
	}
}

static void test_order(uv_loop_t *loop)
{
	struct pv_fleet fleet = {
	    .options = {.loop = loop, .on_line = on_line},
	    .go_on = go_on,
	};
	uv_timer_init(loop, &fleet.soon);
	hear(&fleet, "PVFEN");
	hear(&fleet, "3F000");
	ok(!fleet.is_gone, "who joins again hears then what is there");
	uv_close((uv_handle_t *)&fleet.soon, NULL);
	uv_run(loop, UV_RUN_DEFAULT);
}

int main(void)
{
	uv_loop_t loop;
	uv_loop_init(&loop);
	uv_update_time(&loop);
	test_refusals(&loop);
	test_order(&loop);
	uv_loop_close(&loop);
	return tap_done();
}

#include "explain/owner.h"

#include "explain/told.h"
#include "policy/loaded.h"

/* Whose a host of a fleet is said to be. */

#define WALL INT64_C(1700000000000) /* Tue, 14 Nov 2023 22:13:20 GMT */

static const struct {
	struct pv_state_view_fleet fleet;
	const char *place;
	const char *line; /* NULL: none */
} cases[] = {
    {{.is_there = false, .worker = 3}, "m:one", NULL},
    {{.is_there = true, .worker = 3, .living = 1, .has_clock = true}, "m:one",
	"its worker: worker 3 (m:one) owns the clock a.test"},
    {{.is_there = true, .worker = 3, .living = 1, .left_ms = 60000}, "m:one",
	"its worker: worker 3 (m:one) owns the clock a.test; it rests until "
	"Tue, 14 Nov 2023 22:14:20 GMT, in 1m"},
    {{.is_there = true,
	 .worker = 3,
	 .living = 1,
	 .is_silent = true,
	 .seen_ms = 44100},
	"m:one",
	"its worker: worker 3 (m:one) owns the clock a.test, and was last "
	"heard of 45s ago: another worker takes it over"},
    {{.is_there = true, .worker = 3, .is_silent = true, .seen_ms = 44100},
	"m:one",
	"its worker: worker 3 (m:one) owns the clock a.test, and was last "
	"heard of 45s ago; no other worker is running"},
    {{.is_there = true, .living = 1, .has_clock = true}, "",
	"its worker: no worker owns the clock a.test: one that has room for "
	"it takes it over"},
    {{.is_there = true, .living = 1}, "",
	"its worker: no worker owns the clock a.test yet"},
    {{.is_there = true, .has_clock = true}, "",
	"its worker: no worker owns the clock a.test, and none is running"},
    {{.is_there = true, .has_clock = true, .is_finished = true}, "",
	"its worker: no worker owns the clock a.test: the crawl is finished"},
};

static void tell(const struct pv_policy *policy, const struct pv_url *url,
    size_t number, bool is_ours)
{
	struct pv_state_view_answer known;
	struct pv_explanation explanation;
	struct pv_host_manners manners;
	pv_policy_manners(policy, PV_STR("a.test"), NULL, &manners);
	pv_state_view_answer_init(&known);
	struct pv_buf place = known.fleet.place;
	known.fleet = cases[number].fleet;
	known.fleet.place = place;
	pv_buf_append_text(&known.fleet.place, cases[number].place);
	pv_explanation_init(
	    &explanation, policy, url, (struct pv_time){5, WALL});
	explanation.known = &known;
	explanation.manners = &manners;
	explanation.on_line = told_line;
	pv_explain_owner_tell(&explanation, is_ours);
	pv_explanation_finish(&explanation);
	pv_state_view_answer_finish(&known);
}

int main(void)
{
	struct loaded loaded = load_text("seeds: [\"http://a.test/\"]\n"
					 "identity: {contact: a@b.test}\n");
	struct pv_url url;
	pv_url_init(&url, 65536);
	pv_url_parse(&url, PV_STR("http://a.test/x"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *line = cases[i].line;
		told_init();
		tell(loaded.policy, &url, i, true);
		ok(line ? was_told(line) : !told.len, "%s",
		    line ? line : "a crawl by itself has no such line");
		told_finish();
		told_init();
		tell(loaded.policy, &url, i, false);
		bool is_known =
		    line && (cases[i].fleet.worker || cases[i].fleet.has_clock);
		ok(is_known == (told.len > 0), "%s",
		    is_known ? "and so for an address that is not fetched"
			     : "not for an address that is not fetched");
		told_finish();
	}
	pv_url_finish(&url);
	loaded_finish(&loaded);
	return tap_done();
}

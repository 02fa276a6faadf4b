#include "explain/clocks.h"

#include "explain/told.h"
#include "policy/loaded.h"
#include "schedule/wait.h"

/* The clocks of a host, as they are told out of a crawl's state. */

#define WALL INT64_C(1700000000000) /* Tue, 14 Nov 2023 22:13:20 GMT */
#define NOT_BEFORE "pace: not before Tue, 14 Nov 2023 22:13:"
#define POLICY "seeds: [\"http://a.test/\"]\nidentity: {contact: a@b.test}\n"
#define DELAYS "politeness: {delay: 2s, delay_factor: 3, max_delay: 60s}\n"

static struct loaded loaded;
static struct pv_url url;
static struct pv_state_view_answer known;
static struct pv_host_manners manners;
static struct pv_explanation explanation;
static struct pv_robots_matcher *matcher;
static struct pv_buf reason;
static int64_t until;

static void begin(const char *policy)
{
	loaded = load_text(policy);
	if (!is_right(&loaded))
		abort();
	pv_url_init(&url, 65536);
	pv_url_parse(&url, PV_STR("http://a.test/x"));
	pv_policy_manners(loaded.policy, pv_url_host(&url), NULL, &manners);
	pv_state_view_answer_init(&known);
	pv_explanation_init(
	    &explanation, loaded.policy, &url, (struct pv_time){5, WALL});
	explanation.known = &known;
	explanation.manners = &manners;
	explanation.on_line = told_line;
	told_init();
	pv_buf_init(&reason, 65536);
	known.has_host = true;
}

static void finish(void)
{
	pv_robots_matcher_destroy(matcher);
	matcher = NULL;
	pv_buf_finish(&reason);
	told_finish();
	pv_explanation_finish(&explanation);
	pv_state_view_answer_finish(&known);
	pv_url_finish(&url);
	loaded_finish(&loaded);
}

static void set_robots(const char *text)
{
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots *robots =
	    pv_robots_create(pv_str_of(text), false, &ceilings, NULL);
	matcher = pv_robots_matcher_create(robots, PV_STR("examplebot"));
	explanation.matcher = matcher;
	pv_robots_destroy(robots);
}

static bool is_bearable(void)
{
	pv_buf_clear(&told);
	pv_buf_clear(&reason);
	return pv_explain_clocks_tell(&explanation, &until, &reason);
}

/* What lies between two requests */

static void test_gaps(void)
{
	begin(POLICY DELAYS);
	ok(is_bearable() && until == 0 &&
		was_told("pace: 2s from an answer of its host to the next "
			 "request: delay") &&
		was_told("pace: its host can be requested now"),
	    "where nothing else is known the policy's delay is told");
	known.host.state.took_ms = 1000;
	is_bearable();
	ok(was_told("pace: 3s from an answer of its host to the next request, "
		    "because its last answer took long: delay_factor"),
	    "after a slow answer it is what that has cost");
	known.host.state.took_ms = 600;
	is_bearable();
	ok(was_told("pace: 2s from an answer of its host to the next request: "
		    "delay"),
	    "but never less than the delay");
	known.host.state.took_ms = INT64_MAX;
	is_bearable();
	ok(was_told("pace: 1m from an answer of its host to the next request, "
		    "because its last answer took long: delay_factor"),
	    "and no more than max_delay");
	set_robots("User-agent: *\nCrawl-delay: 70\n");
	is_bearable();
	ok(was_told("pace: 70s from an answer of its host to the next "
		    "request, as the Crawl-delay of its robots.txt asks "
		    "(line 2)"),
	    "P1: a longer Crawl-delay is told, with its line");
	known.has_host = false;
	explanation.known = NULL;
	is_bearable();
	ok(was_told("pace: 70s from an answer of its host to the next "
		    "request, as the Crawl-delay of its robots.txt asks "
		    "(line 2)"),
	    "without a crawl as well");
	finish();
	begin(POLICY "politeness: {delay: 2s, delay_from: start}\n"
		     "domains: {a.test: {delay: 4s}}\n");
	is_bearable();
	ok(was_told("pace: 4s from one request to its host to the next: delay "
		    "for a.test"),
	    "what the domain table says is told with its entry");
	finish();
}

static void test_two_groups(void)
{
	begin(POLICY DELAYS);
	set_robots("User-agent: pavane\nCrawl-delay: 9\n\n"
		   "User-agent: examplebot\nCrawl-delay: 5\n");
	is_bearable();
	ok(was_told("pace: 9s from an answer of its host to the next request, "
		    "as the Crawl-delay of its robots.txt asks (line 2)"),
	    "of two groups the line of the longer delay is told");
	finish();
}

/* What makes a crawl leave the host */

static void test_unbearable(void)
{
	begin(POLICY "politeness: {crawl_delay: {give_up_over: 60s}}\n");
	set_robots("User-agent: *\nCrawl-delay: 60\n");
	ok(is_bearable() && !reason.len, "a Crawl-delay may be that long");
	pv_robots_matcher_destroy(matcher);
	set_robots("User-agent: *\nCrawl-delay: 61\n");
	ok(!is_bearable(), "but for a longer one the host is left");
	is_text(pv_buf_str(&reason),
	    "the Crawl-delay of its robots.txt is longer than "
	    "crawl_delay.give_up_over",
	    "P4: which is told");
	finish();
	begin(POLICY "politeness: {crawl_delay: {give_up_over: none}}\n");
	set_robots("User-agent: *\nCrawl-delay: 100000\n");
	ok(is_bearable(), "unless the policy bears any");
	finish();
	begin(POLICY);
	set_robots("User-agent: examplebot\nVisit-time: 0100-0200\n\n"
		   "User-agent: pavane\nVisit-time: 0300-0400\n");
	ok(!is_bearable(), "hours of two groups may leave none");
	is_text(pv_buf_str(&reason),
	    "the Visit-time in its robots.txt allows no time",
	    "P4: which is told");
	finish();
}

/* What holds a host, and which key or line that comes from. */
static const struct {
	enum pv_wait_reason reason;
	const char *text;
} holds[] = {
    {PV_WAIT_DELAY, "for its delay to pass: delay"},
    {PV_WAIT_SLOW, "longer, because its last answer took long: delay_factor"},
    {PV_WAIT_HOST_RATE, "because its own max_rate is used up: max_rate"},
    {PV_WAIT_SLOWED,
	"longer, because it was overloaded (429 or 503): max_delay"},
    {PV_WAIT_FAILURE, "because it failed: backoff.failure"},
    {PV_WAIT_PROBE, "for the request that tests whether it has recovered: "
		    "backoff.failure"},
    {PV_WAIT_ADDRESS_FAILURE,
	"because its IP address could not be reached: backoff.failure"},
    {PV_WAIT_OVERLOAD,
	"because it is overloaded (429 or 503): backoff.overload"},
    {PV_WAIT_ADDRESS, "for its ip_delay to pass: ip_delay"},
    {PV_WAIT_RETRY_AFTER, "as long as its Retry-After asks"},
    {PV_WAIT_CRAWL_DELAY,
	"as long as the Crawl-delay of its robots.txt asks (line 2)"},
    {PV_WAIT_VISIT_TIME, "for the Visit-time of its robots.txt (line 3)"},
};

static void test_holds(void)
{
	for (size_t i = 0; i < sizeof(holds) / sizeof(*holds); i++) {
		struct pv_buf line;
		begin(POLICY);
		set_robots("User-agent: *\nCrawl-delay: 1\n"
			   "Visit-time: 2200-2300\n");
		known.host.state.left_ms = 7000;
		known.host.state.wait_ms = 9000;
		known.host.state.wait_reason = holds[i].reason;
		pv_buf_init(&line, 1024);
		pv_buf_append_format(&line,
		    NOT_BEFORE "27 GMT, in 7s: it waits %s", holds[i].text);
		ok(is_bearable() && until == WALL + 7000 &&
			was_told(pv_buf_text(&line)),
		    "P4: its clock is told with its reason: it waits %s",
		    holds[i].text);
		pv_buf_finish(&line);
		finish();
	}
}

static void test_clocks(void)
{
	begin(POLICY);
	struct pv_host_state *state = &known.host.state;
	state->left_ms = 9000;
	state->until_wall_ms = WALL + 4000;
	state->wait_ms = 9000;
	state->wait_reason = PV_WAIT_DELAY;
	is_bearable();
	ok(until == WALL + 9000,
	    "P1: who goes on waits out what was left, whatever time has "
	    "passed");
	known.is_running = true;
	is_bearable();
	ok(until == WALL + 4000,
	    "in a crawl that runs the wall clock says how long");
	state->until_wall_ms = WALL;
	is_bearable();
	ok(until == 0 && was_told("pace: its host can be requested now"),
	    "a wait that is over is not told");
	known.fleet.is_there = true;
	known.fleet.worker = 3;
	is_bearable();
	ok(was_told(
	       "pace: nothing that the database knows holds its host back, "
	       "though its worker may wait longer"),
	    "P4: the worker of a fleet may know more of its host than the "
	    "database");
	known.fleet.is_there = false;
	state->address_until_wall_ms = WALL + 6000;
	state->address_wait_ms = 8000;
	is_bearable();
	ok(until == WALL + 6000 &&
		was_told(NOT_BEFORE "26 GMT, in 6s: it waits for its "
				    "ip_delay to pass: ip_delay"),
	    "the clock of its address holds it as well");
	state->until_wall_ms = WALL + 8000;
	is_bearable();
	ok(until == WALL + 8000, "of two clocks the later counts");
	state->wait_reason = PV_WAIT_ADDRESS;
	is_bearable();
	ok(!was_told(NOT_BEFORE "26 GMT, in 6s: it waits for its ip_delay "
				"to pass: ip_delay"),
	    "and an address is not told twice");
	finish();
}

static void test_other_holds(void)
{
	begin(POLICY DELAYS);
	known.host.state.nameless_until_wall_ms = WALL + 3000;
	is_bearable();
	ok(until == WALL + 3000 &&
		was_told(NOT_BEFORE "23 GMT, in 3s: its name does not exist; "
				    "next lookup then"),
	    "a name that does not exist holds it");
	known.is_known = true;
	known.address.state = PV_STATE_PENDING;
	known.address.not_before_wall_ms = WALL + 5000;
	is_bearable();
	ok(until == WALL + 5000 &&
		was_told(NOT_BEFORE
		    "25 GMT, in 5s: it has failed, and is retried then"),
	    "and so does the address's own failure");
	known.address.state = PV_STATE_DONE;
	is_bearable();
	ok(until == WALL + 3000, "but not one that is over");
	known.host.state.nameless_until_wall_ms = 0;
	known.host.owes_delay = true;
	is_bearable();
	ok(until == WALL + 2000 &&
		was_told(
		    NOT_BEFORE "22 GMT, in 2s: the last run was "
			       "interrupted, so its whole delay counts again"),
	    "P1: after a run that was cut short its whole delay is due");
	known.host.owes_delay = false;
	known.holding = PV_HOST_HELD;
	is_bearable();
	ok(until == WALL + 2000, "P1: as of a host that it held");
	known.is_running = true;
	is_bearable();
	ok(until == 0, "but not while that run goes on");
	known.is_running = false;
	known.holding = PV_HOST_WAITING;
	is_bearable();
	ok(until == 0, "nor of a host that it did not hold");
	finish();
}

static void set_why(struct pv_state_view_pause *pause, const char *why)
{
	snprintf(pause->why, sizeof(pause->why), "%s", why);
}

static void test_pauses(void)
{
	begin(POLICY DELAYS);
	known.pause.until_wall_ms = WALL + 5000;
	is_bearable();
	ok(until == WALL + 5000 &&
		was_told(NOT_BEFORE "25 GMT, in 5s: it is paused"),
	    "P4: a pause holds it");
	set_why(&known.pause, "it moves");
	is_bearable();
	ok(was_told(NOT_BEFORE "25 GMT, in 5s: it is paused (it moves)"),
	    "P4: with its reason");
	set_why(&known.pause, "");
	known.pause.until_wall_ms = INT64_MAX;
	is_bearable();
	ok(until == INT64_MAX && was_told("pace: paused until `pavane resume`"),
	    "P4: also one without an end");
	known.pause.until_wall_ms = WALL;
	is_bearable();
	ok(until == 0, "but none that is over");
	finish();
}

static void test_shared_pauses(void)
{
	begin(POLICY DELAYS);
	known.shared_pause.until_wall_ms = WALL + 5000;
	known.pause.until_wall_ms = WALL + 3000;
	is_bearable();
	ok(until == WALL + 5000 &&
		was_told(NOT_BEFORE
		    "25 GMT, in 5s: it is paused by the program that runs the "
		    "crawl"),
	    "P4: a pause in all crawls of a process holds it");
	ok(was_told(NOT_BEFORE "23 GMT, in 3s: it is paused"),
	    "and is told beside one of the crawl's own");
	known.pause.until_wall_ms = INT64_MAX;
	is_bearable();
	ok(until == INT64_MAX, "of the two the later end counts");
	known.pause.until_wall_ms = 0;
	known.shared_pause.until_wall_ms = INT64_MAX;
	set_why(&known.shared_pause, "it moves");
	is_bearable();
	ok(until == INT64_MAX &&
		was_told("pace: paused by the program that runs the crawl "
			 "until it resumes the host (it moves)"),
	    "P4: who ends one without an end is told, and why it is");
	known.shared_pause.until_wall_ms = WALL;
	is_bearable();
	ok(until == 0, "one that is over holds nothing");
	finish();
}

/* It is a Tuesday, 22:13:20 UTC. */
static void test_hours(void)
{
	begin(POLICY "politeness: {allowed_hours: [\"22:15-23:00\"], "
		     "timezone: UTC}\n");
	is_bearable();
	ok(until == WALL + 100000 &&
		was_told("pace: not before Tue, 14 Nov 2023 22:15:00 GMT, in "
			 "100s: it waits for the policy's allowed_hours: "
			 "allowed_hours"),
	    "the policy's hours hold it");
	set_robots("User-agent: *\nVisit-time: 2300-2330\n");
	is_bearable();
	ok(until == WALL + 2800000 &&
		was_told("pace: not before Tue, 14 Nov 2023 23:00:00 GMT, in "
			 "47m: it waits for the Visit-time of its robots.txt "
			 "(line 2)"),
	    "and so do those of its robots.txt");
	finish();
}

int main(void)
{
	test_gaps();
	test_two_groups();
	test_unbearable();
	test_holds();
	test_clocks();
	test_other_holds();
	test_pauses();
	test_shared_pauses();
	test_hours();
	return tap_done();
}

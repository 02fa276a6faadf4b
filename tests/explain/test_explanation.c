#include "explain/explanation.h"

#include "explain/told.h"
#include "policy/loaded.h"

/* What is told of an address out of a crawl's state, and what follows. P4:
 * every no has a reason that a person can read. */

#define WALL INT64_C(1700000000000) /* Tue, 14 Nov 2023 22:13:20 GMT */
#define HOUR INT64_C(3600000)

static struct loaded loaded;
static struct pv_url url;
static struct pv_state_view_answer known;
static struct pv_explanation explanation;
static struct pv_buf reason;

static void begin(const char *policy)
{
	loaded = load_text(policy);
	pv_url_init(&url, 65536);
	pv_url_parse(&url, PV_STR("http://a.test/x"));
	pv_state_view_answer_init(&known);
	pv_explanation_init(
	    &explanation, loaded.policy, &url, (struct pv_time){5, WALL});
	explanation.known = &known;
	explanation.on_line = told_line;
	told_init();
	pv_buf_init(&reason, 65536);
}

static void finish(void)
{
	pv_buf_finish(&reason);
	told_finish();
	pv_explanation_finish(&explanation);
	pv_state_view_answer_finish(&known);
	pv_url_finish(&url);
	loaded_finish(&loaded);
}

#define POLICY "seeds: [\"http://a.test/\"]\nidentity: {contact: a@b.test}\n"

static void know(enum pv_address_state state)
{
	known.is_known = true;
	known.address.state = state;
}

/* Why a host was left */

static const struct {
	enum pv_reason reason;
	const char *text;
} leavings[] = {
    {PV_REASON_CRAWL_DELAY,
	"its Crawl-delay is longer than crawl_delay.give_up_over"},
    {PV_REASON_RETRY_AFTER,
	"its Retry-After is longer than retry_after.give_up_over"},
    {PV_REASON_BLOCKED,
	"it answered 401, 403 or 451 too often in a row (blocked.after)"},
    {PV_REASON_ROBOTS_UNREACHABLE,
	"its robots.txt was unreachable for longer than robots.give_up"},
    {PV_REASON_ROBOTS, "the Visit-time in its robots.txt allows no time"},
    {PV_REASON_PRIVATE, "private"},
};

static void test_leavings(void)
{
	for (size_t i = 0; i < sizeof(leavings) / sizeof(*leavings); i++) {
		struct pv_buf line;
		begin(POLICY);
		know(PV_STATE_PENDING);
		known.has_host = true;
		known.host.state.left_reason = leavings[i].reason;
		pv_buf_append_text(&reason, "overwritten");
		bool is_open = pv_explanation_known(&explanation, &reason);
		pv_buf_init(&line, 1024);
		pv_buf_append_format(
		    &line, "its host: was given up: %s", leavings[i].text);
		ok(!is_open && was_told(pv_buf_text(&line)),
		    "P4: a host that was left is told of: %s",
		    leavings[i].text);
		pv_buf_clear(&line);
		pv_buf_append_format(
		    &line, "its host was given up: %s", leavings[i].text);
		is_text(pv_buf_str(&reason), pv_buf_text(&line),
		    "and that is the only reason");
		pv_buf_finish(&line);
		finish();
	}
}

static void test_host(void)
{
	begin(POLICY);
	know(PV_STATE_PENDING);
	known.has_host = true;
	known.host.state.failures = 1;
	known.host.state.blocks = 2;
	ok(pv_explanation_known(&explanation, &reason) && !reason.len,
	    "a host that failed is still asked");
	ok(was_told("its host: 1 failure in a row"), "one failure is told of");
	ok(was_told("its host: answered 401, 403 or 451 2 times in a row"),
	    "and so are answers that refuse us");
	known.host.state.failures = 2;
	known.host.state.blocks = 1;
	pv_explanation_known(&explanation, &reason);
	ok(was_told("its host: 2 failures in a row") &&
		was_told("its host: answered 401, 403 or 451 1 time in a row"),
	    "by their numbers");
	known.has_host = false;
	pv_buf_clear(&told);
	pv_explanation_known(&explanation, &reason);
	ok(!has_text(pv_buf_str(&told), "its host"),
	    "of a host that the crawl does not know, nothing is told");
	finish();
}

static void test_states(void)
{
	begin(POLICY);
	know(PV_STATE_PENDING);
	ok(pv_explanation_known(&explanation, &reason) && !reason.len &&
		was_told("state: it is pending") &&
		was_told("seen: a seed of the crawl"),
	    "what waits is still to be asked for");
	known.address.attempt = 1;
	known.address.waits = 2;
	pv_explanation_known(&explanation, &reason);
	ok(was_told(
	       "state: it is pending, its host asked 2 times to be requested "
	       "later, tried 1 time before"),
	    "with how often that was tried");
	known.address = (struct pv_state_address){.state = PV_STATE_IN_FLIGHT};
	pv_explanation_known(&explanation, &reason);
	ok(was_told("state: it was being fetched when the last run was "
		    "interrupted"),
	    "what was in hand when a run ended is known as that");
	known.is_running = true;
	ok(pv_explanation_known(&explanation, &reason) &&
		was_told("state: it is being fetched now"),
	    "and what is in hand while one goes on");
	finish();
}

static void test_ends(void)
{
	begin(POLICY);
	know(PV_STATE_DONE);
	known.address.result.outcome = PV_OUTCOME_ANSWERED;
	known.address.result.http_status = 404;
	ok(!pv_explanation_known(&explanation, &reason),
	    "what was answered is not asked for");
	is_text(pv_buf_str(&reason), "it was requested: answered 404",
	    "P4: since it was");
	pv_buf_clear(&reason);
	known.address.result.outcome = PV_OUTCOME_TIMEOUT;
	pv_explanation_known(&explanation, &reason);
	ok(has_text(pv_buf_str(&reason), "it was requested: ") &&
		has_text(pv_buf_str(&reason), "(timeout)") &&
		!has_text(pv_buf_str(&reason), "404"),
	    "where no answer came the cause is told, and no status");
	pv_buf_clear(&reason);
	know(PV_STATE_REFUSED);
	known.address.verdict = (struct pv_verdict){PV_REASON_RULE, 3};
	known.address.attempt = 1;
	ok(!pv_explanation_known(&explanation, &reason) &&
		has_text(pv_buf_str(&reason), "it was left out: ") &&
		has_text(pv_buf_str(&reason), "(rule, rule 3)") &&
		!has_text(pv_buf_str(&reason), "tried"),
	    "P4: what was refused is not asked for, by the policy's rule");
	pv_buf_clear(&reason);
	know(PV_STATE_ELSEWHERE);
	ok(!pv_explanation_known(&explanation, &reason) &&
		has_text(pv_buf_str(&reason),
		    "its host is another worker's of the fleet"),
	    "what another worker is to ask for was not left out");
	pv_buf_clear(&reason);
	know(PV_STATE_REFUSED);
	known.has_host = true;
	known.host.state.left_reason = PV_REASON_BLOCKED;
	pv_explanation_known(&explanation, &reason);
	ok(has_text(pv_buf_str(&reason), "rule 3") &&
		!has_text(pv_buf_str(&reason), "was given up"),
	    "and its own reason counts before its host's");
	pv_buf_clear(&reason);
	pv_explanation_write_verdict(
	    (struct pv_verdict){PV_REASON_ROBOTS, 7}, &reason);
	ok(has_text(pv_buf_str(&reason), "(robots, line 7)"),
	    "of a robots.txt it is the line that is told");
	pv_buf_clear(&reason);
	pv_explanation_write_verdict(
	    (struct pv_verdict){PV_REASON_DEPTH, 0}, &reason);
	ok(has_text(pv_buf_str(&reason), "(depth)"),
	    "and nothing where there is none");
	finish();
}

static void test_found(void)
{
	begin(POLICY);
	know(PV_STATE_PENDING);
	pv_buf_append_text(&known.via, "http://a.test/");
	known.address.depth = 1;
	known.address.redirects = 1;
	pv_explanation_known(&explanation, &reason);
	ok(was_told("seen: found on http://a.test/, 1 link from a seed, after "
		    "1 redirect"),
	    "where it was found is told, with the redirect that led there");
	known.address.depth = 2;
	known.address.redirects = 3;
	pv_explanation_known(&explanation, &reason);
	ok(was_told("seen: found on http://a.test/, 2 links from a seed, "
		    "after 3 redirects"),
	    "and how far that is from a seed");
	known.is_known = false;
	pv_buf_clear(&told);
	ok(pv_explanation_known(&explanation, &reason) &&
		was_told("seen: the crawl has not seen it yet"),
	    "what the crawl does not know may be asked for");
	known.fleet.is_there = true;
	pv_buf_clear(&told);
	ok(pv_explanation_known(&explanation, &reason) &&
		was_told("seen: the fleet's database does not know it"),
	    "nor what a fleet's database does not know");
	known.fleet.is_there = false;
	explanation.known = NULL;
	pv_buf_clear(&told);
	ok(pv_explanation_known(&explanation, &reason) && !told.len,
	    "without a crawl nothing is known, and nothing told");
	finish();
}

/* Times */

static const struct {
	int64_t from_now_ms;
	const char *text;
} times[] = {
    {1500, "Tue, 14 Nov 2023 22:13:21 GMT, in 1500ms"},
    {2000, "Tue, 14 Nov 2023 22:13:22 GMT, in 2s"},
    {2500, "Tue, 14 Nov 2023 22:13:22 GMT, in 3s"},
    {119000, "Tue, 14 Nov 2023 22:15:19 GMT, in 119s"},
    {149000, "Tue, 14 Nov 2023 22:15:49 GMT, in 2m"},
    {2 * HOUR + HOUR / 2, "Wed, 15 Nov 2023 00:43:20 GMT, in 3h"},
    {48 * HOUR, "Thu, 16 Nov 2023 22:13:20 GMT, in 2d"},
    {0, "Tue, 14 Nov 2023 22:13:20 GMT, 0s ago"},
    {-3 * HOUR, "Tue, 14 Nov 2023 19:13:20 GMT, 3h ago"},
};

static void test_times(void)
{
	struct pv_buf text;
	begin(POLICY);
	pv_buf_init(&text, 1024);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		pv_buf_clear(&text);
		pv_explanation_write_time(
		    &explanation, WALL + times[i].from_now_ms, &text);
		is_text(pv_buf_str(&text), times[i].text,
		    "a time is told with what lies in between: %lld ms",
		    (long long)times[i].from_now_ms);
	}
	pv_buf_clear(&text);
	pv_explanation_write_time(&explanation, INT64_MAX, &text);
	ok(has_text(pv_buf_str(&text), "a time in the far future, in "),
	    "one that no calendar has is told as that");
	pv_buf_finish(&text);
	finish();
}

/* Limits */

#define LIMITS \
	"limits: {pages: 10, bytes: 2MiB, host_pages: 5, host_bytes: 1MiB}\n"

static void test_limits(void)
{
	begin(POLICY LIMITS);
	known.pages = 9;
	known.bytes = (2 << 20) - 1;
	known.has_host = true;
	known.host.state.pages = 4;
	known.host.state.bytes = (1 << 20) - 1;
	ok(pv_explanation_limits(&explanation, &reason) && !reason.len,
	    "below its limits it may be asked for");
	ok(was_told("limits: limits.pages: 9 of at most 10 pages") &&
		was_told("limits: limits.bytes: 2097151B of at most 2MiB") &&
		was_told("limits: limits.host_pages: 4 of at most 5 pages of "
			 "its host") &&
		was_told("limits: limits.host_bytes: 1048575B of at most 1MiB "
			 "of its host"),
	    "with how much of each is used");
	known.pages = 10;
	ok(!pv_explanation_limits(&explanation, &reason),
	    "P5: at one it may not");
	is_text(pv_buf_str(&reason), "limits.pages is reached",
	    "P4: and which one is told");
	known.pages = 9;
	known.host.state.bytes = 1 << 20;
	pv_buf_clear(&reason);
	ok(!pv_explanation_limits(&explanation, &reason) &&
		has_text(pv_buf_str(&reason), "limits.host_bytes"),
	    "P5: nor at one of its host's");
	known.has_host = false;
	ok(pv_explanation_limits(&explanation, &reason),
	    "a host that the crawl has not met has used nothing");
	explanation.known = NULL;
	pv_buf_clear(&told);
	ok(pv_explanation_limits(&explanation, &reason) &&
		was_told("limits: limits.pages: at most 10 pages"),
	    "without a crawl only the limits are told");
	finish();
	begin(POLICY);
	known.pages = UINT64_C(1) << 40;
	ok(pv_explanation_limits(&explanation, &reason) &&
		!has_text(pv_buf_str(&told), "limits.pages"),
	    "where there is no limit none is told");
	finish();
}

#define SESSION "http://a.test/x;jsessionid=0123456789ABCDEF0123456789ABCDEF"

static bool tells_session(void)
{
	pv_buf_clear(&told);
	pv_url_parse(&url, PV_STR(SESSION));
	pv_explanation_limits(&explanation, &reason);
	return has_text(
	    pv_buf_str(&told), "traps: it has a session identifier");
}

static void test_sessions(void)
{
	begin(POLICY "scope: {traps: {sessions: 7}}\n");
	ok(tells_session() && has_text(pv_buf_str(&told), "the first 7 of"),
	    "an address that may be a trap is told as that");
	explanation.known = NULL;
	ok(tells_session(), "without a crawl as well");
	explanation.known = &known;
	know(PV_STATE_PENDING);
	ok(!tells_session(), "but not when the crawl has counted it already");
	finish();
	begin(POLICY "scope: {traps: {sessions: none}}\n");
	ok(!tells_session(), "nor where sessions are not counted");
	finish();
}

int main(void)
{
	test_leavings();
	test_host();
	test_states();
	test_ends();
	test_found();
	test_times();
	test_limits();
	test_sessions();
	return tap_done();
}

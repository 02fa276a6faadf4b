#include "explain/inquiry.h"

#include "crawl/simulation.h"

/* Asking for a robots.txt outside of a crawl, in simulated time. Seeds are the
 * roots of the first four hosts. */

/* The requests that went out since they were last counted. */
static struct {
	unsigned count;
	unsigned with_secrets;
	unsigned with_user; /* and the headers of the domain table */
	const char *location; /* of the next answer; NULL: it is no redirect */
} sent;

static struct pv_transfer *start(
    struct pv_fetch *fetch, const struct pv_request *request)
{
	sent.count++;
	sent.with_secrets += request->has_secrets;
	sent.with_user += request->authorization &&
			  strcmp(request->authorization, "Basic YTpi") == 0 &&
			  request->headers.count == 1;
	return simulation_start(fetch, request);
}

static void redirect(struct pv_response *response, int64_t at)
{
	(void)at;
	if (!sent.location)
		return;
	response->http_status = 302;
	pv_headers_add(
	    &response->headers, PV_STR("Location"), pv_str_of(sent.location));
	sent.location = NULL;
}

static const struct pv_inquiry_answer *ask(
    struct pv_inquiry *inquiry, const char *address)
{
	struct pv_url url;
	pv_url_init(&url, 1000);
	pv_url_parse(&url, pv_str_of(address));
	const struct pv_inquiry_answer *answer = pv_inquiry_ask(inquiry, &url);
	pv_url_finish(&url);
	return answer;
}

/* The first host is silent, the second is not. */
static void test_asking(struct pv_inquiry *inquiry)
{
	int64_t before = simulated.now_ms;
	const struct pv_inquiry_answer *answer =
	    ask(inquiry, "http://h2.test/page");
	ok(answer->result == PV_INQUIRY_OPEN && answer->http_status == 404,
	    "where there is no robots.txt all is allowed");
	ok(simulated.now_ms - before ==
		SIMULATED_LOOK_UP_MS + simulation.plan.latency_ms,
	    "it takes the look-up of the name and the answer");
	answer = ask(inquiry, "http://h2.test/other");
	ok(answer->result == PV_INQUIRY_OPEN && simulation.hosts[1].robots == 1,
	    "who was asked once is not asked again");
	before = simulated.now_ms;
	answer = ask(inquiry, "http://h1.test/");
	ok(answer->result == PV_INQUIRY_CLOSED &&
		simulated.now_ms - before >= SIMULATED_TIMEOUT_MS,
	    "of a host that never answers all is forbidden, once its time is "
	    "over");
}

/* Another port is another authority, of the same host. */
static void test_pace(struct pv_inquiry *inquiry)
{
	int64_t ended_at = simulation.hosts[1].ended_at;
	ask(inquiry, "http://h2.test:8080/");
	ok(simulation.hosts[1].robots == 2 &&
		simulation.hosts[1].last_at - ended_at >=
		    simulation.plan.delay_ms,
	    "P1: a host that was asked has its rest before it is asked again");
}

/* How many requests went out with secrets, and how many in all. */
static bool has_sent(unsigned with_secrets, unsigned count)
{
	bool is_right =
	    sent.with_secrets == with_secrets && sent.count == count;
	if (!is_right)
		printf(
		    "# %u of %u had secrets\n", sent.with_secrets, sent.count);
	sent.count = sent.with_secrets = sent.with_user = 0;
	return is_right;
}

/* An authority is a scheme, a host and a port. */
static void test_secrets(struct pv_inquiry *inquiry)
{
	sent.count = sent.with_secrets = 0;
	ask(inquiry, "http://h4.test/page");
	ok(has_sent(1, 1), "P7: secrets go to a seed's authority");
	ask(inquiry, "http://h4.test:8080/");
	ok(has_sent(0, 1), "P7: but not to another port of its host");
	ask(inquiry, "https://h4.test/");
	ok(has_sent(0, 1), "P7: nor by another scheme");
	ask(inquiry, "http://h6.test/");
	ok(has_sent(0, 1), "P7: nor to a host that is no seed's");
	sent.location = "http://h8.test/robots.txt";
	const struct pv_inquiry_answer *answer =
	    ask(inquiry, "http://h2.test:8081/");
	ok(answer->redirects == 1 && has_sent(0, 2),
	    "P7: nor to where that redirects");
}

/* What the domain table says in confidence. */
static void test_user(struct pv_inquiry *inquiry)
{
	sent.with_user = 0;
	ask(inquiry, "http://h4.test/page");
	ok(sent.with_user == 1, "P7: a user goes to a seed's authority");
	ask(inquiry, "http://h4.test:8080/");
	ask(inquiry, "https://h4.test/");
	ask(inquiry, "http://h6.test:8080/");
	ok(sent.with_user == 1, "P7: but to no other port and no other scheme");
	ask(inquiry, "http://h6.test/");
	ok(sent.with_user == 2,
	    "P7: to a host that is no seed's, at a seed's port");
	ask(inquiry, "https://h8.test/");
	ok(sent.with_user == 3, "P7: or over TLS");
	ask(inquiry, "http://h2.test:8082/");
	ok(sent.with_user == 3, "P7: to no other port of another seed");
	sent.with_user = 0;
}

static void test_redirected(struct pv_inquiry *inquiry)
{
	sent.count = sent.with_secrets = 0;
	sent.location = "http://h6.test/robots.txt";
	const struct pv_inquiry_answer *answer =
	    ask(inquiry, "http://h2.test/");
	ok(answer->redirects == 1 && has_sent(1, 2),
	    "P7: where a seed's authority redirects elsewhere, they stay with "
	    "it");
}

static struct pv_inquiry *open_inquiry(
    const struct pv_policy *policy, const struct pv_environment *around)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_inquiry *inquiry = pv_inquiry_create(policy, around, &why);
	pv_why_finish(&why);
	return inquiry;
}

int main(void)
{
	const struct simulation_plan plan = {
	    .hosts = 8,
	    .seeds = "http://h{1..4}.test/",
	    .robots = redirect,
	    .chains = 1,
	    .length = 1,
	    .silent_every = 2,
	    .delay_ms = 20000,
	    .policy = "domains: {\"*.test\": {user: \"a:b\", "
		      "headers: {X-Key: k}}}\n",
	    .latency_ms = 10,
	};
	struct pv_environment around = simulation_environment;
	struct pv_fetch_kind fetch = simulation_fetch;
	fetch.start = start;
	around.fetch = &fetch;
	simulation_init(&plan);
	struct pv_policy *policy = simulation_policy(&plan);
	struct pv_inquiry *inquiry = open_inquiry(policy, &around);
	if (ok(inquiry != NULL, "an inquiry has the environment of its own")) {
		test_asking(inquiry);
		test_pace(inquiry);
		test_secrets(inquiry);
	}
	pv_inquiry_destroy(inquiry);
	inquiry = open_inquiry(policy, &around);
	test_redirected(inquiry);
	pv_inquiry_destroy(inquiry);
	inquiry = open_inquiry(policy, &around);
	test_user(inquiry);
	pv_inquiry_destroy(inquiry);
	pv_policy_destroy(policy);
	simulation_finish();
	return tap_done();
}

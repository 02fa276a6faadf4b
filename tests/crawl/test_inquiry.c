#include "crawl/inquiry.h"

#include "crawl/simulation.h"

/* Asking for a robots.txt outside of a crawl, in simulated time. */

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

int main(void)
{
	const struct simulation_plan plan = {
	    .hosts = 2,
	    .chains = 1,
	    .length = 1,
	    .silent_every = 2,
	    .delay_ms = 20000,
	    .latency_ms = 10,
	};
	struct pv_why why;
	simulation_init(&plan);
	pv_why_init(&why);
	struct pv_policy *policy = simulation_policy(&plan);
	struct pv_inquiry *inquiry =
	    pv_inquiry_create(policy, &simulation_surroundings, &why);
	if (ok(inquiry != NULL, "an inquiry has the surroundings of its own")) {
		test_asking(inquiry);
		test_pace(inquiry);
	}
	pv_inquiry_destroy(inquiry);
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	simulation_finish();
	return tap_done();
}

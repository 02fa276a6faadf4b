#include "crawl/visit/flight.h"

#include "crawl/conductor.h"
#include "tap.h"

/* Nothing of one visit may be seen in the next that uses its memory. */

struct scene {
	struct pv_crawl crawl;
	struct pv_policy policy;
	struct pv_live_host host;
};

static void open_scene(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	scene->policy.fetch.max_size = 1000;
	scene->crawl.policy = &scene->policy;
	scene->crawl.flights.spill = ".";
	scene->crawl.now.monotonic_ms = 5000;
}

static struct pv_flight *open_one(struct scene *scene, const char *url)
{
	const struct pv_visit visit = {.id = 1, .url = pv_str_of(url)};
	struct pv_task *task = pv_task_create(&scene->host.tasks, &visit);
	task->host = &scene->host;
	return pv_flight_create(&scene->crawl, task);
}

/* All that a visit can be marked with. */
static void mark(struct pv_flight *open)
{
	const struct pv_link link = {
	    .url = PV_STR("https://b.test/"), .host = PV_STR("b.test")};
	open->stage = PV_FLIGHT_SETTLING;
	open->is_sent = open->is_in_flight = open->job.is_abandoned = true;
	open->kind = PV_REPORT_REFUSED;
	open->verdict.reason = PV_REASON_ROBOTS;
	open->findings.links.gave_up_rule = 7;
	open->findings.robots.has_location = true;
	open->record.parts = 2;
	open->held_bytes = 99;
	open->job.result.may_lead_further = true;
	open->response.outcome = PV_OUTCOME_TOO_LARGE;
	open->response.http_status = 503;
	open->response.is_own_fault = open->response.is_kept = true;
	snprintf(open->response.why, sizeof(open->response.why), "why");
	pv_headers_add(
	    &open->response.headers, PV_STR("Retry-After"), PV_STR("7200"));
	pv_body_append(&open->response.body, PV_STR("a secret"));
	pv_body_append(&open->decoded, PV_STR("a secret"));
	pv_buf_append_text(&open->record.page.parts[0], "a line");
	pv_buf_append_text(&open->record.page.file, "a file");
	snprintf(
	    open->record.page.fault, sizeof(open->record.page.fault), "fault");
	open->record.page.text = PV_STR("a secret");
	open->record.page.is_kept = open->record.page.is_robots =
	    open->record.page.has_digest = true;
	pv_buf_append_text(
	    &open->findings.redirect.seed_redirect, "https://c.test/");
	pv_link_list_add(&open->findings.links.list, &link);
	open->record.report.is_final = true;
	open->rules = pv_robots_rules_create(
	    PV_STR("User-agent: *\nDisallow: /\n"), false, PV_STR("a"), NULL);
}

static void is_clean(const struct pv_flight *open, const char *claim)
{
	const struct pv_response *response = &open->response;
	const struct pv_page *page = &open->record.page;
	ok(open->stage == PV_FLIGHT_RELEASED && !open->is_sent &&
		!open->is_in_flight && !open->job.is_abandoned && !open->kind &&
		!open->verdict.reason && !open->findings.links.gave_up_rule &&
		!open->findings.robots.has_location && !open->record.parts &&
		!open->held_bytes && !open->job.result.may_lead_further &&
		!open->rules && !open->findings.robots.rules &&
		!open->transfer && !open->authority,
	    "%s: of its way", claim);
	ok(!response->outcome && !response->http_status &&
		!response->is_own_fault && !response->is_kept &&
		!response->why[0] && !response->headers.count &&
		!response->body.size && !response->body.memory.len &&
		!open->decoded.size,
	    "P7: %s: of its answer", claim);
	ok(!page->parts[0].len && !page->file.len && !page->fault[0] &&
		!page->text.len && !page->is_kept && !page->is_robots &&
		!page->has_digest && open->wait_ms == -1,
	    "P7: %s: of its page", claim);
	ok(!open->findings.redirect.seed_redirect.len &&
		!open->findings.links.list.count &&
		!open->record.report.is_final,
	    "%s: of what it led to", claim);
}

static void test_again(void)
{
	struct scene scene;
	open_scene(&scene);
	struct pv_flight *one = open_one(&scene, "https://a.test/one?x#y");
	is_clean(one, "a new one has nothing");
	is_text(one->authority_text, "https://a.test", "it has its authority");
	ok(scene.crawl.flights.drained.open == 1 && scene.host.open == 1 &&
		one->released_at == 5000,
	    "and is counted");
	mark(one);
	pv_flight_destroy(one);
	ok(scene.crawl.flights.drained.open == 0 && scene.host.open == 0 &&
		!scene.host.tasks.first && !scene.crawl.flights.first,
	    "when it is closed nothing is left of it");
	struct pv_flight *two = open_one(&scene, "http://b.test:8080/two");
	ok(two == one, "its memory is used again");
	is_clean(two, "the next sees nothing");
	is_text(two->authority_text, "http://b.test:8080", "but its own");
	pv_flight_destroy(two);
	pv_flights_drop_spare(&scene.crawl.flights);
	ok(!scene.crawl.flights.spare && !scene.crawl.flights.spare_body_count,
	    "in the end all is let go");
}

/* The ceiling is each visit's own. */
static void test_ceilings(void)
{
	struct scene scene;
	struct pv_authority authority = {.asks = 0};
	open_scene(&scene);
	struct pv_flight *page = open_one(&scene, "https://a.test/");
	ok(page->response.body.ceiling == 1000 && page->decoded.ceiling == 1000,
	    "P5: a page is as large as the policy says");
	pv_flight_destroy(page);
	const struct pv_visit visit = {
	    .url = PV_STR("https://a.test/robots.txt")};
	struct pv_task *task =
	    pv_task_create_for(&authority, &scene.host, &visit);
	struct pv_flight *robots = pv_flight_create(&scene.crawl, task);
	ok(pv_flight_is_robots(robots) &&
		robots->response.body.ceiling == 500 * 1024 + 1 &&
		robots->decoded.ceiling == 500 * 1024 + 1,
	    "P5: a robots.txt as large as RFC 9309 wants");
	pv_flight_destroy(robots);
	ok(authority.asks == 0 && scene.host.tasks.asks == 0,
	    "and it is asked for no more");
	page = open_one(&scene, "https://a.test/");
	ok(page->response.body.ceiling == 1000 && page->decoded.ceiling == 1000,
	    "P5: the next page is a page");
	pv_flight_destroy(page);
	pv_flights_drop_spare(&scene.crawl.flights);
}

/* The memory of a body goes from one to another. */
static void test_bodies(void)
{
	struct scene scene;
	open_scene(&scene);
	struct pv_flight *one = open_one(&scene, "https://a.test/1");
	struct pv_flight *two = open_one(&scene, "https://a.test/2");
	pv_flight_take_body(one);
	pv_body_append(&one->response.body, PV_STR("a secret"));
	pv_flight_give_body(one);
	ok(scene.crawl.flights.spare_body_count == 1 &&
		!one->response.body.size,
	    "the memory of a body that has been read is given back");
	pv_flight_take_body(two);
	ok(scene.crawl.flights.spare_body_count == 0 &&
		!two->response.body.size && !two->response.body.memory.len,
	    "P7: who takes it sees nothing in it");
	pv_body_append(&two->response.body, PV_STR("text"));
	is_text(pv_body_text(&two->response.body), "text", "and can use it");
	pv_flight_destroy(one);
	pv_flight_destroy(two);
	pv_flights_drop_spare(&scene.crawl.flights);
}

/* What was large is not kept. */
static void test_large(void)
{
	struct scene scene;
	static char bytes[200000];
	open_scene(&scene);
	scene.policy.fetch.max_size = 1000000;
	struct pv_flight *one = open_one(&scene, "https://a.test/1");
	pv_body_append(
	    &one->response.body, (struct pv_str){bytes, sizeof(bytes)});
	pv_flight_give_body(one);
	ok(scene.crawl.flights.spare_body_count == 0,
	    "P5: the memory of a large body is let go");
	pv_buf_append(
	    &one->record.page.parts[0], (struct pv_str){bytes, sizeof(bytes)});
	pv_flight_destroy(one);
	ok(!scene.crawl.flights.spare, "P5: and so is a visit's");
	pv_flights_drop_spare(&scene.crawl.flights);
}

/* However many there were at once. */
static void test_many(void)
{
	enum { MANY = 1000, MOST_BYTES = 8 << 20 };
	struct scene scene;
	static char bytes[20000];
	struct pv_flight *opens[MANY];
	open_scene(&scene);
	for (size_t i = 0; i < MANY; i++) {
		opens[i] = open_one(&scene, "https://a.test/1");
		pv_buf_append(&opens[i]->record.page.parts[0],
		    (struct pv_str){bytes, sizeof(bytes)});
	}
	ok(pv_flight_bytes(opens[0]) >= sizeof(bytes) + sizeof(*opens[0]),
	    "what a visit holds counts as a whole");
	for (size_t i = 0; i < MANY; i++)
		pv_flight_destroy(opens[i]);
	size_t kept = 0;
	for (struct pv_flight *open = scene.crawl.flights.spare; open;
	     open = open->next)
		kept += pv_flight_bytes(open);
	ok(kept > MOST_BYTES / 2 && kept <= MOST_BYTES,
	    "P5: of many at once %d MiB at most are kept (%zu KiB)",
	    MOST_BYTES >> 20, kept >> 10);
	for (size_t i = 0; i < MANY; i++)
		opens[i] = open_one(&scene, "https://a.test/1");
	ok(!scene.crawl.flights.spare && !scene.crawl.flights.spare_bytes,
	    "and used before others are made");
	for (size_t i = 0; i < MANY; i++)
		pv_flight_destroy(opens[i]);
	pv_flights_drop_spare(&scene.crawl.flights);
}

int main(void)
{
	test_again();
	test_ceilings();
	test_bodies();
	test_large();
	test_many();
	return tap_done();
}

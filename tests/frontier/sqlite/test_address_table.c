#include "frontier/scene.h"

/* What is asked of all addresses at the end: which were refused, and how the
 * seeds fared. */

static struct pv_standing refused(enum pv_reason reason, uint32_t line)
{
	return (struct pv_standing){.use = PV_REFUSED,
	    .depth = 3,
	    .verdict = {.reason = reason, .line = line}};
}

/* Refused addresses */

static void on_refused(
    struct pv_refused_request *request, enum pv_store_status status)
{
	struct scene *scene = request->ctx;
	scene->status = status;
}

static struct pv_visit_list take_refused(
    struct scene *scene, uint64_t after, size_t max, size_t ceiling)
{
	struct pv_refused_request request = {
	    .after = after, .max = max, .done = on_refused, .ctx = scene};
	pv_visit_list_init(&request.visits, ceiling);
	pv_frontier_take_refused(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.visits;
}

/* Claims which addresses follow, "a b" of https://x.example/a and so on;
 * returns the number of the last. */
static uint64_t are_refused(struct scene *scene, uint64_t after, size_t max,
    const char *wanted, const char *claim)
{
	struct pv_visit_list visits = take_refused(scene, after, max, 1 << 20);
	struct pv_buf found;
	pv_buf_init(&found, 1000);
	for (size_t i = 0; i < visits.count; i++) {
		struct pv_visit visit = pv_visit_list_get(&visits, i);
		size_t slash = pv_str_find_last(visit.url, '/');
		if (i)
			pv_buf_append_char(&found, ' ');
		pv_buf_append(&found, pv_str_from(visit.url, slash + 1));
		after = visit.id;
	}
	is_text(pv_buf_str(&found), wanted, "%s", claim);
	pv_buf_finish(&found);
	pv_visit_list_finish(&visits);
	return after;
}

static void test_batches(void)
{
	static const char *const urls[] = {"https://x.example/a",
	    "https://y.example/b", "https://x.example/c", "https://x.example/d",
	    "https://y.example/e"};
	struct scene scene;
	scene_init(&scene, 16);
	for (size_t i = 0; i < 5; i++)
		scene_add(&scene, urls[i], refused(PV_REASON_HOST, 0));
	scene_add_page(&scene, "https://x.example/admitted", 1);
	scene_add_page(&scene, "https://x.example/c", 1);
	uint64_t last = are_refused(&scene, 0, 2, "a b",
	    "P4: refused addresses come in the order of their finding");
	last = are_refused(&scene, last, 2, "d e",
	    "without those that were admitted after all");
	are_refused(&scene, last, 2, "", "and have an end");
	are_refused(&scene, 0, 100, "a b d e", "or all at once");
	scene_finish(&scene);
}

static void test_facts(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(&scene, host);
	struct pv_link link = {
	    .fingerprint = {.address = 7},
	    .via = report->visit.id,
	    .url = PV_STR("https://x.example/no"),
	    .host = PV_STR("x.example"),
	    .tag = PV_STR("shop"),
	    .standing = refused(PV_REASON_RULE, 12),
	};
	pv_link_list_add(&report->links, &link);
	scene_send(&scene, report);
	struct pv_visit_list visits = take_refused(&scene, 0, 9, 1 << 20);
	struct pv_visit visit = {.id = 0};
	if (ok(visits.count == 1, "what was found just now is there"))
		visit = pv_visit_list_get(&visits, 0);
	is_text(visit.url, "https://x.example/no", "P4: it has its address");
	is_text(visit.via, "https://x.example/", "P4: where it was found");
	is_text(visit.tag, "shop", "its tag");
	ok(visit.standing.verdict.reason == PV_REASON_RULE &&
		visit.standing.verdict.line == 12 &&
		visit.standing.use == PV_REFUSED && visit.standing.depth == 3,
	    "P4: why, by which line, and how deep it lies");
	ok(visit.host_id == host, "and its host");
	pv_visit_list_finish(&visits);
	scene_finish(&scene);
}

static void test_ceiling(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add(&scene, "https://x.example/a", refused(PV_REASON_HOST, 0));
	scene_add(&scene, "https://x.example/b", refused(PV_REASON_HOST, 0));
	struct pv_visit_list visits = take_refused(&scene, 0, 9, 25);
	ok(visits.count == 1, "P5: texts have a ceiling");
	uint64_t last = visits.count ? pv_visit_list_get(&visits, 0).id : 0;
	pv_visit_list_finish(&visits);
	are_refused(&scene, last, 9, "b", "P4: what did not fit comes next");
	scene_finish(&scene);
}

/* A page that robots.txt forbids stands well all the same. */
static void test_robots(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_REFUSED);
	report->visit = scene_take_visit(&scene, host);
	report->verdict = (struct pv_verdict){PV_REASON_ROBOTS, 3};
	scene_send(&scene, report);
	struct pv_visit_list visits = take_refused(&scene, 0, 9, 1000);
	ok(visits.count == 1 &&
		pv_visit_list_get(&visits, 0).standing.verdict.reason ==
		    PV_REASON_ROBOTS &&
		pv_visit_list_get(&visits, 0).standing.verdict.line == 3,
	    "P4: what was refused when its turn came is among them");
	pv_visit_list_finish(&visits);
	scene_finish(&scene);
}

/* Seeds */

static uint64_t failed_seeds(struct scene *scene)
{
	struct pv_count_request request = {
	    .wants_seeds = true, .done = scene_end_count, .ctx = scene};
	pv_frontier_count(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.failed_seeds;
}

static const struct fate {
	enum pv_report_kind kind;
	enum pv_outcome outcome;
	uint16_t http_status;
	uint64_t failed;
	const char *claim;
} fates[] = {
    {PV_REPORT_DONE, PV_OUTCOME_ANSWERED, 200, 0, "an answer of 200"},
    {PV_REPORT_DONE, PV_OUTCOME_ANSWERED, 204, 0, "an answer of 204"},
    {PV_REPORT_DONE, PV_OUTCOME_ANSWERED, 301, 0, "a redirect"},
    {PV_REPORT_DONE, PV_OUTCOME_ANSWERED, 404, 1, "an answer of 404"},
    {PV_REPORT_DONE, PV_OUTCOME_ANSWERED, 503, 1, "an answer of 503"},
    {PV_REPORT_DONE, PV_OUTCOME_NO_NAME, 0, 1, "no such name"},
    {PV_REPORT_DONE, PV_OUTCOME_TIMEOUT, 0, 1, "no answer"},
    {PV_REPORT_DONE, PV_OUTCOME_TOO_LARGE, 200, 1, "too large an answer"},
    {PV_REPORT_REFUSED, PV_OUTCOME_NONE, 0, 1, "a refusal"},
    {PV_REPORT_AGAIN, PV_OUTCOME_NONE, 0, 0, "what is not known yet"},
};

static void test_fates(void)
{
	for (size_t i = 0; i < sizeof(fates) / sizeof(*fates); i++) {
		const struct fate *fate = &fates[i];
		struct scene scene;
		scene_init(&scene, 16);
		scene_add_page(&scene, "https://x.example/", 0);
		uint64_t host = scene_take_host(&scene);
		struct pv_report *report = scene_report(&scene, fate->kind);
		report->visit = scene_take_visit(&scene, host);
		report->result.outcome = fate->outcome;
		report->result.http_status = fate->http_status;
		report->verdict.reason = PV_REASON_ROBOTS;
		scene_send(&scene, report);
		ok(failed_seeds(&scene) == fate->failed, "a seed: %s: %s",
		    fate->claim, fate->failed ? "failed" : "did not fail");
		scene_finish(&scene);
	}
}

static uint64_t failed_at_dead_end(uint16_t http_status)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	scene_end_visit(&scene, &visit,
	    (struct pv_result){
		.outcome = PV_OUTCOME_ANSWERED, .http_status = http_status});
	struct pv_database *database =
	    pv_database_open(scratch_file(&scene.scratch, "state.db"));
	pv_database_run(
	    database, "INSERT INTO dead_ends SELECT id, 1, '' FROM addresses");
	pv_database_close(database);
	uint64_t failed = failed_seeds(&scene);
	scene_finish(&scene);
	return failed;
}

static void test_dead_end(void)
{
	ok(failed_at_dead_end(302) == 1, "a seed that led to nothing failed");
	ok(failed_at_dead_end(200) == 0,
	    "but not one that did so before, and is a page now");
}

static void test_refused_seed(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	struct pv_standing standing = refused(PV_REASON_NEVER, 1);
	standing.depth = 0;
	scene_add(&scene, "https://x.example/", standing);
	ok(failed_seeds(&scene) == 1, "a seed that is refused at once failed");
	scene_finish(&scene);
}

/* The seed has an answer with a link, which has that outcome in turn. */
static uint64_t failed_behind(struct pv_standing link, uint16_t http_status)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(&scene, host);
	report->result = (struct pv_result){
	    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200};
	scene_link(&scene, report, "https://x.example/next", link);
	scene_send(&scene, report);
	scene_settle(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	if (visit.id)
		scene_end_visit(&scene, &visit,
		    (struct pv_result){.outcome = PV_OUTCOME_ANSWERED,
			.http_status = http_status});
	uint64_t failed = failed_seeds(&scene);
	scene_finish(&scene);
	return failed;
}

static void test_behind(void)
{
	const struct pv_standing hop = {.use = PV_PAGE, .redirects = 1};
	const struct pv_standing image = {.use = PV_RESOURCE};
	const struct pv_standing moved = {.use = PV_RESOURCE, .redirects = 1};
	const struct pv_standing page = {.use = PV_PAGE, .depth = 1};
	const struct pv_standing entry = {.use = PV_PAGE, .is_entry = true};
	struct pv_standing no_hop = refused(PV_REASON_HOST, 0);
	no_hop.depth = 0;
	no_hop.redirects = 1;
	ok(failed_behind(hop, 404) == 1,
	    "a seed that was redirected to nowhere failed");
	ok(failed_behind(hop, 200) == 0, "to somewhere, it did not");
	ok(failed_behind(no_hop, 0) == 1, "to where we may not go, it failed");
	ok(failed_behind(image, 404) == 0, "a part of a seed's page is none");
	ok(failed_behind(moved, 404) == 0, "nor where that part has moved to");
	ok(failed_behind(page, 404) == 0, "nor a page that it leads to");
	ok(failed_behind(entry, 404) == 0,
	    "nor what a sitemap among the seeds names");
}

/* The part of a page was redirected to where we may not go. */
static void test_refused_part(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add(&scene, "https://x.example/image",
	    (struct pv_standing){.use = PV_RESOURCE});
	uint64_t host = scene_take_host(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(&scene, host);
	report->result = (struct pv_result){
	    .outcome = PV_OUTCOME_ANSWERED, .http_status = 301};
	struct pv_standing standing = refused(PV_REASON_NEVER, 1);
	standing.depth = 0;
	standing.redirects = 1;
	scene_link(&scene, report, "https://y.example/image", standing);
	scene_send(&scene, report);
	ok(failed_seeds(&scene) == 0,
	    "a part of a page that has moved to where we may not go is no "
	    "seed");
	scene_finish(&scene);
}

/* Another page had led to what was then named as a seed. */
static void test_late_seed(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(&scene, host);
	report->result = (struct pv_result){
	    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200};
	scene_link(&scene, report, "https://x.example/late",
	    (struct pv_standing){.use = PV_PAGE, .depth = 1});
	scene_send(&scene, report);
	scene_settle(&scene);
	scene_add_page(&scene, "https://x.example/late", 0);
	struct pv_visit late = scene_take_visit(&scene, host);
	scene_end_visit(
	    &scene, &late, (struct pv_result){.outcome = PV_OUTCOME_TIMEOUT});
	ok(failed_seeds(&scene) == 1,
	    "a seed counts as one though a page had led to it before");
	scene_finish(&scene);
}

static void add_changed(struct scene *scene, int64_t lastmod_wall_ms)
{
	const struct pv_str url = PV_STR("https://x.example/");
	struct pv_report *report = scene_report(scene, PV_REPORT_LINKS);
	struct pv_link link = {
	    .fingerprint = pv_frontier_fingerprint(scene->frontier, url),
	    .standing = {.use = PV_PAGE, .depth = 1},
	    .url = url,
	    .host = PV_STR("x.example"),
	    .lastmod_wall_ms = lastmod_wall_ms,
	};
	pv_link_list_add(&report->links, &link);
	scene_send(scene, report);
	scene_settle(scene);
}

static void test_lastmod(void)
{
	const char *const newest = "SELECT max(lastmod_wall_ms) FROM addresses";
	struct scene scene;
	scene_init(&scene, 16);
	add_changed(&scene, 0);
	ok(scene_number(&scene, newest) == 0, "nobody said when it changed");
	add_changed(&scene, 7000);
	ok(scene_number(&scene, newest) == 7000,
	    "when an address was changed last is kept, though it is known");
	add_changed(&scene, 5000);
	ok(scene_number(&scene, newest) == 7000, "the latest time counts");
	ok(scene_number(&scene, "SELECT count(*) FROM addresses") == 1,
	    "it is one address");
	scene_finish(&scene);
}

static void test_unasked(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	struct pv_standing standing = refused(PV_REASON_NEVER, 1);
	standing.depth = 0;
	scene_add(&scene, "https://x.example/", standing);
	struct pv_count_request request = {
	    .done = scene_end_count, .ctx = &scene};
	pv_frontier_count(scene.frontier, &request, scene.now);
	scene_settle(&scene);
	ok(request.failed_seeds == 0 &&
		request.counts.states[PV_STATE_REFUSED] == 1,
	    "who does not ask for seeds gets counts alone");
	scene_finish(&scene);
}

/* Damage */

static const struct {
	const char *column;
	unsigned count; /* the first number that means nothing */
} numbers[] = {
    {"state", PV_STATE_COUNT},
    {"use", PV_USE_COUNT},
    {"reason", PV_REASON_COUNT},
    {"outcome", PV_OUTCOME_COUNT},
};

static size_t spoilt; /* which of them */

static void spoil(struct scene *scene)
{
	char sql[100];
	snprintf(sql, sizeof(sql), "UPDATE addresses SET %s = %u",
	    numbers[spoilt].column, numbers[spoilt].count);
	pv_database_run(scene->store->database, sql);
}

static void test_nonsense(void)
{
	for (spoilt = 0; spoilt < sizeof(numbers) / sizeof(*numbers);
	     spoilt++) {
		struct scene scene;
		scene_init(&scene, 1);
		scene_add_page(&scene, "https://x.example/a", 3);
		scene_close(&scene);
		scene.before_start = spoil;
		scene_open(&scene);
		scene_add_page(&scene, "https://x.example/a", 2);
		ok(scene.status == PV_STORE_DAMAGED,
		    "a %s that does not exist is a damaged file",
		    numbers[spoilt].column);
		scene_finish(&scene);
	}
}

int main(void)
{
	test_batches();
	test_facts();
	test_ceiling();
	test_robots();
	test_fates();
	test_dead_end();
	test_refused_seed();
	test_behind();
	test_refused_part();
	test_late_seed();
	test_unasked();
	test_lastmod();
	test_nonsense();
	return tap_done();
}

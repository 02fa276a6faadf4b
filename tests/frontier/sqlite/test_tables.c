#include "frontier/scene.h"

/* What each sort of report does to its address, what the journal may rely on,
 * and what all runs have brought. */

static const struct pv_result leaf = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 10};
static const struct pv_result page = {.outcome = PV_OUTCOME_ANSWERED,
    .http_status = 200,
    .bytes = 10,
    .may_lead_further = true};

/* A job that is given with a report, and looks at it as a journal would. */
struct journal {
	struct pv_job job;
	const struct pv_report *report;
	bool is_final;
	unsigned lines;
};

static void append(struct pv_job *job, struct pv_database *database)
{
	struct journal *journal = (struct journal *)job;
	(void)database;
	journal->is_final = journal->report->is_final;
	journal->lines++;
}

static void on_appended(struct pv_job *job, enum pv_store_status status)
{
	(void)job;
	(void)status;
}

/* Reports a visit with a line; whether that line said that it is final. */
static bool report(struct scene *scene, enum pv_report_kind kind,
    const struct pv_visit *visit, const struct pv_result *answer)
{
	struct pv_report *report = scene_report(scene, kind);
	struct journal journal = {
	    .job = {.run = append, .done = on_appended, .rows = 1},
	    .report = report,
	};
	report->visit = *visit;
	report->result = *answer;
	report->verdict = (struct pv_verdict){PV_REASON_ROBOTS, 7};
	report->with = &journal.job;
	scene_send(scene, report);
	scene_settle(scene);
	return journal.lines == 1 && journal.is_final;
}

static const struct ending {
	enum pv_report_kind kind;
	const struct pv_result *answer;
	bool was_found_better;
	bool is_final;
	enum pv_address_state state;
	uint32_t attempt;
	const char *claim;
} endings[] = {
    {PV_REPORT_DONE, &leaf, false, true, PV_STATE_DONE, 0,
	"an outcome is the last word"},
    {PV_REPORT_DONE, &page, false, true, PV_STATE_DONE, 0,
	"also that of a page"},
    {PV_REPORT_DONE, &leaf, true, true, PV_STATE_DONE, 0,
	"and if it stands better now, but leads nowhere"},
    {PV_REPORT_DONE, &page, true, false, PV_STATE_PENDING, 0,
	"a page that stands better now is asked for once more"},
    {PV_REPORT_AGAIN, &leaf, false, false, PV_STATE_PENDING, 1,
	"what is tried again counts as tried"},
    {PV_REPORT_LATER, &leaf, false, false, PV_STATE_PENDING, 0,
	"what was no fault of the host's does not"},
    {PV_REPORT_REFUSED, &leaf, false, false, PV_STATE_REFUSED, 0,
	"a refusal has its line when it is known to stay"},
};

static void test_ending(const struct ending *ending)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 5);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	if (ending->was_found_better)
		scene_add_page(&scene, "https://x.example/a", 2);
	bool is_final = report(&scene, ending->kind, &visit, ending->answer);
	ok(is_final == ending->is_final, "P3: %s", ending->claim);
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[ending->state] == 1 &&
		counts.states[PV_STATE_IN_FLIGHT] == 0,
	    "P3: and it is where it is counted");
	struct pv_visit next = scene_take_visit(&scene, host);
	bool is_left = ending->state == PV_STATE_PENDING;
	ok(is_left == (next.id == visit.id) &&
		(!is_left || next.attempt == ending->attempt),
	    "%s", is_left ? "it can be taken again" : "it is not given again");
	scene_finish(&scene);
}

static void test_endings(void)
{
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		test_ending(&endings[i]);
}

/* The host was told to have nothing left before the visit came back. */
static void test_waking(void)
{
	static const enum pv_report_kind kinds[] = {
	    PV_REPORT_AGAIN, PV_REPORT_LATER};
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		scene_init(&scene, 16);
		scene_add_page(&scene, "https://x.example/a", 1);
		uint64_t host = scene_take_host(&scene);
		struct pv_visit visit = scene_take_visit(&scene, host);
		ok(scene_take_visit(&scene, host).id == 0 && !scene.woken,
		    "a host has nothing left but what is in flight");
		report(&scene, kinds[i], &visit, &leaf);
		ok(scene.woken == 1 && scene.last_woken == host,
		    "P3: what comes back wakes it");
		scene_finish(&scene);
	}
}

/* Takes one visit after the other; their numbers, in the order of finding. */
static void are_taken(
    struct scene *scene, uint64_t host, const char *wanted, const char *claim)
{
	struct pv_buf taken;
	pv_buf_init(&taken, 100);
	for (;;) {
		struct pv_visit visit = scene_take_visit(scene, host);
		if (!visit.id)
			break;
		pv_buf_append_format(&taken, "%u ", (unsigned)visit.id);
	}
	is_text(pv_buf_str(&taken), wanted, "%s", claim);
	pv_buf_finish(&taken);
}

static void test_order(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/deep", 3);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://x.example/b", 2);
	scene_add_page(&scene, "https://x.example/c", 2);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	ok(visit.id == 2, "what lies least deep comes first");
	report(&scene, PV_REPORT_AGAIN, &visit, &leaf);
	are_taken(&scene, host, "3 4 1 2 ",
	    "then what was found first, and last of all what was tried before");
	scene_finish(&scene);
}

static void test_onward(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	scene_try_again(
	    &scene, PV_REPORT_ONWARD, scene_take_visit(&scene, host));
	struct pv_visit visit = scene_take_visit(&scene, host);
	ok(visit.not_before_wall_ms == 4711 && !visit.attempt,
	    "what goes on where it was broken off rests before that, and has "
	    "all its tries");
	scene_finish(&scene);
}

static void test_given_back(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	scene_take_visit(&scene, host);
	ok(scene_count(&scene).states[PV_STATE_IN_FLIGHT] == 1,
	    "a visit that is taken is counted as under way");
	scene_give_host(&scene, host, (struct pv_host_state){.pages = 1});
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_PENDING] == 1 &&
		counts.states[PV_STATE_IN_FLIGHT] == 0,
	    "P3: and as pending when its host is given back");
	scene_finish(&scene);
}

static void test_twice(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	report(&scene, PV_REPORT_LATER, &visit, &leaf);
	ok(!report(&scene, PV_REPORT_DONE, &visit, &leaf),
	    "P3: of what is not in flight nothing is final");
	ok(scene_count(&scene).states[PV_STATE_PENDING] == 1,
	    "P3: nor does it change");
	scene_finish(&scene);
}

/* What is asked for anew has all its tries before it. */

static const char tried[] = "https://x.example/a";

/* A visit that was tried and put off. */
static struct pv_visit take_tried(struct scene *scene)
{
	scene_init(scene, 16);
	scene_add_page(scene, tried, 5);
	return scene_take_tried(scene, scene_take_host(scene));
}

static void claim_untried(struct scene *scene, const char *claim)
{
	struct pv_visit visit = scene_take_visit(scene, 1);
	ok(visit.id == 1 && visit.attempt == 0,
	    "P3: %s has all its tries before it", claim);
	ok(visit.waits == 0, "and has not been put off");
	ok(visit.not_before_wall_ms == 0, "P3: and need not rest");
}

static void test_tries(void)
{
	struct scene scene;
	struct pv_visit visit = take_tried(&scene);
	ok(visit.attempt == 1 && visit.waits == 1 &&
		visit.not_before_wall_ms == 4711,
	    "what was tried and put off says so");
	scene_add_page(&scene, tried, 2);
	report(&scene, PV_REPORT_DONE, &visit, &page);
	claim_untried(&scene, "what was found better while it was visited");
	scene_finish(&scene);
}

static void test_tries_of_done(void)
{
	struct scene scene;
	struct pv_visit visit = take_tried(&scene);
	report(&scene, PV_REPORT_DONE, &visit, &page);
	scene_add_page(&scene, tried, 2);
	claim_untried(&scene, "what was found better once it was done");
	scene_finish(&scene);
}

static void test_tries_of_refused(void)
{
	struct scene scene;
	struct pv_visit visit = take_tried(&scene);
	report(&scene, PV_REPORT_REFUSED, &visit, &leaf);
	scene_add_page(&scene, tried, 2);
	claim_untried(&scene, "what was found better once it was refused");
	scene_finish(&scene);
}

/* Parts of bodies */

/* The next visit of a host; whether it has a part of that many bytes. */
static bool has_part(
    struct scene *scene, uint64_t host, uint64_t size, struct pv_visit *visit)
{
	struct pv_visit_list visits = scene_take_visits(scene, host, 1);
	struct pv_part part = {.size = 0};
	*visit = (struct pv_visit){.id = 0};
	if (visits.count) {
		*visit = pv_visit_list_get(&visits, 0);
		pv_part_unpack(visit->part, &part);
	}
	bool has_part = visits.count && part.size == size &&
			(visit->part.len > 0) == (size > 0);
	pv_visit_list_finish(&visits);
	visit->url = visit->via = visit->tag = visit->copy = visit->part =
	    PV_STR("");
	return has_part;
}

static void report_part(struct scene *scene, const struct pv_visit *visit,
    const struct pv_part *part, bool drops_part)
{
	struct pv_report *report = scene_report(scene, PV_REPORT_AGAIN);
	report->visit = *visit;
	report->result = leaf;
	report->part = part;
	report->drops_part = drops_part;
	scene_send(scene, report);
	scene_settle(scene);
}

static void test_parts(void)
{
	static const struct pv_part part = {
	    .size = 2000000,
	    .complete = 5000000,
	    .validator = PV_STR("\"a\""),
	    .headers = PV_STR("ETag: \"a\"\r\n"),
	};
	struct scene scene;
	struct pv_visit visit;
	scene_init(&scene, 16);
	scene_add_page(&scene, tried, 1);
	uint64_t host = scene_take_host(&scene);
	ok(has_part(&scene, host, 0, &visit), "at first there is no part");
	report_part(&scene, &visit, &part, false);
	ok(has_part(&scene, host, part.size, &visit),
	    "what was broken off is continued");
	report_part(&scene, &visit, NULL, false);
	ok(has_part(&scene, host, part.size, &visit),
	    "also where another try brought nothing");
	report_part(&scene, &visit, NULL, true);
	ok(has_part(&scene, host, 0, &visit) && visit.id == 1,
	    "P3: a part of no use is not continued");
	report_part(&scene, &visit, &part, false);
	has_part(&scene, host, part.size, &visit);
	scene_add_page(&scene, tried, 0);
	report(&scene, PV_REPORT_DONE, &visit, &page);
	ok(has_part(&scene, host, 0, &visit) && visit.id == 1,
	    "P3: nor is one of what was done, when it is asked for anew");
	report_part(&scene, &visit, &part, false);
	has_part(&scene, host, part.size, &visit);
	report(&scene, PV_REPORT_REFUSED, &visit, &leaf);
	scene_add(&scene, tried,
	    (struct pv_standing){
		.use = PV_PAGE, .depth_left = 9, .is_entry = true});
	ok(has_part(&scene, host, 0, &visit) && visit.id == 1,
	    "P3: nor one of what was refused");
	scene_finish(&scene);
}

/* A robots.txt is no address of the frontier's. */
static void test_no_visit(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_LINKS);
	report->visit.host_id = host;
	report->host.wait_ms = 4711;
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(scene_number(&scene, "SELECT wait_ms FROM host_states") == 4711,
	    "P1: without a visit a host's clock can be kept all the same");
	ok(scene_count(&scene).states[PV_STATE_PENDING] == 1,
	    "and nothing else is changed");
	scene_finish(&scene);
}

static void test_totals(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	ok(scene.frontier->totals.pages == 0 &&
		scene.frontier->totals.bytes == 0,
	    "a new crawl has brought nothing");
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://y.example/a", 1);
	struct pv_host_list hosts = scene_take_hosts(&scene, 9);
	for (size_t i = 0; i < hosts.count; i++)
		scene_give_host(&scene, pv_host_list_get(&hosts, i).id,
		    (struct pv_host_state){
			.pages = 2, .bytes = (int64_t)4000000000});
	pv_host_list_finish(&hosts);
	scene_close(&scene);
	scene_open(&scene);
	ok(scene.frontier->totals.pages == 4 &&
		scene.frontier->totals.bytes == 8000000000,
	    "P5: what all runs have brought is known at the start of the "
	    "next");
	scene_finish(&scene);
}

int main(void)
{
	test_endings();
	test_waking();
	test_order();
	test_given_back();
	test_onward();
	test_twice();
	test_tries();
	test_tries_of_done();
	test_tries_of_refused();
	test_parts();
	test_no_visit();
	test_totals();
	return tap_done();
}

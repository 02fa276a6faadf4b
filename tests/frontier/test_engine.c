#include "frontier/engines.h"
#include "frontier/plans.h"

/* What each engine of a frontier promises of addresses, hosts and visits, whatever
 * it keeps them in: all is asked by papers, and nothing is looked at behind the
 * table of functions. */

static const struct pv_result leaf = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 10};
static const struct pv_result page = {.outcome = PV_OUTCOME_ANSWERED,
    .http_status = 200,
    .bytes = 10,
    .may_lead_further = true};

static void test_order(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	scene_add_page(&scene, "https://x.example/c", 2);
	scene_add_page(&scene, "https://x.example/z", 1);
	scene_add_page(&scene, "https://x.example/a", 2);
	scene_add_page(&scene, "https://x.example/y", 1);
	scene_add_page(&scene, "https://x.example/0", 0);
	uint64_t host = scene_take_host(&scene);
	scene_are_next(&scene, host, 2, "0 z",
	    "P5: visits come in batches, the least deep first");
	scene_are_next(&scene, host, 9, "y c a", "then the first found");
	scene_are_next(&scene, host, 9, "", "each once");
	scene_finish(&scene);
}

static struct pv_standing refused(enum pv_reason reason, uint32_t depth)
{
	return (struct pv_standing){
	    .use = PV_REFUSED, .depth = depth, .verdict.reason = reason};
}

static void test_hosts(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	struct pv_report *report = scene_report(&scene, PV_REPORT_LINKS);
	struct pv_standing standing = {.use = PV_PAGE};
	scene_link(&scene, report, "https://a.example/1", standing);
	scene_link(&scene, report, "https://b.example/1", standing);
	scene_link(&scene, report, "https://a.example/2", standing);
	scene_link(
	    &scene, report, "https://c.example/1", refused(PV_REASON_HOST, 1));
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(scene.waiting == 1, "it is told when hosts wait");
	struct pv_host_list hosts = scene_take_hosts(&scene, 10);
	ok(hosts.count == 2, "hosts with something to visit are given out");
	is_text(pv_host_list_get(&hosts, 0).name, "a.example", "by name");
	struct pv_host host = pv_host_list_get(&hosts, 0);
	ok(!host.owes_delay && host.state.left_ms == 0,
	    "P1: a new host may start at once");
	ok(scene_take_host(&scene) == 0, "P1: a host is never given out twice");
	const struct pv_host_state state = {1, 5000, 3, 4, 5, 6, 7, 8, 9, 10,
	    11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 0, 23};
	scene_give_host(&scene, host.id, state);
	scene_give_host(&scene, pv_host_list_get(&hosts, 1).id,
	    (struct pv_host_state){.until_wall_ms = 10});
	pv_host_list_finish(&hosts);
	hosts = scene_take_hosts(&scene, 10);
	ok(hosts.count == 2, "what is given back can be taken again");
	is_text(pv_host_list_get(&hosts, 0).name, "b.example",
	    "the first that will be ready comes first");
	host = pv_host_list_get(&hosts, 1);
	ok(memcmp(&host.state, &state, sizeof(state)) == 0,
	    "P2: with its clock and its limits");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

static void test_giving_back(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://x.example/b", 1);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit a = scene_take_visit(&scene, host);
	scene_end_visit(&scene, &a, leaf);
	scene_are_next(&scene, host, 1, "b", "a visit is in flight");
	scene_give_host(&scene, host, (struct pv_host_state){.pages = 1});
	ok(scene.waiting == 2, "a host with something left waits again");
	ok(scene_take_visit(&scene, host).id == 0,
	    "P1: who does not hold a host gets none of its visits");
	ok(scene_take_host(&scene) == host, "and is given out");
	scene_are_next(&scene, host, 5, "b",
	    "P3: what was not reported is pending again, what was is not");
	scene_finish(&scene);
}

static void test_drained(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	scene_are_next(&scene, host, 1, "a", "a host is held");
	scene_add_page(&scene, "https://x.example/b", 1);
	ok(!scene.woken, "of a host that is not known to be empty nothing is "
			 "told");
	scene_are_next(&scene, host, 9, "b", "what is new is there");
	scene_add_page(&scene, "https://x.example/c", 1);
	ok(scene.woken == 1 && scene.last_woken == host,
	    "a host that had nothing left is told to have something again");
	scene_are_next(&scene, host, 9, "c", "and gives it");
	scene_give_host(&scene, host, (struct pv_host_state){.pages = 0});
	scene_take_host(&scene);
	scene_are_next(
	    &scene, host, 9, "a b c", "all of them are still to be done");
	scene_finish(&scene);
}

static void test_pending(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 1);
	scene_add_page(&scene, "https://x.example/a", 2);
	scene_add_page(&scene, "https://x.example/b", 5);
	scene_add_page(&scene, "https://x.example/b", 1);
	scene_add_page(&scene, "https://x.example/a", 7);
	uint64_t host = scene_take_host(&scene);
	scene_are_next(
	    &scene, host, 9, "b a", "what is found less deep moves up");
	scene_finish(&scene);
}

static void test_done(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 1);
	scene_add_page(&scene, "https://x.example/a", 5);
	scene_add_page(&scene, "https://x.example/b", 5);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit a = scene_take_visit(&scene, host);
	struct pv_visit b = scene_take_visit(&scene, host);
	ok(!a.is_repeated, "a first visit says so");
	scene_end_visit(&scene, &a, page);
	scene_end_visit(&scene, &b, leaf);
	scene_add_page(&scene, "https://x.example/a", 6);
	ok(scene_take_visit(&scene, host).id == 0,
	    "what is done is done, whoever links to it");
	scene_add_page(&scene, "https://x.example/b", 1);
	ok(scene_take_visit(&scene, host).id == 0,
	    "also if it is less deep, but has no links");
	scene_add_page(&scene, "https://x.example/a", 4);
	ok(scene.woken == 1, "a page that may lead further now is work again");
	a = scene_take_visit(&scene, host);
	ok(a.is_repeated && a.standing.depth == 4,
	    "and its visit says that it is repeated");
	scene_end_visit(&scene, &a, page);
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_DONE] == 2 &&
		counts.outcomes[PV_OUTCOME_ANSWERED] == 2,
	    "P3: each address has one outcome");
	scene_finish(&scene);
}

static void test_in_flight(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 1);
	scene_add_page(&scene, "https://x.example/a", 5);
	scene_add_page(&scene, "https://x.example/b", 5);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit a = scene_take_visit(&scene, host);
	struct pv_visit b = scene_take_visit(&scene, host);
	scene_add_page(&scene, "https://x.example/a", 2);
	scene_add_page(&scene, "https://x.example/b", 2);
	scene_end_visit(&scene, &a, page);
	scene_end_visit(&scene, &b, leaf);
	a = scene_take_visit(&scene, host);
	ok(a.is_repeated && a.standing.depth == 2,
	    "a page that was found less deep while it was visited is visited "
	    "again");
	ok(scene_take_visit(&scene, host).id == 0, "if that may lead further");
	scene_finish(&scene);
}

static void test_texts(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	scene_add_page(&scene, "https://x.example/", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(&scene, host);
	report->result = page;
	struct pv_link link = {
	    .fingerprint = {.address = 77},
	    .via = report->visit.id,
	    .url = PV_STR("https://x.example/item"),
	    .host = PV_STR("x.example"),
	    .tag = PV_STR("shop"),
	    .standing = {.use = PV_PAGE, .depth = 1, .hops = 3, .redirects = 4},
	};
	pv_link_list_add(&report->links, &link);
	scene_send(&scene, report);
	scene_settle(&scene);
	scene_close(&scene);
	ok(scene_open(&scene), "a crawl is opened again");
	host = scene_take_host(&scene);
	struct pv_visit_list visits = scene_take_visits(&scene, host, 5);
	struct pv_visit visit = pv_visit_list_get(&visits, 0);
	is_text(visit.url, "https://x.example/item", "a visit has an address");
	is_text(visit.via, "https://x.example/", "and where it was found");
	is_text(visit.tag, "shop", "and its seed's tag");
	ok(visit.standing.redirects == 4 && visit.standing.hops == 3,
	    "the redirects behind it are carried over a restart");
	pv_visit_list_finish(&visits);
	scene_finish(&scene);
}

static void test_ceilings(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://x.example/b", 1);
	struct pv_visit_request request = {.host_id = scene_take_host(&scene),
	    .max = 9,
	    .done = scene_end_visits,
	    .ctx = &scene};
	pv_visit_list_init(&request.visits, 30);
	pv_frontier_take_visits(scene.frontier, &request, scene.now);
	scene_settle(&scene);
	ok(request.visits.count == 1, "P5: texts have a ceiling");
	pv_visit_list_finish(&request.visits);
	scene_are_next(&scene, request.host_id, 9, "b",
	    "P3: what did not fit is still to come");
	scene_finish(&scene);
}

static bool is_known(struct scene *scene, const char *url, uint32_t depth)
{
	struct pv_standing standing = {.use = PV_PAGE, .depth = depth};
	return pv_frontier_is_known(scene->frontier,
	    pv_frontier_fingerprint(scene->frontier, pv_str_of(url)),
	    &standing);
}

static void test_known(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 1024);
	ok(!is_known(&scene, "https://x.example/a", 1),
	    "what nobody has reported is not known");
	scene_add_page(&scene, "https://x.example/a", 1);
	ok(is_known(&scene, "https://x.example/a", 1) &&
		!is_known(&scene, "https://x.example/a", 0),
	    "what was reported is, but not what would say more");
	scene_close(&scene);
	scene.count_ceiling = 1;
	scene_open(&scene);
	struct pv_report *first = scene_report(&scene, PV_REPORT_LINKS);
	struct pv_report *second = scene_report(&scene, PV_REPORT_LINKS);
	scene_link(&scene, second, "https://x.example/b",
	    (struct pv_standing){.use = PV_PAGE});
	scene_send(&scene, first);
	scene_send(&scene, second);
	ok(!is_known(&scene, "https://x.example/b", 0),
	    "P3: what has to wait to be reported is not known yet");
	scene_settle(&scene);
	scene_end_report(second, PV_STORE_OK);
	scene_finish(&scene);
}

static void test_unclean(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://y.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	scene_take_visit(&scene, host);
	scene_close(&scene);
	scene_open(&scene);
	ok(scene.frontier->recovered.hosts == 1 &&
		scene.frontier->recovered.visits == 1,
	    "what was left behind is recovered");
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_PENDING] == 2 &&
		counts.states[PV_STATE_IN_FLIGHT] == 0,
	    "P3: what was in flight is pending again, and counted so");
	struct pv_host_list hosts = scene_take_hosts(&scene, 9);
	unsigned owing = 0;
	for (size_t i = 0; i < hosts.count; i++) {
		struct pv_host each = pv_host_list_get(&hosts, i);
		owing += each.owes_delay == (each.id == host);
	}
	ok(hosts.count == 2 && owing == 2,
	    "P1: a host that was held owes its delay, and only that");
	for (size_t i = 0; i < hosts.count; i++)
		scene_give_host(&scene, pv_host_list_get(&hosts, i).id,
		    (struct pv_host_state){.pages = 0});
	pv_host_list_finish(&hosts);
	scene_close(&scene);
	scene_open(&scene);
	ok(scene.frontier->recovered.hosts == 0,
	    "P6: an orderly end leaves nothing behind");
	hosts = scene_take_hosts(&scene, 9);
	ok(hosts.count == 2 && !pv_host_list_get(&hosts, 0).owes_delay &&
		!pv_host_list_get(&hosts, 1).owes_delay,
	    "a clock that was saved is the whole truth");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

/* What is refused is told by number, in the order in which it was found. */
static void end_refused(
    struct pv_refused_request *request, enum pv_store_status status)
{
	struct scene *scene = request->ctx;
	scene->status = status;
}

static void test_refused(scene_open_fn *open)
{
	struct scene scene;
	struct pv_refused_request request = {
	    .max = 9, .done = end_refused, .ctx = &scene};
	scene_init_engine(&scene, open, 16);
	scene_add(&scene, "https://x.example/a", refused(PV_REASON_HOST, 2));
	scene_add_page(&scene, "https://x.example/b", 1);
	pv_visit_list_init(&request.visits, 1 << 20);
	pv_frontier_take_refused(scene.frontier, &request, scene.now);
	scene_settle(&scene);
	ok(request.visits.count == 1 &&
		pv_visit_list_get(&request.visits, 0).standing.verdict.reason ==
		    PV_REASON_HOST,
	    "P4: what is refused is told, with the reason");
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_REFUSED] == 1 &&
		counts.reasons[PV_REASON_HOST] == 1 &&
		counts.states[PV_STATE_PENDING] == 1,
	    "P4: and counted");
	pv_visit_list_finish(&request.visits);
	scene_finish(&scene);
}

/* What is another shard's */

struct heard {
	unsigned count;
	struct pv_standing standing; /* of the last */
	char url[64];
	char via[64];
};

static void hear(void *ctx, const struct pv_link *link, struct pv_str via)
{
	struct heard *heard = ctx;
	heard->count++;
	heard->standing = link->standing;
	snprintf(heard->url, sizeof(heard->url), "%.*s", PV_STR_ARG(link->url));
	snprintf(heard->via, sizeof(heard->via), "%.*s", PV_STR_ARG(via));
}

static struct pv_standing elsewhere(uint32_t depth)
{
	return (struct pv_standing){.use = PV_PAGE,
	    .depth = depth,
	    .depth_left = 3,
	    .verdict = {PV_REASON_SHARD, 3}};
}

static void end_count(
    struct pv_count_request *request, enum pv_store_status status)
{
	(void)request;
	(void)status;
}

/* A seed is no failure where another shard asks for it. */
static uint64_t count_failed_seeds(struct scene *scene)
{
	struct pv_count_request request = {
	    .wants_seeds = true, .done = end_count};
	pv_frontier_count(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.failed_seeds;
}

static void test_elsewhere(scene_open_fn *open)
{
	struct scene scene;
	struct heard heard = {.count = 0};
	scene_init_engine(&scene, open, 16);
	scene.frontier->on_elsewhere = hear;
	scene.frontier->elsewhere_ctx = &heard;
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(&scene, host);
	scene_link(&scene, report, "https://y.example/b", elsewhere(2));
	scene_link(&scene, report, "https://y.example/b", elsewhere(3));
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(heard.count == 1 && strcmp(heard.url, "https://y.example/b") == 0 &&
		strcmp(heard.via, "https://x.example/a") == 0,
	    "P3: what is another shard's is told once, and where it was "
	    "found");
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_REFUSED] == 1 &&
		counts.reasons[PV_REASON_SHARD] == 1 &&
		scene_take_host(&scene) == 0,
	    "P4: here it is refused for that, and its host has nothing");
	scene_add(&scene, "https://y.example/b", elsewhere(2));
	scene_add(&scene, "https://y.example/b", elsewhere(3));
	ok(heard.count == 1, "what says no more is not told again");
	report = scene_report(&scene, PV_REPORT_LINKS);
	scene_link(&scene, report, "https://y.example/b", elsewhere(2));
	pv_link_list_ask_anew(&report->links, 0);
	scene_send(&scene, report);
	scene_settle(&scene);
	counts = scene_count(&scene);
	ok(heard.count == 1 && counts.states[PV_STATE_REFUSED] == 1,
	    "P1: nor is it asked for here, who ever asks for it anew");
	scene_add(&scene, "https://y.example/b", elsewhere(0));
	ok(heard.count == 2 && heard.standing.depth == 0,
	    "P3: what says more is");
	ok(count_failed_seeds(&scene) == 0, "a seed has not failed by that");
	scene_close(&scene);
	scene_open(&scene);
	scene.frontier->on_elsewhere = hear;
	scene.frontier->elsewhere_ctx = &heard;
	scene_add(&scene, "https://y.example/b", elsewhere(0));
	ok(heard.count == 2, "P3: nor again after a restart");
	scene_add(&scene, "https://z.example/c", refused(PV_REASON_HOST, 1));
	scene_add(&scene, "https://z.example/c", elsewhere(1));
	counts = scene_count(&scene);
	ok(heard.count == 3 && counts.reasons[PV_REASON_SHARD] == 2 &&
		!counts.reasons[PV_REASON_HOST] &&
		!counts.states[PV_STATE_PENDING],
	    "P3: what was refused before, and is another's now, is told");
	scene_finish(&scene);
}

/* Before the writer starts. */
static void begin_round(struct scene *scene)
{
	const struct pv_round_plan plan = {.now_wall_ms = 9000};
	ok(!pv_frontier_is_round_open(scene->frontier), "no round is open");
	ok(pv_frontier_begin_round(scene->frontier, &plan) &&
		pv_frontier_is_round_open(scene->frontier),
	    "a round is begun where something is due, and open then");
}

static void end_round(struct scene *scene)
{
	ok(pv_frontier_is_round_open(scene->frontier),
	    "it is open over a restart");
	pv_frontier_end_round(scene->frontier, 9500);
	ok(!pv_frontier_is_round_open(scene->frontier), "until it ends");
}

static void test_rounds(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit a = scene_take_visit(&scene, host);
	scene_end_visit(&scene, &a,
	    (struct pv_result){
		.outcome = PV_OUTCOME_ANSWERED, .http_status = 500});
	scene_close(&scene);
	scene.before_start = begin_round;
	scene_open(&scene);
	host = scene_take_host(&scene);
	scene_are_next(&scene, host, 9, "a", "what failed is due again");
	scene_close(&scene);
	scene.before_start = end_round;
	scene_open(&scene);
	scene_finish(&scene);
}

/* Whoever goes on with it knows what each address is. */
static void test_next_run(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://x.example/b", 1);
	scene_add(&scene, "https://x.example/no", refused(PV_REASON_DEPTH, 9));
	uint64_t host = scene_take_host(&scene);
	struct pv_visit a = scene_take_visit(&scene, host);
	scene_try_again(&scene, PV_REPORT_AGAIN, a);
	struct pv_visit b = scene_take_visit(&scene, host);
	scene_end_visit(&scene, &b, page);
	scene_add_page(&scene, "https://x.example/d", 3);
	scene_add_page(&scene, "https://x.example/c", 2);
	scene_close(&scene);
	ok(scene_open(&scene), "a crawl goes on");
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_PENDING] == 3 &&
		counts.states[PV_STATE_DONE] == 1 &&
		counts.states[PV_STATE_REFUSED] == 1 &&
		counts.outcomes[PV_OUTCOME_ANSWERED] == 1 &&
		counts.reasons[PV_REASON_DEPTH] == 1,
	    "P3: each address is known once, as what it was");
	scene_add_page(&scene, "https://x.example/b", 1);
	host = scene_take_host(&scene);
	scene_are_next(&scene, host, 9, "c d a",
	    "P5: the least deep first, what failed last, and nothing twice");
	scene_add_page(&scene, "https://x.example/b", 0);
	b = scene_take_visit(&scene, host);
	ok(b.is_repeated && b.standing.depth == 0,
	    "a page that may lead further now is read again");
	scene_finish(&scene);
}

/* Each function of the table is there: a hole would be found by who needs it. */
static void test_table(scene_open_fn *open, const char *name)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	const struct pv_frontier_engine *engine = scene.frontier->engine;
	is_text(pv_str_of(engine->name), name, "an engine has a name");
	ok(engine->report && engine->take_hosts && engine->take_visits &&
		engine->give_host && engine->give_all_hosts && engine->count &&
		engine->take_refused && engine->find_page &&
		engine->begin_round && engine->is_round_open &&
		engine->end_round && engine->rejudge &&
		engine->finish_rejudging && engine->map_kinds &&
		engine->set_ceilings && engine->is_known && engine->close,
	    "and every function of the table");
	scene_finish(&scene);
}

static void test(scene_open_fn *open, const struct engine_row *engine)
{
	test_next_run(open);
	test_texts(open);
	if (engine->is_moved)
		return;
	test_table(open, engine->name);
	test_order(open);
	test_hosts(open);
	test_giving_back(open);
	test_drained(open);
	test_pending(open);
	test_done(open);
	test_in_flight(open);
	test_ceilings(open);
	test_known(open);
	test_unclean(open);
	test_refused(open);
	test_elsewhere(open);
	test_rounds(open);
}

int main(void)
{
	engines_each(test);
	return tap_done();
}

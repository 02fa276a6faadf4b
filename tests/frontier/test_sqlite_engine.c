#include "frontier/scene.h"

static const struct pv_answer leaf = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 10};
static const struct pv_answer page = {.outcome = PV_OUTCOME_ANSWERED,
    .http_status = 200,
    .bytes = 10,
    .may_lead_further = true};

static struct pv_standing refused(enum pv_reason reason, uint32_t depth)
{
	return (struct pv_standing){
	    .use = PV_REFUSED, .depth = depth, .verdict.reason = reason};
}

/* Claims which addresses the host's next visits ask for, "a b c" of
 * https://x.example/a and so on. */
static void are_next(struct scene *scene, uint64_t host_id, size_t max,
    const char *wanted, const char *claim)
{
	struct pv_visit_list visits = scene_take_visits(scene, host_id, max);
	struct pv_buf found;
	pv_buf_init(&found, 1000);
	for (size_t i = 0; i < visits.count; i++) {
		struct pv_str url = pv_visit_list_get(&visits, i).url;
		size_t slash = pv_str_find_last(url, '/');
		if (i)
			pv_buf_append_char(&found, ' ');
		pv_buf_append(&found, pv_str_from(url, slash + 1));
	}
	is_text(pv_buf_str(&found), wanted, "%s", claim);
	pv_buf_finish(&found);
	pv_visit_list_finish(&visits);
}

static void test_order(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/c", 2);
	scene_add_page(&scene, "https://x.example/z", 1);
	scene_add_page(&scene, "https://x.example/a", 2);
	scene_add_page(&scene, "https://x.example/y", 1);
	scene_add_page(&scene, "https://x.example/0", 0);
	uint64_t host = scene_take_host(&scene);
	are_next(&scene, host, 2, "0 z",
	    "P5: visits come in batches, the least deep first");
	are_next(&scene, host, 9, "y c a", "then the first found");
	are_next(&scene, host, 9, "", "each once");
	scene_finish(&scene);
}

static void test_hosts(void)
{
	struct scene scene;
	scene_init(&scene, 16);
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
	    11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 0};
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

static void test_giving_back(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://x.example/b", 1);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit a = scene_take_visit(&scene, host);
	scene_end_visit(&scene, &a, leaf);
	are_next(&scene, host, 1, "b", "a visit is in flight");
	scene_give_host(&scene, host, (struct pv_host_state){.pages = 1});
	ok(scene.waiting == 2, "a host with something left waits again");
	ok(scene_take_visit(&scene, host).id == 0,
	    "P1: who does not hold a host gets none of its visits");
	ok(scene_take_host(&scene) == host, "and is given out");
	are_next(&scene, host, 5, "b",
	    "P3: what was not reported is pending again, what was is not");
	scene_finish(&scene);
}

static void test_drained(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	are_next(&scene, host, 1, "a", "a host is held");
	scene_add_page(&scene, "https://x.example/b", 1);
	ok(!scene.woken, "of a host that is not known to be empty nothing is "
			 "told");
	are_next(&scene, host, 9, "b", "what is new is there");
	scene_add_page(&scene, "https://x.example/c", 1);
	ok(scene.woken == 1 && scene.last_woken == host,
	    "a host that had nothing left is told to have something again");
	are_next(&scene, host, 9, "c", "and gives it");
	scene_give_host(&scene, host, (struct pv_host_state){.pages = 0});
	scene_take_host(&scene);
	are_next(&scene, host, 9, "a b c", "all of them are still to be done");
	scene_finish(&scene);
}

/* Strength */

static void test_refused(size_t recent_count)
{
	struct scene scene;
	scene_init(&scene, recent_count);
	scene_add(&scene, "https://x.example/a", refused(PV_REASON_HOST, 2));
	scene_add(&scene, "https://x.example/b", refused(PV_REASON_DEPTH, 9));
	ok(scene_take_host(&scene) == 0, "what is refused waits for nobody");
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_REFUSED] == 2 &&
		counts.reasons[PV_REASON_HOST] == 1 &&
		counts.reasons[PV_REASON_DEPTH] == 1,
	    "P4: it is counted, by reason");
	ok(scene_number(&scene,
	       "SELECT count(*) FROM refused WHERE reason = 'depth' AND "
	       "url = 'https://x.example/b' AND host = 'x.example'") == 1,
	    "P4: and to be found, with the reason");
	scene_add(&scene, "https://x.example/a",
	    (struct pv_standing){.use = PV_RESOURCE, .depth = 5});
	scene_add_page(&scene, "https://x.example/b", 3);
	scene_add(&scene, "https://x.example/b", refused(PV_REASON_DEPTH, 8));
	uint64_t host = scene_take_host(&scene);
	are_next(&scene, host, 9, "b a",
	    "a requisite that had been refused as a page, and a page found "
	    "less deep, are admitted after all");
	counts = scene_count(&scene);
	ok(counts.states[PV_STATE_REFUSED] == 0 &&
		counts.states[PV_STATE_IN_FLIGHT] == 2 &&
		counts.reasons[PV_REASON_DEPTH] == 0,
	    "and counted where they are now");
	scene_finish(&scene);
}

static void test_pending(void)
{
	struct scene scene;
	scene_init(&scene, 1);
	scene_add_page(&scene, "https://x.example/a", 2);
	scene_add_page(&scene, "https://x.example/b", 5);
	scene_add_page(&scene, "https://x.example/b", 1);
	scene_add_page(&scene, "https://x.example/a", 7);
	uint64_t host = scene_take_host(&scene);
	are_next(&scene, host, 9, "b a", "what is found less deep moves up");
	scene_finish(&scene);
}

static void test_done(void)
{
	struct scene scene;
	scene_init(&scene, 1);
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

static void test_in_flight(void)
{
	struct scene scene;
	scene_init(&scene, 1);
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

static uint64_t draw(uint64_t *random, uint64_t count)
{
	*random = *random * 6364136223846793005U + 1442695040888963407U;
	return (*random >> 33) % count;
}

static struct pv_standing random_standing(uint64_t *random)
{
	struct pv_standing standing = {
	    .use = (enum pv_address_use)draw(random, PV_USE_COUNT),
	    .depth = (uint32_t)draw(random, 5),
	    .depth_left = (uint32_t)draw(random, 3),
	    .redirects = (uint32_t)draw(random, 3),
	};
	if (standing.use == PV_PAGE)
		pv_listing_unpack((unsigned)draw(random, 16), &standing);
	if (standing.use == PV_REFUSED)
		standing.verdict.reason =
		    (enum pv_reason)(1 + draw(random, PV_REASON_COUNT - 1));
	return standing;
}

/* A sum over all that stands in the table, whatever its order. */
static const char *const everything =
    "SELECT sum((unicode(substr(url, 19)) * 7919 + state * 1009 + use * 977 + "
    "depth * 31 + depth_left * 101 + redirects * 503 + reason * 11 + "
    "listing * 1999) * "
    "unicode(substr(url, 19))) FROM addresses";

/* The same links, in another order and other batches. */
static int64_t add_shuffled(uint64_t seed, size_t recent_count)
{
	struct scene scene;
	struct pv_standing standings[200];
	size_t order[200];
	uint64_t random = 1;
	char url[64];
	scene_init(&scene, recent_count);
	for (size_t i = 0; i < 200; i++) {
		standings[i] = random_standing(&random);
		order[i] = i;
	}
	random = seed;
	for (size_t i = 199; i > 0; i--) {
		size_t j = draw(&random, i + 1), other = order[i];
		order[i] = order[j];
		order[j] = other;
	}
	struct pv_report *report = scene_report(&scene, PV_REPORT_LINKS);
	for (size_t i = 0; i < 200; i++) {
		snprintf(url, sizeof(url), "https://x.example/%c",
		    'a' + (int)(order[i] % 20));
		scene_link(&scene, report, url, standings[order[i]]);
		if (draw(&random, 10) && i < 199)
			continue;
		scene_send(&scene, report);
		scene_settle(&scene);
		report = scene_report(&scene, PV_REPORT_LINKS);
	}
	scene_end_report(report, PV_STORE_OK);
	int64_t sum = scene_number(&scene, everything);
	scene_finish(&scene);
	return sum;
}

static void test_any_order(void)
{
	int64_t wanted = add_shuffled(1, 1);
	unsigned same = 0;
	for (uint64_t seed = 2; seed < 12; seed++)
		same += add_shuffled(seed, seed % 2 ? 1 : 1024) == wanted;
	ok(wanted > 0 && same == 10,
	    "what is known of addresses does not depend on the order of "
	    "finding, nor on the memory of recent links");
}

/* Visits */

static void test_kinds(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	struct pv_report *report = scene_report(&scene, PV_REPORT_AGAIN);
	report->visit = visit;
	report->host.rest_ms = 60000;
	scene_send(&scene, report);
	scene_settle(&scene);
	struct pv_visit second = scene_take_visit(&scene, host);
	ok(second.id == visit.id && visit.attempt == 0 && second.attempt == 1,
	    "a visit that failed can be tried again, and counts its attempts");
	ok(scene_number(&scene, "SELECT rest_ms FROM host_states") == 60000,
	    "its host's clock is kept with it");
	report = scene_report(&scene, PV_REPORT_REFUSED);
	report->visit = second;
	report->verdict = (struct pv_verdict){PV_REASON_ROBOTS, 12};
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(scene_number(&scene,
	       "SELECT line FROM refused WHERE reason = 'robots'") == 12,
	    "P4: what robots.txt forbids is refused, with the line");
	scene_add_page(&scene, "https://x.example/a", 1);
	ok(scene_take_visit(&scene, host).id == 0,
	    "and a link that says nothing new does not bring it back");
	report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = second;
	report->answer = leaf;
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(scene_number(&scene, "SELECT count(*) FROM refused") == 1,
	    "P3: a second report of one visit changes nothing");
	scene_finish(&scene);
}

static void test_texts(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_report *report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(&scene, host);
	report->answer = page;
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

static void test_ceilings(void)
{
	struct scene scene;
	scene_init(&scene, 16);
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
	are_next(&scene, request.host_id, 9, "b",
	    "P3: what did not fit is still to come");
	scene_finish(&scene);
}

static void test_no_room(void)
{
	struct scene scene;
	scene_init(&scene, 1024);
	scene_close(&scene);
	scene.count_ceiling = 1;
	scene_open(&scene);
	struct pv_report *first = scene_report(&scene, PV_REPORT_LINKS);
	struct pv_report *second = scene_report(&scene, PV_REPORT_LINKS);
	scene_link(&scene, second, "https://x.example/a",
	    (struct pv_standing){.use = PV_PAGE});
	scene_send(&scene, first);
	ok(!scene_send(&scene, second),
	    "P5: a paper must wait while others are under way");
	scene_settle(&scene);
	ok(scene_send(&scene, second), "and is taken when they are back");
	scene_settle(&scene);
	ok(scene_take_host(&scene) != 0, "P3: with all its links");
	scene_finish(&scene);
}

static bool is_known(struct scene *scene, const char *url, uint32_t depth)
{
	struct pv_standing standing = {.use = PV_PAGE, .depth = depth};
	return pv_frontier_is_known(scene->frontier,
	    pv_frontier_fingerprint(scene->frontier, pv_str_of(url)),
	    &standing);
}

static void test_known(void)
{
	struct scene scene;
	scene_init(&scene, 1024);
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

/* Ends */

static void test_unclean(void)
{
	struct scene scene;
	scene_init(&scene, 16);
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

/* All at once, as one after the other. */

static void on_all_given(
    struct pv_host_returns *giving, enum pv_store_status status)
{
	struct scene *scene = giving->ctx;
	scene->status = status;
}

static void give_all(struct scene *scene, struct pv_host_list *hosts)
{
	struct pv_host_return items[4] = {{.host_id = 0}};
	struct pv_host_returns giving = {.items = items,
	    .count = hosts->count,
	    .done = on_all_given,
	    .ctx = scene};
	for (size_t i = 0; i < hosts->count; i++) {
		items[i].host_id = pv_host_list_get(hosts, i).id;
		items[i].state.left_ms = 100 + (int64_t)i;
		items[i].state.saved_ms = scene->now - 10;
	}
	pv_frontier_give_all_hosts(scene->frontier, &giving, scene->now);
	scene_settle(scene);
	pv_host_list_finish(hosts);
}

static void test_give_all(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://y.example/a", 1);
	struct pv_host_list hosts = scene_take_hosts(&scene, 9);
	uint64_t first = pv_host_list_get(&hosts, 0).id;
	uint64_t second = pv_host_list_get(&hosts, 1).id;
	struct pv_visit visit = scene_take_visit(&scene, first);
	scene_end_visit(
	    &scene, &visit, (struct pv_answer){.outcome = PV_OUTCOME_ANSWERED});
	scene_take_visit(&scene, second);
	give_all(&scene, &hosts);
	ok(scene.status == PV_STORE_OK, "all hosts are given back at once");
	scene_close(&scene);
	scene_open(&scene);
	ok(scene.frontier->recovered.hosts == 0, "P6: which is an orderly end");
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_PENDING] == 1 &&
		counts.states[PV_STATE_DONE] == 1 &&
		counts.states[PV_STATE_IN_FLIGHT] == 0,
	    "P3: what they had in flight is pending again, and counted so");
	hosts = scene_take_hosts(&scene, 9);
	struct pv_host host = pv_host_list_get(&hosts, 0);
	ok(hosts.count == 1 && host.id == second,
	    "who has something left waits to be taken, and nobody else");
	ok(!host.owes_delay && host.state.left_ms == 91,
	    "P1: each with its own clock, of which the time until the end "
	    "has passed");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

static void leave_little_room(struct scene *scene)
{
	struct pv_database *database = scene->store->database;
	char sql[64];
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count=%d",
	    (int)pv_database_number(database, "PRAGMA page_count") + 20);
	pv_database_run(database, sql);
}

static void test_full(void)
{
	struct scene scene;
	char url[64];
	scene_init(&scene, 16);
	scene_close(&scene);
	scene.before_start = leave_little_room;
	scene_open(&scene);
	unsigned committed = 0;
	for (int i = 0; i < 10000 && scene.status == PV_STORE_OK; i++) {
		snprintf(url, sizeof(url), "https://x.example/%d", i);
		scene_add_page(&scene, url, 0);
		committed += scene.status == PV_STORE_OK;
	}
	ok(scene.status == PV_STORE_FULL, "a full disk is told");
	ok(scene_number(&scene, "SELECT count(*) FROM addresses") ==
		    (int64_t)committed &&
		committed > 10,
	    "P3: and what was reported before is there");
	scene_finish(&scene);
}

/* A row that makes no sense, as another program may have left it. */
static void make_nonsense(struct scene *scene)
{
	pv_database_run(
	    scene->store->database, "UPDATE addresses SET state = 9");
}

static void test_damaged(void)
{
	struct scene scene;
	scene_init(&scene, 1);
	scene_add_page(&scene, "https://x.example/a", 3);
	scene_close(&scene);
	scene.before_start = make_nonsense;
	scene_open(&scene);
	scene_add_page(&scene, "https://x.example/a", 2);
	ok(scene.status == PV_STORE_DAMAGED,
	    "a file that makes no sense is told");
	ok(scene_number(&scene, "SELECT state FROM addresses") == 9,
	    "and not made worse");
	scene_finish(&scene);
}

/* Overwrites all but the first page. */
static void overwrite(const char *path)
{
	FILE *file = fopen(path, "r+");
	fseek(file, 0, SEEK_END);
	long size = ftell(file);
	fseek(file, 4096, SEEK_SET);
	for (long i = 4096; i < size; i++)
		fputc(0x5a, file);
	fclose(file);
}

static void test_broken(void)
{
	struct scene scene;
	scene_init(&scene, 1);
	scene_add_page(&scene, "https://x.example/a", 3);
	scene_close(&scene);
	overwrite(scratch_file(&scene.scratch, "state.db"));
	ok(!scene_open(&scene), "a file in pieces is refused");
	ok(access(scratch_file(&scene.scratch, "state.db"), F_OK) == 0,
	    "P3: and never deleted");
	if (scene.store)
		pv_store_close(scene.store);
	bell_finish(&scene.bell);
	scratch_remove(&scene.scratch);
}

int main(void)
{
	test_order();
	test_hosts();
	test_giving_back();
	test_drained();
	test_refused(1);
	test_refused(1024);
	test_pending();
	test_done();
	test_in_flight();
	test_any_order();
	test_kinds();
	test_texts();
	test_ceilings();
	test_no_room();
	test_known();
	test_unclean();
	test_give_all();
	test_full();
	test_damaged();
	test_broken();
	return tap_done();
}

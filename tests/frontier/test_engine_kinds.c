#include "frontier/engines.h"

/* Kinds of pages, and what links carry, as any engine keeps them. */

#define PAGE_URL "https://x.example/p"

/* A link that names the page as one of the kind; `matched` is the kind that its
 * address has anyway. */
static void add_named(
    struct scene *scene, unsigned kind, unsigned matched, const char *carry)
{
	struct pv_report *report = scene_report(scene, PV_REPORT_LINKS);
	struct pv_str url = PV_STR(PAGE_URL);
	struct pv_link link = {
	    .fingerprint = pv_frontier_fingerprint(scene->frontier, url),
	    .standing = {.use = PV_PAGE, .kind = (uint8_t)kind},
	    .url = url,
	    .host = PV_STR("x.example"),
	    .carry = pv_str_of(carry),
	    .matched = (uint8_t)matched,
	};
	pv_link_list_add(&report->links, &link);
	scene_send(scene, report);
	scene_settle(scene);
}

/* Claims that the page is asked for next, as that kind and with that. */
static struct pv_visit is_next(struct scene *scene, uint64_t host,
    unsigned kind, const char *carry, const char *claim)
{
	struct pv_visit_list visits = scene_take_visits(scene, host, 1);
	struct pv_visit visit = {.id = 0};
	if (ok(visits.count == 1, "%s", claim))
		visit = pv_visit_list_get(&visits, 0);
	ok(visit.standing.kind == kind, "as kind %u (%u)", kind,
	    visit.standing.kind);
	is_text(visit.carry, carry, "and with what that link carries");
	pv_visit_list_finish(&visits);
	visit.url = visit.via = visit.tag = visit.copy = visit.carry =
	    PV_STR("");
	return visit;
}

static void end_as(
    struct scene *scene, const struct pv_visit *visit, unsigned kind)
{
	scene_end_visit(scene, visit,
	    (struct pv_result){.outcome = PV_OUTCOME_ANSWERED,
		.http_status = 200,
		.kind = (uint8_t)kind});
}

static bool has_next(struct scene *scene, uint64_t host)
{
	return scene_take_visit(scene, host).id != 0;
}

static void test_first_kind(struct scene *scene)
{
	add_named(scene, 3, 0, "{\"a\":1}");
	add_named(scene, 3, 0, "{\"a\":2}");
	add_named(scene, 5, 0, "{\"a\":3}");
	uint64_t host = scene_take_host(scene);
	struct pv_visit visit =
	    is_next(scene, host, 3, "{\"a\":1}", "a page is asked for");
	end_as(scene, &visit, 3);
	add_named(scene, 3, 0, "{\"a\":4}");
	add_named(scene, 4, 0, "{\"a\":5}");
	add_named(scene, 0, 0, "");
	ok(!has_next(scene, host), "links of the same or later kinds, or none, "
				   "don't have it read again");
	add_named(scene, 2, 0, "{\"a\":6}");
	visit = is_next(scene, host, 2, "{\"a\":6}",
	    "P3: a link that gives an earlier kind does");
	ok(visit.is_repeated, "and it is known to have been read before");
	end_as(scene, &visit, 2);
}

/* Its address gives kind 2. */
static void test_matched(struct scene *scene)
{
	add_named(scene, 0, 2, "");
	uint64_t host = scene_take_host(scene);
	struct pv_visit visit =
	    is_next(scene, host, 0, "", "a page that nobody named");
	end_as(scene, &visit, 2);
	add_named(scene, 4, 2, "{\"a\":1}");
	ok(!has_next(scene, host),
	    "a name that is later than what its address says changes nothing");
	add_named(scene, 1, 2, "{\"a\":2}");
	visit = is_next(scene, host, 1, "{\"a\":2}", "an earlier one does");
	end_as(scene, &visit, 1);
}

static void test_under_way(struct scene *scene)
{
	add_named(scene, 3, 0, "{\"a\":1}");
	uint64_t host = scene_take_host(scene);
	struct pv_visit visit =
	    is_next(scene, host, 3, "{\"a\":1}", "a page is asked for");
	add_named(scene, 1, 0, "{\"a\":2}");
	end_as(scene, &visit, 3);
	visit = is_next(scene, host, 1, "{\"a\":2}",
	    "P3: and again, if a link named an earlier kind meanwhile");
	add_named(scene, 1, 0, "{\"a\":3}");
	end_as(scene, &visit, 1);
	ok(!has_next(scene, host), "and only then");
}

static void test_restart(struct scene *scene)
{
	add_named(scene, 7, 0, "{\"name\":\"caf\xc3\xa9\"}");
	scene_close(scene);
	if (!ok(scene_open(scene), "a crawl goes on"))
		return;
	uint64_t host = scene_take_host(scene);
	is_next(scene, host, 7, "{\"name\":\"caf\xc3\xa9\"}",
	    "P3: and asks for what was left");
}

/* The policy has its kinds in another order: 7 is 2 now, or gone. */
static void map_kinds(struct scene *scene, unsigned char seven)
{
	unsigned char numbers[PV_PAGE_KINDS_MAX + 1];
	for (unsigned i = 0; i <= PV_PAGE_KINDS_MAX; i++)
		numbers[i] = (unsigned char)i;
	numbers[2] = 7;
	numbers[7] = seven;
	pv_writer_begin(&scene->store->writer);
	pv_frontier_map_kinds(scene->frontier, numbers);
	pv_writer_commit(&scene->store->writer);
}

static void reorder(struct scene *scene)
{
	map_kinds(scene, 2);
}

static void remove_kind(struct scene *scene)
{
	map_kinds(scene, 0);
}

static bool go_on(struct scene *scene, void (*before_start)(struct scene *))
{
	scene_close(scene);
	scene->before_start = before_start;
	bool is_open = scene_open(scene);
	scene->before_start = NULL;
	return is_open;
}

static void test_other_order(struct scene *scene)
{
	add_named(scene, 7, 0, "{\"a\":1}");
	if (!ok(go_on(scene, reorder), "a crawl goes on by kinds in another "
				       "order"))
		return;
	uint64_t host = scene_take_host(scene);
	struct pv_visit visit = is_next(
	    scene, host, 2, "{\"a\":1}", "what was named keeps its kind");
	end_as(scene, &visit, 2);
	add_named(scene, 7, 0, "{\"a\":2}");
	ok(!has_next(scene, host), "by which links are judged from then on");
}

static void test_no_such_kind(struct scene *scene)
{
	add_named(scene, 7, 0, "{\"a\":1}");
	if (ok(go_on(scene, remove_kind), "a crawl goes on without a kind"))
		is_next(scene, scene_take_host(scene), 0, "",
		    "what was of that kind is of none, and carries nothing");
}

/* Two in one report: the first of those of the least kind counts. */
static void test_one_report(struct scene *scene)
{
	static const struct {
		unsigned kind;
		const char *carry;
	} links[] = {{0, ""}, {6, "{\"a\":1}"}, {4, "{\"a\":2}"},
	    {4, "{\"a\":3}"}, {5, "{\"a\":4}"}};
	struct pv_report *report = scene_report(scene, PV_REPORT_LINKS);
	struct pv_str url = PV_STR(PAGE_URL);
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		struct pv_link link = {
		    .fingerprint =
			pv_frontier_fingerprint(scene->frontier, url),
		    .standing = {.use = PV_PAGE,
			.kind = (uint8_t)links[i].kind},
		    .url = url,
		    .host = PV_STR("x.example"),
		    .carry = pv_str_of(links[i].carry),
		};
		pv_link_list_add(&report->links, &link);
	}
	scene_send(scene, report);
	scene_settle(scene);
	is_next(scene, scene_take_host(scene), 4, "{\"a\":2}",
	    "a page that five links name");
}

static void test(scene_open_fn *open, const struct engine_row *engine)
{
	static void (*const tests[])(struct scene *) = {
	    test_restart,
	    test_first_kind,
	    test_matched,
	    test_under_way,
	    test_other_order,
	    test_no_such_kind,
	    test_one_report,
	};
	size_t count = engine->is_moved ? 1 : sizeof(tests) / sizeof(*tests);
	for (size_t i = 0; i < count; i++) {
		struct scene scene;
		if (ok(scene_init_engine(&scene, open, 1024), "%s opens",
			engine->name))
			tests[i](&scene);
		scene_finish(&scene);
	}
}

int main(void)
{
	engines_each(test);
	return tap_done();
}

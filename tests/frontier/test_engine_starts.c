#include "frontier/engines.h"
#include "frontier/plans.h"

/* What any engine does with all that is known: at a start, by another policy, with
 * other ceilings, in another round; at an end; and what it finds in it. */

#define DAY ((int64_t)86400000)

static const struct pv_result leaf = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 10};

static void restart(struct scene *scene, void (*before_start)(struct scene *))
{
	scene_close(scene);
	scene->before_start = before_start;
	scene_open(scene);
	scene->before_start = NULL;
}

static void add_refused(
    struct scene *scene, const char *url, enum pv_reason reason)
{
	scene_add(scene, url,
	    (struct pv_standing){
		.use = PV_REFUSED, .verdict = {.reason = reason}});
}

static struct pv_count_request count(struct scene *scene, bool is_last)
{
	struct pv_count_request request = {.is_last = is_last,
	    .wants_seeds = true,
	    .done = scene_end_count,
	    .ctx = scene};
	pv_frontier_count(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request;
}

/* Hosts by name, and those that wait */

static struct pv_host_list take_named(struct scene *scene, const char *name)
{
	struct pv_host_request request = {.name = pv_str_of(name),
	    .max = 1,
	    .done = scene_end_hosts,
	    .ctx = scene};
	pv_host_list_init(&request.hosts, 1000);
	pv_frontier_take_hosts(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.hosts;
}

static void test_named(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	struct pv_host_list hosts = take_named(&scene, "x.example");
	uint64_t host = pv_host_list_get(&hosts, 0).id;
	ok(hosts.count == 1 && host,
	    "a host can be held before anything is known of it");
	pv_host_list_finish(&hosts);
	hosts = take_named(&scene, "x.example");
	ok(hosts.count == 0, "P1: but not twice");
	pv_host_list_finish(&hosts);
	scene_add_page(&scene, "https://x.example/a", 1);
	ok(scene_take_host(&scene) == 0, "P1: nor does it wait then");
	scene_are_next(&scene, host, 9, "a", "what is found is its holder's");
	restart(&scene, NULL);
	hosts = take_named(&scene, "x.example");
	ok(hosts.count == 1 && pv_host_list_get(&hosts, 0).owes_delay,
	    "P1: whoever was held for its name alone owes its delay");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

static struct pv_host_request look(struct scene *scene, int64_t by_wall_ms)
{
	struct pv_host_request request = {.ready_by_wall_ms = by_wall_ms,
	    .ready_max = 2,
	    .done = scene_end_hosts,
	    .ctx = scene};
	pv_host_list_init(&request.hosts, 1000);
	pv_frontier_take_hosts(scene->frontier, &request, scene->now);
	scene_settle(scene);
	pv_host_list_finish(&request.hosts);
	return request;
}

static void test_ready(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	ok(look(&scene, 1).next_wall_ms == PV_FRONTIER_NEVER,
	    "that no host waits is told");
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	scene_give_host(
	    &scene, host, (struct pv_host_state){.until_wall_ms = 5000});
	struct pv_host_request request = look(&scene, 4999);
	ok(request.ready_count == 0 && request.next_wall_ms == 5000,
	    "when the first that rests is ready is told");
	scene_add_page(&scene, "https://y.example/a", 1);
	scene_add_page(&scene, "https://z.example/a", 1);
	ok(look(&scene, 5000).ready_count == 2,
	    "P5: and how many are, counted up to a number");
	struct pv_host_list hosts = scene_take_hosts(&scene, 9);
	bool was_held = false;
	for (size_t i = 0; i < hosts.count; i++)
		was_held |= pv_host_list_get(&hosts, i).id == host &&
			    pv_host_list_get(&hosts, i).was_held;
	ok(was_held, "P1: a host that was held in this run is known to be so");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

/* All hosts at the end */

static void on_all_given(
    struct pv_host_returns *giving, enum pv_store_status status)
{
	struct scene *scene = giving->ctx;
	scene->status = status;
}

static void test_all_given(scene_open_fn *open, bool is_shared)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://y.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	uint64_t other = scene_take_host(&scene);
	scene_take_visit(&scene, host);
	const struct pv_host_return item = {
	    .host_id = host, .state = {.left_ms = 900, .saved_ms = scene.now}};
	struct pv_host_returns giving = {
	    .items = &item, .count = 1, .done = on_all_given, .ctx = &scene};
	scene.now += 300;
	pv_frontier_give_all_hosts(scene.frontier, &giving, scene.now);
	scene_settle(&scene);
	ok(other && scene.status == PV_STORE_OK,
	    "P6: all hosts are given back at once");
	restart(&scene, NULL);
	ok(!scene.frontier->recovered.hosts &&
		!scene.frontier->recovered.visits && scene.frontier->left == 2,
	    "P3: which is an orderly end, and what was in flight is left");
	struct pv_host_list hosts = scene_take_hosts(&scene, 9);
	int64_t left_ms = -1;
	bool owes = false;
	for (size_t i = 0; i < hosts.count; i++) {
		struct pv_host each = pv_host_list_get(&hosts, i);
		owes |= each.owes_delay;
		if (each.id == host)
			left_ms = each.state.left_ms;
	}
	if (is_shared)
		ok(hosts.count == 2 && owes && left_ms >= 0 && left_ms <= 600,
		    "P1: each host owes its delay to whoever takes it then");
	else
		ok(hosts.count == 2 && !owes && left_ms == 600,
		    "P1: each host rests for what was left then, and owes no "
		    "more");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

/* Refused addresses, and pages that were answered well */

static void on_refused_list(
    struct pv_refused_request *request, enum pv_store_status status)
{
	struct scene *scene = request->ctx;
	scene->status = status;
}

static struct pv_visit_list refused_after(
    struct scene *scene, uint64_t after, size_t max)
{
	struct pv_refused_request request = {
	    .after = after, .max = max, .done = on_refused_list, .ctx = scene};
	pv_visit_list_init(&request.visits, 1000);
	pv_frontier_take_refused(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.visits;
}

static void test_refused(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 16);
	add_refused(&scene, "https://x.example/a", PV_REASON_HOST);
	add_refused(&scene, "https://x.example/b", PV_REASON_DEPTH);
	add_refused(&scene, "https://x.example/c", PV_REASON_RULE);
	struct pv_visit_list visits = refused_after(&scene, 0, 2);
	struct pv_visit last = pv_visit_list_get(&visits, 1);
	ok(visits.count == 2 && last.standing.verdict.reason == PV_REASON_DEPTH,
	    "P5: what is refused is told in batches, as it was found");
	uint64_t after = last.id;
	pv_visit_list_finish(&visits);
	visits = refused_after(&scene, after, 2);
	ok(visits.count == 1 &&
		pv_visit_list_get(&visits, 0).standing.verdict.reason ==
		    PV_REASON_RULE,
	    "P4: to the last, each with its reason");
	pv_visit_list_finish(&visits);
	scene_finish(&scene);
}

static void on_page(
    struct pv_page_request *request, enum pv_store_status status)
{
	struct scene *scene = request->ctx;
	scene->status = status;
}

/* Whether there is one, and that is not the one before. */
static bool finds_page(struct scene *scene, uint32_t number, struct pv_buf *url)
{
	char before[100];
	struct pv_page_request request = {
	    .origin = pv_frontier_fingerprint(
		scene->frontier, PV_STR("https://x.example/"))
			  .origin,
	    .authority = PV_STR("https://x.example"),
	    .number = number,
	    .done = on_page,
	    .ctx = scene,
	};
	snprintf(before, sizeof(before), "%.*s", PV_STR_ARG(pv_buf_str(url)));
	pv_buf_init(&request.url, 1000);
	pv_frontier_find_page(scene->frontier, &request, scene->now);
	scene_settle(scene);
	pv_buf_clear(url);
	pv_buf_append(url, pv_buf_str(&request.url));
	pv_buf_finish(&request.url);
	return url->len && strcmp(before, pv_buf_text(url)) != 0;
}

static void add_answered(struct scene *scene, uint64_t host, int number)
{
	char url[64];
	snprintf(url, sizeof(url), "https://x.example/%d", number);
	scene_add_page(scene, url, 1);
	struct pv_visit visit = scene_take_visit(scene, host);
	scene_end_visit(scene, &visit, leaf);
}

static void test_pages(scene_open_fn *open)
{
	struct scene scene;
	struct pv_buf url;
	scene_init_engine(&scene, open, 16);
	pv_buf_init(&url, 1000);
	struct pv_host_list hosts = take_named(&scene, "x.example");
	uint64_t host = pv_host_list_get(&hosts, 0).id;
	pv_host_list_finish(&hosts);
	for (int i = 1; i < PV_KNOWN_PAGES_LEAST; i++)
		add_answered(&scene, host, i);
	scene_add_page(&scene, "https://x.example/pending", 1);
	ok(!finds_page(&scene, 0, &url) && scene.status == PV_STORE_OK,
	    "where few pages were answered well there is none to be found");
	scene_take_visit(&scene, host);
	add_answered(&scene, host, PV_KNOWN_PAGES_LEAST);
	ok(finds_page(&scene, 0, &url) && finds_page(&scene, 1, &url),
	    "where more were there is one, and another by another number");
	pv_buf_finish(&url);
	scene_finish(&scene);
}

/* Another policy */

struct judgement {
	unsigned asked;
	bool is_of_all;
	bool is_finished;
	struct pv_rejudging answer;
	unsigned refusals;
};

static struct judgement judgement;

/* What waits is refused, what was refused is admitted, what was answered is left
 * out. */
static bool turn_round(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	struct judgement *judging = ctx;
	judging->asked++;
	if (known->state == PV_STATE_REFUSED)
		*standing = (struct pv_standing){.use = PV_PAGE, .depth = 1};
	else
		*standing = (struct pv_standing){
		    .use = PV_REFUSED, .verdict.reason = PV_REASON_RULE};
	return true;
}

static void count_refusal(void *ctx, const struct pv_visit *visit)
{
	struct judgement *judging = ctx;
	judging->refusals +=
	    visit->standing.verdict.reason == PV_REASON_RULE && visit->url.len;
}

static void rejudge(struct scene *scene)
{
	static const bool is_open[PV_REASON_COUNT] = {[PV_REASON_HOST] = true};
	judgement.answer = (struct pv_rejudging){
	    .judge = turn_round,
	    .ctx = &judgement,
	    .is_open = is_open,
	    .is_of_all = judgement.is_of_all,
	};
	scene->frontier->on_refused = count_refusal;
	scene->frontier->refused_ctx = &judgement;
	pv_writer_begin(&scene->store->writer);
	pv_frontier_rejudge(scene->frontier, &judgement.answer);
	if (judgement.is_finished)
		pv_frontier_finish_rejudging(scene->frontier);
	pv_writer_commit(&scene->store->writer);
}

static void finish_rejudging(struct scene *scene)
{
	scene->frontier->on_refused = count_refusal;
	scene->frontier->refused_ctx = &judgement;
	pv_writer_begin(&scene->store->writer);
	pv_frontier_finish_rejudging(scene->frontier);
	pv_writer_commit(&scene->store->writer);
}

/* One that was answered, one that waits, two that are refused. */
static void init_known(struct scene *scene, scene_open_fn *open)
{
	scene_init_engine(scene, open, 16);
	scene_add_page(scene, "https://x.example/done", 1);
	uint64_t host = scene_take_host(scene);
	struct pv_visit visit = scene_take_visit(scene, host);
	scene_end_visit(scene, &visit, leaf);
	scene_add_page(scene, "https://x.example/waits", 1);
	add_refused(scene, "https://x.example/host", PV_REASON_HOST);
	add_refused(scene, "https://x.example/deep", PV_REASON_DEPTH);
	scene_give_host(scene, host, (struct pv_host_state){.pages = 1});
}

static void is_turned_round(struct scene *scene, const char *claim)
{
	struct pv_counts counts = scene_count(scene);
	ok(counts.states[PV_STATE_PENDING] == 2 &&
		counts.states[PV_STATE_DONE] == 1 &&
		counts.states[PV_STATE_REFUSED] == 1 &&
		counts.reasons[PV_REASON_RULE] == 1 && judgement.refusals == 1,
	    "%s", claim);
	scene_are_next(scene, scene_take_host(scene), 9, "host deep",
	    "P3: what is admitted is given out, and nothing else");
}

static void test_rejudging(scene_open_fn *open)
{
	struct scene scene;
	judgement = (struct judgement){.is_of_all = true, .is_finished = true};
	init_known(&scene, open);
	restart(&scene, rejudge);
	ok(judgement.asked == 4 && judgement.answer.refused == 1 &&
		judgement.answer.admitted == 2 &&
		judgement.answer.left_out == 1,
	    "P4: all that is known is judged by another policy, and what "
	    "came of it is counted");
	is_turned_round(&scene, "P4: it stands so then, and what is refused "
				"is told");
	scene_finish(&scene);
	judgement = (struct judgement){.is_of_all = true};
	init_known(&scene, open);
	restart(&scene, rejudge);
	restart(&scene, finish_rejudging);
	is_turned_round(
	    &scene, "P3: an end between judging and writing loses nothing");
	scene_finish(&scene);
}

static void test_few_rejudged(scene_open_fn *open)
{
	struct scene scene;
	judgement = (struct judgement){.is_finished = true};
	init_known(&scene, open);
	restart(&scene, rejudge);
	ok(judgement.asked == 1 && judgement.answer.admitted == 1 &&
		scene_count(&scene).reasons[PV_REASON_DEPTH] == 1,
	    "only what was refused for a reason that is open is judged where "
	    "that is asked for");
	scene_finish(&scene);
}

/* Ceilings */

struct ceiling {
	struct pv_link_ceilings ceilings;
	bool forgets_traps;
	uint64_t again;
};

static struct ceiling ceiling;

static void set_ceilings(struct scene *scene)
{
	pv_writer_begin(&scene->store->writer);
	ceiling.again = pv_frontier_set_ceilings(
	    scene->frontier, &ceiling.ceilings, ceiling.forgets_traps);
	pv_writer_commit(&scene->store->writer);
}

/* A page is read whose two links may not both fit. */
static void read_page(struct scene *scene, const struct pv_standing *standing)
{
	uint64_t host = scene_take_host(scene);
	struct pv_report *report = scene_report(scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(scene, host);
	report->result = leaf;
	scene_link(scene, report, "https://x.example/b", *standing);
	scene_link(scene, report, "https://x.example/c", *standing);
	scene_send(scene, report);
	scene_settle(scene);
	scene_give_host(scene, host, (struct pv_host_state){.pages = 1});
}

static void test_known_ceiling(scene_open_fn *open)
{
	static const struct pv_standing page = {.use = PV_PAGE, .depth = 1};
	struct scene scene;
	scene_init_engine(&scene, open, 1);
	ceiling = (struct ceiling){.ceilings = {.known_max = 2, .trap_max = 9}};
	restart(&scene, set_ceilings);
	scene_add_page(&scene, "https://x.example/a", 0);
	read_page(&scene, &page);
	struct pv_count_request request = count(&scene, false);
	ok(request.counts.states[PV_STATE_PENDING] == 1 &&
		request.has_left_known && !request.has_left_traps,
	    "P5: no more becomes known than may, and that is told");
	scene_add_page(&scene, "https://x.example/seed", 0);
	ok(count(&scene, false).counts.states[PV_STATE_PENDING] == 2,
	    "P3: what the policy names always fits");
	restart(&scene, set_ceilings);
	ok(ceiling.again == 0, "with no more room nothing is read again");
	ceiling.ceilings.known_max = 9;
	restart(&scene, set_ceilings);
	request = count(&scene, false);
	ok(ceiling.again == 1 && request.counts.states[PV_STATE_PENDING] == 3 &&
		!request.has_left_known,
	    "P3: with more room the page is read again");
	scene_finish(&scene);
}

static void test_trap_ceiling(scene_open_fn *open)
{
	static const struct pv_standing trap = {
	    .use = PV_REFUSED, .depth = 1, .verdict.reason = PV_REASON_REPEATS};
	struct scene scene;
	scene_init_engine(&scene, open, 1);
	ceiling = (struct ceiling){
	    .ceilings = {.known_max = UINT64_MAX, .trap_max = 1}};
	restart(&scene, set_ceilings);
	scene_add_page(&scene, "https://x.example/a", 0);
	read_page(&scene, &trap);
	struct pv_count_request request = count(&scene, false);
	ok(request.counts.states[PV_STATE_REFUSED] == 1 &&
		request.has_left_traps && !request.has_left_known,
	    "P5: of what traps refuse only so many become known by a host");
	ceiling.forgets_traps = true;
	restart(&scene, set_ceilings);
	ok(ceiling.again == 1,
	    "where those are not to count any more the page is read again");
	scene_finish(&scene);
}

/* Rounds */

static struct pv_round_plan plan;
static bool has_begun;

static void begin_round(struct scene *scene)
{
	has_begun = pv_frontier_begin_round(scene->frontier, &plan);
}

static void end_with_copy(
    struct scene *scene, uint64_t host, struct pv_str file)
{
	const struct pv_copy copy = {.file = file};
	struct pv_report *report = scene_report(scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(scene, host);
	report->result = leaf;
	report->copy = &copy;
	report->wall_ms = DAY;
	report->change = PV_CHANGE_NEW;
	scene_send(scene, report);
	scene_settle(scene);
}

static void test_rounds(scene_open_fn *open)
{
	struct scene scene;
	scene_init_engine(&scene, open, 1);
	scene_add_page(&scene, "https://x.example/a", 0);
	scene_add(&scene, "https://x.example/map",
	    (struct pv_standing){.use = PV_PAGE,
		.depth = 1,
		.listing = PV_LISTS_ALL,
		.is_only_list = true});
	uint64_t host = scene_take_host(&scene);
	end_with_copy(&scene, host, PV_STR("site/a"));
	end_with_copy(&scene, host, PV_STR("site/map"));
	scene_give_host(&scene, host, (struct pv_host_state){.pages = 2});
	plan =
	    (struct pv_round_plan){.now_wall_ms = 3 * DAY, .after_ms = 3 * DAY};
	restart(&scene, begin_round);
	ok(!has_begun && scene.frontier->round.number == 1 &&
		count(&scene, true).counts.states[PV_STATE_DONE] == 2,
	    "where no copy is old enough no round begins");
	plan.after_ms = DAY;
	restart(&scene, begin_round);
	ok(has_begun && scene.frontier->round.number == 2 &&
		scene.frontier->round.due == 2,
	    "a round is of all copies that are due");
	host = scene_take_host(&scene);
	scene_are_next(&scene, host, 9, "map", "sitemaps come first");
	restart(&scene, NULL);
	ok(scene.frontier->round.number == 2 &&
		pv_frontier_is_round_open(scene.frontier),
	    "P3: a round outlives a kill");
	host = scene_take_host(&scene);
	end_with_copy(&scene, host, PV_STR("site/map"));
	ok(count(&scene, true).counts.states[PV_STATE_PENDING] == 1,
	    "when they are done the others are pending");
	scene_are_next(&scene, host, 9, "a", "and given out");
	scene_finish(&scene);
}

static void test_seeds(scene_open_fn *open)
{
	static const struct pv_result missing = {
	    .outcome = PV_OUTCOME_ANSWERED, .http_status = 404};
	struct scene scene;
	scene_init_engine(&scene, open, 1);
	scene_add_page(&scene, "https://x.example/a", 0);
	scene_add_page(&scene, "https://x.example/b", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	scene_end_visit(&scene, &visit, missing);
	visit = scene_take_visit(&scene, host);
	scene_end_visit(&scene, &visit, leaf);
	ok(count(&scene, false).failed_seeds == 1,
	    "how many seeds came to nothing is told");
	scene_finish(&scene);
}

static void test(scene_open_fn *open, const struct engine_row *engine)
{
	if (engine->is_moved)
		return;
	test_named(open);
	test_ready(open);
	test_all_given(open, engine->is_shared);
	test_refused(open);
	test_pages(open);
	test_rejudging(open);
	test_few_rejudged(open);
	test_known_ceiling(open);
	test_trap_ceiling(open);
	test_rounds(open);
	test_seeds(open);
}

int main(void)
{
	engines_each(test);
	return tap_done();
}

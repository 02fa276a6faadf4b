#include "crawl/run/outbox.h"

#include "frontier/scene.h"

/* Papers of every kind, each of which notes its number when it comes back. */
struct desk {
	struct scene scene;
	struct pv_outbox outbox;
	char back[64];
	size_t count;
};

static void note(struct desk *desk, char number)
{
	desk->back[desk->count++] = number;
	pv_outbox_came_back(&desk->outbox);
}

struct report {
	struct pv_report paper;
	struct desk *desk;
	char number;
};

static void on_report(struct pv_report *paper, enum pv_store_status status)
{
	struct report *report = paper->ctx;
	(void)status;
	note(report->desk, report->number);
}

static void on_hosts(struct pv_host_request *paper, enum pv_store_status status)
{
	(void)status;
	note(paper->ctx, 'h');
}

static void on_visits(
    struct pv_visit_request *paper, enum pv_store_status status)
{
	(void)status;
	note(paper->ctx, 'v');
}

static void on_return(struct pv_host_return *paper, enum pv_store_status status)
{
	(void)status;
	note(paper->ctx, 'g');
}

static void on_count(
    struct pv_count_request *paper, enum pv_store_status status)
{
	(void)status;
	note(paper->ctx, 'c');
}

static void on_refused(
    struct pv_refused_request *paper, enum pv_store_status status)
{
	(void)status;
	note(paper->ctx, 'r');
}

struct job {
	struct pv_job paper; /* the first */
	struct desk *desk;
	char number;
};

static void run_nothing(struct pv_job *paper, struct pv_database *database)
{
	(void)paper;
	(void)database;
}

static void on_job(struct pv_job *paper, enum pv_store_status status)
{
	struct job *job = (struct job *)paper;
	(void)status;
	note(job->desk, job->number);
}

static struct job job_of(struct desk *desk, char number, size_t bytes)
{
	return (struct job){
	    .paper = {.run = run_nothing, .done = on_job, .bytes = bytes},
	    .desk = desk,
	    .number = number,
	};
}

static void open_desk(struct desk *desk, size_t count_ceiling)
{
	*desk = (struct desk){.count = 0};
	scene_init(&desk->scene, 16);
	scene_close(&desk->scene);
	desk->scene.count_ceiling = count_ceiling;
	scene_open(&desk->scene);
	pv_outbox_init(
	    &desk->outbox, desk->scene.frontier, &desk->scene.store->writer);
}

static void close_desk(struct desk *desk)
{
	pv_outbox_finish(&desk->outbox);
	scene_finish(&desk->scene);
}

static void give(struct desk *desk, enum pv_paper_kind kind, void *paper)
{
	pv_outbox_give(&desk->outbox, kind, paper, desk->scene.now);
}

/* As the loop does it: what comes back makes room for what waits. */
static void settle(struct desk *desk)
{
	while (desk->outbox.under_way) {
		scene_settle(&desk->scene);
		pv_outbox_send(&desk->outbox, desk->scene.now);
	}
}

/* Claims which papers are back, in their order. */
static void are_back(
    const struct desk *desk, const char *wanted, const char *claim)
{
	const struct pv_str found = {desk->back, desk->count};
	is_text(found, wanted, "%s", claim);
}

/* One of each kind. */
static void test_kinds(size_t count_ceiling)
{
	struct desk desk;
	open_desk(&desk, count_ceiling);
	struct report report = {.desk = &desk, .number = '1'};
	report.paper = (struct pv_report){.done = on_report, .ctx = &report};
	pv_link_list_init(&report.paper.links, 1000);
	struct pv_host_request hosts = {
	    .max = 1, .done = on_hosts, .ctx = &desk};
	pv_host_list_init(&hosts.hosts, 1000);
	struct pv_host_return giving = {
	    .host_id = 1, .done = on_return, .ctx = &desk};
	struct job job = job_of(&desk, '2', 1);
	give(&desk, PV_PAPER_REPORT, &report.paper);
	give(&desk, PV_PAPER_HOST_REQUEST, &hosts);
	give(&desk, PV_PAPER_HOST_RETURN, &giving);
	give(&desk, PV_PAPER_JOBS, &job.paper);
	ok(desk.outbox.under_way == 4, "four papers are under way");
	ok(desk.outbox.waiting == (count_ceiling == 1 ? 3 : 0),
	    "and as many of them wait as there is no room for");
	settle(&desk);
	are_back(&desk, "1hg2",
	    "P3: they come in the order in which they were given");
	ok(desk.outbox.waiting == 0 && !desk.outbox.first,
	    "none is left behind");
	pv_link_list_finish(&report.paper.links);
	pv_host_list_finish(&hosts.hosts);
	close_desk(&desk);
}

/* Those that are answered before the commit. */
static void test_questions(void)
{
	struct desk desk;
	open_desk(&desk, 1);
	struct pv_visit_request visits = {
	    .host_id = 1, .max = 1, .done = on_visits, .ctx = &desk};
	struct pv_count_request count = {.done = on_count, .ctx = &desk};
	struct pv_refused_request refused = {
	    .max = 1, .done = on_refused, .ctx = &desk};
	pv_visit_list_init(&visits.visits, 1000);
	pv_visit_list_init(&refused.visits, 1000);
	give(&desk, PV_PAPER_VISIT_REQUEST, &visits);
	give(&desk, PV_PAPER_COUNT_REQUEST, &count);
	give(&desk, PV_PAPER_REFUSED_REQUEST, &refused);
	settle(&desk);
	are_back(&desk, "vcr", "questions are answered in their order");
	pv_visit_list_finish(&visits.visits);
	pv_visit_list_finish(&refused.visits);
	close_desk(&desk);
}

/* The second is too large while the first is under way; the third would
 * fit. */
static void test_overtaking(void)
{
	struct desk desk;
	open_desk(&desk, 100);
	struct job jobs[] = {job_of(&desk, '1', 1),
	    job_of(&desk, '2', (size_t)64 << 20), job_of(&desk, '3', 1)};
	give(&desk, PV_PAPER_JOBS, &jobs[0].paper);
	give(&desk, PV_PAPER_JOBS, &jobs[1].paper);
	ok(desk.outbox.waiting == 1, "P5: what is too large now waits");
	give(&desk, PV_PAPER_JOBS, &jobs[2].paper);
	ok(desk.outbox.waiting == 2, "P3: and nobody overtakes it");
	pv_outbox_send(&desk.outbox, desk.scene.now);
	ok(desk.outbox.waiting == 2, "to ask again does not make room");
	settle(&desk);
	are_back(&desk, "123", "until what is under way has come back");
	struct job more[] = {job_of(&desk, '4', 1),
	    job_of(&desk, '5', (size_t)64 << 20), job_of(&desk, '6', 1)};
	for (size_t i = 0; i < 3; i++)
		give(&desk, PV_PAPER_JOBS, &more[i].paper);
	ok(desk.outbox.waiting == 2, "then others wait as well");
	settle(&desk);
	are_back(&desk, "123456", "P3: and none of them is forgotten");
	close_desk(&desk);
}

static void test_many(void)
{
	struct desk desk;
	struct job jobs[50];
	char wanted[51] = "";
	open_desk(&desk, 3);
	for (size_t i = 0; i < 50; i++) {
		wanted[i] = (char)('0' + i);
		jobs[i] = job_of(&desk, wanted[i], 1);
		give(&desk, PV_PAPER_JOBS, &jobs[i].paper);
		if (i % 7 == 0) {
			scene_settle(&desk.scene);
			pv_outbox_send(&desk.outbox, desk.scene.now);
		}
	}
	settle(&desk);
	are_back(&desk, wanted, "P3: however the room comes and goes");
	close_desk(&desk);
}

static void test_dropping(void)
{
	struct desk desk;
	struct job jobs[3];
	open_desk(&desk, 1);
	for (size_t i = 0; i < 3; i++) {
		jobs[i] = job_of(&desk, (char)('1' + i), 1);
		give(&desk, PV_PAPER_JOBS, &jobs[i].paper);
	}
	scene_settle(&desk.scene);
	pv_outbox_finish(&desk.outbox);
	ok(desk.count == 1 && !desk.outbox.first && desk.outbox.waiting == 0,
	    "what is dropped never comes back: it is still the caller's");
	close_desk(&desk);
}

int main(void)
{
	test_kinds(100);
	test_kinds(1);
	test_questions();
	test_overtaking();
	test_many();
	test_dropping();
	return tap_done();
}

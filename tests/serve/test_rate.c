#include "crawl/patience.h"
#include "serve/asked_service.h"
#include "server/log_check.h"

/* The rate of all jobs and fetches together, judged by what the sites have seen. */

#define SECONDS 100
#define PAGES 40
#define RATE 10
#define INTERVAL_MS 100

/* A page that has links to all others. */
static bool answer(
    void *ctx, const struct server_request *request, struct server_answer *made)
{
	struct pv_buf *page = ctx;
	if (pv_str_ends(request->path, PV_STR("robots.txt")))
		made->status = 404;
	else
		made->body = pv_buf_text(page);
	return true;
}

static void write_page(struct pv_buf *page)
{
	pv_buf_init(page, SIZE_MAX);
	for (unsigned i = 0; i < PAGES; i++)
		pv_buf_append_format(page, "<a href='/all/%u'>%u</a>\n", i, i);
}

static void submit(struct asked_service *scene, unsigned host, char id[200])
{
	char body[200];
	snprintf(body, sizeof(body),
	    "{\"urls\":[\"http://127.0.0.%u:%u/all/0\"]}", host,
	    (unsigned)server_port(scene->site));
	asked_service_ask(scene, "POST /v1/jobs", "", body);
	asked_service_member(scene, "id", id);
}

#define COMMON                                      \
	"directory: service\nlisten: 127.0.0.1:0\n" \
	"private: [127.0.0.0/8]\n"                  \
	"profiles: {default: default.yaml}\n"

/* Until something of the service waits for that. */
static void wait_for_word(
    struct asked_service *scene, const char *request, const char *word)
{
	do {
		poll(NULL, 0, 1);
		asked_service_ask(scene, request, "", NULL);
	} while (!strstr(pv_buf_text(&scene->reply), word));
}

/* The request that may not begin before the next tick comes that much too
 * early. */
static int64_t early_ms(const struct log_view *view)
{
	int64_t most_ms = 0;
	for (size_t i = 0; i < view->count; i++) {
		int64_t since_ms =
		    (view->records[i].begin_us - view->records[0].begin_us) /
		    1000;
		int64_t early_ms = (int64_t)(i / RATE) * INTERVAL_MS - since_ms;
		most_ms = early_ms > most_ms ? early_ms : most_ms;
	}
	return most_ms;
}

static void test_jobs(struct asked_service *scene)
{
	char ids[3][200];
	struct log_view view;
	for (unsigned i = 0; i < 3; i++)
		submit(scene, i + 1, ids[i]);
	bool has_ended = true;
	for (unsigned i = 0; i < 3; i++)
		has_ended =
		    asked_service_ends(scene, ids[i], "finished") && has_ended;
	view = log_view_of(scene->site);
	ok(has_ended && view.count >= (size_t)3 * PAGES,
	    "jobs that share a rate come to their ends");
	ok(early_ms(&view) < INTERVAL_MS,
	    "P1: together they keep it (%zu requests, %lld ms early)",
	    view.count, (long long)early_ms(&view));
	log_view_finish(&view);
}

static bool reload(struct asked_service *scene, const char *config)
{
	asked_service_write(scene, "service.yaml", config);
	return pavane_service_reload(scene->service, &scene->options);
}

static void test_reload(struct asked_service *scene)
{
	char id[200];
	reload(scene, COMMON "rate: {max_rate: 3, interval: 1d}\n");
	submit(scene, 4, id);
	wait_for_word(scene, "GET /v1/hosts", "\"all-crawls\"");
	ok(asked_service_says(scene, "rate of all crawls"),
	    "P4: hosts that wait for it say so");
	size_t before = server_log_count(scene->site);
	ok(reload(scene, COMMON) && asked_service_ends(scene, id, "finished"),
	    "without one in the file, which is read again, it goes on");
	ok(server_log_count(scene->site) >= before + PAGES - 3, "to its end");
}

int main(void)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct asked_service scene;
	struct pv_buf page;
	write_page(&page);
	struct server *site = server_start(&(struct server_plan){
	    .addresses = everywhere, .answer = answer, .ctx = &page});
	end_after(SECONDS);
	asked_service_make(
	    &scene, site, COMMON "rate: {max_rate: 10, interval: 100ms}\n");
	ok(asked_service_open(&scene), "a service is open");
	test_jobs(&scene);
	test_reload(&scene);
	asked_service_close(&scene);
	end_after(0);
	server_stop(site);
	pv_buf_finish(&page);
	return tap_done();
}

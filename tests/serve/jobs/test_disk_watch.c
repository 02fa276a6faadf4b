#include "serve/jobs/disk_watch.h"

#include "crawl/patience.h"
#include "serve/asked_service.h"

/* Jobs that store more than they may. */

#define SECONDS 100

static char large[40000]; /* a page with a link to the next one */

static const char config[] =
    "directory: service\nlisten: 127.0.0.1:0\n"
    "private: [127.0.0.0/8]\nprofiles: {default: default.yaml}\n"
    "jobs: {disk: 8MiB}\n";

static void test_limit(struct server *site)
{
	struct asked_service scene;
	char id[200], small[200], state[200], request[300];
	asked_service_make(&scene, site, config);
	asked_service_open(&scene);
	/* Nobody answers there, so that it tries again for a while. */
	asked_service_ask(&scene, "POST /v1/jobs", "",
	    "{\"urls\":[\"http://127.0.0.2:1/\"]}");
	asked_service_member(&scene, "id", small);
	asked_service_wait(&scene, small, "running");
	ok(asked_service_submit(&scene, "/long/1", "", id) == 202 &&
		asked_service_ends(&scene, id, "limited"),
	    "P5: one that stores more than jobs.disk allows is limited");
	snprintf(request, sizeof(request), "GET /v1/jobs/%s", id);
	ok(asked_service_ask(&scene, request, "", NULL) == 200 &&
		asked_service_says(&scene, "its directory takes more than the "
					   "8388608 bytes that jobs.disk "
					   "allows"),
	    "P4: and that is said");
	snprintf(request, sizeof(request), "GET /v1/jobs/%s", small);
	asked_service_ask(&scene, request, "", NULL);
	asked_service_member(&scene, "state", state);
	is_text(pv_str_of(state), "running",
	    "one beside it that stores little goes on");
	asked_service_close(&scene);
}

/* Read again, the limit holds for jobs that run. */
static void test_change(struct server *site)
{
	struct asked_service scene;
	char id[200];
	asked_service_make(&scene, site,
	    "directory: service\nlisten: 127.0.0.1:0\n"
	    "private: [127.0.0.0/8]\nprofiles: {default: default.yaml}\n");
	asked_service_open(&scene);
	asked_service_submit(&scene, "/long/1", "", id);
	asked_service_wait(&scene, id, "running");
	asked_service_write(&scene, "service.yaml", config);
	ok(pavane_service_reload(scene.service, &scene.options) &&
		asked_service_ends(&scene, id, "limited"),
	    "a limit that comes later holds for jobs that run");
	asked_service_close(&scene);
}

int main(void)
{
	memset(large, 'x', sizeof(large) - 1);
	static const char link[] = "<a href='{n}1'>1</a><a href='{n}2'>2</a>";
	memcpy(large, link, strlen(link));
	const struct server_route routes[] = {
	    {.path = "/robots.txt", .answer = {.status = 404}},
	    {.path = "/long/*", .answer = {.body = large, .is_template = true}},
	};
	struct server *site =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_limit(site);
	test_change(site);
	end_after(0);
	server_stop(site);
	return tap_done();
}

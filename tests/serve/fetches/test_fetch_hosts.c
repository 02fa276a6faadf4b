#include "crawl/patience.h"
#include "serve/service_scene.h"
#include "tap.h"

/* The hosts that single addresses wait for, as callers see them. */

#define SECONDS 100
#define HOST "/v1/hosts/127.0.0.1"

static const struct server_route routes[] = {
    {.path = "/robots.txt",
	.answer = {.body = "User-agent: *\nCrawl-delay: 300\n"}},
    {.path = "/*", .answer = {.body = "here it is"}},
};

static void fetch(struct scene *scene, const char *site_path)
{
	char body[200];
	snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%u%s\"}",
	    (unsigned)server_port(scene->server), site_path);
	ask(scene, "POST", "/v1/fetches", body);
}

static void wait_until(struct scene *scene, const char *path, const char *part)
{
	do {
		poll(NULL, 0, 1);
		ask(scene, "GET", path, NULL);
	} while (!strstr(body_of(scene), part));
}

static void test_hosts(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	ok(ask(&scene, "GET", "/v1/hosts", NULL) == 200 &&
		says(&scene, "\"hosts\":[]"),
	    "nobody waits at first");
	fetch(&scene, "/one");
	fetch(&scene, "/two");
	wait_until(&scene, "/v1/hosts",
	    "\"host\":\"127.0.0.1\",\"job\":\"fetches/default\"");
	ok(says(&scene, "\"waits_for\":"),
	    "P4: a host that fetches wait for is listed, and why it waits");
	wait_until(&scene, HOST, "\"job\":\"fetches/default\"");
	ok(says(&scene, "\"robots\":") && says(&scene, "300"),
	    "P4: by itself with its clocks and robots.txt");
	ok(!strstr(body_of(&scene), scene.scratch.path),
	    "P7: paths of the owner are not told");
	close_scene(&scene);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_hosts(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}

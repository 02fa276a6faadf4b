#include "crawl/patience.h"
#include "serve/service_scene.h"
#include "tap.h"

/* Single addresses, as callers ask for them, judged by what the site has seen. */

#define SECONDS 100

#define HOP(from, to)                                          \
	{                                                      \
		.path = "/hop" #from, .answer = {              \
			.status = 302,                         \
			.headers = "Location: /hop" #to "\r\n" \
		}                                              \
	}

static const struct server_route routes[] = {
    {.path = "/robots.txt",
	.answer = {.body = "User-agent: *\nDisallow: /secret\n"}},
    {.path = "/page",
	.answer = {.body = "<a href=/linked>1</a><img src=/image.png>",
	    .headers = "Content-Type: text/html\r\n"}},
    {.path = "/old",
	.answer = {.status = 301, .headers = "Location: /older\r\n"}},
    {.path = "/older",
	.answer = {.status = 302, .headers = "Location: /page#part\r\n"}},
    {.path = "/circle",
	.answer = {.status = 302, .headers = "Location: /circle2\r\n"}},
    {.path = "/circle2",
	.answer = {.status = 302, .headers = "Location: /circle\r\n"}},
    HOP(1, 2),
    HOP(2, 3),
    HOP(3, 4),
    HOP(4, 5),
    HOP(5, 6),
    HOP(6, 7),
    HOP(7, 8),
    HOP(8, 9),
    HOP(9, 10),
    HOP(10, 11),
    HOP(11, 12),
    HOP(12, 13),
    HOP(13, 14),
    HOP(14, 15),
    HOP(15, 16),
    HOP(16, 17),
    HOP(17, 18),
    HOP(18, 19),
    HOP(19, 20),
    HOP(20, 21),
    HOP(21, 22),
    HOP(22, 23),
    HOP(23, 24),
    {.path = "/many*", .answer = {.body = "one of many"}},
    {.path = "/slow",
	.answer = {.body = "late", .head_pace = {.delay_ms = 300}}},
};

static size_t requests_of(const struct scene *scene, const char *path)
{
	struct server_record record;
	size_t count = 0;
	for (size_t i = 0; server_log_get(scene->server, i, &record); i++)
		count += pv_str_equal(record.target, pv_str_of(path));
	return count;
}

static unsigned fetch(struct scene *scene, const char *site_path,
    const char *more, char path[100])
{
	char body[600], id[80];
	snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%u%s\"%s}",
	    (unsigned)server_port(scene->server), site_path, more);
	unsigned status = ask(scene, "POST", "/v1/fetches", body);
	member(scene, "id", id);
	snprintf(path, 100, "/v1/fetches/%s", id);
	return status;
}

static bool ends_as(struct scene *scene, const char *path, const char *state)
{
	char found[80] = "";
	do {
		poll(NULL, 0, 1);
		ask(scene, "GET", path, NULL);
		member(scene, "state", found);
	} while (strcmp(found, "waiting") == 0);
	if (strcmp(found, state) != 0)
		printf("# %s\n", body_of(scene));
	return strcmp(found, state) == 0;
}

static bool comes_to_figures(struct scene *scene, const char *line)
{
	for (unsigned tries = 0; tries < 10000; tries++) {
		ask(scene, "GET", "/metrics", NULL);
		if (strstr(body_of(scene), line))
			return true;
		poll(NULL, 0, 1);
	}
	return false;
}

/* Whether the site was asked for the page so often, as the fetch says. */
static bool is_asked(struct scene *scene, const char *path, size_t times)
{
	size_t count = requests_of(scene, "/page");
	if (count == times)
		return true;
	ask(scene, "GET", path, NULL);
	printf(
	    "# asked %zu times, not %zu: %s\n", count, times, body_of(scene));
	return false;
}

static void test_one(struct server *server)
{
	struct scene scene;
	char path[100], body[120];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	size_t before = requests_of(&scene, "/page");
	ok(fetch(&scene, "/page", "", path) == 202 &&
		says(&scene, "\"state\":\"waiting\""),
	    "an address is accepted");
	ok(ends_as(&scene, path, "done") && says(&scene, "\"status\":200") &&
		says(&scene, "\"outcome\":\"answered\"") &&
		says(&scene, "\"type\":\"text/html\"") &&
		says(&scene, "\"digest\":\"sha256:") &&
		says(&scene, "\"bytes\":41"),
	    "and what came of it is said");
	snprintf(body, sizeof(body), "%s/body", path);
	ok(ask(&scene, "GET", body, NULL) == 200 && says(&scene, "<a href=") &&
		says(&scene, "sandbox"),
	    "P7: its body is given, so that nothing in it runs");
	ok(is_asked(&scene, path, before + 1), "P1: it is asked for once");
	ok(fetch(&scene, "/page", ",\"max_age\":\"1h\"", path) == 202 &&
		ends_as(&scene, path, "done") &&
		is_asked(&scene, path, before + 1),
	    "P1: an answer that is young enough is not asked for again");
	ok(fetch(&scene, "/page", "", path) == 202 &&
		ends_as(&scene, path, "done") && says(&scene, "\"round\":2") &&
		requests_of(&scene, "/page") == before + 2,
	    "and else it is, in a round of its own");
	ok(comes_to_figures(
	       &scene, "pavane_pages_total{job=\"fetches/default\"} 2\n"),
	    "the crawl of a profile is among the figures");
	ok(!requests_of(&scene, "/linked") &&
		!requests_of(&scene, "/image.png"),
	    "what it links to is not requested");
	close_scene(&scene);
}

static void test_redirects(struct server *server)
{
	struct scene scene;
	char path[100], end[120];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	fetch(&scene, "/old", "", path);
	snprintf(end, sizeof(end), "\"final_url\":\"http://127.0.0.1:%u/page\"",
	    (unsigned)server_port(server));
	ok(ends_as(&scene, path, "done") && says(&scene, end) &&
		says(&scene, "\"status\":200"),
	    "redirects are followed");
	size_t before = requests_of(&scene, "/page");
	fetch(&scene, "/old", "", path);
	ok(ends_as(&scene, path, "done") && says(&scene, end) &&
		requests_of(&scene, "/page") > before,
	    "anew, too");
	fetch(&scene, "/circle", "", path);
	ok(ends_as(&scene, path, "done") && says(&scene, "\"status\":302"),
	    "P8: a circle of them has an end");
	fetch(&scene, "/hop1", "", path);
	ok(ends_as(&scene, path, "refused") &&
		says(&scene, "\"reason\":\"redirects\"") &&
		!requests_of(&scene, "/hop22"),
	    "P8: and so has a chain of them, with its reason");
	close_scene(&scene);
}

static void test_refused(struct server *server)
{
	struct scene scene;
	char path[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	size_t before = requests_of(&scene, "/secret");
	fetch(&scene, "/secret", "", path);
	ok(ends_as(&scene, path, "refused") &&
		says(&scene, "\"reason\":\"robots\"") &&
		requests_of(&scene, "/secret") == before,
	    "P2: what robots.txt forbids is refused, and it is said why");
	fetch(&scene, "/secret", "", path);
	ok(ends_as(&scene, path, "refused") &&
		says(&scene, "\"reason\":\"robots\""),
	    "however often it is asked for");
	fetch(&scene, "/missing", "", path);
	ok(ends_as(&scene, path, "done") && says(&scene, "\"status\":404"),
	    "what is not there is answered as well");
	ok(ask(&scene, "POST", "/v1/fetches", "{\"url\":\"ftp://a.test/\"}") ==
		    422 &&
		says(&scene, "\"url: ftp://a.test/: this is not"),
	    "what is no address of the web is refused at once");
	ok(ask(&scene, "POST", "/v1/fetches", "{\"url\":5}") == 400 &&
		says(&scene, "url: expected a text"),
	    "so is what is none");
	ok(ask(&scene, "POST", "/v1/fetches",
	       "{\"url\":\"http://a.test/\",\"max_age\":\"young\"}") == 400 &&
		says(&scene, "max_age: expected a time"),
	    "an age that is none");
	ok(ask(&scene, "POST", "/v1/fetches",
	       "{\"url\":\"http://a.test/\",\"profile\":\"none\"}") == 422,
	    "and a profile that there is not");
	ok(ask(&scene, "GET", "/v1/fetches/none", NULL) == 404,
	    "there is no other fetch");
	close_scene(&scene);
}

/* What bounds a crawl as a whole is not for one that has no end. */
static void test_limits(struct server *server)
{
	struct scene scene;
	struct pv_buf text;
	char path[100];
	open_scene(&scene, server);
	pv_buf_init(&text, 4096);
	pv_buf_append_format(
	    &text, "%slimits: {pages: 1, bytes: 1KB, wait: 1s}\n", profile);
	write_file(&scene, "default.yaml", pv_buf_text(&text), 0600);
	pv_buf_finish(&text);
	open_service(&scene, NULL, 0);
	fetch(&scene, "/many-a", "", path);
	ok(ends_as(&scene, path, "done"), "one address is fetched");
	fetch(&scene, "/many-b", "", path);
	ok(ends_as(&scene, path, "done"),
	    "and the next, though the profile allows one page");
	close_scene(&scene);
}

static void test_private(struct server *server)
{
	struct scene scene;
	char path[100];
	static const char *const settings[] = {"private=[]"};
	open_scene(&scene, server);
	open_service(&scene, settings, 1);
	size_t before = requests_of(&scene, "/page");
	fetch(&scene, "/page", "", path);
	ends_as(&scene, path, "done");
	ok(requests_of(&scene, "/page") == before &&
		!strstr(body_of(&scene), "\"status\":200"),
	    "P7: a private address that the owner does not name is not asked");
	close_scene(&scene);
}

static void test_wait(struct server *server)
{
	struct scene scene;
	char path[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	scene.headers = "Prefer: wait=30\r\n";
	ok(fetch(&scene, "/page", "", path) == 200 &&
		says(&scene, "\"state\":\"done\""),
	    "who prefers to wait gets the answer at once");
	scene.headers = "Idempotency-Key: one\r\n";
	char again[100];
	ok(fetch(&scene, "/slow", "", path) == 202 &&
		fetch(&scene, "/slow", "", again) == 202 &&
		strcmp(path, again) == 0,
	    "who asks twice by one key gets one fetch");
	ok(fetch(&scene, "/page", "", again) == 422,
	    "but no other by that key");
	ends_as(&scene, path, "done");
	close_scene(&scene);
}

/* Whether the list has them in that order. */
static bool lists(
    struct scene *scene, const char *query, const char *first, const char *last)
{
	char path[100];
	snprintf(path, sizeof(path), "/v1/fetches%s", query);
	if (ask(scene, "GET", path, NULL) != 200)
		return false;
	const char *one = strstr(body_of(scene), first);
	const char *other = one ? strstr(one, last) : NULL;
	if (!other)
		printf("# %s\n", body_of(scene));
	return other;
}

static void test_list(struct server *server)
{
	struct scene scene;
	char path[100], next[80], query[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	ok(ask(&scene, "GET", "/v1/fetches", NULL) == 200 &&
		says(&scene, "{\"fetches\":[]}"),
	    "at first there are none to be listed");
	fetch(&scene, "/many-1", "", path);
	ends_as(&scene, path, "done");
	fetch(&scene, "/secret", "", path);
	ends_as(&scene, path, "refused");
	fetch(&scene, "/many-3", "", path);
	ends_as(&scene, path, "done");
	ok(lists(&scene, "", "/many-3\"", "/many-1\"") &&
		lists(&scene, "", "/secret\"", "/many-1\""),
	    "they are listed from the newest on");
	ok(lists(&scene, "?state=done", "/many-3\"", "/many-1\"") &&
		!strstr(body_of(&scene), "/secret\""),
	    "those in a state");
	ok(lists(&scene, "?limit=2", "/many-3\"", "/secret\"") &&
		!strstr(body_of(&scene), "/many-1\""),
	    "so many of them");
	member(&scene, "next", next);
	snprintf(query, sizeof(query), "?limit=2&after=%s", next);
	ok(lists(&scene, query, "/many-1\"", "]}"),
	    "and then those that follow");
	ok(!strstr(body_of(&scene), "next") &&
		!strstr(body_of(&scene), "/secret\""),
	    "to the last");
	ok(ask(&scene, "GET", "/v1/fetches?state=running", NULL) == 400 &&
		ask(&scene, "GET", "/v1/fetches?limit=5000", NULL) == 400 &&
		ask(&scene, "GET", "/v1/fetches?limit=0", NULL) == 400 &&
		ask(&scene, "GET", "/v1/fetches?after=x", NULL) == 400,
	    "what makes no sense is refused");
	close_scene(&scene);
}

#define MANY 40

static void test_restart(struct server *server)
{
	struct scene scene;
	char paths[MANY][100], site_path[40];
	unsigned done = 0, asked = 0;
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(site_path, sizeof(site_path), "/many%u", i);
		fetch(&scene, site_path, "", paths[i]);
	}
	pavane_service_close(scene.service);
	open_service(&scene, NULL, 0);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(site_path, sizeof(site_path), "/many%u", i);
		done += ends_as(&scene, paths[i], "done");
		asked += requests_of(&scene, site_path) >= 1;
	}
	ok(done == MANY && asked == MANY,
	    "P3: what was accepted is done by the next service (%u, %u)", done,
	    asked);
	close_scene(&scene);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_one(server);
	test_redirects(server);
	test_refused(server);
	test_limits(server);
	test_private(server);
	test_wait(server);
	test_list(server);
	test_restart(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}

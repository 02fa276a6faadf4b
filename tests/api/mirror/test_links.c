#include "crawl/scene.h"

/* `pavane links --broken` and `pavane where`, as a person runs them, on what a
 * crawl of a server of ours has left. P4: every no has a reason. */

#define LINK(to) "<a href=\"" to "\">x</a>"

static const struct server_route routes[] = {
    {.host = "a.test",
	.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\nDisallow: /private\n"}},
    {.host = "a.test",
	.path = "/",
	.answer = {.body = "<link rel=stylesheet href=/s.css>" LINK("/b/") LINK(
		       "/missing?a=1&amp;b") LINK("/was-moved")
		       LINK("/private/x") LINK("/moved") LINK("/cut") LINK(
			   "/error") LINK("/fades") LINK("/circle") LINK("/c/")
			   LINK("/round") LINK("/for-good") LINK("/for-now")
			       LINK("/self") LINK("/other-self")
				   LINK("/no-address") LINK("/write")
				       LINK("/script") LINK("/choice")}},
    {.host = "a.test",
	.path = "/b/",
	.nth = 1,
	.answer = {.body = "<img src=../picture.png>" LINK("../fades")
		       LINK("http://www.a.test:{port}/missing?a=1&b#c")
			   LINK("/missing?a=1&b"),
	    .is_template = true}},
    {.host = "a.test",
	.path = "/c/",
	.answer = {.body = LINK("/other-way") LINK("/to-self")}},
    {.host = "a.test",
	.path = "/other-way",
	.answer = {.status = 301, .location = "/missing?a=1&b"}},
    {.host = "a.test",
	.path = "/round",
	.answer = {.status = 302, .location = "/round-and"}},
    {.host = "a.test",
	.path = "/round-and",
	.answer = {.status = 302, .location = "/round"}},
    {.host = "a.test",
	.path = "/s.css",
	.answer = {.type = "text/css",
	    .body = "a { background: url(picture.png) }"}},
    {.host = "a.test",
	.path = "/was-moved",
	.answer = {.status = 301, .location = "/is-nowhere"}},
    {.host = "a.test",
	.path = "/moved",
	.answer = {.status = 302, .location = "/moved-on"}},
    {.host = "a.test",
	.path = "/moved-on",
	.answer = {.status = 302, .location = "/there"}},
    {.host = "a.test", .path = "/there", .answer = {.body = "there"}},
    {.host = "a.test",
	.path = "/circle",
	.answer = {.status = 302, .location = "/"}},
    {.host = "a.test",
	.path = "/cut",
	.answer = {.body = "0123456789",
	    .fault = {SERVER_RESET, SERVER_IN_BODY, 5}}},
    {.host = "a.test", .path = "/error", .answer = {.status = 500}},
    {.host = "a.test",
	.path = "/self",
	.answer = {.status = 302, .location = "/self#here"}},
    {.host = "a.test",
	.path = "/to-self",
	.answer = {.status = 302, .location = "/self"}},
    {.host = "a.test",
	.path = "/other-self",
	.answer = {.status = 301,
	    .location = "http://www.a.test:{port}/other-self",
	    .is_template = true}},
    {.host = "a.test", .path = "/no-address", .answer = {.status = 302}},
    {.host = "a.test",
	.path = "/write",
	.answer = {.status = 303, .location = "mailto:a@b.test"}},
    {.host = "a.test",
	.path = "/script",
	.nth = 1,
	.answer = {.status = 307, .location = "http://[x\xc2\x9b"}},
    {.host = "a.test",
	.path = "/script",
	.answer = {.status = 307, .location = "/there"}},
    {.host = "a.test", .path = "/choice", .answer = {.status = 300}},
    {.host = "a.test",
	.path = "/fades",
	.nth = 1,
	.answer = {.body = "not for long"}},
    {.host = "a.test", .path = "/fades", .answer = {.status = 410}},
    {.host = "a.test",
	.path = "/for-good",
	.nth = 1,
	.answer = {.body = "here until it is there"}},
    {.host = "a.test",
	.path = "/for-good",
	.answer = {.status = 301, .location = "/there"}},
    {.host = "a.test",
	.path = "/for-now",
	.nth = 1,
	.answer = {.body = "here and then there"}},
    {.host = "a.test",
	.path = "/for-now",
	.answer = {.status = 302, .location = "/there"}},
};

#define POLICY                                                     \
	"version: 1\nseeds: [\"http://a.test:PORT/\"]\n"           \
	"politeness: {delay: 10ms, delay_factor: 0, ip_delay: 0, " \
	"backoff: {failure: 20ms}}\n"                              \
	"scope: {sitemaps: false, hosts: [a.test], aliases: "      \
	"{www.a.test: a.test}}\n"                                  \
	"fetch: {retries: 0, resolve: {\"*.test\": \"127.0.0.1\"}}\n"

struct said {
	struct pv_buf text;
	struct program_end end;
};

/* Up to four arguments, ended by NULL; PORT in them is the server's. */
static void say(struct crawl_scene *scene, struct said *said, ...)
{
	const char *arguments[6] = {NULL};
	struct pv_buf texts[5];
	size_t count = 0;
	va_list list;
	va_start(list, said);
	const char *argument = va_arg(list, const char *);
	for (; argument && count < 5; argument = va_arg(list, const char *)) {
		pv_buf_init(&texts[count], 4096);
		crawl_scene_write(scene, argument, &texts[count]);
		arguments[count] = pv_buf_text(&texts[count]);
		count++;
	}
	va_end(list);
	pv_buf_init(&said->text, 1 << 20);
	program_run(&scene->home, arguments, &said->text, &said->end);
	for (size_t i = 0; i < count; i++)
		pv_buf_finish(&texts[i]);
}

/* Whether it says that, PORT being the server's. */
static bool has(
    struct crawl_scene *scene, const struct said *said, const char *text)
{
	struct pv_buf wanted;
	pv_buf_init(&wanted, 1 << 16);
	crawl_scene_write(scene, text, &wanted);
	bool is_said =
	    strstr(pv_buf_text(&said->text), pv_buf_text(&wanted)) != NULL;
	pv_buf_finish(&wanted);
	return is_said;
}

static void claim(struct crawl_scene *scene, const struct said *said,
    const char *text, const char *what)
{
	if (!ok(has(scene, said, text), "%s", what))
		printf("# wanted: %s\n# it said: %s\n", text,
		    pv_buf_text(&said->text));
}

/* Pages are named in the order in which the crawl found them. */
static const char *const broken[][2] = {
    {"a 404 has each page that links to it, once",
	"http://a.test:PORT/missing?a=1&b\n"
	"  answered 404 (not found)\n"
	"  on http://a.test:PORT/, stored in o/site/a.test^PORT/index.html\n"
	"  on http://a.test:PORT/b/, stored in "
	"o/site/a.test^PORT/b/index.html\n"},
    {"and the page that links to a redirect to it",
	"http://a.test:PORT/is-nowhere\n"
	"  answered 404 (not found)\n"
	"  on http://a.test:PORT/, stored in o/site/a.test^PORT/index.html\n"},
    {"what was cut short is told as such",
	"http://a.test:PORT/cut\n  cut short\n  on http://a.test:PORT/, "
	"stored"},
    {"and what failed in the end",
	"http://a.test:PORT/error\n  answered 500 (internal server error)\n"},
    {"a picture stands in a page and in a style sheet",
	"http://a.test:PORT/picture.png\n"
	"  answered 404 (not found)\n"
	"  on http://a.test:PORT/s.css, stored in o/site/a.test^PORT/s.css\n"
	"  on http://a.test:PORT/b/, stored in "},
    {"and what redirects to itself",
	"http://a.test:PORT/self\n  redirected to itself (302)\n"
	"  on http://a.test:PORT/, stored in o/site/a.test^PORT/index.html\n"},
    {"or to itself by another name",
	"http://a.test:PORT/other-self\n  redirected to "
	"http://www.a.test:PORT/other-self, which the policy treats as the "
	"same address (301)\n"
	"  on http://a.test:PORT/, stored"},
    {"or nowhere", "http://a.test:PORT/no-address\n"
		   "  redirected to no address (302)\n  on "},
    {"or to what nobody can ask for",
	"http://a.test:PORT/write\n"
	"  redirected to mailto:a@b.test, which is not a web address (303)\n"
	"  on "},
    {"which is told so that no terminal obeys it",
	"http://a.test:PORT/script\n"
	"  redirected to http://[x\\u{009b}, which is not a web address "
	"(307)\n"
	"  on "},
    {"and what leaves a choice",
	"http://a.test:PORT/choice\n  answered 300 (multiple choices)\n  on "},
    {"all of it is counted",
	"\n13 addresses could not be fetched; 8 documents were read for links "
	"to "
	"them\n"},
};

static void test_broken(struct crawl_scene *scene)
{
	struct said said;
	say(scene, &said, "links", "o", "--broken", NULL);
	ok(said.end.status == 1, "where links are broken it ends with 1");
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++)
		claim(scene, &said, broken[i][1], broken[i][0]);
	ok(!has(scene, &said, "private") && !has(scene, &said, "/circle\n"),
	    "what was refused is not told, and what leads somewhere is well");
	pv_buf_finish(&said.text);
}

static void test_forms(struct crawl_scene *scene)
{
	struct said said;
	say(scene, &said, "links", "o", "--broken", "--refused", "--json",
	    NULL);
	claim(scene, &said,
	    "{\"url\":\"http://a.test:PORT/private/x\",\"fate\":\"refused\","
	    "\"reason\":\"robots\",\"line\":2,",
	    "what robots.txt refused is told where that is asked for");
	claim(scene, &said,
	    "{\"url\":\"http://a.test:PORT/error\",\"fate\":\"broken\","
	    "\"outcome\":\"answered\",\"status\":500,\"why\":\"answered 500 "
	    "(internal server error)\",\"via\":\"http://a.test:PORT/\","
	    "\"pages\":[{\"url\":\"http://a.test:PORT/\",\"file\":"
	    "\"o/site/a.test^PORT/index.html\"}]}\n",
	    "a program gets the same on a line of JSON");
	pv_buf_finish(&said.text);
	say(scene, &said, "links", "o", "--broken", "--csv", NULL);
	claim(scene, &said, "url,what,why,page,file\n",
	    "a spreadsheet gets a head");
	claim(scene, &said,
	    "\"http://a.test:PORT/error\",\"500\",\"answered 500 (internal "
	    "server error)\",\"http://a.test:PORT/\","
	    "\"o/site/a.test^PORT/index.html\"\n",
	    "and a line for each address and page");
	pv_buf_finish(&said.text);
}

/* What is asked, what is said, and how it ends. */
static const struct {
	const char *claim;
	const char *asked;
	const char *said;
	int status;
} places[] = {
    {"an address is in a file", "http://a.test:PORT/b/",
	"o/site/a.test^PORT/b/index.html\n", 0},
    {"under whatever name the crawl takes for the same",
	"HTTP://www.A.test:PORT/x/../there#part",
	"o/site/a.test^PORT/there^.html\n", 0},
    {"a file has an address", "o/site/a.test^PORT/there^.html",
	"http://a.test:PORT/there\n", 0},
    {"below the directory as well", "site/a.test^PORT/s.css",
	"http://a.test:PORT/s.css\n", 0},
    {"and as a browser calls it", "file:o/site/a.test%5EPORT/s.css?x",
	"http://a.test:PORT/s.css\n", 0},
    {"what was never met is said to be so", "http://a.test:PORT/never",
	": the crawl has not seen it\n", 1},
    {"what was refused too, with the reason", "http://a.test:PORT/private/x",
	": left out: forbidden by robots.txt (robots, line 2)\n", 1},
    {"what could not be had, too", "http://a.test:PORT/error",
	": answered 500 (internal server error)\n", 1},
    {"a redirect leads somewhere", "http://a.test:PORT/moved",
	": answered 302, redirected to http://a.test:PORT/moved-on, which is "
	"stored in o/site/a.test^PORT/there^.html\n",
	1},
    {"or to what is known otherwise", "http://a.test:PORT/circle",
	": answered 302, redirected to http://a.test:PORT/, which is stored in "
	"o/site/a.test^PORT/index.html\n",
	1},
    {"or to nothing", "http://a.test:PORT/no-address",
	": redirected to no address (302)\n", 1},
    {"what is neither is wrong usage", "a.test",
	": neither a web address, which begins with http: or https:, nor a "
	"file\n",
	2},
    {"a file that is no page's has no address", "policy.yaml",
	": no address is stored in that file\n", 1},
    {"a directory is none", "site/a.test^PORT/b", ": a directory; ", 1},
};

static void test_places(struct crawl_scene *scene)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct said said;
		say(scene, &said, "where", "o", places[i].asked, NULL);
		claim(scene, &said, places[i].said, places[i].claim);
		ok(said.end.status == places[i].status, "and it ends with %d",
		    places[i].status);
		pv_buf_finish(&said.text);
	}
}

static void test_json(struct crawl_scene *scene)
{
	struct said said;
	say(scene, &said, "where", "o", "--json", "http://a.test:PORT/moved",
	    NULL);
	claim(scene, &said,
	    "\"found\":false,\"url\":\"http://a.test:PORT/moved\",\"fate\":"
	    "\"moved\",\"outcome\":\"answered\",\"status\":302,",
	    "a program is told what is missing");
	claim(scene, &said,
	    ",\"to\":\"http://a.test:PORT/there\",\"to_file\":"
	    "\"o/site/a.test^PORT/there^.html\",",
	    "and where a redirect leads in the end");
	pv_buf_finish(&said.text);
	say(scene, &said, "where", "o", "--json", "http://a.test:PORT/there",
	    NULL);
	claim(scene, &said,
	    "\"found\":true,\"url\":\"http://a.test:PORT/there\",\"file\":"
	    "\"o/site/a.test^PORT/there^.html\",\"fate\":\"good\",",
	    "and what is there");
	pv_buf_finish(&said.text);
}

static void test_moved_since(struct crawl_scene *scene)
{
	struct said said;
	say(scene, &said, "where", "o", "http://a.test:PORT/for-good", NULL);
	claim(scene, &said,
	    "/for-good: since it was fetched: answered 301, redirected to ",
	    "what is redirected since, and still kept, is told as such");
	ok(said.end.status == 0, "which is no failure either");
	pv_buf_finish(&said.text);
	say(scene, &said, "where", "o", "--json", "http://a.test:PORT/for-now",
	    NULL);
	claim(scene, &said,
	    "\"fate\":\"moved\",\"outcome\":\"answered\",\"status\":302,",
	    "also to a program");
	pv_buf_finish(&said.text);
}

/* The file of a page has gone, and the page itself from its server. */
static void test_losses(struct crawl_scene *scene)
{
	static const char *const update[] = {"update", "o", "-q", NULL};
	struct said said;
	struct pv_buf name;
	pv_buf_init(&name, 256);
	crawl_scene_write(scene, "o/site/a.test^PORT/there^.html", &name);
	unlink(home_file(&scene->home, pv_buf_text(&name)));
	say(scene, &said, "where", "o", "http://a.test:PORT/there", NULL);
	claim(scene, &said,
	    ": stored in o/site/a.test^PORT/there^.html, but that file does "
	    "not "
	    "exist\n",
	    "a file that is missing is told as such");
	ok(said.end.status == 1, "and is none");
	pv_buf_finish(&said.text);
	pv_buf_finish(&name);
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, update);
	ok(crawl_scene_wait(scene, HANG_MS) == 0, "the crawl is updated");
	say(scene, &said, "where", "o", "http://a.test:PORT/fades", NULL);
	claim(scene, &said, "/a.test^PORT/fades^.html\n",
	    "what has gone is still kept");
	claim(scene, &said,
	    "/fades: deleted from its server since it was fetched\n",
	    "and it is told that it has");
	ok(said.end.status == 0, "which is no failure");
	pv_buf_finish(&said.text);
	say(scene, &said, "links", "o", "--broken", NULL);
	claim(scene, &said,
	    "http://a.test:PORT/fades\n"
	    "  deleted from its server since it was fetched\n"
	    "  on http://a.test:PORT/, stored in "
	    "o/site/a.test^PORT/index.html\n",
	    "a link to it is broken");
	ok(!has(scene, &said, "/for-good\n") &&
		!has(scene, &said, "/for-now\n") &&
		!has(scene, &said, "/script\n"),
	    "one to what is redirected since is not");
	ok(has(scene, &said, "redirected to itself"),
	    "if it is not to nothing");
	pv_buf_finish(&said.text);
	test_moved_since(scene);
}

static bool make_mirror(struct crawl_scene *scene, const char *output)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere, SERVER_ROUTES(routes)};
	struct pv_buf text;
	if (!ok(crawl_scene_open(scene, &plan), "the hosts are there"))
		return false;
	pv_buf_init(&text, 4096);
	pv_buf_append_text(&text, POLICY);
	pv_buf_append_text(&text, output);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
	return crawl_scene_ends(scene, 0, "a mirror is made");
}

static void test_mirror(void)
{
	struct crawl_scene scene;
	if (make_mirror(&scene, "output: {mirror: {rewrite: false}}\n")) {
		test_broken(&scene);
		test_forms(&scene);
		test_places(&scene);
		test_json(&scene);
		test_losses(&scene);
	}
	crawl_scene_close(&scene);
}

/* Of a mirror whose links were rewritten. */
static const char *const rewritten[][2] = {
    {"a page that links to a redirect to what was known before links to that",
	"http://a.test:PORT/missing?a=1&b\n"
	"  answered 404 (not found)\n"
	"  on http://a.test:PORT/, stored in o/site/a.test^PORT/index.html\n"
	"  on http://a.test:PORT/b/, stored in "
	"o/site/a.test^PORT/b/index.html\n"
	"  on http://a.test:PORT/c/, stored in "
	"o/site/a.test^PORT/c/index.html\n"},
    {"a redirect that comes round again is broken",
	"http://a.test:PORT/round\n  redirected in a circle (302)\n"
	"  on http://a.test:PORT/, stored in "},
    {"one to itself has the pages that link to a redirect to it",
	"http://a.test:PORT/self\n  redirected to itself (302)\n"
	"  on http://a.test:PORT/, stored in o/site/a.test^PORT/index.html\n"
	"  on http://a.test:PORT/c/, stored in "
	"o/site/a.test^PORT/c/index.html\n"},
    {"a picture stands in a page and in a style sheet that were rewritten",
	"http://a.test:PORT/picture.png\n"
	"  answered 404 (not found)\n"
	"  on http://a.test:PORT/s.css, stored in o/site/a.test^PORT/s.css\n"
	"  on http://a.test:PORT/b/, stored in "},
    {"and nothing else is told",
	"\n13 addresses could not be fetched; 8 documents"},
};

static void test_rewritten(void)
{
	struct crawl_scene scene;
	struct said said;
	if (make_mirror(&scene, "output: {mirror: {rewrite: true}}\n")) {
		say(&scene, &said, "links", "o", "--broken", NULL);
		for (size_t i = 0; i < sizeof(rewritten) / sizeof(*rewritten);
		     i++)
			claim(&scene, &said, rewritten[i][1], rewritten[i][0]);
		pv_buf_finish(&said.text);
		test_losses(&scene);
	}
	crawl_scene_close(&scene);
}

/* Of a crawl that keeps no files the state tells what there is to tell. */
static void test_journal(void)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere, SERVER_ROUTES(routes)};
	struct crawl_scene scene;
	struct said said;
	if (!ok(crawl_scene_open(&scene, &plan), "the hosts are there"))
		return;
	crawl_scene_policy(&scene, POLICY "output: {}\n");
	if (crawl_scene_ends(&scene, 0, "a crawl without a mirror ends")) {
		say(&scene, &said, "links", "o", "--broken", NULL);
		claim(&scene, &said,
		    "http://a.test:PORT/missing?a=1&b\n"
		    "  answered 404 (not found)\n"
		    "  on http://a.test:PORT/\n",
		    "the page on which an address was found is known");
		claim(&scene, &said,
		    "http://a.test:PORT/round\n"
		    "  redirected in a circle (302)\n",
		    "a circle of redirects is found whatever is kept");
		pv_buf_finish(&said.text);
		say(&scene, &said, "where", "o", "http://a.test:PORT/there",
		    NULL);
		claim(&scene, &said,
		    ": answered 200, but this crawl has no mirror\n",
		    "and that nothing is kept");
		pv_buf_finish(&said.text);
	}
	crawl_scene_close(&scene);
}

static void test_whole(void)
{
	static const struct server_route good[] = {
	    {.path = "/", .answer = {.body = LINK("/a")}},
	    {.path = "/a", .answer = {.body = "a"}},
	};
	struct server_plan plan = {SERVER_ROUTES(good)};
	struct crawl_scene scene;
	struct said said;
	if (!ok(crawl_scene_open(&scene, &plan), "another host is there"))
		return;
	crawl_scene_policy(&scene, "version: 1\n"
				   "seeds: [\"http://127.0.0.1:PORT/\"]\n"
				   "politeness: {delay: 10ms, ip_delay: 0}\n"
				   "scope: {sitemaps: true}\n");
	if (crawl_scene_ends(&scene, 0, "and mirrored")) {
		say(&scene, &said, "links", "o", "--broken", NULL);
		claim(&scene, &said, "no link is broken\n",
		    "a sitemap that nobody has named is no link");
		ok(said.end.status == 0, "without broken links it ends with 0");
		pv_buf_finish(&said.text);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	test_mirror();
	test_rewritten();
	test_journal();
	test_whole();
	return tap_done();
}

#include "crawl/robots_scene.h"

/* `pavane try` of an address: P1 and P7, a page is asked for as a crawl would,
 * robots.txt first; and of what a crawl has stored, without asking. */

#define REST_MS 200

#define PAGE(path_, body_)                                        \
	{                                                         \
		.host = "shop.test", .path = (path_), .answer = { \
			.type = "text/html",                      \
			.body = (body_)                           \
		}                                                 \
	}
#define ROBOTS(name, text)                                         \
	{                                                          \
		.host = (name), .path = "/robots.txt", .answer = { \
			.type = "text/plain",                      \
			.body = (text)                             \
		}                                                  \
	}

static const struct server_route routes[] = {
    ROBOTS("shop.test", "User-agent: *\nDisallow: /secret\n"),
    ROBOTS("slow.test", "User-agent: *\nCrawl-delay: 1\n"),
    {.host = "closed.test", .path = "/robots.txt", .answer = {.status = 503}},
    {.host = "none.test", .path = "/robots.txt", .answer = {.status = 404}},
    {.host = "other.test", .path = "/robots.txt", .answer = {.status = 404}},
    PAGE("/list", "<h1>Books</h1><h3><a href=\"/product/1\">1</a></h3>"
		  "<a href=\"/imprint\">i</a>"),
    PAGE("/product/1",
	"<h1>Blue chair</h1><p class=price>12.50</p><a class=note href=/note/1>n</a>"),
    PAGE("/note/1", "<p>Fine</p>"),
    {.host = "none.test",
	.path = "/product/2",
	.answer = {.type = "text/html",
	    .headers = "X-Robots-Tag: examplebot: nofollow\r\n",
	    .body = "<h1>Two</h1><a class=note href=/note/2>n</a>"}},
    {.host = "shop.test",
	.path = "/moved",
	.answer = {.status = 302, .location = "/product/1"}},
    {.host = "shop.test",
	.path = "/away",
	.answer = {.status = 302,
	    .location = "http://other.test:{port}/product/1"}},
    {.host = "shop.test",
	.path = "/to-secret",
	.answer = {.status = 302, .location = "/secret"}},
    {.host = "shop.test",
	.path = "/round",
	.answer = {.status = 302, .location = "/round"}},
    {.host = "slow.test",
	.path = "/product/1",
	.answer = {.type = "text/html", .body = "<h1>Slow</h1>"}},
    {.host = "other.test",
	.path = "/product/1",
	.answer = {.type = "text/html", .body = "<h1>Other</h1>"}},
};

static const char pages[] =
    "version: 1\n"
    "seeds: [\"http://shop.test:PORT/list\"]\n"
    "identity: {agent: examplebot/1.2, contact: us@bots.test}\n"
    "scope: {sitemaps: false}\n"
    "politeness: {delay: 200ms, delay_factor: 0, ip_delay: 0}\n"
    "output: {mirror: {}}\n"
    "fetch:\n"
    "  timeout: {connect: 5s, first_byte: 3s, stall: 3s, total: 10s}\n"
    "  resolve: {\"*.test\": \"127.68.0.1\"}\n"
    "pages:\n"
    "  list:\n"
    "    match: {path: /list}\n"
    "    fields: {category: h1}\n"
    "    follow: [{css: h3 a, as: product, carry: [category]}]\n"
    "  product:\n"
    "    match: {path: \"/product/*\"}\n"
    "    fields:\n"
    "      title: {css: h1, required: true}\n"
    "      price: {css: .price, type: number}\n"
    "      type: {header: Content-Typ}\n"
    "    follow: [{css: a.note, as: note, carry: [title]}]\n"
    "  note: {fields: {text: p}}\n";

struct tried {
	struct pv_buf said;
	struct program_end end;
};

/* With up to four words behind the policy; PORT is the server's. */
static void try_page(
    struct crawl_scene *scene, struct tried *tried, const char *const *words)
{
	const char *arguments[8] = {"try", "policy.yaml"};
	struct pv_buf texts[4];
	size_t count = 0;
	for (; count < 4 && words[count]; count++) {
		pv_buf_init(&texts[count], 1 << 16);
		crawl_scene_write(scene, words[count], &texts[count]);
		arguments[2 + count] = pv_buf_text(&texts[count]);
	}
	pv_buf_init(&tried->said, 1 << 20);
	program_run(&scene->home, arguments, &tried->said, &tried->end);
	for (size_t i = 0; i < count; i++)
		pv_buf_finish(&texts[i]);
}

/* What is said of an address, and which requests it costs. */
static const struct {
	const char *what;
	const char *words[5];
	int status;
	const char *says[3];
	const char *host;
	size_t requests;
} cases[] = {
    {"a page that may be asked for", {"http://shop.test:PORT/product/1"}, 0,
	{"title          Blue chair\n", "price          12.50\n",
	    "the page has no header Content-Typ; is it Content-Type?\n"},
	"shop.test", 2},
    {"as JSON", {"--json", "http://shop.test:PORT/list"}, 0,
	{"\"kind\":\"list\"",
	    "\"as\":\"product\",\"carry\":{\"category\":\"Books\"},"
	    "\"refused\":null}]"},
	"shop.test", 2},
    {"P7: one that robots.txt forbids", {"http://shop.test:PORT/secret"}, 1,
	{"robots.txt forbids it by line 2: Disallow: /secret\n"}, "shop.test",
	1},
    {"one that has moved", {"http://shop.test:PORT/moved"}, 0,
	{"/product/1\n", "Blue chair\n"}, "shop.test", 3},
    {"P7: one that has moved to what is forbidden",
	{"http://shop.test:PORT/to-secret"}, 1,
	{"/secret: robots.txt forbids it by line 2"}, "shop.test", 2},
    {"P7: one that has moved to another host, whose robots.txt is read",
	{"http://shop.test:PORT/away"}, 0,
	{"http://other.test:", "title          Other\n"}, "other.test", 2},
    {"one that moves for ever", {"http://shop.test:PORT/round"}, 1,
	{"it is redirected on and on\n"}, "shop.test", 7},
    {"P7: one of a host whose robots.txt cannot be read",
	{"http://closed.test:PORT/product/1"}, 1,
	{"robots.txt cannot be fetched, so no page may be fetched: answered "
	 "503\n"},
	"closed.test", 1},
    {"one that is not there", {"http://none.test:PORT/product/1"}, 1,
	{"/product/1: answered 404\n"}, "none.test", 2},
    {"one whose headers ask us not to follow its links",
	{"http://none.test:PORT/product/2"}, 0,
	{"/note/2 with {\"title\":\"Two\"}; not followed: the X-Robots-Tag of "
	 "the page asks so\n"},
	"none.test", 2},
    {"P7: a private address that nobody named",
	{"http://127.68.0.7:PORT/product/1"}, 1, {"not requested: "},
	"127.68.0.7", 0},
    {"a page of no kind", {"http://shop.test:PORT/moved", "--as", "list"}, 0,
	{"list, as --as says"}, "shop.test", 3},
};

static size_t requests_of(struct crawl_scene *scene, const char *host)
{
	return robots_asked(scene, host, NULL);
}

static int64_t rest_ms(struct crawl_scene *scene, const char *host)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, host, NULL);
	int64_t rest_us =
	    view.count > 1 ? view.records[1].begin_us - view.records[0].end_us
			   : -1;
	log_view_finish(&view);
	return rest_us / 1000;
}

static void test_asking(struct crawl_scene *scene)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tried tried;
		size_t before = requests_of(scene, cases[i].host);
		try_page(scene, &tried, cases[i].words);
		const char *said = pv_buf_text(&tried.said);
		if (!ok(tried.end.status == cases[i].status,
			"%s: it ends with %d", cases[i].what, cases[i].status))
			printf("# %d: %s\n", tried.end.status, said);
		for (size_t j = 0; j < 3 && cases[i].says[j]; j++) {
			if (!ok(strstr(said, cases[i].says[j]) != NULL,
				"%s: claim %zu", cases[i].what, j + 1))
				printf("# %s\n", said);
		}
		size_t found = requests_of(scene, cases[i].host) - before;
		ok(found == cases[i].requests, "%s: %zu requests (%zu)",
		    cases[i].what, cases[i].requests, found);
		pv_buf_finish(&tried.said);
	}
}

static void test_pace(struct crawl_scene *scene)
{
	static const char *const words[] = {
	    "http://slow.test:PORT/product/1", NULL};
	struct tried tried;
	try_page(scene, &tried, words);
	ok(tried.end.status == 0 && rest_ms(scene, "slow.test") >= 1000,
	    "P1: a Crawl-delay holds between robots.txt and the page");
	ok(rest_ms(scene, "shop.test") >= REST_MS,
	    "P1: and without one the policy's delay");
	pv_buf_finish(&tried.said);
}

/* What a crawl has stored, its links rewritten. */
static void test_stored(struct crawl_scene *scene)
{
	static const char *const list[] = {
	    "-o", "o", "--json", "http://shop.test:PORT/list", NULL};
	static const char *const product[] = {
	    "-o", "o", "http://shop.test:PORT/product/1", NULL};
	static const char *const note[] = {
	    "-o", "o", "http://shop.test:PORT/note/1", NULL};
	static const char *const unknown[] = {
	    "-o", "o", "http://shop.test:PORT/product/9", NULL};
	struct tried tried;
	struct pv_buf link;
	if (!crawl_scene_ends(scene, 0, "a crawl ends"))
		return;
	size_t before = requests_of(scene, "shop.test");
	pv_buf_init(&link, 1000);
	crawl_scene_write(scene,
	    "\"follow\":[{\"url\":\"http://shop.test:PORT/product/1\"", &link);
	try_page(scene, &tried, list);
	if (!ok(tried.end.status == 0 &&
		    strstr(pv_buf_text(&tried.said), pv_buf_text(&link)),
		"links of a stored page are addresses again"))
		printf("# %s\n", pv_buf_text(&tried.said));
	pv_buf_finish(&tried.said);
	try_page(scene, &tried, product);
	const char *said = pv_buf_text(&tried.said);
	if (!ok(strstr(said, "category       Books\n") &&
		    strstr(said, "title          Blue chair\n"),
		"a stored page has what its link carried"))
		printf("# %s\n", said);
	pv_buf_finish(&tried.said);
	try_page(scene, &tried, note);
	said = pv_buf_text(&tried.said);
	if (!ok(strstr(said, "note, as the crawl found it") &&
		    strstr(said, "title          Blue chair\n") &&
		    strstr(said, "text           Fine\n"),
		"and is of the kind that its link named"))
		printf("# %s\n", said);
	pv_buf_finish(&tried.said);
	try_page(scene, &tried, unknown);
	ok(tried.end.status == 1 &&
		strstr(pv_buf_text(&tried.said), "the crawl has not seen it\n"),
	    "what a crawl has not seen is told");
	ok(requests_of(scene, "shop.test") == before, "nobody is asked");
	pv_buf_finish(&tried.said);
	pv_buf_finish(&link);
}

int main(void)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	const struct server_plan plan = {
	    .addresses = everywhere,
	    SERVER_ROUTES(routes),
	};
	struct crawl_scene scene;
	if (ok(crawl_scene_open(&scene, &plan), "the hosts are there")) {
		crawl_scene_policy(&scene, pages);
		test_asking(&scene);
		test_pace(&scene);
		test_stored(&scene);
	}
	crawl_scene_close(&scene);
	return tap_done();
}

#include <ftw.h>
#include <sys/stat.h>

#include "crawl/scene.h"
#include "store/database.h"
#include "together.h"

/* The links of a mirror: what was fetched is reached by its file, all else by
 * its address; and however a crawl ends, no link leads nowhere (P3). */

#define PAGES "24"

#define START                                                                 \
	"<!DOCTYPE html>\n<title>Start</title>\n"                             \
	"<link rel=stylesheet href=\"style.css\" integrity=\"sha256-none\">"  \
	"<a href=\"/sub/page.html#part\">page</a><a href='moved'>moved</a>"   \
	"<a href=\"missing\">missing</a><a href=\"denied\">denied</a>"        \
	"<a href=\"#top\">top</a><a href=\"list?sort=a&amp;page=2\">list</a>" \
	"<img src=\"//b.test/pic\" srcset=\"small.png 1x, large.png 2x\">"    \
	"<object data=drawing.svg></object><a href=p/1>chain</a>"             \
	"<a href=\"mailto:a@a.test\">write</a>\n"

#define START_LINKED                                                         \
	"<!DOCTYPE html>\n<title>Start</title>\n"                            \
	"<link rel=stylesheet href=\"style.css\" "                           \
	"data-pavane-integrity=\"sha256-none\">"                             \
	"<a href=\"sub/page.html#part\">page</a>"                            \
	"<a href='target%5E.html#there'>moved</a>"                           \
	"<a href=\"http://a.test/missing\">missing</a>"                      \
	"<a href=\"http://a.test/denied\">denied</a>"                        \
	"<a href=\"#top\">top</a>"                                           \
	"<a href=\"list%5Esort=a%26page=2.html\">list</a>"                   \
	"<img src=\"../b.test%5E80/pic%5E.png\" srcset=\"small.png 1x, "     \
	"http://a.test/large.png 2x\"><object data=drawing.svg></object>"    \
	"<a href=p/1%5E.html>chain</a><a href=\"mailto:a@a.test\">write</a>" \
	"\n"

#define STUB                                                               \
	"<!DOCTYPE html>\n<meta charset=\"utf-8\">\n"                      \
	"<meta name=\"generator\" content=\"pavane stub\">\n"              \
	"<meta http-equiv=\"refresh\" content=\"0; "                       \
	"url=target%5E.html#there\">\n<title>Moved</title>\n<p>This page " \
	"is at <a href=\"target%5E.html#there\">target%5E.html#there</a>.\n"

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.host = "b.test", .path = "/pic", .answer = {.type = "image/png"}},
    {.host = "b.test", .path = "*", .answer = {.status = 500}},
    {.path = "/", .answer = {.body = START}},
    {.path = "/style.css",
	.answer = {.type = "text/css",
	    .body = "@import \"more.css\";\n"
		    "p{background:url(small.png)} q{cursor:url('lost.cur')}"}},
    {.path = "/more.css", .answer = {.type = "text/css", .body = "p{}"}},
    {.path = "/sub/page.html",
	.answer = {.body = "<base href=\"/\"><a href=\"target\">t</a>"
			   "<p style='background:url(small.png)'>"}},
    {.path = "/moved", .answer = {.status = 302, .location = "/again#there"}},
    {.path = "/again", .answer = {.status = 301, .location = "/target"}},
    {.path = "/target",
	.answer = {.type = "text/html; charset=iso-8859-1",
	    .body = "<!doctype html><p id=there>\xe4"}},
    {.path = "/list*", .answer = {.body = "<a href=\"?sort=a&page=2\">x"}},
    {.path = "/small.png", .answer = {.type = "image/png", .body = "png"}},
    {.path = "/drawing.svg",
	.answer = {.type = "image/svg+xml",
	    .body = "<svg xmlns='http://www.w3.org/2000/svg'><a "
		    "href='target'/><image href='inner.png'/>"
		    "<style>a{b:url(inner.png)}</style></svg>"}},
    {.path = "/inner.png", .answer = {.type = "image/png", .body = "png"}},
    {.path = "/p/*",
	.answer = {.body = "<a href=\"{n+1}\">on</a><a href=\"/\">back</a>"
			   "<a href=\"{n}\">here</a>",
	    .is_template = true}},
};

#define POLICY(rest) POLICY_AT("{max_rate: 4, interval: 50ms}", rest)

/* No run gets further than that, however late it is stopped. */
#define QUOTA POLICY_AT("{max_rate: 8, interval: 1h}", "limits: {wait: none}\n")

#define POLICY_AT(rate, rest)                                              \
	"version: 1\nseeds: [\"http://a.test/\"]\n"                        \
	"rate: " rate "\n"                                                 \
	"politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"           \
	"fetch: {retries: 0, resolve: {\"*.test\": \"127.0.0.1:PORT\"}}\n" \
	"scope:\n  depth: " PAGES "\n"                                     \
	"  rules: [{deny: {path: \"/denied\"}}, {deny: {path: "            \
	"\"/large.png\"}}]\n" rest

/* Links */

static struct {
	size_t local;
	size_t dead;
} links;

/* The file that a local link leads to, from a file of that path. */
static bool is_alive(const char *file, struct pv_str link)
{
	char path[4096];
	const char *slash = strrchr(file, '/');
	size_t len = (size_t)(slash - file) + 1;
	struct stat status;
	memcpy(path, file, len);
	for (size_t i = 0; i < link.len && link.ptr[i] != '#'; i++) {
		bool is_escape = link.ptr[i] == '%' && i + 2 < link.len;
		char digits[3] = {0};
		if (is_escape)
			memcpy(digits, link.ptr + i + 1, 2);
		path[len++] =
		    is_escape ? (char)strtol(digits, NULL, 16) : link.ptr[i];
		i += is_escape ? 2 : 0;
	}
	path[len] = '\0';
	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_local(struct pv_str link)
{
	return link.len && link.ptr[0] != '#' &&
	       !pv_str_starts(link, PV_STR("http://")) &&
	       !pv_str_starts(link, PV_STR("mailto:"));
}

static void judge_link(const char *file, struct pv_str link)
{
	if (!is_local(link))
		return;
	links.local++;
	if (is_alive(file, link))
		return;
	links.dead++;
	printf("# %s: %.*s\n", file, PV_STR_ARG(link));
}

/* Whatever stands behind one of these, up to one of those. */
static void judge_links(const char *file, const char *text)
{
	static const char *const beginnings[] = {
	    "href=", "src=", "srcset=", "data=", "url(", "@import "};
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++) {
		const char *at = text;
		while ((at = strstr(at, beginnings[i]))) {
			at += strlen(beginnings[i]);
			at += *at == '"' || *at == '\'';
			size_t len = strcspn(at, "\"'>) ");
			judge_link(file, (struct pv_str){at, len});
		}
	}
}

/* What was being written when a crawl was killed is no file of the mirror yet. */
static int judge_file(
    const char *path, const struct stat *status, int kind, struct FTW *place)
{
	struct pv_buf text;
	bool is_kept = kind == FTW_F && !strstr(path, "/site/.pavane/");
	FILE *file = is_kept ? fopen(path, "r") : NULL;
	(void)place;
	if (!file)
		return 0;
	pv_buf_init(&text, 1 << 20);
	char *room = pv_buf_reserve(&text, (size_t)status->st_size);
	text.len = fread(room, 1, (size_t)status->st_size, file);
	judge_links(path, pv_buf_text(&text));
	pv_buf_finish(&text);
	fclose(file);
	return 0;
}

static void count_links(struct crawl_scene *scene)
{
	links.local = links.dead = 0;
	nftw(home_file(&scene->home, "o/site"), judge_file, 16, FTW_PHYS);
}

static void is_kept(
    struct crawl_scene *scene, const char *file, const char *wanted)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	home_read(&scene->home, file, &text);
	is_text(pv_buf_str(&text), wanted, "%s", file);
	pv_buf_finish(&text);
}

#define SITE "o/site/a.test^80/"

static bool open_scene(struct crawl_scene *scene, const char *policy)
{
	struct server_plan plan = {SERVER_ROUTES(routes)};
	if (!crawl_scene_open(scene, &plan))
		return ok(false, "the scene could not be made");
	crawl_scene_policy(scene, policy);
	return true;
}

static void test_finished(void)
{
	struct crawl_scene scene;
	if (!open_scene(&scene, POLICY("")))
		return;
	crawl_scene_ends(&scene, 0, "a site with every kind of link");
	is_kept(&scene, SITE "index.html", START_LINKED);
	is_kept(&scene, SITE "style.css",
	    "@import \"more.css\";\np{background:url(small.png)} "
	    "q{cursor:url('http://a.test/lost.cur')}");
	is_kept(&scene, SITE "sub/page.html",
	    "<base href=\"\"><a href=\"../target%5E.html\">t</a>"
	    "<p style='background:url(../small.png)'>");
	is_kept(&scene, SITE "target^.html",
	    "<!doctype html><meta charset=\"windows-1252\"><p id=there>\xe4");
	is_kept(&scene, SITE "list^sort=a&page=2.html",
	    "<a href=\"list%5Esort=a%26page=2.html\">x");
	is_kept(&scene, SITE "drawing.svg",
	    "<svg xmlns='http://www.w3.org/2000/svg'><a "
	    "href='target%5E.html'/><image href='inner.png'/>"
	    "<style>a{b:url(inner.png)}</style></svg>");
	is_kept(&scene, SITE "moved^.html", STUB);
	count_links(&scene);
	ok(links.dead == 0 && links.local > 50,
	    "of %zu local links none is "
	    "dead (%zu)",
	    links.local, links.dead);
	crawl_scene_close(&scene);
}

/* Whether both mirrors have the same files, with the same bytes. */
static bool is_same_tree(struct crawl_scene *a, struct crawl_scene *b)
{
	char command[3000];
	snprintf(command, sizeof(command),
	    "diff -r '%s/o/site' '%s/o/site' >&2", a->home.path, b->home.path);
	return system(command) == 0;
}

/* Stopped and killed by turns, it has in the end what an undisturbed one has. */
static void test_disturbed(void)
{
	static const int signals[] = {
	    SIGINT, SIGKILL, SIGTERM, SIGKILL, SIGINT};
	struct crawl_scene calm;
	struct crawl_scene disturbed;
	size_t dead = 0;
	size_t cut = 0;
	if (!open_scene(&calm, POLICY("")) || !open_scene(&disturbed, QUOTA))
		return;
	crawl_scene_ends(&calm, 0, "an undisturbed crawl");
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		size_t before = server_log_count(disturbed.server);
		crawl_scene_start(&disturbed);
		server_wait(disturbed.server, before + 5, 2000);
		program_signal(disturbed.program, signals[i]);
		cut += crawl_scene_wait(&disturbed, HANG_MS) != 0;
		count_links(&disturbed);
		dead += links.dead;
	}
	ok(cut > 2 && dead == 0,
	    "one that is cut short %zu times never has a dead link (%zu)", cut,
	    dead);
	crawl_scene_policy(&disturbed, POLICY(""));
	crawl_scene_ends(&disturbed, 0, "and finishes as well");
	ok(is_same_tree(&calm, &disturbed),
	    "P3: with the same files, byte for byte");
	crawl_scene_close(&disturbed);
	crawl_scene_close(&calm);
}

static void run_command(struct crawl_scene *scene, const char *name)
{
	const char *const arguments[] = {name, "o", "-q", NULL};
	struct program_end end;
	program_run(&scene->home, arguments, NULL, &end);
	ok(end.status == 0 && !end.is_killed, "pavane %s does it (%d)", name,
	    end.status);
}

static void test_stopped(void)
{
	struct crawl_scene scene;
	if (!open_scene(&scene, POLICY("limits: {pages: 9}\n")))
		return;
	crawl_scene_ends(&scene, 4, "a crawl that is stopped by a limit");
	count_links(&scene);
	ok(links.dead == 0 && links.local > 4,
	    "has linked what it has (%zu, %zu dead)", links.local, links.dead);
	crawl_scene_policy(&scene, POLICY(""));
	crawl_scene_ends(&scene, 0, "and goes on to the end");
	is_kept(&scene, SITE "index.html", START_LINKED);
	crawl_scene_close(&scene);
}

/* Killed again and again, each time a little later, it comes to the same. */
static void test_killed(void)
{
	struct crawl_scene scene;
	size_t dead = 0;
	size_t killed = 0;
	if (!open_scene(&scene, QUOTA))
		return;
	for (size_t requests = 4; killed < 5; requests += 6 + killed * 6) {
		crawl_scene_start(&scene);
		server_wait(scene.server, requests, 20000);
		program_signal(scene.program, SIGKILL);
		if (crawl_scene_wait(&scene, HANG_MS) != -1)
			break;
		killed++;
		count_links(&scene);
		dead += links.dead;
	}
	ok(killed > 1, "a crawl that is killed (%zu)", killed);
	ok(dead == 0, "never has a dead link (%zu)", dead);
	run_command(&scene, "relink");
	count_links(&scene);
	ok(links.dead == 0 && links.local > 0,
	    "then what there is is linked (%zu, %zu dead)", links.local,
	    links.dead);
	crawl_scene_policy(&scene, POLICY(""));
	crawl_scene_ends(&scene, 0, "and when it has finished");
	is_kept(&scene, SITE "index.html", START_LINKED);
	unlink(home_file(&scene.home, SITE "target^.html"));
	run_command(&scene, "relink");
	is_kept(&scene, SITE "sub/page.html",
	    "<base href=\"\"><a href=\"http://a.test/target\">t</a>"
	    "<p style='background:url(../small.png)'>");
	ok(!crawl_scene_has(&scene, "o/site/.pavane"), "nothing is left over");
	ok(!crawl_scene_has(&scene, SITE "moved^.html"),
	    "and who led there does not lead nowhere");
	crawl_scene_close(&scene);
}

static bool has_text_in(
    struct crawl_scene *scene, const char *file, const char *wanted)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	home_read(&scene->home, file, &text);
	bool has_it = strstr(pv_buf_text(&text), wanted) != NULL;
	pv_buf_finish(&text);
	return has_it;
}

/* The state as it is when pages are found gone, and nothing has been moved. */
static void let_go(struct crawl_scene *scene)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	pv_database_run(database,
	    "UPDATE copies SET is_gone = 1 WHERE file LIKE "
	    "'site/a.test^80/sub/page.html';"
	    "INSERT INTO gone_files SELECT address, 'gone/' || substr(file, "
	    "6) FROM copies WHERE is_gone");
	ok(pv_database_status(database) == PV_STORE_OK, "a page is to go");
	pv_database_close(database);
}

static void test_going(void)
{
	struct crawl_scene scene;
	if (!open_scene(&scene, POLICY("")))
		return;
	crawl_scene_ends(&scene, 0, "a site of which a page is gone later");
	let_go(&scene);
	run_command(&scene, "relink");
	is_kept(&scene, SITE "sub/page.html",
	    "<base href=\"\"><a href=\"http://a.test/target\">t</a>"
	    "<p style='background:url(http://a.test/small.png)'>");
	ok(has_text_in(&scene, SITE "index.html",
	       "<a href=\"http://a.test/sub/page.html#part\">page</a>"),
	    "no link leads to it while it goes, and its own are right wherever "
	    "it is");
	crawl_scene_close(&scene);
}

static const struct server_route changing[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/", .answer = {.body = "<a href=kind>k</a>"}},
    {.path = "/kind", .nth = 1, .answer = {.body = "<script>x()</script>"}},
    {.path = "/kind", .answer = {.type = "image/png", .body = "a picture"}},
};

static void test_other_name(void)
{
	struct crawl_scene scene;
	struct server_plan plan = {SERVER_ROUTES(changing)};
	if (!crawl_scene_open(&scene, &plan))
		return;
	crawl_scene_policy(&scene, POLICY(""));
	crawl_scene_ends(&scene, 0, "a page of which the media type changes");
	is_kept(&scene, SITE "index.html", "<a href=kind%5E.html>k</a>");
	ok(has_text_in(&scene, "o/index.html", "Empty without scripts"),
	    "P4: that it is empty without scripts is told");
	run_command(&scene, "update");
	is_kept(&scene, SITE "kind^.png", "a picture");
	is_kept(&scene, SITE "index.html", "<a href=kind%5E.png>k</a>");
	ok(!crawl_scene_has(&scene, SITE "kind^.html"),
	    "and under the other name it is no more");
	ok(!has_text_in(&scene, "o/index.html", "Empty without scripts"),
	    "nor is it empty any more");
	crawl_scene_close(&scene);
}

/* Pages stay as they are, and are not sent again. Where the others lead changes
 * with each update; in the last one nothing else does. */
static const struct server_route leading[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/",
	.nth = 1,
	.answer = {.body = "<a href=latest>1</a><a href=own>2</a>"
			   "<a href=gone>3</a><a href=v1#p>4</a>"
			   "<a href='/latest#q'>5</a>",
	    .headers = "ETag: \"1\"\r\n"}},
    {.path = "/", .answer = {.status = 304}},
    {.path = "/latest", .nth = 1, .answer = {.status = 302, .location = "/v1"}},
    {.path = "/latest", .nth = 3, .answer = {.status = 302, .location = "/v1"}},
    {.path = "/latest", .answer = {.status = 302, .location = "/v2#new"}},
    {.path = "/own", .nth = 1, .answer = {.status = 302, .location = "/v1"}},
    {.path = "/own",
	.nth = 2,
	.answer = {.body = "mine", .headers = "ETag: \"1\"\r\n"}},
    {.path = "/own", .answer = {.status = 304}},
    {.path = "/gone", .nth = 1, .answer = {.status = 302, .location = "/v1"}},
    {.path = "/gone", .answer = {.status = 404}},
    {.path = "/v1",
	.nth = 1,
	.answer = {.body = "one", .headers = "ETag: \"1\"\r\n"}},
    {.path = "/v1", .answer = {.status = 304}},
    {.path = "/v2",
	.nth = 1,
	.answer = {.body = "two", .headers = "ETag: \"1\"\r\n"}},
    {.path = "/v2", .answer = {.status = 304}},
};

static void test_led_elsewhere(void)
{
	static const char first[] =
	    "<a href=v1%5E.html>1</a><a href=v1%5E.html>2</a>"
	    "<a href=v1%5E.html>3</a><a href=v1%5E.html#p>4</a>"
	    "<a href='v1%5E.html#q'>5</a>";
	static const char second[] =
	    "<a href=v2%5E.html#new>1</a><a href=own%5E.html>2</a>"
	    "<a href=http://a.test/gone>3</a><a href=v1%5E.html#p>4</a>"
	    "<a href='v2%5E.html#new'>5</a>";
	static const char third[] =
	    "<a href=v1%5E.html>1</a><a href=own%5E.html>2</a>"
	    "<a href=http://a.test/gone>3</a><a href=v1%5E.html#p>4</a>"
	    "<a href='v1%5E.html#q'>5</a>";
	struct crawl_scene scene;
	struct server_plan plan = {SERVER_ROUTES(leading)};
	if (!crawl_scene_open(&scene, &plan))
		return;
	crawl_scene_policy(&scene, POLICY(""));
	crawl_scene_ends(&scene, 0, "a site that leads here and there");
	is_kept(&scene, SITE "index.html", first);
	run_command(&scene, "update");
	is_kept(&scene, SITE "index.html", second);
	ok(!crawl_scene_has(&scene, SITE "gone^.html") &&
		crawl_scene_has(&scene, SITE "latest^.html"),
	    "nor is there a page for those who are not led on any more");
	run_command(&scene, "relink");
	is_kept(&scene, SITE "index.html", second);
	run_command(&scene, "update");
	is_kept(&scene, SITE "index.html", third);
	crawl_scene_close(&scene);
}

#define GUARDED(http_equiv, src, integrity, crossorigin)                     \
	"<meta " http_equiv "=content-security-policy content=\"script-src " \
	"'self'\"><script src=" src " " integrity "=sha256-x " crossorigin   \
	" data-integrity=\"the page's\"></script>"

static const struct server_route guarded[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/",
	.answer = {.body = GUARDED(
		       "Http-Equiv", "s.js", "Integrity", "crossorigin")}},
    {.path = "/s.js",
	.nth = 1,
	.answer = {.type = "text/javascript", .body = "x()"}},
    {.path = "/s.js", .answer = {.status = 404}},
};

static void test_guards(void)
{
	struct crawl_scene scene;
	struct server_plan plan = {SERVER_ROUTES(guarded)};
	if (!crawl_scene_open(&scene, &plan))
		return;
	crawl_scene_policy(&scene, POLICY(""));
	crawl_scene_ends(&scene, 0, "a page whose script is gone later");
	is_kept(&scene, SITE "index.html",
	    GUARDED("data-pavane-Http-Equiv", "s.js", "data-pavane-Integrity",
		"data-pavane-crossorigin"));
	run_command(&scene, "update");
	is_kept(&scene, SITE "index.html",
	    GUARDED("Http-Equiv", "http://a.test/s.js", "Integrity",
		"crossorigin"));
	crawl_scene_close(&scene);
}

/* What was a page leads elsewhere for good, and elsewhere again. */
static const struct server_route leaving[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/",
	.nth = 1,
	.answer = {.body = "<a href=old>1</a><a href='old#x'>2</a>"
			   "<p style=\"a:url(&quot/old&quot)\">"
			   "<a href=v1>3</a><a href=v2>4</a>",
	    .headers = "ETag: \"1\"\r\n"}},
    {.path = "/", .answer = {.status = 304}},
    {.path = "/old", .nth = 1, .answer = {.body = "old"}},
    {.path = "/old", .nth = 2, .answer = {.status = 301, .location = "/v1"}},
    {.path = "/old", .nth = 3, .answer = {.status = 301, .location = "/v2"}},
    {.path = "/old", .answer = {.status = 404}},
    {.path = "/v1", .answer = {.body = "one"}},
    {.path = "/v2", .answer = {.body = "two"}},
};

static void test_page_led_elsewhere(void)
{
	static const char *const wanted[] = {
	    "<a href=old%5E.html>1</a><a href='old%5E.html#x'>2</a>"
	    "<p style=\"a:url(&quot&#111;ld%5E.html&quot)\">"
	    "<a href=v1%5E.html>3</a><a href=v2%5E.html>4</a>",
	    "<a href=v1%5E.html>1</a><a href='v1%5E.html#x'>2</a>"
	    "<p style=\"a:url(&quot&#118;1%5E.html&quot)\">"
	    "<a href=v1%5E.html>3</a><a href=v2%5E.html>4</a>",
	    "<a href=v2%5E.html>1</a><a href='v2%5E.html#x'>2</a>"
	    "<p style=\"a:url(&quot&#118;2%5E.html&quot)\">"
	    "<a href=v1%5E.html>3</a><a href=v2%5E.html>4</a>",
	    "<a href=http://a.test/old>1</a>"
	    "<a href='http://a.test/old#x'>2</a>"
	    "<p style=\"a:url(&quot&#104;ttp://a.test/old&quot)\">"
	    "<a href=v1%5E.html>3</a><a href=v2%5E.html>4</a>",
	};
	struct crawl_scene scene;
	struct server_plan plan = {SERVER_ROUTES(leaving)};
	if (!crawl_scene_open(&scene, &plan))
		return;
	crawl_scene_policy(&scene, POLICY(""));
	crawl_scene_ends(&scene, 0, "a site with a page that goes");
	is_kept(&scene, SITE "index.html", wanted[0]);
	for (size_t i = 1; i < sizeof(wanted) / sizeof(*wanted); i++) {
		run_command(&scene, "update");
		is_kept(&scene, SITE "index.html", wanted[i]);
	}
	crawl_scene_close(&scene);
}

static const struct server_route cases[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/",
	.answer = {.body = "<a href=A>1</a><a href=a>2</a>"
			   "<a href=con>3</a><a href=B>4</a>"}},
    {.path = "/B", .answer = {.status = 301, .location = "/a"}},
    {.path = "/*", .answer = {.body = "<a href=/>back</a>"}},
};

static void test_portable(void)
{
	struct crawl_scene scene;
	struct server_plan plan = {SERVER_ROUTES(cases)};
	if (!crawl_scene_open(&scene, &plan))
		return;
	crawl_scene_policy(
	    &scene, POLICY("output: {mirror: {portable: true}}\n"));
	crawl_scene_ends(&scene, 0, "where names are to be had everywhere");
	is_kept(&scene, SITE "index.html",
	    "<a href=A%5E%5E%5Ec1.html>1</a><a href=a%5E.html>2</a>"
	    "<a href=con%5E.html>3</a><a href=a%5E.html>4</a>");
	is_kept(&scene, SITE "A^^^c1.html", "<a href=index.html>back</a>");
	ok(crawl_scene_has(&scene, SITE "B^^^c1.html"),
	    "who leads on has such a name, too");
	crawl_scene_close(&scene);
}

static const struct server_route parts[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/",
	.answer = {.body = "<a href=old>1</a><a href=old#x>2</a>"
			   "<a href=old#y>3</a><a href=/old>4</a>"
			   "<a href=plain#x>5</a><a href=plain>6</a>"
			   "<a href=next>7</a>"}},
    {.path = "/next",
	.answer = {.body = "<a href=plain#y>1</a><a href=old#y>2</a>"
			   "<a href=old>3</a><a href=old#x>4</a>"
			   "<a href=page#x>5</a>"}},
    {.path = "/old", .answer = {.status = 302, .location = "/page#part"}},
    {.path = "/plain", .answer = {.status = 301, .location = "/page"}},
    {.path = "/page", .answer = {.body = "<p id=part><p id=x><p id=y>"}},
};

/* RFC 9110, 10.2.2 */
static void test_parts(void)
{
	struct crawl_scene scene;
	struct server_plan plan = {SERVER_ROUTES(parts)};
	if (!crawl_scene_open(&scene, &plan))
		return;
	crawl_scene_policy(&scene, POLICY(""));
	crawl_scene_ends(&scene, 0,
	    "where a redirect leads to a part of a "
	    "page, links lead to that part");
	for (int i = 0; i < 2; i++) {
		is_kept(&scene, SITE "index.html",
		    "<a href=page%5E.html#part>1</a>"
		    "<a href=page%5E.html#part>2</a>"
		    "<a href=page%5E.html#part>3</a>"
		    "<a href=page%5E.html#part>4</a>"
		    "<a href=page%5E.html#x>5</a><a href=page%5E.html>6</a>"
		    "<a href=next%5E.html>7</a>");
		is_kept(&scene, SITE "next^.html",
		    "<a href=page%5E.html#y>1</a>"
		    "<a href=page%5E.html#part>2</a>"
		    "<a href=page%5E.html#part>3</a>"
		    "<a href=page%5E.html#part>4</a>"
		    "<a href=page%5E.html#x>5</a>");
		run_command(&scene, "relink");
	}
	crawl_scene_close(&scene);
}

static void test_unwritten(void)
{
	struct crawl_scene scene;
	if (!open_scene(&scene, POLICY("output: {mirror: {rewrite: false}}\n")))
		return;
	crawl_scene_ends(&scene, 0, "where nothing is to be rewritten");
	is_kept(&scene, SITE "index.html", START);
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_finished());
	together(&all, test_stopped());
	together(&all, test_killed());
	together(&all, test_disturbed());
	together(&all, test_going());
	together(&all, test_other_name());
	together(&all, test_led_elsewhere());
	together(&all, test_page_led_elsewhere());
	together(&all, test_guards());
	together(&all, test_portable());
	together(&all, test_parts());
	together(&all, test_unwritten());
	together_end(&all);
	return tap_done();
}

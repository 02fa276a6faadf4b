#include "server/server.h"
#include "tap.h"
#include "torture/disk_order.h"
#include "torture/faulty.h"

/* In what order a crawl and an update of it put things on the disk (P3), by the
 * diary of each (disk_order.h). The site has one of each thing that becomes a
 * file: pages and their parts, a large body that is broken off twice, a
 * redirect, and, for the update, a page that is gone and others that are not
 * what they were. */

#define TEXT_MAX ((size_t)16 << 20)

/* The judge */

static const struct {
	const char *diary;
	unsigned faults;
	const char *what;
} orders[] = {
    {"make /d/o/f\nwrite 1 /d/o/f\nsync /d/o/f\nsync /d/o\n"
     "row INSERT 'site/a'\ncommit\n",
	0, "what is not told of may lie anywhere"},
    {"make /d/o/site\nname #1\t/d/o/site/a\nsyncfs /d\n"
     "row INSERT 'site/a'\ncommit\n",
	0, "all is synced before"},
    {"make /d/o/site\nname #1\t/d/o/site/a\nsync /d/o/site\nsync /d/o\n"
     "row INSERT 'site/a'\ncommit\n",
	0, "each is synced before"},
    {"write 5 #1\nname #1\t/d/o/site/a\nsync /d/o/site\n"
     "row INSERT 'site/a'\ncommit\n",
	1, "bytes are not"},
    {"name #1\t/d/o/site/a\nsync /d/o/site/a\n"
     "row INSERT 'site/a'\ncommit\n",
	1, "a name is not"},
    {"make /d/o/site\nname #1\t/d/o/site/a\nsync /d/o/site\n"
     "row INSERT 'site/a'\ncommit\n",
	1, "a directory's name is not"},
    {"make /d/o\nmake /d/o/journal.jsonl\nsync /d/o\n"
     "row INSERT 'journal.jsonl', 0\ncommit\n",
	1, "the crawl's directory is not"},
    {"make /d/o/journal.jsonl\nrow INSERT 'journal.jsonl', 0\ncommit\n", 1,
	"the journal's name is not"},
    {"write 1 /d/o/parts/7\nrow INSERT INTO parts(a) VALUES(7, 1)\ncommit\n", 1,
	"the bytes of a beginning are not"},
    {"row INSERT INTO parts(a) VALUES(7, 1)\nwrite 1 /d/o/parts/7\ncommit\n", 0,
	"one that becomes longer is told of as it was"},
    {"write 1 /d/o/parts/7\nrow DELETE FROM parts WHERE a = 7\ncommit\n", 0,
	"a beginning that is thrown away need not be"},
    {"name /d/o/site/a\t/d/o/gone/a\nsync /d/o/gone\n"
     "row UPDATE 'gone/a'\ncommit\n",
	1, "that a page is not where it was is not"},
    {"name /d/o/site/c/a\t/d/o/gone/a\nremove /d/o/site/c\nsync /d/o/gone\n"
     "row UPDATE 'gone/c/a'\ncommit\n",
	1, "that its directory is not there any more is not"},
    {"name /d/o/site/c/a\t/d/o/gone/a\nremove /d/o/site/c\nsync /d/o/gone\n"
     "sync /d/o/site\nrow UPDATE 'gone/c/a'\ncommit\n",
	0, "what was in a directory is gone with it"},
    {"name /d/o/secrets.new\t/d/o/secrets\n"
     "row INSERT 'credentials-kept', 1\ncommit\n",
	1, "the name of secrets is not"},
    {"replace /d/o/t\t/d/o/site/a\nrow INSERT 'mirror-linked', 1\ncommit\n", 1,
	"a page with its links is not"},
    {"make /d/o/site/a\nrow INSERT 'site/a'\nsync /d/o/site\ncommit\n"
     "write 1 /d/o/site/a\ncommit\n",
	0, "what comes after is nothing to a commit"},
    {"write 1 /d/o/t\nreplace /d/o/t\t/d/o/site/a\n", 1,
	"what takes a place is not"},
};

static void test_judge(void)
{
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		struct disk_order order;
		char *diary = strdup(orders[i].diary);
		disk_order_init(&order, "/d", "/d/o", "");
		disk_order_read(&order, diary);
		ok(order.untimely + order.unready == orders[i].faults,
		    "a judge sees it: %s", orders[i].what);
		disk_order_finish(&order);
		free(diary);
	}
}

/* The crawl */

#define PAGE(more)                                          \
	"<a href=/1>1</a><a href=/a/2>2</a><a href=/a/b/3>" \
	"3</a><img src=/4.png><img src=/large.png>"         \
	"<a href=/moved>5</a><a href=/c/late>6</a>" more

#define SIZE 4000000
#define CUT_1 1500000
#define CUT_2 2700000

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404, .body = "no"}},
    {.path = "/", .answer = {.body = PAGE("")}},
    {.path = "/4.png", .answer = {.type = "image/png", .body = "no image"}},
    {.path = "/moved", .answer = {.status = 301, .location = "/d/there"}},
    {.path = "/large.png",
	.header = "Range: bytes=1500000-",
	.answer = {.status = 206,
	    .type = "image/png",
	    .kind = SERVER_PATTERN,
	    .from = CUT_1,
	    .size = SIZE - CUT_1,
	    .headers = "ETag: \"x\"\r\n"
		       "Content-Range: bytes 1500000-3999999/4000000\r\n",
	    .fault = {SERVER_CLOSE, SERVER_IN_BODY, CUT_2 - CUT_1}}},
    {.path = "/large.png",
	.header = "Range: bytes=2700000-",
	.answer = {.status = 206,
	    .type = "image/png",
	    .kind = SERVER_PATTERN,
	    .from = CUT_2,
	    .size = SIZE - CUT_2,
	    .headers = "ETag: \"x\"\r\n"
		       "Content-Range: bytes 2700000-3999999/4000000\r\n"}},
    {.path = "/large.png",
	.answer = {.size = SIZE,
	    .type = "image/png",
	    .kind = SERVER_PATTERN,
	    .headers = "ETag: \"x\"\r\nAccept-Ranges: bytes\r\n",
	    .fault = {SERVER_CLOSE, SERVER_IN_BODY, CUT_1}}},
    {.path = "*", .answer = {.body = "<a href=/>a page</a>"}},
};

/* Other pages, when it is updated. */
static const struct server_route later[] = {
    {.path = "/robots.txt", .answer = {.status = 404, .body = "no"}},
    {.path = "/", .answer = {.body = PAGE("!<a href=/e/f/new>7</a>")}},
    {.path = "/4.png", .answer = {.type = "image/png", .body = "none"}},
    {.path = "/large.png",
	.header = "If-None-Match: *",
	.answer = {.status = 304}},
    {.path = "/moved", .answer = {.status = 301, .location = "/d/else"}},
    {.path = "/c/late", .answer = {.status = 410}},
    {.path = "*", .answer = {.body = "<a href=/>another page</a>"}},
};

#define PAGES 9

static struct server *start(
    const struct server_route *site, size_t count, uint16_t port)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	return server_start(&(struct server_plan){.routes = site,
	    .route_count = count,
	    .addresses = everywhere,
	    .port = port});
}

#define START(site, port) start(site, sizeof(site) / sizeof(*(site)), port)

/* A home whose programs keep diaries, each its own. */
struct scene {
	struct home home;
	struct faulty faulty;
	const char *environment[4];
	char diary[1100];
};

static bool scene_open(struct scene *scene)
{
	home_make(&scene->home);
	return mkdir(home_file(&scene->home, "d"), 0700) == 0 &&
	       faulty_open(&scene->faulty, &scene->home, "d");
}

static void scene_close(struct scene *scene)
{
	faulty_close(&scene->faulty);
	home_remove(&scene->home);
}

static bool run(
    struct scene *scene, const char *diary, const char *const *arguments)
{
	struct program_end end;
	snprintf(scene->diary, sizeof(scene->diary), "PAVANE_FAULT_DIARY=%s",
	    home_file(&scene->home, diary));
	scene->environment[0] = scene->faulty.preload;
	scene->environment[1] = scene->faulty.below;
	scene->environment[2] = scene->diary;
	scene->home.environment = scene->environment;
	return program_run(&scene->home, arguments, NULL, &end) &&
	       !end.is_killed && end.status == 0;
}

static void write_policy(struct home *home, uint16_t port, const char *delay)
{
	home_print(home, "policy.yaml",
	    "version: 1\nseeds: [\"http://me:pass@a.test:%u/\"]\n"
	    "scope: {sitemaps: false}\n"
	    "politeness: {delay: %s, delay_factor: 0, ip_delay: 0,\n"
	    "  backoff: {failure: 20ms, factor: 1}}\n"
	    "output: {mirror: {rewrite: true}}\n"
	    "fetch: {resolve: {a.test: \"127.72.0.1\"}}\n",
	    (unsigned)port, delay);
}

/* A crawl and an update; whether they ended well. */
static bool crawl(struct scene *scene, const char *delay)
{
	struct server *server = START(routes, 0);
	uint16_t port = server_port(server);
	write_policy(&scene->home, port, delay);
	bool has_ended = run(scene, "diary",
	    (const char *[]){"crawl", "policy.yaml", "-o", "d/o", "-q", NULL});
	server_stop(server);
	server = START(later, port);
	has_ended = has_ended && server &&
		    run(scene, "diary-2",
			(const char *[]){"update", "d/o", "-q", NULL});
	server_stop(server);
	return has_ended;
}

static bool has_diary(struct home *home)
{
	struct stat status;
	return stat(home_file(home, "diary"), &status) == 0;
}

static void read_diary(
    struct home *home, const char *name, struct disk_order *order)
{
	struct pv_buf diary;
	pv_buf_init(&diary, TEXT_MAX);
	home_read(home, name, &diary);
	pv_buf_text(&diary);
	disk_order_read(order, diary.ptr);
	disk_order_end(order);
	pv_buf_finish(&diary);
}

/* A judge that sees nothing would find everything in order. */
static void is_in_order(const struct disk_order *order, const char *delay)
{
	ok(order->told[1] >= PAGES && order->told[0] > order->told[1] &&
		order->parts == 2 && order->gone >= 1,
	    "delay %s: of each file is told: %u times, %u of pages, %u of "
	    "beginnings of bodies, and %u of pages that are gone",
	    delay, order->told[0], order->told[1], order->parts, order->gone);
	ok(order->untimely == 0,
	    "P3: what a transaction tells of is on the disk before it commits");
	ok(order->syncs[0] + order->syncs[1] > 0 && order->replaced > 0,
	    "files are synced, %u one by one and %u times all, and %u replaced",
	    order->syncs[0], order->syncs[1], order->replaced);
	ok(order->unready == 0,
	    "P3: what takes a file's place is on the disk before it does");
	ok(order->left == 0, "P6: at the end of a run all of it is");
}

static void judge(struct home *home, const char *delay)
{
	struct disk_order order;
	struct pv_buf journal;
	char top[1024], root[1024];
	snprintf(top, sizeof(top), "%s", home_file(home, "d"));
	snprintf(root, sizeof(root), "%s", home_file(home, "d/o"));
	pv_buf_init(&journal, TEXT_MAX);
	home_read(home, "d/o/journal.jsonl", &journal);
	disk_order_init(&order, top, root, pv_buf_text(&journal));
	read_diary(home, "diary", &order);
	read_diary(home, "diary-2", &order);
	is_in_order(&order, delay);
	disk_order_finish(&order);
	pv_buf_finish(&journal);
}

int main(void)
{
	static const char *const delays[] = {"0", "300ms"};
	bool can_watch = true;
	for (size_t i = 0; can_watch && i < 2; i++) {
		struct scene scene = {.diary = ""};
		bool has_ended = scene_open(&scene) && crawl(&scene, delays[i]);
		can_watch = has_diary(&scene.home);
		if (can_watch) {
			ok(has_ended, "a crawl ends, and an update of it");
			judge(&scene.home, delays[i]);
		}
		scene_close(&scene);
	}
	if (can_watch)
		test_judge();
	return can_watch ? tap_done()
			 : tap_skip_all("no library can be preloaded here");
}

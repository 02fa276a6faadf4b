#include <ftw.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "crawl/scene.h"
#include "store/database.h"

/* What becomes of a mirror's files in updates (P3): those of pages that are gone
 * are moved, when the update is complete and never before; whatever else comes
 * takes nothing away. */

#define DAYS 3
#define FILLERS 30

#define SUNDAY "Sun, 06 Nov 1994 08:49:37 GMT"
#define SUNDAY_S 784111777

static const char *const update[] = {"update", "o", NULL};
static const char *const go_on[] = {"continue", "o", NULL};

static atomic_int today;

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "rate: {max_rate: 1000, interval: 100ms}\n"
    "politeness: {delay: 5ms, delay_from: start, ip_delay: 0, delay_factor: "
    "0, backoff: {failure: 10ms, overload: 10ms, factor: 1}}\n"
    "fetch: {retries: 0}\n"
    "output: {mirror: {rewrite: false}}\n";

static int run(struct crawl_scene *scene, const char *const *arguments)
{
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	return crawl_scene_wait(scene, HANG_MS);
}

static bool says(struct crawl_scene *scene, const char *text)
{
	bool is_said = program_says(scene->program, text, 0);
	if (!is_said)
		crawl_scene_show(scene);
	return is_said;
}

/* Files */

static size_t file_count;

static int count_file(
    const char *path, const struct stat *facts, int type, struct FTW *at)
{
	(void)path, (void)facts, (void)at;
	file_count += type == FTW_F || type == FTW_SL;
	return 0;
}

/* How many files are below; 0 where there is no such directory. */
static size_t count_files(struct crawl_scene *scene, const char *name)
{
	file_count = 0;
	nftw(home_file(&scene->home, name), count_file, 16, FTW_PHYS);
	return file_count;
}

static const char *path_of(
    struct crawl_scene *scene, const char *tree, const char *name)
{
	static char path[512];
	snprintf(path, sizeof(path), "o/%s/127.0.0.1^%u%s%s", tree,
	    (unsigned)server_port(scene->server), *name ? "/" : "", name);
	return path;
}

static bool has(struct crawl_scene *scene, const char *tree, const char *name)
{
	struct stat facts;
	return lstat(home_file(&scene->home, path_of(scene, tree, name)),
		   &facts) == 0;
}

static bool holds(struct crawl_scene *scene, const char *tree, const char *name,
    const char *text)
{
	struct pv_buf found;
	pv_buf_init(&found, 1 << 20);
	bool is_right =
	    home_read(&scene->home, path_of(scene, tree, name), &found) &&
	    pv_str_equal(pv_buf_str(&found), pv_str_of(text));
	if (!is_right)
		printf("# %s: %s\n", path_of(scene, tree, name),
		    pv_buf_text(&found));
	pv_buf_finish(&found);
	return is_right;
}

/* A site that is another each day */

enum how {
	AS_BEFORE,
	WELL,
	MISSING,       /* 404 */
	GONE,          /* 410 */
	MOVED,         /* 301 */
	MOVED_FOR_NOW, /* 302 */
	CUT,
	BROKEN, /* 500 */
	EMPTY,
	FORBIDDEN, /* by robots.txt, and missing beside */
};

static const struct page {
	const char *path;
	const char *file;
	enum how how[DAYS];
	const char *body[DAYS]; /* that is in the file then */
	const char *tree[DAYS]; /* that has it; NULL: none */
} pages[] = {
    {"/changed", "changed^.html", {WELL, WELL, WELL}, {"one", "two", "three"},
	{"site", "site", "site"}},
    {"/missing", "missing^.html", {WELL, MISSING}, {"a", "a", "a"},
	{"site", "gone", "gone"}},
    {"/gone.html", "gone.html", {WELL, GONE}, {"b", "b", "b"},
	{"site", "gone", "gone"}},
    {"/moved", "moved^.html", {WELL, MOVED}, {"c", "c", "c"},
	{"site", "gone", "gone"}},
    {"/moved-for-now", "moved-for-now^.html", {WELL, MOVED_FOR_NOW, WELL},
	{"d", "d", "e"}, {"site", "site", "site"}},
    {"/deep/er/only", "deep/er/only^.html", {WELL, MISSING}, {"f", "f", "f"},
	{"site", "gone", "gone"}},
    {"/deep/else", "deep/else^.html", {WELL}, {"g", "g", "g"},
	{"site", "site", "site"}},
    {"/back", "back^.html", {WELL, MISSING, WELL}, {"h", "h", "i"},
	{"site", "gone", "site"}},
    {"/later", "later^.html", {WELL, WELL, MISSING}, {"j", "j", "j"},
	{"site", "site", "gone"}},
    {"/cut", "cut^.html", {WELL, CUT, WELL}, {"all of it", "all of it", "k"},
	{"site", "site", "site"}},
    {"/broken", "broken^.html", {WELL, BROKEN, WELL}, {"l", "l", "m"},
	{"site", "site", "site"}},
    {"/empty", "empty^.html", {WELL, EMPTY, EMPTY}, {"n", "n", "n"},
	{"site", "site", "site"}},
    {"/forbidden", "forbidden^.html", {WELL, FORBIDDEN, WELL}, {"o", "o", "p"},
	{"site", "site", "site"}},
    {"/there", "there^.html", {WELL}, {"q", "q", "q"},
	{"site", "site", "site"}},
};

#define PAGE_COUNT (sizeof(pages) / sizeof(*pages))

static enum how how_of(const struct page *page, int day)
{
	while (day && page->how[day] == AS_BEFORE)
		day--;
	return page->how[day];
}

static void fill(const struct page *page, int day, struct server_answer *answer)
{
	static const int statuses[] = {[WELL] = 200,
	    [MISSING] = 404,
	    [GONE] = 410,
	    [MOVED] = 301,
	    [MOVED_FOR_NOW] = 302,
	    [CUT] = 200,
	    [BROKEN] = 500,
	    [EMPTY] = 200,
	    [FORBIDDEN] = 404};
	enum how how = how_of(page, day);
	answer->status = statuses[how];
	answer->body = how == WELL || how == CUT ? page->body[day] : "";
	answer->headers = "Last-Modified: " SUNDAY "\r\n";
	if (how == MISSING || how == GONE || how == BROKEN)
		answer->body = "an error";
	if (how == MOVED || how == MOVED_FOR_NOW)
		answer->location = "/there";
	if (how == CUT)
		answer->fault =
		    (struct server_fault){SERVER_CLOSE, SERVER_IN_BODY, 3};
}

static void write_links(struct pv_buf *body)
{
	for (size_t i = 0; i < PAGE_COUNT; i++)
		pv_buf_append_format(body, "<a href=%s>p</a>", pages[i].path);
	for (unsigned i = 0; i < FILLERS; i++)
		pv_buf_append_format(body, "<a href=/%u.html>f</a>", i);
}

/* From that request on, counted from 1, each is answered late. */
static atomic_size_t late_from = SIZE_MAX, requests;

static bool answer_page(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	int day = atomic_load(&today);
	if (atomic_fetch_add(&requests, 1) + 1 >= atomic_load(&late_from))
		answer->head_pace.delay_ms = 2000;
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->type = "text/plain";
		answer->body =
		    day == 1 ? "User-agent: *\nDisallow: /forbidden\n" : "";
		return true;
	}
	if (pv_str_equal(request->path, PV_STR("/"))) {
		write_links(answer->own_body);
		return true;
	}
	for (size_t i = 0; i < PAGE_COUNT; i++) {
		if (!pv_str_equal(request->path, pv_str_of(pages[i].path)))
			continue;
		fill(&pages[i], day, answer);
		return true;
	}
	answer->body = "a filler";
	return true;
}

static void judge_page(
    struct crawl_scene *scene, const struct page *page, int day)
{
	const char *tree = page->tree[day];
	const char *other = strcmp(tree, "site") == 0 ? "gone" : "site";
	ok(holds(scene, tree, page->file, page->body[day]) &&
		!has(scene, other, page->file),
	    "P3: day %d: %s is in %s/, as it was last", day + 1, page->path,
	    tree);
}

static void judge_day(struct crawl_scene *scene, int day)
{
	size_t gone = 0;
	for (size_t i = 0; i < PAGE_COUNT; i++) {
		judge_page(scene, &pages[i], day);
		gone += strcmp(pages[i].tree[day], "gone") == 0;
	}
	ok(count_files(scene, "o/gone") == gone &&
		count_files(scene, "o/site") == PAGE_COUNT - gone + FILLERS + 1,
	    "and there are no other files (%zu, %zu)",
	    count_files(scene, "o/gone"), count_files(scene, "o/site"));
}

/* As if it had been read long ago. */
static void forget_robots(struct crawl_scene *scene)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	pv_database_run(database, "UPDATE authorities SET until_wall_ms = 1");
	pv_database_close(database);
}

static int64_t state_number(struct crawl_scene *scene, const char *sql)
{
	struct pv_database *database =
	    pv_database_look(home_file(&scene->home, "o/state.db"));
	int64_t number = pv_database_number(database, sql);
	pv_database_close(database);
	return number;
}

static bool open_site(struct crawl_scene *scene, const char *text)
{
	struct server_plan plan = {.answer = answer_page};
	atomic_store(&today, 0);
	if (!ok(crawl_scene_open(scene, &plan), "a site is there"))
		return false;
	crawl_scene_policy(scene, text);
	ok(crawl_scene_run(scene, HANG_MS) == 0, "and mirrored");
	return true;
}

static void test_days(void)
{
	struct crawl_scene scene;
	struct stat facts;
	if (!open_site(&scene, policy))
		return;
	judge_day(&scene, 0);
	atomic_store(&today, 1);
	forget_robots(&scene);
	ok(run(&scene, update) == 0, "and updated");
	judge_day(&scene, 1);
	ok(says(&scene, "5 files of deleted pages, now in gone/") &&
		crawl_scene_status(&scene, "\"moved\":") == 5 &&
		crawl_scene_status(&scene, "\"held_back\":") == 0,
	    "which is told");
	ok(!has(&scene, "site", "deep/er"),
	    "no directory is left that has nothing in it");
	ok(stat(
	       home_file(&scene.home, path_of(&scene, "gone", "missing^.html")),
	       &facts) == 0 &&
		facts.st_mtim.tv_sec == SUNDAY_S,
	    "what was moved is as old as it was");
	ok(state_number(&scene, "SELECT count(*) FROM gone WHERE file LIKE "
				"'gone/127.0.0.1^%'") == 5,
	    "the state says where it is");
	atomic_store(&today, 2);
	forget_robots(&scene);
	ok(run(&scene, update) == 0, "and updated once more");
	judge_day(&scene, 2);
	crawl_scene_close(&scene);
}

/* Updates that are not complete */

static void judge_nothing_moved(struct crawl_scene *scene, const char *claim)
{
	ok(count_files(scene, "o/gone") == 0 &&
		holds(scene, "site", "missing^.html", "a") &&
		holds(scene, "site", "gone.html", "b"),
	    "P3: %s", claim);
}

static void cut_short(struct crawl_scene *scene, int signal)
{
	static const char *const unlimited[] = {
	    "update", "o", "--set", "limits.pages=none", NULL};
	size_t before = server_log_count(scene->server);
	program_destroy(scene->program);
	atomic_store(&late_from, atomic_load(&requests) + 12);
	scene->program = program_start(&scene->home, unlimited);
	server_wait(scene->server, before + 12, HANG_MS);
	program_signal(scene->program, signal);
	int status = crawl_scene_wait(scene, HANG_MS);
	atomic_store(&late_from, SIZE_MAX);
	ok(status == (signal == SIGKILL ? -1 : 3), "an update is cut short");
}

static void test_aborted(void)
{
	static const char *const limited[] = {
	    "update", "o", "--set", "limits.pages=8", NULL};
	struct crawl_scene scene;
	if (!open_site(&scene, policy))
		return;
	atomic_store(&today, 1);
	forget_robots(&scene);
	ok(run(&scene, limited) == 4, "an update meets a limit");
	judge_nothing_moved(&scene, "then nothing is moved");
	cut_short(&scene, SIGINT);
	judge_nothing_moved(&scene, "nor is it after a signal");
	cut_short(&scene, SIGKILL);
	judge_nothing_moved(&scene, "nor after a kill");
	ok(run(&scene, go_on) == 0, "it is gone on with");
	judge_day(&scene, 1);
	crawl_scene_close(&scene);
}

/* The alarm */

static atomic_int lost;   /* so many fillers are missing ... */
static atomic_int broken; /* ... of which so many cannot be had */

static bool answer_shrinking(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	unsigned number = 0;
	char path[64];
	snprintf(path, sizeof(path), "%.*s", PV_STR_ARG(request->path));
	bool is_filler = sscanf(path, "/%u.html", &number) == 1;
	if (is_filler && number < (unsigned)atomic_load(&lost))
		answer->status =
		    number < (unsigned)atomic_load(&broken) ? 500 : 404;
	else if (is_filler)
		answer->body = "a filler";
	else if (strcmp(path, "/") == 0)
		for (unsigned i = 0; i < FILLERS; i++)
			pv_buf_append_format(
			    answer->own_body, "<a href=/%u.html>f</a>", i);
	else
		answer->status = 404;
	return true;
}

static bool open_shrinking(struct crawl_scene *scene, const char *text)
{
	struct server_plan plan = {.answer = answer_shrinking};
	atomic_store(&lost, 0);
	atomic_store(&broken, 0);
	if (!ok(crawl_scene_open(scene, &plan), "another site is there"))
		return false;
	crawl_scene_policy(scene, text);
	ok(crawl_scene_run(scene, HANG_MS) == 0, "and mirrored");
	return true;
}

static void test_alarm(void)
{
	static const char *const once_more[] = {
	    "continue", "o", "--set", "output.mirror.shrink_alarm=none", NULL};
	struct crawl_scene scene;
	if (!open_shrinking(&scene, policy))
		return;
	atomic_store(&lost, 20);
	ok(run(&scene, update) == 0, "most of it is gone");
	ok(count_files(&scene, "o/gone") == 0 &&
		count_files(&scene, "o/site") == FILLERS + 1,
	    "P3: then nothing goes");
	ok(says(&scene, "warning: ") && says(&scene, "20 of 31 files") &&
		says(&scene, "--set output.mirror.shrink_alarm=none") &&
		says(&scene, "  kept       20 files of deleted pages"),
	    "which is told, with what to do");
	ok(crawl_scene_status(&scene, "\"held_back\":") == 20 &&
		crawl_scene_status(&scene, "\"gone\":") == 20 &&
		crawl_scene_status(&scene, "\"moved\":") == 0,
	    "and counted");
	atomic_store(&broken, 16);
	ok(run(&scene, update) == 0 && count_files(&scene, "o/gone") == 4 &&
		has(&scene, "site", "15.html") &&
		has(&scene, "gone", "16.html") &&
		crawl_scene_status(&scene, "\"held_back\":") == 0,
	    "P3: of what may be gone or not by then nothing goes");
	atomic_store(&broken, 0);
	atomic_store(&lost, 10);
	ok(run(&scene, update) == 0 && count_files(&scene, "o/gone") == 0 &&
		crawl_scene_status(&scene, "\"held_back\":") == 10,
	    "the next update decides anew, by all that are gone by then");
	size_t before = server_log_count(scene.server);
	ok(run(&scene, once_more) == 0 &&
		server_log_count(scene.server) == before,
	    "where a person says that it is right, nothing is asked for");
	ok(count_files(&scene, "o/gone") == 10 &&
		count_files(&scene, "o/site") == FILLERS + 1 - 10 &&
		crawl_scene_status(&scene, "\"held_back\":") == 0 &&
		crawl_scene_status(&scene, "\"moved\":") == 10,
	    "and the files go");
	atomic_store(&lost, 0);
	ok(run(&scene, update) == 0 && count_files(&scene, "o/gone") == 0 &&
		count_files(&scene, "o/site") == FILLERS + 1 &&
		!crawl_scene_has(&scene, "o/gone"),
	    "when all is back, all is as it was");
	crawl_scene_close(&scene);
}

/* Choices */

static void test_choices(void)
{
	static const char *const deleting[] = {
	    "update", "o", "--set", "output.mirror.gone=delete", NULL};
	static const char keeping[] =
	    "version: 1\n"
	    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
	    "politeness: {delay: 5ms, delay_from: start, ip_delay: 0, "
	    "delay_factor: 0}\n"
	    "output: {mirror: {rewrite: false, gone: keep}}\n";
	struct crawl_scene scene;
	if (!open_shrinking(&scene, keeping))
		return;
	atomic_store(&lost, 4);
	ok(run(&scene, update) == 0 && count_files(&scene, "o/gone") == 0 &&
		count_files(&scene, "o/site") == FILLERS + 1,
	    "a policy may keep all files where they are");
	ok(run(&scene, deleting) == 0 &&
		says(&scene, "output.mirror.gone: now delete") &&
		says(&scene, "applies when the crawl is complete next") &&
		count_files(&scene, "o/gone") == 0 &&
		count_files(&scene, "o/site") == FILLERS + 1 - 4 &&
		crawl_scene_status(&scene, "\"deleted\":") == 4,
	    "or delete them");
	atomic_store(&lost, 0);
	ok(run(&scene, update) == 0 &&
		count_files(&scene, "o/site") == FILLERS + 1,
	    "what is back is there again");
	crawl_scene_close(&scene);
}

/* Links */

static const char linking[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "politeness: {delay: 5ms, delay_from: start, ip_delay: 0, delay_factor: "
    "0}\n"
    "output: {mirror: {rewrite: true, shrink_alarm: none}}\n";

/* Two pages that are gone, one of them moved, and what they and the others link
 * to. */
static bool answer_linked(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	static const char *const bodies[][2] = {
	    {"/", "<a href=/dir/out>o</a><a href=/moved#m>m</a>"
		  "<a href=/dir/stays>s</a>"},
	    {"/dir/out", "<a href=stays#x>s</a><a href=/>h</a><a href=#y>y</a>"
			 "<a href=/moved>m</a>"},
	    {"/moved", "<a href=/dir/stays>s</a>"},
	    {"/dir/stays", "<a href=out>o</a><a href=/there>t</a>"},
	    {"/there", "it is here"},
	};
	bool is_later = atomic_load(&today) == 1;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
		if (!pv_str_equal(request->path, pv_str_of(bodies[i][0])))
			continue;
		answer->body = bodies[i][1];
		if (is_later && i == 1)
			answer->status = 404;
		if (is_later && i == 2) {
			answer->status = 301;
			answer->location = "/there";
		}
		return true;
	}
	return false;
}

/* PORT in the text is the server's. */
static bool links(struct crawl_scene *scene, const char *tree, const char *name,
    const char *text)
{
	struct pv_buf wanted;
	pv_buf_init(&wanted, 65536);
	crawl_scene_write(scene, text, &wanted);
	bool is_right = holds(scene, tree, name, pv_buf_text(&wanted));
	pv_buf_finish(&wanted);
	return is_right;
}

static void judge_links(struct crawl_scene *scene, const char *claim)
{
	ok(links(scene, "site", "index.html",
	       "<a href=http://127.0.0.1:PORT/dir/out>o</a>"
	       "<a href=there%5E.html#m>m</a>"
	       "<a href=dir/stays%5E.html>s</a>") &&
		links(scene, "site", "dir/stays^.html",
		    "<a href=http://127.0.0.1:PORT/dir/out>o</a>"
		    "<a href=../there%5E.html>t</a>"),
	    "%s: links to what is gone lead to its address, or to where it has "
	    "moved",
	    claim);
}

static void test_links(void)
{
	static const char *const relinking[] = {"relink", "o", NULL};
	static const char *const deleting[] = {
	    "update", "o", "--set", "output.mirror.gone=delete", NULL};
	struct server_plan plan = {.answer = answer_linked};
	struct crawl_scene scene;
	atomic_store(&today, 0);
	if (!ok(crawl_scene_open(&scene, &plan), "pages that are linked"))
		return;
	crawl_scene_policy(&scene, linking);
	ok(crawl_scene_run(&scene, HANG_MS) == 0 &&
		links(&scene, "site", "dir/out^.html",
		    "<a href=stays%5E.html#x>s</a><a href=../index.html>h</a>"
		    "<a href=#y>y</a><a href=../moved%5E.html>m</a>"),
	    "are mirrored");
	atomic_store(&today, 1);
	ok(run(&scene, update) == 0, "and updated");
	judge_links(&scene, "moved");
	static const char out[] =
	    "<a href=../../../site/127.0.0.1%5EPORT/dir/stays%5E.html#x>s</a>"
	    "<a href=../../../site/127.0.0.1%5EPORT/index.html>h</a>"
	    "<a href=#y>y</a>"
	    "<a href=../../../site/127.0.0.1%5EPORT/there%5E.html>m</a>";
	ok(links(&scene, "gone", "dir/out^.html", out),
	    "what is gone is linked to what is there");
	ok(run(&scene, relinking) == 0 &&
		links(&scene, "gone", "dir/out^.html", out),
	    "once more changes nothing");
	judge_links(&scene, "linked once more");
	atomic_store(&today, 0);
	ok(run(&scene, update) == 0 &&
		links(&scene, "site", "dir/stays^.html",
		    "<a href=out%5E.html>o</a><a href=../there%5E.html>t</a>"),
	    "when it is back, links lead to it again");
	atomic_store(&today, 1);
	ok(run(&scene, deleting) == 0 && !crawl_scene_has(&scene, "o/gone"),
	    "and when it is deleted");
	judge_links(&scene, "deleted");
	crawl_scene_close(&scene);
}

/* What stands in the way */

static void test_in_the_way(void)
{
	struct crawl_scene scene;
	char path[512];
	if (!open_shrinking(&scene, policy))
		return;
	home_write(&scene.home, "precious", PV_STR("mine"));
	snprintf(path, sizeof(path), "%s", home_file(&scene.home, "o/gone"));
	if (symlink("..", path) != 0)
		ok(false, "a link can be made");
	atomic_store(&lost, 3);
	ok(run(&scene, update) == 0 && says(&scene, "warning: ") &&
		says(&scene, "symbolic link") &&
		count_files(&scene, "o/site") == FILLERS + 1,
	    "a place that is none is told, and the files stay");
	remove(path);
	size_t before = server_log_count(scene.server);
	ok(run(&scene, go_on) == 0 &&
		server_log_count(scene.server) == before &&
		count_files(&scene, "o/gone") == 3 &&
		count_files(&scene, "o/site") == FILLERS + 1 - 3,
	    "they go at the end of the next run, whichever that is");
	static const char *const fresh[] = {
	    "crawl", "policy.yaml", "-o", "o", "--fresh", "--yes", NULL};
	ok(run(&scene, fresh) == 0 && !crawl_scene_has(&scene, "o/gone"),
	    "a crawl that begins anew keeps nothing of it");
	crawl_scene_close(&scene);
}

int main(void)
{
	test_days();
	test_aborted();
	test_alarm();
	test_choices();
	test_links();
	test_in_the_way();
	return tap_done();
}

#ifndef PAVANE_TESTS_MERGE_MERGE_SCENE_H
#define PAVANE_TESTS_MERGE_MERGE_SCENE_H

#include "crawl/scene.h"
#include "store/database.h"

/* Hosts of one site each, crawled as a whole and one by one, and the program that
 * merges what came of it. */

static const struct server_route merge_routes[] = {
    {.path = "/robots.txt",
	.answer = {.body = "User-agent: *\nDisallow: /secret\n",
	    .headers = "Content-Type: text/plain\r\n"}},
    {.path = "/",
	.answer = {.body = "<a href=/p1>1</a><a href=/p2>2</a>"
			   "<a href=/p3>3</a><a href=/old>old</a>"
			   "<a href=/secret/x>no</a><a href=/lost>?</a>"}},
    {.path = "/p*", .answer = {.body = "<h1>a \"page\",\nhere</h1>"}},
    {.path = "/old", .answer = {.status = 301, .location = "/p1"}},
};

#define REST                                                            \
	"rate: {max_rate: 1000, interval: 100ms, concurrency: 8}\n"     \
	"politeness: {delay: 20ms, ip_delay: 0, delay_factor: 0}\n"     \
	"scope: {sitemaps: false}\n"                                    \
	"fetch: {resolve: {\"*.test\": 127.0.0.1}}\n"                   \
	"output: {mirror: {}, fields: {forms: [jsonl, csv, sqlite]}}\n" \
	"pages: {page: {match: {path: \"/p*\"}, fields: {title: {css: " \
	"h1}}}}\n"

static const char merge_policy[] =
    "version: 1\n"
    "seeds: [\"http://a.test:PORT/\", \"http://b.test:PORT/\", "
    "\"http://c.test:PORT/\"]\n" REST;

/* Running the program */

static inline int run(struct crawl_scene *scene, struct pv_buf *said,
    const char *const *arguments)
{
	struct program_end end;
	pv_buf_clear(said);
	program_run(&scene->home, arguments, said, &end);
	return end.is_killed ? -1 : end.status;
}

#define RUN(scene, said, ...) \
	run((scene), (said), (const char *const[]){__VA_ARGS__, NULL})

static inline bool open_scene(struct crawl_scene *scene, struct pv_buf *said)
{
	pv_buf_init(said, 1 << 20);
	if (!ok(crawl_scene_open(
		    scene, &(struct server_plan){SERVER_ROUTES(merge_routes)}),
		"hosts are there"))
		return false;
	crawl_scene_policy(scene, merge_policy);
	return crawl_scene_ends(scene, 0, "they are crawled as a whole");
}

/* The crawl of one host, in the directory of that name. */
static inline void crawl_host(
    struct crawl_scene *scene, const char *host, const char *directory)
{
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	home_print(&scene->home, "part.yaml",
	    "version: 1\nseeds: [\"http://%s:%u/\"]\n%s", host,
	    (unsigned)server_port(scene->server), REST);
	ok(RUN(scene, &said, "crawl", "part.yaml", "-o", directory, "-q") == 0,
	    "%s is crawled into %s", host, directory);
	pv_buf_finish(&said);
}

static inline size_t count_of(
    struct crawl_scene *scene, const char *file, const char *text)
{
	struct pv_buf buf;
	size_t count = 0;
	pv_buf_init(&buf, SIZE_MAX);
	home_read(&scene->home, file, &buf);
	for (const char *at = pv_buf_text(&buf); (at = strstr(at, text)); at++)
		count++;
	pv_buf_finish(&buf);
	return count;
}

/* A figure of a database below the home; -1 if it cannot be read. */
static inline int64_t number_in(
    struct crawl_scene *scene, const char *file, const char *sql)
{
	struct pv_database *database =
	    pv_database_look(home_file(&scene->home, file));
	int64_t number = pv_database_number(database, sql);
	if (pv_database_status(database) != PV_STORE_OK) {
		printf("# %s: %s\n", file, pv_database_fault(database));
		number = -1;
	}
	pv_database_close(database);
	return number;
}

static inline void change_state(
    struct crawl_scene *scene, const char *directory, const char *sql)
{
	char path[100];
	snprintf(path, sizeof(path), "%s/state.db", directory);
	struct pv_database *state =
	    pv_database_open(home_file(&scene->home, path));
	pv_database_run(state, sql);
	ok(pv_database_status(state) == PV_STORE_OK, "%s is changed: %s",
	    directory, sql);
	pv_database_close(state);
}

#endif

#ifndef PAVANE_TESTS_API_CRAWL_SINK_SCENE_H
#define PAVANE_TESTS_API_CRAWL_SINK_SCENE_H

#include "api/crawl/file_sink.h"
#include "base/file.h"
#include "base/reader.h"
#include "scratch.h"
#include "server/server.h"
#include "store/database.h"
#include "store/tables/length.h"

/* A program with sinks (file_sink.h), a small site by real sockets, and what the
 * state says of the sinks' files. */
#define SINK_SCENE_SINKS 5

struct sink_scene {
	struct server *server;
	struct scratch scratch;
	struct file_sink sinks[SINK_SCENE_SINKS];
	const struct pavane_sink *given[SINK_SCENE_SINKS];
	size_t count; /* of those that are given */
	bool is_fresh;
	bool is_update;
	unsigned committed; /* calls of on_committed */
	unsigned unsynced;  /* of those, before a sync had it on the disk */
	char reason[400];   /* of the end */
	char lines[2000];   /* that were logged */
	bool is_busy;       /* /busy.html is, at first */
	atomic_uint busy;   /* answers of it */
};

/* Seven addresses with an answer, of which the sitemap is asked for by itself, one that may be busy at first, and one that
 * robots.txt forbids. */
static inline bool sink_scene_answer(void *ctx,
    const struct server_request *request, struct server_answer *answer)
{
	struct sink_scene *scene = ctx;
	answer->body = "x";
	if (pv_str_equal(request->path, PV_STR("/")))
		answer->body =
		    "<a href=a.html>a</a><a href=b.html>b</a>"
		    "<a href=busy.html>c</a><a href=moved.html>d</a>"
		    "<a href=missing.html>e</a><a href=secret/>f</a>";
	else if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		answer->body = "User-agent: *\nDisallow: /secret/\n";
	else if (pv_str_equal(request->path, PV_STR("/missing.html")))
		answer->status = 404;
	else if (pv_str_equal(request->path, PV_STR("/moved.html"))) {
		answer->status = 301;
		answer->location = "/a.html";
	} else if (pv_str_equal(request->path, PV_STR("/busy.html")) &&
		   scene->is_busy && atomic_fetch_add(&scene->busy, 1) == 0) {
		answer->status = 503;
		answer->headers = "Retry-After: 0\r\n";
	}
	return true;
}

static inline void sink_scene_open(struct sink_scene *scene)
{
	static const char *const names[SINK_SCENE_SINKS] = {
	    "titles", "words-2", "third", "fourth", "fifth"};
	memset(scene, 0, sizeof(*scene));
	scratch_make(&scene->scratch);
	scene->server = server_start(
	    &(struct server_plan){.answer = sink_scene_answer, .ctx = scene});
	scene->count = 1;
	for (size_t i = 0; i < SINK_SCENE_SINKS; i++) {
		file_sink_init(&scene->sinks[i], scene->scratch.path, names[i]);
		scene->given[i] = &scene->sinks[i].verbs;
	}
}

static inline void sink_scene_close(struct sink_scene *scene)
{
	server_stop(scene->server);
	scratch_remove(&scene->scratch);
}

static inline void sink_scene_on_committed(
    void *ctx, const struct pavane_committed *committed)
{
	struct sink_scene *scene = ctx;
	scene->committed++;
	for (size_t i = 0; i < scene->count; i++)
		scene->unsynced +=
		    committed->number > atomic_load(&scene->sinks[i].synced);
}

static inline void sink_scene_on_end(
    void *ctx, enum pavane_end end, const char *reason)
{
	struct sink_scene *scene = ctx;
	(void)end;
	snprintf(scene->reason, sizeof(scene->reason), "%s", reason);
}

static inline void sink_scene_on_line(
    void *ctx, enum pavane_level level, const char *line)
{
	struct sink_scene *scene = ctx;
	size_t len = strlen(scene->lines);
	(void)level;
	snprintf(scene->lines + len, sizeof(scene->lines) - len, "%s\n", line);
}

static inline struct pavane_policy *sink_scene_policy(
    const struct sink_scene *scene, const char *assignment)
{
	char address[64];
	snprintf(address, sizeof(address), "http://127.0.0.1:%u/",
	    (unsigned)server_port(scene->server));
	const struct pavane_setting settings[] = {
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "politeness.backoff.overload=1ms"},
	    {NULL, "output={}"},
	    {NULL, assignment},
	};
	const char *const addresses[] = {address};
	const struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources),
	    .settings = settings,
	    .setting_count = sizeof(settings) / sizeof(*settings),
	    .addresses = addresses,
	    .address_count = 1,
	};
	return pavane_policy_load(&sources);
}

static inline struct pavane_crawl_options sink_scene_options(
    struct sink_scene *scene, const struct pavane_events *events)
{
	return (struct pavane_crawl_options){
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = scene->scratch.path,
	    .state_dir = scene->scratch.path,
	    .is_fresh = scene->is_fresh,
	    .is_update = scene->is_update,
	    .level = PAVANE_WARNING,
	    .on_line = sink_scene_on_line,
	    .events = events,
	    .ctx = scene,
	    .sinks = scene->given,
	    .sink_count = scene->count,
	};
}

/* A run with a key of the policy set, such as "version=1", which says nothing;
 * -1 if it could not be opened. */
static inline int sink_scene_crawl(
    struct sink_scene *scene, const char *assignment)
{
	const struct pavane_events events = {
	    .size = sizeof(events),
	    .on_committed = sink_scene_on_committed,
	    .on_end = sink_scene_on_end,
	};
	struct pavane_policy *policy = sink_scene_policy(scene, assignment);
	const struct pavane_crawl_options options =
	    sink_scene_options(scene, &events);
	scene->lines[0] = scene->reason[0] = '\0';
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	int end = crawl ? (int)pavane_crawl_run(crawl) : -1;
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	for (size_t i = 0; i < SINK_SCENE_SINKS; i++)
		scene->sinks[i].has_writer = false;
	return end;
}

/* The length that the state has of that sink's file. */
static inline uint64_t sink_scene_length(
    const struct sink_scene *scene, size_t number)
{
	char name[64];
	struct pv_database *database =
	    pv_database_look(scratch_file(&scene->scratch, "state.db"));
	snprintf(
	    name, sizeof(name), "sink/%s", scene->sinks[number].verbs.name);
	uint64_t length = pv_length_get(database, pv_str_of(name));
	pv_database_close(database);
	return length;
}

/* How often a line of its file ends so. */
static inline unsigned sink_scene_count(
    const struct sink_scene *scene, size_t number, const char *end)
{
	struct pv_buf text;
	unsigned count = 0;
	pv_buf_init(&text, SIZE_MAX);
	pv_file_read(scene->sinks[number].path, &text);
	struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
	while (!pv_reader_is_end(&reader))
		count +=
		    pv_str_ends(pv_reader_take_line(&reader), pv_str_of(end));
	pv_buf_finish(&text);
	return count;
}

#endif

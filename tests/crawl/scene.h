#ifndef PAVANE_TESTS_CRAWL_SCENE_H
#define PAVANE_TESTS_CRAWL_SCENE_H

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/buf.h"
#include "server/log_check.h"
#include "server/run_program.h"
#include "server/server.h"
#include "server/site.h"
#include "tap.h"

/* The program at work on a server of ours: its policy, its directory "o" in a
 * home of the test's own, and what the server saw. */
struct crawl_scene {
	struct home home;
	struct server *server;
	struct program *program;
	struct program_end end;
};

static inline bool crawl_scene_open(
    struct crawl_scene *scene, const struct server_plan *plan)
{
	*scene = (struct crawl_scene){.program = NULL};
	scene->server = server_start(plan);
	return scene->server && home_make(&scene->home);
}

static inline void crawl_scene_close(struct crawl_scene *scene)
{
	program_destroy(scene->program);
	server_stop(scene->server);
	home_remove(&scene->home);
}

/* Writes policy.yaml; PORT in it is the server's. */
static inline void crawl_scene_policy(
    struct crawl_scene *scene, const char *text)
{
	struct pv_buf buf;
	const char *at;
	pv_buf_init(&buf, 1 << 20);
	while ((at = strstr(text, "PORT"))) {
		pv_buf_append(
		    &buf, (struct pv_str){text, (size_t)(at - text)});
		pv_buf_append_format(
		    &buf, "%u", (unsigned)server_port(scene->server));
		text = at + 4;
	}
	pv_buf_append_text(&buf, text);
	home_write(&scene->home, "policy.yaml", pv_buf_str(&buf));
	pv_buf_finish(&buf);
}

static inline bool crawl_scene_start(struct crawl_scene *scene)
{
	static const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", "o", "-q", NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	return scene->program != NULL;
}

/* Its exit status; -1 if it was killed, and -2 if it did not end in time. */
static inline int crawl_scene_wait(struct crawl_scene *scene, int timeout_ms)
{
	if (!program_wait(scene->program, timeout_ms, &scene->end))
		return -2;
	return scene->end.is_killed ? -1 : scene->end.status;
}

/* Crawls to the end. */
static inline int crawl_scene_run(struct crawl_scene *scene, int timeout_ms)
{
	return crawl_scene_start(scene) ? crawl_scene_wait(scene, timeout_ms)
					: -3;
}

/* What it said, where a claim did not hold. */
static inline void crawl_scene_show(struct crawl_scene *scene)
{
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_errors(scene->program, &said);
	printf("# it said: %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
}

static inline bool crawl_scene_ends(
    struct crawl_scene *scene, int status, const char *claim)
{
	int found = crawl_scene_run(scene, 60000);
	if (ok(found == status, "%s", claim))
		return true;
	printf("# ended with %d\n", found);
	crawl_scene_show(scene);
	return false;
}

/* How many lines of the journal hold all of these texts (ended by NULL). */
static inline size_t crawl_scene_lines(struct crawl_scene *scene, ...)
{
	const char *texts[8] = {NULL};
	size_t count = 0, found = 0;
	struct pv_buf journal;
	va_list list;
	va_start(list, scene);
	while (count < 7 && (texts[count] = va_arg(list, const char *)))
		count++;
	va_end(list);
	pv_buf_init(&journal, SIZE_MAX);
	home_read(&scene->home, "o/journal.jsonl", &journal);
	char *line = journal.ptr;
	while (line && *line) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		bool has_all = true;
		for (size_t i = 0; i < count; i++)
			has_all = has_all && strstr(line, texts[i]);
		found += has_all;
		line = end ? end + 1 : NULL;
	}
	pv_buf_finish(&journal);
	return found;
}

#endif

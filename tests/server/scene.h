#ifndef PAVANE_TESTS_SERVER_SCENE_H
#define PAVANE_TESTS_SERVER_SCENE_H

#include <stdio.h>
#include <stdlib.h>

#include "server/caller.h"
#include "server/server.h"

/* What the server's own tests share. */

#define MS 1000

/* How long we wait for what is not to come. */
#define SILENCE_MS 60

/* A server and what was heard of it last. */
struct scene {
	struct server *server;
	struct pv_buf heard;
};

static inline void begin(struct scene *scene, const struct server_plan *plan)
{
	scene->server = server_start(plan);
	pv_buf_init(&scene->heard, CALLER_MAX);
	if (!scene->server)
		exit(1);
}

static inline void end(struct scene *scene)
{
	server_stop(scene->server);
	pv_buf_finish(&scene->heard);
}

static inline int call(const struct scene *scene, const char *address)
{
	return caller_open(address, server_port(scene->server));
}

static inline void ask_for(int fd, const char *path)
{
	char request[256];
	snprintf(request, sizeof(request),
	    "GET %s HTTP/1.1\r\nHost: a.test:80\r\nX-Mine: 1\r\n\r\n", path);
	caller_say(fd, request);
}

static inline bool has_heard(const struct scene *scene, const char *text)
{
	const struct pv_buf *heard = &scene->heard;
	return memmem(pv_buf_text(heard), heard->len, text, strlen(text));
}

/* Until that text has come, and no longer. */
static inline bool hear_until(struct scene *scene, int fd, const char *text)
{
	pv_buf_clear(&scene->heard);
	while (!has_heard(scene, text)) {
		if (caller_hear(fd, &scene->heard, scene->heard.len + 1,
			CALLER_TIMEOUT_MS) != CALLER_FULL)
			return false;
	}
	return true;
}

/* All that comes for a path, until the connection ends or, once so many bytes
 * have come, nothing more does. */
static inline enum caller_end ask(
    struct scene *scene, const char *path, size_t least)
{
	int fd = call(scene, "127.0.0.1");
	pv_buf_clear(&scene->heard);
	ask_for(fd, path);
	enum caller_end how =
	    caller_hear(fd, &scene->heard, least, CALLER_TIMEOUT_MS);
	if (how == CALLER_FULL)
		how = caller_hear(fd, &scene->heard, CALLER_MAX, SILENCE_MS);
	close(fd);
	return how;
}

static inline struct server_record record_of(
    const struct scene *scene, size_t i)
{
	struct server_record record = {.nth = 0};
	server_log_get(scene->server, i, &record);
	return record;
}

#endif

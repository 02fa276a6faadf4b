#ifndef PAVANE_TESTS_SERVE_ASKED_SERVICE_H
#define PAVANE_TESTS_SERVE_ASKED_SERVICE_H

#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json/json.h"
#include "pavane/serve.h"
#include "scratch.h"
#include "serve/http/asking.h"
#include "server/server.h"
#include "tap.h"

/* A service in this process, with a directory for its files, that crawls a site of
 * the test's. */
struct asked_service {
	struct server *site;
	struct scratch scratch;
	char file[300]; /* service.yaml */
	struct pavane_serve_options options;
	struct pavane_service *service;
	uint16_t port;
	struct pv_buf reply;
	char said[4000]; /* lines, since they were forgotten */
};

static inline void asked_service_on_line(
    void *ctx, enum pavane_level level, const char *line)
{
	struct asked_service *scene = ctx;
	size_t len = strlen(scene->said);
	(void)level;
	printf("# %s\n", line);
	snprintf(scene->said + len, sizeof(scene->said) - len, "%s\n", line);
}

static inline void asked_service_write(
    const struct asked_service *scene, const char *name, const char *text)
{
	pv_file_replace(
	    scratch_file(&scene->scratch, name), pv_str_of(text), 0600);
}

/* Files of its own beside it: a profile without delays, and what is given. */
static inline void asked_service_make(
    struct asked_service *scene, struct server *site, const char *config)
{
	*scene = (struct asked_service){.site = site};
	scratch_make(&scene->scratch);
	pv_buf_init(&scene->reply, 8 << 20);
	asked_service_write(scene, "default.yaml",
	    "version: 1\n"
	    "identity: {contact: bot@example.org}\n"
	    "rate: {max_rate: 1000}\n"
	    "politeness: {delay: 1ms, delay_factor: 0, ip_delay: 0}\n"
	    "scope: {hosts: any}\n");
	asked_service_write(scene, "service.yaml", config);
	snprintf(scene->file, sizeof(scene->file), "%s",
	    scratch_file(&scene->scratch, "service.yaml"));
	scene->options = (struct pavane_serve_options){
	    .file = scene->file,
	    .socket = -1,
	    .on_line = asked_service_on_line,
	    .ctx = scene,
	};
}

static inline bool asked_service_open(struct asked_service *scene)
{
	scene->said[0] = '\0';
	scene->service = pavane_service_open(&scene->options);
	if (!scene->service)
		return false;
	const char *address = pavane_service_address(scene->service);
	const char *port = strrchr(address, ':');
	if (!port)
		port = strstr(address, "port") + 4;
	scene->port = (uint16_t)strtoul(port + 1, NULL, 10);
	return true;
}

static inline void asked_service_close(struct asked_service *scene)
{
	pavane_service_close(scene->service);
	pv_buf_finish(&scene->reply);
	scratch_remove(&scene->scratch);
}

/* With further headers, each with its end of line. The status of the reply, which
 * is kept whole. */
static inline unsigned asked_service_ask(struct asked_service *scene,
    const char *request, const char *headers, const char *body)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_format(
	    &text, "%s HTTP/1.1\r\nConnection: close\r\n%s", request, headers);
	if (!strstr(headers, "Host: "))
		pv_buf_append_format(
		    &text, "Host: 127.0.0.1:%u\r\n", (unsigned)scene->port);
	if (body)
		pv_buf_append_format(&text,
		    "Content-Type: application/json\r\nContent-Length: %zu\r\n",
		    strlen(body));
	pv_buf_append_format(&text, "\r\n%s", body ? body : "");
	pv_buf_clear(&scene->reply);
	asking(scene->port, pv_buf_str(&text), &scene->reply);
	pv_buf_finish(&text);
	return scene->reply.len > 12
		   ? (unsigned)strtoul(pv_buf_text(&scene->reply) + 9, NULL, 10)
		   : 0;
}

static inline const char *asked_service_body(const struct asked_service *scene)
{
	const char *end = strstr(pv_buf_text(&scene->reply), "\r\n\r\n");
	return end ? end + 4 : "";
}

static inline bool asked_service_says(
    const struct asked_service *scene, const char *part)
{
	bool is_there = strstr(pv_buf_text(&scene->reply), part);
	if (!is_there)
		printf("# %s\n", pv_buf_text(&scene->reply));
	return is_there;
}

/* A text of the reply's body. */
static inline void asked_service_member(
    const struct asked_service *scene, const char *name, char value[200])
{
	struct pv_json *body =
	    pv_json_read(pv_str_of(asked_service_body(scene)));
	struct pv_str text = pv_json_get_text(body, name);
	snprintf(value, 200, "%.*s", PV_STR_ARG(text));
	pv_json_destroy(body);
}

/* A job of one address of the site, with more members; its path is "/v1/jobs/" and
 * the id. */
static inline unsigned asked_service_submit(struct asked_service *scene,
    const char *site_path, const char *more, char id[200])
{
	char body[600];
	snprintf(body, sizeof(body), "{\"urls\":[\"http://127.0.0.1:%u%s\"]%s}",
	    (unsigned)server_port(scene->site), site_path, more);
	unsigned status = asked_service_ask(scene, "POST /v1/jobs", "", body);
	asked_service_member(scene, "id", id);
	return status;
}

/* Waits until it has come to its end; whether that is this one. */
static inline bool asked_service_ends(
    struct asked_service *scene, const char *id, const char *state)
{
	static const char *const ends[] = {
	    "finished", "limited", "stopped", "failed", ""};
	char request[300], found[200];
	snprintf(request, sizeof(request), "GET /v1/jobs/%s", id);
	for (;;) {
		asked_service_ask(scene, request, "", NULL);
		asked_service_member(scene, "state", found);
		for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
			if (strcmp(found, ends[i]) == 0)
				return strcmp(found, state) == 0;
		}
		poll(NULL, 0, 1);
	}
}

/* Waits until it is in a state that is no end. */
static inline void asked_service_wait(
    struct asked_service *scene, const char *id, const char *state)
{
	char request[300], found[200];
	snprintf(request, sizeof(request), "GET /v1/jobs/%s", id);
	do {
		poll(NULL, 0, 1);
		asked_service_ask(scene, request, "", NULL);
		asked_service_member(scene, "state", found);
	} while (strcmp(found, state) != 0 && strcmp(found, "failed") != 0);
}

#endif

#ifndef PAVANE_TESTS_SERVE_SERVICE_SCENE_H
#define PAVANE_TESTS_SERVE_SERVICE_SCENE_H

#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json/json.h"
#include "pavane/serve.h"
#include "scratch.h"
#include "serve/http/asking.h"
#include "server/server.h"

/* A service of this process, as a program asks it by HTTP, and the site that its
 * jobs crawl. */
struct scene {
	struct server *server; /* of the site */
	struct scratch scratch;
	struct pavane_service *service;
	uint16_t port;
	struct pv_buf reply;
	const char *headers; /* more of them for each request; NULL */
	char said[2000];
};

static inline void on_line(void *ctx, enum pavane_level level, const char *line)
{
	struct scene *scene = ctx;
	(void)level;
	size_t len = strlen(scene->said);
	printf("# %s\n", line);
	snprintf(scene->said + len, sizeof(scene->said) - len, "%s\n", line);
}

static inline void write_file(const struct scene *scene, const char *name,
    const char *text, unsigned mode)
{
	pv_file_replace(
	    scratch_file(&scene->scratch, name), pv_str_of(text), mode);
	chmod(scratch_file(&scene->scratch, name), mode);
}

static const char profile[] =
    "version: 1\n"
    "identity: {contact: bot@example.org}\n"
    "rate: {max_rate: 1000}\n"
    "politeness: {delay: 1ms, delay_factor: 0, ip_delay: 0}\n"
    "scope: {hosts: any}\n";

static const char config[] = "directory: service\n"
			     "listen: 127.0.0.1:0\n"
			     "profiles: {default: default.yaml}\n"
			     "private: [127.0.0.0/8]\n";

static inline bool open_service(
    struct scene *scene, const char *const *settings, size_t count)
{
	char file[300];
	snprintf(file, sizeof(file), "%s",
	    scratch_file(&scene->scratch, "service.yaml"));
	const struct pavane_serve_options options = {
	    .file = file,
	    .settings = settings,
	    .setting_count = count,
	    .socket = -1,
	    .on_line = on_line,
	    .ctx = scene,
	};
	scene->said[0] = '\0';
	scene->service = pavane_service_open(&options);
	if (!scene->service)
		return false;
	const char *address = pavane_service_address(scene->service);
	scene->port = (uint16_t)strtoul(strrchr(address, ':') + 1, NULL, 10);
	return true;
}

static inline void open_scene(struct scene *scene, struct server *server)
{
	*scene = (struct scene){.server = server};
	scratch_make(&scene->scratch);
	pv_buf_init(&scene->reply, 8 << 20);
	write_file(scene, "default.yaml", profile, 0600);
	write_file(scene, "service.yaml", config, 0600);
}

static inline void close_scene(struct scene *scene)
{
	pavane_service_close(scene->service);
	pv_buf_finish(&scene->reply);
	scratch_remove(&scene->scratch);
}

/* The status of the reply, which is kept. */
static inline unsigned ask_with(struct scene *scene, const char *method,
    const char *path, const char *headers, const char *body)
{
	struct pv_buf request;
	pv_buf_init(&request, 1 << 20);
	pv_buf_append_format(&request,
	    "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n%s%s",
	    method, path, (unsigned)scene->port, headers,
	    scene->headers ? scene->headers : "");
	if (body)
		pv_buf_append_format(&request,
		    "Content-Type: application/json\r\nContent-Length: %zu\r\n",
		    strlen(body));
	pv_buf_append_format(&request, "\r\n%s", body ? body : "");
	pv_buf_clear(&scene->reply);
	asking(scene->port, pv_buf_str(&request), &scene->reply);
	pv_buf_finish(&request);
	return scene->reply.len > 12
		   ? (unsigned)strtoul(pv_buf_text(&scene->reply) + 9, NULL, 10)
		   : 0;
}

static inline unsigned ask(
    struct scene *scene, const char *method, const char *path, const char *body)
{
	return ask_with(scene, method, path, "", body);
}

static inline const char *body_of(const struct scene *scene)
{
	const char *end = strstr(pv_buf_text(&scene->reply), "\r\n\r\n");
	return end ? end + 4 : "";
}

static inline bool says(const struct scene *scene, const char *part)
{
	bool is_there = strstr(pv_buf_text(&scene->reply), part);
	if (!is_there)
		printf("# %s\n", pv_buf_text(&scene->reply));
	return is_there;
}

static inline void member(
    const struct scene *scene, const char *name, char value[80])
{
	struct pv_json *body = pv_json_read(pv_str_of(body_of(scene)));
	struct pv_str text = pv_json_get_text(body, name);
	snprintf(value, 80, "%.*s", PV_STR_ARG(text));
	pv_json_destroy(body);
}

/* A job of one address of the site: its path. */
static inline unsigned submit(struct scene *scene, const char *site_path,
    const char *more, char path[100])
{
	char body[600], id[80];
	snprintf(body, sizeof(body), "{\"urls\":[\"http://127.0.0.1:%u%s\"]%s}",
	    (unsigned)server_port(scene->server), site_path, more);
	unsigned status = ask(scene, "POST", "/v1/jobs", body);
	member(scene, "id", id);
	snprintf(path, 100, "/v1/jobs/%s", id);
	return status;
}

static inline bool comes_to(
    struct scene *scene, const char *path, const char *state)
{
	char found[80] = "";
	do {
		poll(NULL, 0, 1);
		ask(scene, "GET", path, NULL);
		member(scene, "state", found);
	} while (strcmp(found, state) != 0 && strcmp(found, "failed") != 0 &&
		 *found);
	return strcmp(found, state) == 0;
}

#endif

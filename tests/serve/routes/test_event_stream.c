#include "serve/routes/event_stream.h"

#include "crawl/patience.h"
#include "tap.h"
#include "serve/service_scene.h"

/* Streams hold their connections, of which a few are to be left for all else. */

#define SECONDS 60
#define HOSTS 4 /* as many connections of each as there may be */

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/long/*",
	.answer = {.body = "<a href='{n}1'>1</a><a href='{n}2'>2</a>",
	    .is_template = true}},
};

struct streams {
	int fds[PV_STREAMS_MAX];
	char job[100];
};

/* Half of them read results. The connection, negative if it was refused; what was
 * replied so far is the scene's. */
static int open_stream(struct scene *scene, const char *job, size_t i)
{
	struct pv_buf request;
	int fd = asking_connect_from((uint8_t)(i % HOSTS + 1), scene->port);
	pv_buf_init(&request, 1000);
	pv_buf_append_format(&request,
	    "GET %s%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
	    "Accept: text/event-stream\r\nConnection: close\r\n\r\n",
	    i % 2 ? job : "/v1/events", i % 2 ? "/results" : "",
	    (unsigned)scene->port);
	pv_buf_clear(&scene->reply);
	bool is_open =
	    fd >= 0 && asking_send(fd, pv_buf_str(&request)) &&
	    asking_receive_until(fd, "\r\n\r\n", &scene->reply) &&
	    pv_str_starts(pv_buf_str(&scene->reply), PV_STR("HTTP/1.1 200"));
	pv_buf_finish(&request);
	if (is_open)
		return fd;
	if (fd >= 0) {
		asking_receive(fd, &scene->reply);
		close(fd);
	}
	return -1;
}

static void open_all(struct scene *scene, struct streams *streams)
{
	size_t open = 0;
	for (size_t i = 0; i < PV_STREAMS_MAX; i++) {
		streams->fds[i] = open_stream(scene, streams->job, i);
		open += streams->fds[i] >= 0;
	}
	ok(open == PV_STREAMS_MAX, "%d streams are read (%zu)", PV_STREAMS_MAX,
	    open);
}

static void check_refusal(struct scene *scene, const struct streams *streams)
{
	for (size_t i = 0; i < 2; i++) {
		ok(open_stream(scene, streams->job, i) < 0 &&
			says(scene, "HTTP/1.1 503 ") &&
			says(scene, "Retry-After: 10\r\n"),
		    "P5: the next is told to come later (%s)",
		    i ? "results" : "events");
		ok(says(scene, "as many streams are read as may be (192)"),
		    "P4: and why");
	}
	ok(ask(scene, "GET", "/v1/jobs", NULL) == 200, "all else is answered");
	char path[200];
	snprintf(path, sizeof(path), "%s/results", streams->job);
	ok(ask(scene, "GET", path, NULL) == 200,
	    "results as well, which are no stream");
}

/* What is closed is seen within a second. */
static void check_room(struct scene *scene, struct streams *streams)
{
	close(streams->fds[7]);
	do
		streams->fds[7] = open_stream(scene, streams->job, 7);
	while (streams->fds[7] < 0);
	ok(true, "where one has ended, another takes its place");
	ok(open_stream(scene, streams->job, 3) < 0, "and no more than that");
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	struct scene scene;
	struct streams streams;
	open_scene(&scene, server);
	end_after(SECONDS);
	ok(open_service(&scene, NULL, 0), "a service is there");
	submit(&scene, "/long/", "", streams.job);
	comes_to(&scene, streams.job, "running");
	open_all(&scene, &streams);
	check_refusal(&scene, &streams);
	check_room(&scene, &streams);
	for (size_t i = 0; i < PV_STREAMS_MAX; i++) {
		if (streams.fds[i] >= 0)
			close(streams.fds[i]);
	}
	end_after(0);
	close_scene(&scene);
	server_stop(server);
	return tap_done();
}

#ifndef PAVANE_TESTS_FLEET_LINE_LINE_SCENE_H
#define PAVANE_TESTS_FLEET_LINE_LINE_SCENE_H

#include "fleet/cluster.h"
#include "fleet/line/line.h"
#include "names/scene.h"

/* A line on a loop with names of its own, and all that its callbacks say. */
#define LINE_TICK_MS 10
#define LINE_TICKS_MAX 6000

struct line_scene {
	struct scene names;
	uv_timer_t patience;
	struct pv_fleet_line *line;
	struct pv_fleet_line_options options;
	struct pv_fleet_server server; /* of the last on_up */
	unsigned checks;
	unsigned ups;
	unsigned downs;
	unsigned refusals;
	unsigned notices;
	unsigned notifies;
	char why[2100]; /* the last */
	char notice[1000];
	char payload[100];
	unsigned ticks; /* of the patience */

	/* Of requests. */
	unsigned oks;
	unsigned refused;
	unsigned losses;
	struct pv_fleet_request *kept; /* by the test */
	char sqlstate[6];
	char message[1000];
};

static inline void on_up(void *ctx, const struct pv_fleet_server *server)
{
	struct line_scene *scene = ctx;
	scene->server = *server;
	scene->ups++;
}

static inline void on_down(void *ctx, const char *why)
{
	struct line_scene *scene = ctx;
	snprintf(scene->why, sizeof(scene->why), "%s", why);
	scene->downs++;
}

static inline void on_refused(void *ctx, const char *why)
{
	struct line_scene *scene = ctx;
	snprintf(scene->why, sizeof(scene->why), "%s", why);
	scene->refusals++;
}

static inline void on_notice(void *ctx, const char *text)
{
	struct line_scene *scene = ctx;
	snprintf(scene->notice, sizeof(scene->notice), "%s", text);
	scene->notices++;
}

static inline void on_notify(
    void *ctx, const char *channel, const char *payload)
{
	struct line_scene *scene = ctx;
	snprintf(
	    scene->payload, sizeof(scene->payload), "%s:%s", channel, payload);
	scene->notifies++;
}

static inline void on_patience(uv_timer_t *timer)
{
	struct line_scene *scene = timer->data;
	scene->ticks++;
}

static inline void line_scene_init(struct line_scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	scene_init(&scene->names);
	scene_open(&scene->names, "", "");
	uv_timer_init(&scene->names.loop, &scene->patience);
	scene->patience.data = scene;
	scene->options = (struct pv_fleet_line_options){
	    .loop = &scene->names.loop,
	    .names = scene->names.names,
	    .random = 1,
	    .on_up = on_up,
	    .on_down = on_down,
	    .on_refused = on_refused,
	    .on_notice = on_notice,
	    .on_notify = on_notify,
	    .ctx = scene,
	};
}

static inline void line_scene_open(struct line_scene *scene, const char *url)
{
	scene->ups = scene->downs = scene->refusals = scene->checks = 0;
	scene->why[0] = '\0';
	scene->options.url = url;
	scene->line = pv_fleet_line_open(&scene->options);
}

/* Runs the loop until the count has come so far; false if it never does. What has
 * come in one turn of the loop may have been all, so that it never waits long. */
static inline bool reaches(
    struct line_scene *scene, const unsigned *count, unsigned wanted)
{
	scene->ticks = 0;
	uv_timer_start(
	    &scene->patience, on_patience, LINE_TICK_MS, LINE_TICK_MS);
	while (*count < wanted && scene->ticks < LINE_TICKS_MAX)
		uv_run(&scene->names.loop, UV_RUN_ONCE);
	uv_timer_stop(&scene->patience);
	return *count >= wanted;
}

static inline void line_scene_close(struct line_scene *scene)
{
	pv_fleet_line_close(scene->line);
	scene->line = NULL;
}

static inline void line_scene_finish(struct line_scene *scene)
{
	line_scene_close(scene);
	uv_close((uv_handle_t *)&scene->patience, NULL);
	scene_finish(&scene->names);
}

/* Counts what comes back. */
static inline void on_counted(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct line_scene *scene = ctx;
	(void)request;
	scene->oks += answer->status == PV_FLEET_OK;
	scene->refused += answer->status == PV_FLEET_REFUSED;
	scene->losses += answer->status == PV_FLEET_LOST;
	snprintf(
	    scene->sqlstate, sizeof(scene->sqlstate), "%s", answer->sqlstate);
	snprintf(scene->message, sizeof(scene->message), "%s", answer->message);
}

static inline void forget_counts(struct line_scene *scene)
{
	scene->oks = scene->refused = scene->losses = 0;
}

static inline void send_step(struct line_scene *scene, unsigned statement,
    const struct pv_fleet_value *values, size_t count)
{
	struct pv_fleet_step step = {statement, values, count};
	pv_fleet_line_send(
	    scene->line, pv_fleet_request_create(&step, 1, on_counted, scene));
}

#endif

#ifndef PAVANE_TESTS_NAMES_SCENE_H
#define PAVANE_TESTS_NAMES_SCENE_H

#include <unistd.h>

#include <uv.h>

#include "descriptors.h"
#include "loop/clock.h"
#include "names/names.h"
#include "names/limits.h"
#include "names/shown.h"
#include "policy/loaded.h"
#include "server/name_server.h"
#include "tap.h"

/* The loop's time, or as much later as a test says. */
struct pv_clock {
	const uv_loop_t *loop;
	int64_t ahead_ms;
};

/* A loop, a name server, a policy that asks it, and names that are looked up
 * by all of them. */
struct scene {
	uv_loop_t loop;
	struct pv_clock clock;
	struct name_server *server;
	struct name_server *first_server; /* to be asked before; the test's */
	unsigned more_times;              /* that the server is named */
	const char *nowhere;              /* named instead of the server */
	struct loaded loaded;
	struct pv_names_limits limits;
	struct pv_names *names;
	unsigned descriptors; /* open before */
};

__attribute__((unused)) static struct pv_time scene_now(
    const struct pv_clock *clock)
{
	return (struct pv_time){
	    .monotonic_ms = (int64_t)uv_now(clock->loop) + clock->ahead_ms};
}

static const struct pv_clock_kind scene_clock = {.now = scene_now};

/* What somebody was told. */
struct told {
	struct pv_name_answer answer;
	unsigned times;
};

__attribute__((unused)) static void on_told(
    void *ctx, const struct pv_name_answer *answer)
{
	struct told *told = ctx;
	told->answer = *answer;
	told->times++;
}

/* A server, and the usual limits without the machine's own table of hosts. The
 * test changes the limits before it opens the names. */
__attribute__((unused)) static void scene_init(struct scene *scene)
{
	*scene = (struct scene){.limits = pv_names_limits_usual};
	scene->limits.hosts_path = NULL;
	scene->descriptors = descriptors_count();
	uv_loop_init(&scene->loop);
	scene->clock.loop = &scene->loop;
	scene->server = name_server_start();
	ok(scene->server != NULL, "there is a name server");
}

/* `fetch` and `domains` are what stands in these mappings of the policy. */
__attribute__((unused)) static void scene_open(
    struct scene *scene, const char *fetch, const char *domains)
{
	struct pv_buf text;
	pv_buf_init(&text, 65536);
	pv_buf_append_text(&text,
	    "version: 1\nidentity: {contact: bot@example.org}\n"
	    "fetch: {name_servers: [");
	if (scene->first_server)
		pv_buf_append_format(&text, "\"%s\", ",
		    name_server_address(scene->first_server));
	for (unsigned i = 0; i < scene->more_times; i++)
		pv_buf_append_format(
		    &text, "\"%s\", ", name_server_address(scene->server));
	pv_buf_append_format(&text, "\"%s\"]%s%s}\ndomains: {%s}\n",
	    scene->nowhere ? scene->nowhere
			   : name_server_address(scene->server),
	    fetch[0] ? ", " : "", fetch, domains);
	scene->loaded = load_str(pv_buf_str(&text));
	pv_buf_finish(&text);
	if (!is_right(&scene->loaded))
		ok(false, "the policy is right");
	scene->names = pv_names_create_by(&scene->loop, scene->loaded.policy,
	    &scene->limits, &scene_clock, &scene->clock);
}

/* Lets the names go, if the test did not, and sees that nothing of them is
 * left in the loop. */
__attribute__((unused)) static void scene_finish(struct scene *scene)
{
	pv_names_destroy(scene->names);
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	ok(uv_loop_close(&scene->loop) == 0, "nothing is left in the loop");
	loaded_finish(&scene->loaded);
	if (scene->server)
		name_server_stop(scene->server);
	descriptors_claim(scene->descriptors);
}

/* Looks a host up and waits for the answer. */
__attribute__((unused)) static struct pv_name_answer look_up(
    struct scene *scene, const char *host)
{
	struct told told = {0};
	pv_names_find(scene->names, pv_str_of(host), on_told, &told);
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	if (told.times != 1)
		ok(false, "%s is answered once, not %u times", host,
		    told.times);
	return told.answer;
}

/* Claims what a look-up of a host answers. */
__attribute__((unused)) static void is_answer(struct scene *scene,
    const char *host, const char *wanted, const char *claim)
{
	struct pv_buf text;
	struct pv_name_answer answer = look_up(scene, host);
	pv_buf_init(&text, 4096);
	is_text(shown(&answer, &text), wanted, "%s: %s", host, claim);
	pv_buf_finish(&text);
}

#endif

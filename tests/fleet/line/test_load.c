#include <time.h>

#include "fleet/line/line_scene.h"

/* A hundred thousand requests with arrays go through one line, and its loop is
 * free for others all the time. */
#define REQUESTS_COUNT 100000
#define ITEMS_COUNT 100
#define TURN_MAX_MS 50

static const struct pv_fleet_statement statements[] = {
    {"sum",
	"SELECT sum(number)::int8, count(text) FROM unnest($1, $2)"
	" AS given (number, text)",
	{PV_FLEET_INT8S, PV_FLEET_TEXTS}},
};

struct load {
	struct line_scene *scene;
	unsigned sent;
	unsigned right;
	int64_t longest_us; /* of the processor, in one turn of the loop */
};

/* Not the wall's: the machine may be busy with something else. */
static int64_t processor_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void on_sum(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct load *load = ctx;
	int64_t sum = 0, count = 0;
	(void)request;
	pv_fleet_field_number(
	    pv_fleet_results_field(answer->results, 0, 0, 0), &sum);
	pv_fleet_field_number(
	    pv_fleet_results_field(answer->results, 0, 0, 1), &count);
	load->right +=
	    sum == ITEMS_COUNT * (ITEMS_COUNT - 1) / 2 && count == ITEMS_COUNT;
	load->scene->oks += answer->status == PV_FLEET_OK;
}

/* As much as there is room for, as a frontier does; not all in one turn. */
static void send_some(struct load *load)
{
	static const char text[] =
	    "https://example.org/a/page/of/the/usual/length";
	int64_t numbers[ITEMS_COUNT];
	struct pv_str texts[ITEMS_COUNT];
	for (int i = 0; i < ITEMS_COUNT; i++) {
		numbers[i] = i;
		texts[i] = pv_str_of(text);
	}
	struct pv_fleet_value values[] = {
	    pv_fleet_numbers(PV_FLEET_INT8S, numbers, ITEMS_COUNT),
	    pv_fleet_texts(PV_FLEET_TEXTS, texts, ITEMS_COUNT)};
	struct pv_fleet_step step = {0, values, 2};
	for (int i = 0; i < 200 && load->sent < REQUESTS_COUNT &&
			pv_fleet_line_has_room(load->scene->line);
	     i++, load->sent++)
		pv_fleet_line_send(load->scene->line,
		    pv_fleet_request_create(&step, 1, on_sum, load));
}

static void run_all(struct load *load)
{
	struct line_scene *scene = load->scene;
	scene->ticks = 0;
	uv_timer_start(
	    &scene->patience, on_patience, LINE_TICK_MS, LINE_TICK_MS);
	while (scene->oks < REQUESTS_COUNT && scene->ticks < LINE_TICKS_MAX) {
		send_some(load);
		int64_t began_us = processor_us();
		uv_run(&scene->names.loop, UV_RUN_ONCE);
		int64_t took_us = processor_us() - began_us;
		if (took_us > load->longest_us)
			load->longest_us = took_us;
	}
	uv_timer_stop(&scene->patience);
}

int main(void)
{
	struct cluster cluster;
	struct line_scene scene;
	struct load load = {.scene = &scene};
	const char *absence = cluster_absence();
	if (absence)
		return tap_skip_all(absence);
	if (!cluster_make(&cluster))
		return tap_skip_all("PostgreSQL cannot be made to run here");
	line_scene_init(&scene);
	scene.options.statements = statements;
	scene.options.statement_count = 1;
	line_scene_open(&scene, cluster_url(&cluster));
	ok(reaches(&scene, &scene.ups, 1), "the line is up");
	int64_t began_us = processor_us();
	run_all(&load);
	int64_t took_us = processor_us() - began_us;
	ok(scene.oks == REQUESTS_COUNT, "%u requests are done", scene.oks);
	ok(load.right == scene.oks, "each answer is right");
	ok(load.longest_us < TURN_MAX_MS * 1000,
	    "no turn of the loop takes %d ms", TURN_MAX_MS);
	printf("# the longest took %.1f ms, a request %.1f us\n",
	    (double)load.longest_us / 1000, (double)took_us / REQUESTS_COUNT);
	line_scene_finish(&scene);
	cluster_remove(&cluster);
	return tap_done();
}

#include "fleet/beats/clock_events.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json/json.h"
#include "scratch.h"
#include "tap.h"

/* What a worker writes for the audit of its fleet. */

static struct {
	struct scratch scratch;
	struct pv_clock_events events;
	char path[512];
} scene;

/* The file holds these lines, and no others. */
static void holds(const char *lines, const char *claim)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	pv_file_read(scene.path, &text);
	ok(strcmp(pv_buf_text(&text), lines) == 0, "%s", claim);
	if (strcmp(pv_buf_text(&text), lines) != 0)
		printf("# it holds: %s\n", pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void empty(void)
{
	if (truncate(scene.path, 0) != 0)
		ok(false, "the file can be emptied");
}

static void test_time(void)
{
	const struct pv_server_time time = {.server_ms = 5000000,
	    .sent_ms = 1000,
	    .came_ms = 1040,
	    .came_wall_ms = 4999020};
	ok(!pv_clock_events_clock(
	       &scene.events, PV_CLOCK_TAKEN, PV_STR("a.test"), 900),
	    "before the server's time is known no event can be written");
	ok(pv_clock_events_time(&scene.events, &time), "it is written");
	holds("{\"event\":\"time\",\"worker\":3,\"wall_ms\":4999000,"
	      "\"server_ms\":5000000,\"uncertainty_ms\":21}\n",
	    "the server's time is that of the midst of the way, and as "
	    "uncertain as half of it");
	empty();
}

static void test_events(void)
{
	pv_clock_events_clock(
	    &scene.events, PV_CLOCK_TAKEN, PV_STR("a.test"), 2020);
	pv_clock_events_address(
	    &scene.events, PV_CLOCK_GIVEN, PV_STR("192.0.2.1"), 3020);
	pv_clock_events_reaped(&scene.events, 2, 4020);
	holds("{\"event\":\"taken\",\"worker\":3,\"clock\":\"a.test\","
	      "\"server_ms\":5001000}\n"
	      "{\"event\":\"given\",\"worker\":3,\"address\":\"192.0.2.1\","
	      "\"server_ms\":5002000}\n"
	      "{\"event\":\"reaped\",\"worker\":2,\"by\":3,"
	      "\"server_ms\":5003000}\n",
	    "each event has the server's time, reckoned from that");
	empty();
}

static void test_names(void)
{
	struct pv_json *line;
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	pv_clock_events_clock(
	    &scene.events, PV_CLOCK_TAKEN, PV_STR("a\"\n\\b"), 2020);
	pv_file_read(scene.path, &text);
	pv_buf_cut(&text, text.len - 1);
	line = pv_json_read(pv_buf_str(&text));
	ok(line && !memchr(text.ptr, '\n', text.len),
	    "whatever a name has in it, the line is JSON");
	pv_json_destroy(line);
	pv_buf_finish(&text);
	empty();
}

static void test_cut_short(void)
{
	pv_clock_events_reaped(&scene.events, 2, 4020);
	pv_clock_events_close(&scene.events);
	ok(truncate(scene.path, 20) == 0 &&
		pv_clock_events_open(&scene.events, scene.scratch.path, 4),
	    "a file that a kill has cut short can be opened");
	pv_clock_events_time(
	    &scene.events, &(struct pv_server_time){.server_ms = 5000000,
			       .sent_ms = 1000,
			       .came_ms = 1000,
			       .came_wall_ms = 5000000});
	holds("{\"event\":\"reaped\",\"w\n"
	      "{\"event\":\"time\",\"worker\":4,\"wall_ms\":5000000,"
	      "\"server_ms\":5000000,\"uncertainty_ms\":1}\n",
	    "and what comes next begins a line");
}

static void test_faults(void)
{
	struct pv_clock_events none;
	ok(!pv_clock_events_open(&none, "/nonexistent", 1) && none.file < 0,
	    "in a directory that is not there none can be opened");
	ok(!pv_clock_events_reaped(&none, 1, 1), "and nothing is written");
}

int main(void)
{
	scratch_make(&scene.scratch);
	snprintf(scene.path, sizeof(scene.path), "%s/clocks.jsonl",
	    scene.scratch.path);
	ok(pv_clock_events_open(&scene.events, scene.scratch.path, 3),
	    "the file is made");
	test_time();
	test_events();
	test_names();
	test_cut_short();
	test_faults();
	pv_clock_events_close(&scene.events);
	scratch_remove(&scene.scratch);
	return tap_done();
}

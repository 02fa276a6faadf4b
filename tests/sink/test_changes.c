#include "sink/scene.h"

static uint64_t add(struct scene *scene, enum pv_change change, bool is_final)
{
	uint64_t length = 0;
	scene->page.change = change;
	scene_append(scene, is_final);
	pv_sink_changes.sync(scene->sink, &length);
	return length;
}

int main(void)
{
	struct scene scene;
	struct pv_sink_plan plan = {.round = 1};
	ok(!pv_sink_changes.is_wanted(&plan), "a crawl has nothing to report");
	plan.round = 2;
	ok(pv_sink_changes.is_wanted(&plan), "and an update has");
	scene_begin(&scene, &pv_sink_changes);
	scene.visit.url = PV_STR("https://a.example/");
	scene.response.http_status = 404;
	ok(scene_open(&scene) &&
		pv_sink_changes.recover(scene.sink, &(uint64_t){0}, &scene.why),
	    "a report is begun");
	ok(add(&scene, PV_CHANGE_NONE, true) == 0 &&
		add(&scene, PV_CHANGE_FAILED, true) == 0 &&
		add(&scene, PV_CHANGE_GONE, false) == 0,
	    "what nobody knows, or is to be asked again, is not told");
	uint64_t length = add(&scene, PV_CHANGE_GONE, true);
	struct pv_str text = scene_read(&scene, "changes.jsonl");
	ok(length && text.len == length &&
		pv_str_starts(text, PV_STR("{\"round\":2,")) &&
		pv_str_ends(text, PV_STR("\"status\":404}\n")),
	    "the rest has a line each");
	scene_close(&scene);
	ok(scene_open(&scene) &&
		pv_sink_changes.recover(scene.sink, &length, &scene.why),
	    "an update goes on with its report");
	ok(add(&scene, PV_CHANGE_GONE, true) == 2 * length, "behind that");
	scene_end(&scene);
	return tap_done();
}

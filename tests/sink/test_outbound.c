#include "sink/outbound.h"

#include "sink/scene.h"

/* P3: the files for other shards are as long as was committed, and have whole
 * lines. */

struct bench {
	struct scene scene;
	const char *const *files;
	uint64_t lengths[3];
};

static bool open_sink(struct bench *bench, uint32_t number)
{
	struct scene *scene = &bench->scene;
	const struct pv_sink_plan plan = {
	    .directory = scene->scratch.path,
	    .policy = scene->policy,
	    .shard = {number, 3},
	};
	scene->sink = pv_sink_outbound.open(&plan, &scene->why);
	bench->files = pv_sink_outbound.files(scene->sink);
	return pv_sink_outbound.recover(
	    scene->sink, bench->lengths, &scene->why);
}

static bool append(struct bench *bench, const char *url, uint32_t shard)
{
	const struct pv_link link = {
	    .url = pv_str_of(url),
	    .standing = {.use = PV_PAGE,
		.depth_left = PV_DEPTH_MAX,
		.verdict = {PV_REASON_SHARD, shard}},
	};
	return pv_outbound_append(bench->scene.sink, &link, PV_STR(""));
}

static bool sync_sink(struct bench *bench)
{
	return pv_sink_outbound.sync(bench->scene.sink, bench->lengths);
}

static void is_file(
    struct bench *bench, unsigned shard, const char *wanted, const char *claim)
{
	char name[32];
	snprintf(name, sizeof(name), "outbound/%u.jsonl", shard);
	struct pv_str text = scene_read(&bench->scene, name);
	is_text(text.ptr ? text : PV_STR("none"), wanted, "%s", claim);
}

#define LINE(name) \
	"{\"url\":\"https://" name ".test/\",\"use\":\"page\",\"depth\":0}\n"

static void test_files(struct bench *bench)
{
	ok(open_sink(bench, 2), "a sink of the second of three opens");
	ok(strcmp(bench->files[0], "outbound/1.jsonl") == 0 &&
		strcmp(bench->files[2], "outbound/3.jsonl") == 0 &&
		!bench->files[3],
	    "and has a file for each");
	ok(sync_sink(bench), "where nothing was written it is synced at once");
	is_file(bench, 1, "none", "and makes none of them");
	ok(append(bench, "https://a.test/", 1) &&
		append(bench, "https://b.test/", 1) &&
		append(bench, "https://c.test/", 3) && sync_sink(bench),
	    "links are written");
	is_file(bench, 1, LINE("a") LINE("b"), "each to that of its shard");
	is_file(bench, 3, LINE("c"), "be it the last");
	is_file(bench, 2, "none", "and none to our own");
	ok(bench->lengths[0] == strlen(LINE("a") LINE("b")) &&
		!bench->lengths[1] && bench->lengths[2] == strlen(LINE("c")),
	    "P3: it tells how long they are");
	ok(!append(bench, "https://d.test/", 4) &&
		!append(bench, "https://d.test/", 0),
	    "there is no other shard");
	scene_close(&bench->scene);
}

static void test_recovery(struct bench *bench)
{
	ok(open_sink(bench, 2) && append(bench, "https://e.test/", 1) &&
		append(bench, "https://f.test/", 2),
	    "more is written");
	uint64_t committed[3];
	memcpy(committed, bench->lengths, sizeof(committed));
	ok(sync_sink(bench), "to the disk, but not committed");
	scene_close(&bench->scene);
	memcpy(bench->lengths, committed, sizeof(committed));
	ok(open_sink(bench, 2), "after a kill it opens");
	is_file(
	    bench, 1, LINE("a") LINE("b"), "P3: what was not committed is cut");
	is_file(bench, 2, "", "also where nothing was");
	scene_close(&bench->scene);
	bench->lengths[2]++;
	ok(!open_sink(bench, 2) && pv_why_has_problems(&bench->scene.why),
	    "P3: what was promised and is not there is told");
	scene_close(&bench->scene);
	bench->lengths[2]--;
}

static void test_all(struct bench *bench)
{
	struct pv_str host = PV_STR("w.test");
	const struct pv_link link = {.url = PV_STR("https://w.test/"),
	    .standing = {.use = PV_PAGE, .depth_left = PV_DEPTH_MAX}};
	uint32_t owner = pv_shard_of(bench->scene.policy, 3, host);
	uint32_t ours = owner % 3 + 1, third = ours % 3 + 1;
	uint64_t before[3];
	ok(open_sink(bench, ours), "a sink of another shard opens");
	memcpy(before, bench->lengths, sizeof(before));
	ok(pv_outbound_append_to_all(
	       bench->scene.sink, host, &link, PV_STR("")) &&
		sync_sink(bench),
	    "what all are to know is written");
	ok(bench->lengths[third - 1] == before[third - 1] + strlen(LINE("w")) &&
		bench->lengths[owner - 1] == before[owner - 1] &&
		bench->lengths[ours - 1] == before[ours - 1],
	    "to all but us, and whose host it is, who hears of it anyway");
	scene_close(&bench->scene);
}

int main(void)
{
	struct bench bench = {.lengths = {0}};
	scene_begin(&bench.scene, &pv_sink_outbound);
	test_files(&bench);
	test_recovery(&bench);
	test_all(&bench);
	scene_end(&bench.scene);
	return tap_done();
}

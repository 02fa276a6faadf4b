#include "mirror/lookup/fate.h"

#include "mirror/scene.h"
#include "record/standing.h"
#include "store/tables/page_marks.h"

/* What became of addresses. P4: every no has a reason. */

static const struct {
	const char *claim;
	struct mirror_address address;
	enum pv_fate_kind kind;
	bool is_broken;
} cases[] = {
    {"what was answered is good",
	{.state = PV_STATE_DONE, .outcome = PV_OUTCOME_ANSWERED, .status = 200},
	PV_FATE_GOOD, false},
    {"what was redirected has moved",
	{.state = PV_STATE_DONE, .outcome = PV_OUTCOME_ANSWERED, .status = 301},
	PV_FATE_MOVED, false},
    {"what leaves a choice is broken",
	{.state = PV_STATE_DONE, .outcome = PV_OUTCOME_ANSWERED, .status = 300},
	PV_FATE_BROKEN, true},
    {"404 is broken",
	{.state = PV_STATE_DONE, .outcome = PV_OUTCOME_ANSWERED, .status = 404},
	PV_FATE_BROKEN, true},
    {"so is 503 in the end",
	{.state = PV_STATE_DONE, .outcome = PV_OUTCOME_ANSWERED, .status = 503},
	PV_FATE_BROKEN, true},
    {"so is a host without a name",
	{.state = PV_STATE_DONE, .outcome = PV_OUTCOME_NO_NAME}, PV_FATE_BROKEN,
	true},
    {"and what was broken off",
	{.state = PV_STATE_DONE,
	    .outcome = PV_OUTCOME_BROKEN_OFF,
	    .status = 200},
	PV_FATE_BROKEN, true},
    {"what is too large is there",
	{.state = PV_STATE_DONE,
	    .outcome = PV_OUTCOME_TOO_LARGE,
	    .status = 200},
	PV_FATE_LEFT, false},
    {"what waits is not known yet", {.state = PV_STATE_PENDING},
	PV_FATE_PENDING, false},
    {"nor what is in flight", {.state = PV_STATE_IN_FLIGHT}, PV_FATE_PENDING,
	false},
    {"what a rule refused is not broken",
	{.state = PV_STATE_REFUSED, .reason = PV_REASON_RULE}, PV_FATE_REFUSED,
	false},
    {"what is redirected for ever is",
	{.state = PV_STATE_REFUSED, .reason = PV_REASON_REDIRECTS},
	PV_FATE_REFUSED, true},
};

#define CASES ((int64_t)(sizeof(cases) / sizeof(*cases)))

static void test_kinds(struct mirror_scene *scene)
{
	struct pv_fates fates;
	struct pv_fate fate;
	char url[64];
	for (int64_t i = 0; i < CASES; i++) {
		struct mirror_address address = cases[i].address;
		snprintf(url, sizeof(url), "http://localhost/%d", (int)i);
		address.id = i + 1;
		address.url = url;
		mirror_add(scene, address);
	}
	pv_fates_init(&fates, mirror_look(scene));
	pv_fate_init(&fate);
	for (int64_t i = 0; i < CASES; i++) {
		snprintf(url, sizeof(url), "http://localhost/%d", (int)i);
		uint64_t id = pv_fates_find(&fates, mirror_key(scene, url));
		pv_fates_get(&fates, id, &fate);
		ok(id == (uint64_t)i + 1 && fate.kind == cases[i].kind &&
			pv_fate_is_broken(&fate) == cases[i].is_broken,
		    "%s", cases[i].claim);
		is_text(pv_buf_str(&fate.url), url, "under its name");
	}
	pv_fate_finish(&fate);
	pv_fates_finish(&fates);
}

static void test_identity(struct mirror_scene *scene)
{
	struct pv_fates fates;
	pv_fates_init(&fates, mirror_look(scene));
	ok(pv_fates_find(&fates,
	       mirror_key(scene, "HTTP://www.LOCALHOST:80/x/../2#part")) == 3,
	    "an address is found under each name that the policy takes for "
	    "the same");
	ok(pv_fates_find(&fates, mirror_key(scene, "http://localhost/none")) ==
		0,
	    "what was never met is not found");
	pv_fates_finish(&fates);
}

static void test_bad(struct mirror_scene *scene)
{
	struct pv_fates fates;
	char found[64] = "";
	uint64_t id;
	pv_fates_init(&fates, mirror_look(scene));
	for (int round = 0; round < 2; round++) {
		while ((id = pv_fates_next_bad(&fates)))
			snprintf(found + strlen(found),
			    sizeof(found) - strlen(found), " %d", (int)id);
	}
	is_text(pv_str_of(found), " 2 3 4 5 6 7 8 11 12 2 3 4 5 6 7 8 11 12",
	    "all that went wrong is gone through, again and again");
	pv_fates_finish(&fates);
}

static void test_copies(struct mirror_scene *scene)
{
	static const struct mirror_copy copies[] = {
	    {.id = 100, .name = "a.html", .came = "a"},
	    {.id = 101, .name = "b.html", .came = "b", .is_gone = true},
	    {.id = 102, .name = "c.html", .came = "c", .has_failed = true},
	    {.id = 103,
		.name = "d.html",
		.came = "d",
		.is_gone = true,
		.heard = 301},
	    {.id = 104,
		.name = "e.html",
		.came = "e",
		.has_failed = true,
		.heard = 302},
	    {.id = 105,
		.name = "f.html",
		.came = "f",
		.is_gone = true,
		.has_failed = true,
		.heard = 500},
	};
	static const enum pv_fate_kind kinds[] = {PV_FATE_GOOD, PV_FATE_GONE,
	    PV_FATE_LOST, PV_FATE_MOVED, PV_FATE_MOVED, PV_FATE_GONE};
	static const char *const urls[] = {"http://localhost/a",
	    "http://localhost/b", "http://localhost/c", "http://localhost/d",
	    "http://localhost/e", "http://localhost/f"};
	struct pv_fates fates;
	struct pv_fate fate;
	for (int i = 0; i < 6; i++) {
		mirror_add(scene, (struct mirror_address){.id = 100 + i,
				      .url = urls[i],
				      .state = PV_STATE_DONE,
				      .outcome = PV_OUTCOME_ANSWERED,
				      .status = 200});
		mirror_keep(scene, copies[i]);
	}
	pv_fates_init(&fates, mirror_look(scene));
	pv_fate_init(&fate);
	for (uint64_t i = 0; i < 6; i++) {
		pv_fates_get(&fates, 100 + i, &fate);
		ok(fate.kind == kinds[i] && fate.file.len == 11,
		    "%s was kept, and is %s", urls[i],
		    i == 0 ? "there" : "not any more");
	}
	pv_fates_get(&fates, 104, &fate);
	ok(mirror_can_fold(scene),
	    "P5: whoever has looked something up does not hold the log");
	ok(fate.result.http_status == 302,
	    "of what is redirected since, that is the answer");
	/* More than are looked for one by one. */
	for (int i = 0; i < 8; i++)
		ok(pv_fates_find_file(&fates, PV_STR("site/b.html")) == 101 &&
			!pv_fates_find_file(&fates, PV_STR("site/z.html")),
		    "a file has its address, the %d. time too", 2 * i + 1);
	pv_fate_finish(&fate);
	pv_fates_finish(&fates);
}

static void redirect(
    struct mirror_scene *scene, const char *from, const char *to)
{
	struct pv_redirects redirects;
	pv_redirects_open(&redirects, scene->database);
	pv_redirects_keep(&redirects, mirror_key(scene, from), pv_str_of(to));
	pv_redirects_close(&redirects);
}

static void test_next(struct mirror_scene *scene)
{
	struct pv_fates fates;
	struct pv_fate fate;
	mirror_add(
	    scene, (struct mirror_address){
		       .id = 200, .url = "http://localhost/to", .via = 2});
	redirect(scene, "http://localhost/0", "http://www.localhost/to#part");
	pv_fates_init(&fates, mirror_look(scene));
	pv_fate_init(&fate);
	struct pv_fingerprint target;
	pv_fates_get(&fates, 2, &fate);
	ok(pv_fates_next(&fates, &fate) == 200 &&
		!pv_fates_target(&fates, &fate, &target),
	    "a redirect leads to what was found by it");
	pv_fates_get(&fates, 1, &fate);
	ok(pv_fates_next(&fates, &fate) == 200 &&
		pv_fates_target(&fates, &fate, &target) &&
		target.address ==
		    mirror_key(scene, "http://localhost/to").address,
	    "or to what was written down of it");
	pv_fates_get(&fates, 200, &fate);
	ok(pv_fates_next(&fates, &fate) == 0, "or nobody knows where");
	pv_fate_finish(&fate);
	pv_fates_finish(&fates);
}

static void test_dead_ends(struct mirror_scene *scene)
{
	static const enum pv_fate_kind kinds[] = {PV_FATE_MOVED,
	    PV_FATE_NOWHERE, PV_FATE_NOWHERE, PV_FATE_CIRCLE, PV_FATE_CIRCLE,
	    PV_FATE_MOVED};
	struct pv_fates fates;
	struct pv_fate fate;
	pv_fate_init(&fate);
	for (enum pv_dead_end end = 0; end <= PV_DEAD_END_COUNT; end++) {
		pv_dead_ends_keep(scene->database, 2, end, PV_STR("x\x1b[2J"));
		pv_dead_ends_keep(scene->database, 4, end, PV_STR("x"));
		pv_fates_init(&fates, mirror_look(scene));
		pv_fates_get(&fates, 2, &fate);
		bool is_dead = kinds[end] != PV_FATE_MOVED;
		ok(fate.kind == kinds[end] &&
			pv_fate_is_broken(&fate) == is_dead &&
			(fate.dead_end != PV_DEAD_END_NONE) == is_dead,
		    "what redirects to nothing is broken, in its way (%d)",
		    (int)end);
		is_text(pv_buf_str(&fate.location), is_dead ? "x\\x1b[2J" : "",
		    "with what was given, which no terminal obeys");
		pv_fates_get(&fates, 4, &fate);
		ok(fate.kind == PV_FATE_BROKEN && !fate.dead_end,
		    "what is no redirect any more is no dead end");
		pv_fates_finish(&fates);
	}
	pv_page_marks_unset_dead_end(scene->database, 2);
	pv_fates_init(&fates, mirror_look(scene));
	pv_fates_get(&fates, 2, &fate);
	ok(fate.kind == PV_FATE_MOVED, "nor what leads on again");
	pv_fates_finish(&fates);
	pv_fate_finish(&fate);
}

static void test_lists(struct mirror_scene *scene)
{
	struct pv_standing standing = {
	    .use = PV_PAGE, .listing = PV_LISTS_ALL, .is_only_list = true};
	struct pv_fates fates;
	struct pv_fate fate;
	mirror_add(scene, (struct mirror_address){.id = 300,
			      .url = "http://localhost/sitemap.xml",
			      .listing = (int)pv_listing_pack(&standing)});
	pv_fates_init(&fates, mirror_look(scene));
	pv_fate_init(&fate);
	pv_fates_get(&fates, 300, &fate);
	ok(!fate.is_linked, "nobody links to a sitemap that we guessed");
	pv_fates_get(&fates, 200, &fate);
	ok(fate.is_linked, "what is no sitemap was linked to");
	pv_fate_finish(&fate);
	pv_fates_finish(&fates);
}

int main(void)
{
	struct mirror_scene scene;
	if (!ok(mirror_scene_open(&scene), "a crawl's directory is there"))
		return tap_done();
	test_kinds(&scene);
	test_identity(&scene);
	test_bad(&scene);
	test_copies(&scene);
	test_next(&scene);
	test_dead_ends(&scene);
	test_lists(&scene);
	mirror_scene_close(&scene);
	return tap_done();
}

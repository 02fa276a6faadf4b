#include "fleet/beats/members.h"

#include "policy/policy.h"
#include "tap.h"

#define TTL_MS 30000
#define BEAT_MS 10000
#define YEAR_MS (INT64_C(365) * 86400000)

/* Worker 1 hears of 2 and 3. */
struct scene {
	struct pv_fleet_members members;
	struct pv_fleet_member rows[3];
	int64_t now_ms;
};

static void open_scene(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	scene->now_ms = 1000;
	pv_fleet_members_init(&scene->members, TTL_MS);
	pv_fleet_members_enter(&scene->members, 1);
	for (int i = 0; i < 3; i++)
		scene->rows[i] = (struct pv_fleet_member){.id = i + 1};
}

static void hear(struct scene *scene)
{
	pv_fleet_members_hear(&scene->members, scene->rows, 3, scene->now_ms);
}

/* Another beat of worker 1, and of the others that beat. */
static void beat(struct scene *scene, bool second, bool third)
{
	scene->now_ms += BEAT_MS;
	scene->rows[0].beat++;
	scene->rows[1].beat += second;
	scene->rows[2].beat += third;
	hear(scene);
}

/* 0: nobody is. */
static int64_t dead(const struct scene *scene)
{
	const struct pv_fleet_member *member =
	    pv_fleet_members_find_dead(&scene->members, 0, scene->now_ms);
	return member ? member->id : 0;
}

static void test_ttl(void)
{
	struct scene scene;
	open_scene(&scene);
	hear(&scene);
	ok(pv_fleet_members_count(&scene.members) == 3 && !dead(&scene),
	    "who is heard of lives");
	beat(&scene, false, true);
	beat(&scene, false, true);
	scene.now_ms += BEAT_MS - 1;
	hear(&scene);
	ok(!dead(&scene),
	    "P1: nobody is dead whose beat stood still for less than a ttl");
	scene.now_ms += 1;
	hear(&scene);
	ok(dead(&scene) == 2, "who did not beat for a whole ttl is");
	scene.rows[1].beat++;
	hear(&scene);
	ok(!dead(&scene), "until it beats");
	pv_fleet_members_finish(&scene.members);
}

static void test_own(void)
{
	struct scene scene;
	open_scene(&scene);
	hear(&scene);
	for (int i = 0; i < 10; i++) {
		scene.now_ms += BEAT_MS;
		scene.rows[1].beat++;
		scene.rows[2].beat++;
		hear(&scene);
	}
	ok(!dead(&scene), "nobody declares itself dead");
	pv_fleet_members_finish(&scene.members);
}

static void test_reset(void)
{
	struct scene scene;
	open_scene(&scene);
	hear(&scene);
	beat(&scene, false, true);
	beat(&scene, false, true);
	pv_fleet_members_reset(&scene.members);
	beat(&scene, false, true);
	beat(&scene, false, true);
	beat(&scene, false, true);
	ok(!dead(&scene),
	    "P1: after a reconnect or a promotion the ttl is counted anew");
	beat(&scene, false, true);
	ok(dead(&scene) == 2, "and is as long as ever");
	pv_fleet_members_finish(&scene.members);
}

/* The database answers nobody for a while. */
static void test_silence(void)
{
	struct scene scene;
	open_scene(&scene);
	hear(&scene);
	scene.now_ms += 20 * TTL_MS;
	hear(&scene);
	ok(!dead(&scene),
	    "P1: who could not beat because the database was silent is not "
	    "dead");
	beat(&scene, true, false);
	beat(&scene, true, false);
	ok(!dead(&scene), "nor before a ttl after that");
	beat(&scene, true, false);
	ok(dead(&scene) == 3, "who does not beat then is");
	pv_fleet_members_finish(&scene.members);
}

static void test_held(void)
{
	struct scene scene;
	open_scene(&scene);
	hear(&scene);
	for (int i = 0; i < 3; i++)
		beat(&scene, false, false);
	const struct pv_fleet_member *second =
	    pv_fleet_members_find_dead(&scene.members, 0, scene.now_ms);
	const struct pv_fleet_member *third =
	    pv_fleet_members_find_dead(&scene.members,
		(size_t)(second - scene.members.items) + 1, scene.now_ms);
	ok(second->id == 2 && third->id == 3, "each that is dead is found");
	pv_fleet_members_note_held(&scene.members, 2, scene.now_ms);
	beat(&scene, false, false);
	pv_fleet_members_note_held(&scene.members, 2, scene.now_ms);
	beat(&scene, false, false);
	second = &scene.members.items[1];
	ok(!pv_fleet_member_is_stuck(&scene.members, second, scene.now_ms),
	    "whose row somebody holds may keep it for a ttl");
	beat(&scene, false, false);
	second = &scene.members.items[1];
	ok(pv_fleet_member_is_stuck(&scene.members, second, scene.now_ms),
	    "and no longer, however often that is tried");
	ok(!pv_fleet_member_is_stuck(
	       &scene.members, &scene.members.items[2], scene.now_ms),
	    "which says nothing of others");
	pv_fleet_members_remove(&scene.members, 2);
	ok(pv_fleet_members_count(&scene.members) == 2 && dead(&scene) == 3,
	    "who was declared dead is none any more");
	pv_fleet_members_finish(&scene.members);
}

/* Nobody dies in a year of beats, be they late by as much as may be. */
static void test_year(void)
{
	struct scene scene;
	unsigned deaths = 0;
	open_scene(&scene);
	hear(&scene);
	int64_t began_ms = scene.now_ms;
	for (int64_t i = 0; scene.now_ms - began_ms < YEAR_MS; i++) {
		scene.now_ms += BEAT_MS + i % 7 * 1000;
		scene.rows[0].beat++;
		scene.rows[1].beat++;
		scene.rows[2].beat += i % 2;
		hear(&scene);
		deaths += dead(&scene) != 0;
	}
	ok(deaths == 0,
	    "P1: in a year of beats nobody is declared dead who beats");
	int64_t last_ms = scene.now_ms;
	while (!dead(&scene))
		beat(&scene, true, false);
	ok(dead(&scene) == 3 && scene.now_ms - last_ms >= TTL_MS - BEAT_MS &&
		scene.now_ms - last_ms <= TTL_MS + BEAT_MS,
	    "and then who stops is, after a ttl");
	pv_fleet_members_finish(&scene.members);
}

/* Shares */

static void test_share(void)
{
	struct scene scene;
	struct pv_rate whole = {.max_rate = 10,
	    .interval_ms = 1000,
	    .burst = 10,
	    .concurrency = 10};
	open_scene(&scene);
	ok(pv_fleet_members_share(&scene.members, &whole).of == 0,
	    "who has heard of nobody has no share");
	scene.rows[1].share = (struct pv_fleet_share){2, 0};
	scene.rows[2].share = (struct pv_fleet_share){2, 1};
	hear(&scene);
	ok(pv_fleet_members_share(&scene.members, &whole).of == 0,
	    "P1: nor who joins while others have all");
	scene.rows[1].share = (struct pv_fleet_share){3, 1};
	scene.rows[2].share = (struct pv_fleet_share){3, 2};
	hear(&scene);
	struct pv_fleet_share share =
	    pv_fleet_members_share(&scene.members, &whole);
	ok(share.of == 3 && share.rank == 0,
	    "when they have agreed to less it has its part");
	pv_fleet_members_remove(&scene.members, 2);
	share = pv_fleet_members_share(&scene.members, &whole);
	ok(share.of == 2 && share.rank == 0,
	    "and more when one of them is gone");
	pv_fleet_members_enter(&scene.members, 7);
	ok(pv_fleet_members_share(&scene.members, &whole).of == 0,
	    "who is not among those that live has none");
	pv_fleet_members_finish(&scene.members);
}

/* What a worker that has nothing to do may not use, the others shall. */
static void test_resting(void)
{
	struct scene scene;
	const struct pv_rate whole = {.max_rate = 10,
	    .interval_ms = 1000,
	    .burst = 10,
	    .concurrency = 10};
	open_scene(&scene);
	for (int i = 0; i < 3; i++)
		scene.rows[i].share = (struct pv_fleet_share){3, i};
	scene.rows[0].is_idle = true;
	hear(&scene);
	beat(&scene, true, true);
	beat(&scene, true, true);
	ok(!pv_fleet_members_is_resting(&scene.members, &whole) &&
		pv_fleet_members_share(&scene.members, &whole).of == 3,
	    "who is idle for less than a ttl keeps its share");
	beat(&scene, true, true);
	ok(pv_fleet_members_is_resting(&scene.members, &whole) &&
		pv_fleet_members_share(&scene.members, &whole).of == 0,
	    "and for a ttl gives it up");
	const struct pv_rate slow = {.max_rate = 10, .interval_ms = 60000};
	ok(!pv_fleet_members_is_resting(&scene.members, &slow),
	    "but not where it might take a minute to have it back");
	pv_fleet_members_enter(&scene.members, 3);
	struct pv_fleet_share share =
	    pv_fleet_members_share(&scene.members, &whole);
	ok(share.of == 3 && share.rank == 2,
	    "P1: until that is written nobody else takes it");
	scene.rows[0].share = PV_FLEET_NO_SHARE;
	scene.rows[1].share = (struct pv_fleet_share){2, 0};
	beat(&scene, true, true);
	share = pv_fleet_members_share(&scene.members, &whole);
	ok(share.of == 2 && share.rank == 1,
	    "then the others have a half each");
	scene.rows[0].is_idle = false;
	beat(&scene, true, true);
	scene.rows[1].share = (struct pv_fleet_share){3, 1};
	beat(&scene, true, true);
	share = pv_fleet_members_share(&scene.members, &whole);
	ok(share.of == 3 && share.rank == 2,
	    "when it has something to do again, a third each");
	pv_fleet_members_finish(&scene.members);
}

/* There is one share, and who has it can ask for nothing. */
static void test_halted(void)
{
	struct scene scene;
	const struct pv_rate whole = {
	    .max_rate = 1, .interval_ms = 1000, .burst = 1, .concurrency = 1};
	open_scene(&scene);
	pv_fleet_members_enter(&scene.members, 2);
	scene.rows[2].is_idle = true;
	scene.rows[0].is_halted = true;
	scene.rows[0].share = (struct pv_fleet_share){1, 0};
	hear(&scene);
	ok(!pv_fleet_members_has_place(&scene.members, &whole),
	    "as long as a worker has its share there is none for others");
	scene.rows[0].share = PV_FLEET_NO_SHARE;
	beat(&scene, true, true);
	ok(pv_fleet_members_has_place(&scene.members, &whole) &&
		pv_fleet_members_share(&scene.members, &whole).of == 1,
	    "when one that can ask for nothing has given it up it is theirs");
	pv_fleet_members_finish(&scene.members);
}

int main(void)
{
	test_ttl();
	test_own();
	test_reset();
	test_silence();
	test_held();
	test_year();
	test_share();
	test_resting();
	test_halted();
	return tap_done();
}

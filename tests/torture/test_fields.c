#include <time.h>

#include "crawl/shop_rows.h"
#include "random.h"
#include "torture/faulty.h"
#include "torture/trial.h"

/* P3, of rows: a shop (crawl/shop.h) is crawled and then updated, both killed
 * again and again and gone on with. In the end JSON lines, CSV and SQLite have
 * each row once, none is lost, and the update has told exactly what became
 * another in the shop, though most of its answers were a 304; what was found as
 * an earlier kind of page than it was read as has no row of the later one. Half
 * of the kills come at some instant, the others at one of the calls that reach
 * files.
 *
 * PAVANE_TORTURE_ROUNDS says how many kills, and PAVANE_TORTURE_SEED what the
 * first round draws its own by; a round has ten, and the next one the next
 * number. The directory of a round that fails is kept. */
#define KILLS 10
#define STAGE_KILLS 5

struct round {
	struct crawl_scene scene;
	struct shop shop;
	struct faulty faulty;
	bool is_faulty; /* kills at calls can be had */
	struct random random;
	uint64_t seed;
	size_t kills;
};

static size_t setting(const char *name, size_t otherwise)
{
	const char *value = getenv(name);
	return value ? strtoull(value, NULL, 10) : otherwise;
}

/* Kills */

/* The first of its calls rather than the last, since a run that goes on makes
 * fewer. */
static void plan_call(struct round *round)
{
	static const struct {
		const char *name;
		size_t most;
	} sorts[] = {
	    {"write", 1200}, {"sync", 60}, {"step", 6000}, {"change", 1500}};
	static const char *const actions[] = {
	    "kill", "kill-half", "kill-after"};
	size_t sort = random_below(&round->random, 4);
	size_t most = sorts[sort].most * round->shop.first_count / 300 >>
		      random_below(&round->random, 6);
	faulty_plan(&round->faulty, "%s %zu %s", sorts[sort].name,
	    1 + random_below(&round->random, most + 1),
	    actions[random_below(&round->random, 3)]);
}

/* Some requests after it was started, and a moment. */
static void wait_for_moment(struct round *round, size_t asked)
{
	struct program_end end;
	/* A stage has three requests for two products, about. */
	size_t requests = round->shop.first_count * 3 / 2;
	size_t more =
	    random_below(&round->random, requests / STAGE_KILLS * 3 / 2);
	struct timespec rest = {
	    .tv_nsec = (long)random_below(&round->random, 5000000)};
	for (int i = 0; i < 500; i++) {
		if (server_wait(round->scene.server, asked + more, 20) ||
		    program_wait(round->scene.program, 0, &end))
			break;
	}
	nanosleep(&rest, NULL);
}

static const char *const *arguments_of(struct round *round, bool is_update)
{
	struct trial trial = {.home = round->scene.home};
	if (is_update)
		return trial_has_update(&trial) ? trial_continue : trial_update;
	return random_below(&round->random, 2) && trial_has_begun(&trial)
		   ? trial_continue
		   : trial_crawl;
}

/* The status of its end; -1 if it was killed. */
static int run(struct round *round, bool is_update, bool is_killed)
{
	struct crawl_scene *scene = &round->scene;
	bool is_call =
	    is_killed && round->is_faulty && random_below(&round->random, 2);
	size_t asked = server_log_count(scene->server);
	if (is_call)
		plan_call(round);
	program_destroy(scene->program);
	scene->program =
	    program_start(&scene->home, arguments_of(round, is_update));
	faulty_rest(&round->faulty);
	if (!scene->program)
		return -3;
	if (is_killed && !is_call) {
		wait_for_moment(round, asked);
		program_signal(scene->program, SIGKILL);
	}
	int status = crawl_scene_wait(scene, HANG_MS);
	round->kills += status == -1;
	return status;
}

/* Stages */

static bool go_through(struct round *round, bool is_update)
{
	int status = 0;
	const char *name = is_update ? "an update" : "a crawl";
	size_t before = round->kills;
	for (size_t i = 0; i < STAGE_KILLS && (status == 0 || status == -1);
	     i++) {
		status = run(round, is_update, true);
		if (status == 0)
			break;
	}
	if (status == -1)
		status = run(round, is_update, false);
	if (!ok(status == 0, "%s %llu comes to its end, after %zu kills", name,
		(unsigned long long)round->seed, round->kills - before)) {
		printf("# ended with %d\n", status);
		crawl_scene_show(&round->scene);
	}
	return status == 0;
}

static bool judge(struct round *round, unsigned before, unsigned after,
    struct shop_lengths *lengths)
{
	struct shop_rows rows;
	shop_rows_init(&rows, &round->scene, &round->shop);
	bool is_well = shop_claim_lines(&rows, before, after, lengths,
	    before == UINT_MAX ? "P3: each row is told once"
			       : "P3: exactly what changed is told");
	is_well = shop_claim_forms(&rows, after) && is_well;
	shop_rows_finish(&rows);
	return is_well;
}

static bool run_stages(struct round *round)
{
	struct shop_lengths lengths = {{0}};
	if (!go_through(round, false) || !judge(round, UINT_MAX, 0, &lengths))
		return false;
	atomic_store(&round->shop.version, 1);
	return go_through(round, true) && judge(round, 0, 1, &lengths);
}

/* Whether the program runs with the library: where sanitizers want to be loaded
 * first it does not. */
static bool can_strike(struct round *round)
{
	static const char *const version[] = {"--version", NULL};
	struct program_end end;
	bool can = faulty_open(&round->faulty, &round->scene.home, "o") &&
		   program_run(&round->scene.home, version, NULL, &end) &&
		   !end.is_killed && end.status == 0;
	faulty_rest(&round->faulty);
	return can;
}

/* How many kills it had. */
static size_t run_round(uint64_t seed)
{
	struct round round = {.random = random_of(seed), .seed = seed};
	round.shop.first_count = shop_size();
	struct server_plan plan = {.answer = shop_answer, .ctx = &round.shop};
	if (!crawl_scene_open(&round.scene, &plan)) {
		ok(false, "a shop is open");
		return 0;
	}
	crawl_scene_policy(&round.scene, shop_policy);
	round.is_faulty = can_strike(&round);
	bool is_well = run_stages(&round);
	if (!is_well)
		printf("# kept in %s\n", round.scene.home.path);
	crawl_scene_judge_promises(&round.scene);
	faulty_close(&round.faulty);
	program_destroy(round.scene.program);
	server_stop(round.scene.server);
	if (is_well)
		home_remove(&round.scene.home);
	return round.kills;
}

int main(void)
{
	size_t kills = setting("PAVANE_TORTURE_ROUNDS", KILLS);
	uint64_t seed = setting("PAVANE_TORTURE_SEED", 1);
	size_t rounds = (kills + KILLS - 1) / KILLS;
	size_t had = 0;
	for (size_t i = 0; i < rounds; i++)
		had += run_round(seed + i);
	ok(had >= rounds * KILLS / 2, "most kills come in time (%zu of %zu)",
	    had, rounds * KILLS);
	return tap_done();
}

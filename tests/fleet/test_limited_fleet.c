#include "fleet/scene/claims.h"

/* limits.pages and limits.bytes hold for all workers together. */

#define PAGES_MAX 300

static size_t asked_pages(struct fleet_scene *scene)
{
	struct fleet_findings found = fleet_scene_find(scene);
	return found.pages + found.page_repeats;
}

static long long ask_number(struct fleet_scene *scene, const char *sql)
{
	const char *answer = cluster_ask(&scene->cluster, sql);
	return answer ? strtoll(answer, NULL, 10) : -1;
}

/* `lost` pages may have been asked for of which the database never heard. */
static void ends_limited(struct fleet_scene *scene, size_t lost)
{
	bool is_good = ok(fleet_scene_ends_by(scene, PAVANE_LIMITED),
	    "each worker ends because of the limit");
	size_t pages = asked_pages(scene);
	is_good = ok(pages <= PAGES_MAX + lost,
		      "no more pages are asked for than the limit allows all "
		      "together (%zu of %d, and %zu that were lost)",
		      pages, PAGES_MAX, lost) &&
		  is_good;
	is_good =
	    ok(pages >= PAGES_MAX, "and no fewer (%zu)", pages) && is_good;
	long long counted =
	    ask_number(scene, "SELECT sum(pages) FROM pavane.workers");
	is_good =
	    ok(counted == PAGES_MAX,
		"the database counts each of them once (%lld)", counted) &&
	    is_good;
	if (!is_good)
		fleet_scene_show(scene);
}

static void test_pages(struct fleet_scene *scene)
{
	fleet_scene_set_policy(scene, "", "limits: {pages: 300}\n");
	fleet_scene_start(scene);
	ends_limited(scene, 0);
	fleet_scene_set_policy(scene, "", "limits: {pages: 100000}\n");
	fleet_scene_start(scene);
	fleet_ends(scene, 0);
	long long counted =
	    ask_number(scene, "SELECT sum(pages) FROM pavane.workers");
	ok(counted == (long long)scene->reachable,
	    "after all runs each page is counted once (%lld)", counted);
}

/* What a dead worker was granted goes to others, and who comes later has its
 * part. */
static void test_kill(struct fleet_scene *scene)
{
	fleet_scene_set_policy(scene, "", "limits: {pages: 300}\n");
	for (unsigned i = 1; i < FLEET_WORKERS; i++)
		fleet_scene_start_one(scene, i);
	ok(server_wait(scene->server, 300, 60000), "the fleet is under way");
	fleet_scene_kill(scene, 1);
	fleet_scene_start_one(scene, 0);
	ends_limited(scene, FLEET_REPEATS_MAX);
}

/* A worker that is started again at once counts what it had not passed on. */
static void test_kill_and_start(struct fleet_scene *scene)
{
	fleet_scene_set_policy(scene, "", "limits: {pages: 300}\n");
	fleet_scene_start(scene);
	ok(server_wait(scene->server, 300, 60000), "the fleet is under way");
	fleet_scene_kill(scene, 1);
	fleet_scene_start_one(scene, 1);
	ends_limited(scene, FLEET_REPEATS_MAX);
}

/* What is in flight when the last byte is spent comes, too. */
#define BYTES_MAX 150000
#define PAGE_BYTES_MAX 3000

static void test_bytes(struct fleet_scene *scene)
{
	fleet_scene_set_policy(scene, "", "limits: {bytes: 150kB}\n");
	fleet_scene_start(scene);
	ok(fleet_scene_ends_by(scene, PAVANE_LIMITED),
	    "each worker ends because of the limit of bytes");
	long long counted =
	    ask_number(scene, "SELECT sum(bytes) FROM pavane.workers");
	if (!ok(counted >= BYTES_MAX &&
		    counted <= BYTES_MAX + FLEET_CONCURRENCY * PAGE_BYTES_MAX,
		"they have as many as it allows all together, and what was in "
		"flight then (%lld)",
		counted))
		fleet_scene_show(scene);
	ok(asked_pages(scene) < scene->reachable, "which is not all there is");
}

/* Nobody knows meanwhile what others have brought. */
static void test_lost_server(struct fleet_scene *scene)
{
	fleet_scene_set_policy(scene, "", "limits: {pages: 300}\n");
	fleet_scene_start(scene);
	ok(server_wait(scene->server, 300, 60000), "the fleet is under way");
	cluster_kill(&scene->cluster);
	fleet_scene_rest(FLEET_TTL_MS);
	ok(cluster_start(&scene->cluster), "PostgreSQL starts again");
	ends_limited(scene, FLEET_WORKERS * FLEET_REPEATS_MAX);
}

/* Hosts go from one owner to another, of which one dies. */
static void test_host_pages(struct fleet_scene *scene)
{
	fleet_scene_set_policy(scene, "", "limits: {host_pages: 3}\n");
	fleet_scene_start(scene);
	ok(server_wait(scene->server, scene->web.hosts * 3 / 2, 60000),
	    "the fleet is under way");
	fleet_scene_kill(scene, 1);
	ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	struct fleet_findings found = fleet_scene_find(scene);
	size_t asked = found.pages + found.page_repeats;
	ok(asked <= (size_t)3 * scene->web.hosts + FLEET_REPEATS_MAX,
	    "no host gives more pages than its limit, whoever owns it (%zu)",
	    asked);
	ok(ask_number(scene, "SELECT max(pages) FROM pavane.hosts") == 3,
	    "and the database knows how many");
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_pages, test_kill,
	    test_kill_and_start, test_bytes, test_lost_server, test_host_pages,
	    NULL};
	return fleet_main(count, arguments, tests);
}

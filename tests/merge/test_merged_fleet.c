#include "base/json/json.h"
#include "fleet/scene/claims.h"
#include "store/database.h"
#include "store/statement.h"

/* A fleet whose hosts change owners, as workers are killed, and whose policy is
 * another one after a stop: the directories of all workers, also of the one that
 * never heard of the new policy, are merged and judged together. */

#define NEW_DELAY "600ms"

/* The same policy with a longer delay and a lower rate. */
static void slow_down(struct fleet_scene *scene)
{
	static const char *const changes[][2] = {
	    {"delay: 400ms", "delay: " NEW_DELAY},
	    {"max_rate: 100000", "max_rate: 90000"},
	};
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	home_read(&scene->home, "policy.yaml", &text);
	for (size_t i = 0; i < 2; i++) {
		struct pv_buf changed;
		const char *at = strstr(pv_buf_text(&text), changes[i][0]);
		size_t before = at ? (size_t)(at - text.ptr) : 0;
		if (!ok(at, "the policy has %s", changes[i][0]))
			break;
		pv_buf_init(&changed, 1 << 16);
		pv_buf_append(&changed, pv_str_head(pv_buf_str(&text), before));
		pv_buf_append_text(&changed, changes[i][1]);
		pv_buf_append_text(&changed, at + strlen(changes[i][0]));
		pv_buf_finish(&text);
		text = changed;
	}
	home_write(&scene->home, "policy.yaml", pv_buf_str(&text));
	pv_buf_finish(&text);
}

static void stop_all(struct fleet_scene *scene)
{
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		if (scene->workers[i] > 0)
			kill(scene->workers[i], SIGTERM);
	}
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		if (scene->workers[i] > 0 &&
		    worker_wait(scene->workers[i], 10000) >= 0)
			scene->workers[i] = 0;
	}
}

/* The last worker is killed early and does not come back; the hosts of two others
 * go to who is there, and come back to them. */
static void crawl(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 15);
	fleet_scene_kill(scene, 3);
	fleet_reaches(scene, 30);
	fleet_scene_kill(scene, 1);
	fleet_reaches(scene, 45);
	fleet_scene_start_one(scene, 1);
	fleet_scene_kill(scene, 2);
	fleet_reaches(scene, 60);
	stop_all(scene);
	slow_down(scene);
	for (unsigned i = 0; i < 3; i++)
		fleet_scene_start_one(scene, i);
	if (!ok(fleet_scene_ends(scene),
		"the fleet finishes its crawl by another policy"))
		fleet_scene_show(scene);
}

/* What a host has answered, as the web's server and the journal have it. */
struct host_pages {
	int64_t asked;  /* of the web's server */
	int64_t lines;  /* of the journal */
	int64_t worker; /* of the first of these */
	bool are_many;  /* another one has fetched some */
};

static struct host_pages *pages_of(const struct fleet_scene *scene,
    struct host_pages *hosts, struct pv_str host)
{
	size_t page;
	bool is_one = web_find_page(&scene->web, host, PV_STR("/"), &page);
	return is_one ? &hosts[page / WEB_PAGES] : NULL;
}

static void count_line(struct fleet_scene *scene, struct host_pages *hosts,
    const struct pv_json *line)
{
	struct host_pages *host =
	    pages_of(scene, hosts, pv_json_get_text(line, "host"));
	if (!host || pv_json_get_integer(line, "status", 0) != 200 ||
	    pv_json_get_bool(line, "robots"))
		return;
	int64_t worker = pv_json_get_integer(line, "worker", 0);
	if (!host->lines++)
		host->worker = worker;
	host->are_many |= worker != host->worker;
}

static void count_lines(struct fleet_scene *scene, struct host_pages *hosts)
{
	struct pv_buf journal;
	pv_buf_init(&journal, SIZE_MAX);
	home_read(&scene->home, "all/journal.jsonl", &journal);
	struct pv_str rest = pv_buf_str(&journal);
	while (rest.len) {
		size_t end = pv_str_find(rest, '\n');
		struct pv_json *line = pv_json_read(pv_str_head(rest, end));
		if (line)
			count_line(scene, hosts, line);
		pv_json_destroy(line);
		rest = pv_str_from(rest, end + 1);
	}
	pv_buf_finish(&journal);
}

static void count_requests(struct fleet_scene *scene, struct host_pages *hosts)
{
	struct log_view view = log_view_of(scene->server);
	for (size_t i = 0; i < view.count; i++) {
		struct host_pages *host =
		    pages_of(scene, hosts, view.records[i].host);
		if (host && !pv_str_equal(
				view.records[i].target, PV_STR("/robots.txt")))
			host->asked++;
	}
	log_view_finish(&view);
}

struct comparison {
	int64_t hosts;
	int64_t wrong; /* by the journal */
	int64_t handed_over;
	int64_t invented; /* that the web's server knows nothing of */
	int64_t lost;     /* pages that it alone knows */
};

static void compare(
    struct fleet_scene *scene, struct host_pages *hosts, struct comparison *all)
{
	struct pv_database *state =
	    pv_database_look(home_file(&scene->home, "all/state.db"));
	struct pv_statement *rows =
	    pv_statement_create(state, "SELECT name, pages FROM host_states");
	for (; pv_statement_step(rows); all->hosts++) {
		const struct host_pages *host =
		    pages_of(scene, hosts, pv_statement_text(rows, 0));
		int64_t pages = pv_statement_number(rows, 1);
		if (!host)
			continue;
		all->wrong += pages != host->lines;
		all->handed_over += host->are_many;
		all->invented += pages > host->asked;
		all->lost += host->asked - pages;
	}
	pv_statement_destroy(rows);
	pv_database_close(state);
}

/* Of what was in flight when a worker was killed the web's server knows alone. */
static void judge_pages(struct fleet_scene *scene)
{
	struct host_pages *hosts = calloc(scene->web.hosts, sizeof(*hosts));
	struct comparison all = {.hosts = 0};
	count_lines(scene, hosts);
	count_requests(scene, hosts);
	compare(scene, hosts, &all);
	ok(all.hosts == scene->web.hosts && !all.wrong,
	    "P6: each host has the pages that its lines say (%lld hosts, %lld "
	    "wrong)",
	    (long long)all.hosts, (long long)all.wrong);
	ok(all.handed_over > 0,
	    "of which several workers had fetched some "
	    "(%lld)",
	    (long long)all.handed_over);
	ok(!all.invented && all.lost <= (int64_t)(3 * FLEET_REPEATS_MAX),
	    "P6: and the web's server as many, but for what was in flight at a "
	    "kill (%lld)",
	    (long long)all.lost);
	free(hosts);
}

static void test_fleet(struct fleet_scene *scene)
{
	crawl(scene);
	if (!ok(FLEET_RUN(
		    scene, "merge", "-o", "all", "w3", "w0", "w1", "w2") == 0,
		"the directories of its workers are merged"))
		return;
	ok(FLEET_RUN(scene, "audit", "all") == 0,
	    "P1, P2: an audit of all finds every promise kept");
	judge_pages(scene);
	struct fleet_merged merged = fleet_scene_look(scene, "all");
	fleet_judge_merged(&merged);
	struct fleet_findings found = fleet_scene_find(scene);
	fleet_judge_gaps(&found);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_fleet, NULL};
	return fleet_main(count, arguments, tests);
}

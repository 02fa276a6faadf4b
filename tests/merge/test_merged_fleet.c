#include "base/json/json.h"
#include "fleet/scene/claims.h"
#include "store/database.h"
#include "store/statement.h"

/* A fleet whose hosts change owners, as workers are killed, and whose policy is
 * another one after a stop: the directories of all workers, also of the one that
 * never heard of the new policy, are merged and judged together. */

#define NEW_DELAY "600ms"

/* The program, in the scene's home. */
static int run(struct fleet_scene *scene, const char *const *arguments)
{
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_run(&scene->home, arguments, &said, &end);
	int status = end.is_killed ? -1 : end.status;
	printf("# %s: %d: %.2000s\n", arguments[0], status, pv_buf_text(&said));
	pv_buf_finish(&said);
	return status;
}

#define RUN(scene, ...) run((scene), (const char *const[]){__VA_ARGS__, NULL})

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
	ok(fleet_scene_ends(scene),
	    "the fleet finishes its crawl by another policy");
}

/* Pages of a host that a file of lines says were answered. */
static int64_t count_lines(
    struct pv_str journal, struct pv_str host, bool *are_many)
{
	int64_t count = 0, first = -1;
	struct pv_str rest = journal;
	while (rest.len) {
		size_t end = pv_str_find(rest, '\n');
		struct pv_json *line = pv_json_read(pv_str_head(rest, end));
		bool is_page =
		    line &&
		    pv_str_equal(pv_json_get_text(line, "host"), host) &&
		    pv_json_get_integer(line, "status", 0) == 200 &&
		    !pv_json_get_bool(line, "robots");
		int64_t worker =
		    is_page ? pv_json_get_integer(line, "worker", 0) : first;
		if (is_page && first < 0)
			first = worker;
		*are_many |= is_page && worker != first;
		count += is_page;
		pv_json_destroy(line);
		rest = pv_str_from(rest, end + 1);
	}
	return count;
}

static int64_t count_requests(const struct log_view *view, struct pv_str host)
{
	int64_t count = 0;
	for (size_t i = 0; i < view->count; i++)
		count += pv_str_equal(view->records[i].host, host) &&
			 !pv_str_equal(
			     view->records[i].target, PV_STR("/robots.txt"));
	return count;
}

/* Of what was in flight when a worker was killed the web's server knows alone. */
static void judge_pages(struct fleet_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	struct pv_buf journal;
	int64_t hosts = 0, wrong = 0, handed_over = 0, lost = 0, invented = 0;
	struct pv_database *state =
	    pv_database_look(home_file(&scene->home, "all/state.db"));
	struct pv_statement *rows =
	    pv_statement_create(state, "SELECT name, pages FROM host_states");
	pv_buf_init(&journal, SIZE_MAX);
	home_read(&scene->home, "all/journal.jsonl", &journal);
	for (; pv_statement_step(rows); hosts++) {
		struct pv_str host = pv_statement_text(rows, 0);
		int64_t pages = pv_statement_number(rows, 1);
		int64_t asked = count_requests(&view, host);
		bool are_many = false;
		wrong +=
		    pages != count_lines(pv_buf_str(&journal), host, &are_many);
		handed_over += are_many;
		invented += pages > asked;
		lost += asked - pages;
	}
	ok(hosts == scene->web.hosts && !wrong,
	    "P6: each host has the pages that its lines say (%lld hosts, %lld "
	    "wrong)",
	    (long long)hosts, (long long)wrong);
	ok(handed_over > 0, "of which several workers had fetched some (%lld)",
	    (long long)handed_over);
	ok(!invented && lost <= (int64_t)(3 * FLEET_REPEATS_MAX),
	    "P6: and the web's server as many, but for what was in flight at a "
	    "kill (%lld)",
	    (long long)lost);
	pv_statement_destroy(rows);
	pv_database_close(state);
	pv_buf_finish(&journal);
	log_view_finish(&view);
}

static void test_fleet(struct fleet_scene *scene)
{
	crawl(scene);
	if (!ok(RUN(scene, "merge", "-o", "all", "w3", "w0", "w1", "w2") == 0,
		"the directories of its workers are merged"))
		return;
	ok(RUN(scene, "audit", "all") == 0,
	    "P1, P2: an audit of all finds every promise kept");
	judge_pages(scene);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_fleet, NULL};
	return fleet_main(count, arguments, tests);
}

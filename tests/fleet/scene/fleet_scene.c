#include "fleet/scene/fleet_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "crawl/patience.h"
#include "server/log_check.h"
#include "store/database.h"

#define LATENCY_MS 40
#define LOG_SHOWN 3000 /* bytes of each worker's log, where a claim fails */

static const char policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://%s:%u/\"]\n"
    "scope: {sitemaps: false, hosts: any%s}\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: %u}\n"
    "politeness: {delay: %ums, delay_factor: 0, ip_delay: %ums}\n"
    "stop: {drain_timeout: %ums}\n"
    "fetch: {private: all, resolve: {%s}}\n"
    "output: {}\n"
    "%s";

int64_t fleet_scene_now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void fleet_scene_rest(int64_t ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000,
		      .tv_nsec = ms % 1000 * 1000000},
	    NULL);
}

const char *fleet_scene_absence(void)
{
	return cluster_absence();
}

static unsigned host_count(void)
{
	const char *wanted = getenv("PAVANE_FLEET_HOSTS");
	long count = wanted ? strtol(wanted, NULL, 10) : 0;
	return count > 0 && count <= WEB_HOSTS_MAX ? (unsigned)count : 200;
}

void fleet_scene_set_policy(
    struct fleet_scene *scene, const char *scope, const char *more)
{
	struct pv_buf first, addresses;
	pv_buf_init(&first, SIZE_MAX);
	pv_buf_init(&addresses, SIZE_MAX);
	web_append_first(&scene->web, &first);
	web_append_addresses(&scene->web, &addresses);
	home_print(&scene->home, "policy.yaml", policy, pv_buf_text(&first),
	    (unsigned)server_port(scene->server), scope, FLEET_CONCURRENCY,
	    FLEET_DELAY_MS, FLEET_IP_DELAY_MS, FLEET_DRAIN_MS,
	    pv_buf_text(&addresses), more);
	pv_buf_finish(&addresses);
	pv_buf_finish(&first);
}

static bool begin(struct fleet_scene *scene, server_answer_fn answer, void *ctx)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {.addresses = everywhere,
	    .answer = answer,
	    .ctx = ctx,
	    .log_max = SIZE_MAX};
	if (!cluster_make(&scene->cluster))
		return false;
	snprintf(scene->url, sizeof(scene->url), "%s",
	    cluster_port_url(&scene->cluster));
	scene->server = server_start(&plan);
	if (!scene->server || !home_make(&scene->home)) {
		puts("Bail out! The scene could not be made.");
		exit(1);
	}
	return true;
}

bool fleet_scene_open(struct fleet_scene *scene)
{
	*scene = (struct fleet_scene){.web = {.hosts = host_count(),
					  .together = FLEET_TOGETHER,
					  .latency_ms = LATENCY_MS},
	    .ttl_ms = FLEET_TTL_MS};
	if (!begin(scene, web_answer, &scene->web))
		return false;
	fleet_scene_set_policy(scene, "", "");
	scene->reachable = web_count_reachable(&scene->web);
	return true;
}

bool fleet_scene_open_with(struct fleet_scene *scene, const char *text,
    server_answer_fn answer, void *ctx)
{
	struct pv_buf written;
	struct pv_str rest = pv_str_of(text);
	const char *at;
	*scene = (struct fleet_scene){.ttl_ms = FLEET_TTL_MS};
	if (!begin(scene, answer, ctx))
		return false;
	pv_buf_init(&written, SIZE_MAX);
	while ((at = memmem(rest.ptr, rest.len, "PORT", 4))) {
		size_t len = (size_t)(at - rest.ptr);
		pv_buf_append_format(&written, "%.*s%u", (int)len, rest.ptr,
		    (unsigned)server_port(scene->server));
		rest = pv_str_from(rest, len + 4);
	}
	pv_buf_append(&written, rest);
	home_print(&scene->home, "policy.yaml", "%s", pv_buf_text(&written));
	pv_buf_finish(&written);
	return true;
}

void fleet_scene_close(struct fleet_scene *scene)
{
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		fleet_scene_kill(scene, i);
	server_stop(scene->server);
	cluster_remove(&scene->cluster);
	home_remove(&scene->home);
}

void fleet_scene_start_one(struct fleet_scene *scene, unsigned number)
{
	char name[16], directory[600], file[600];
	snprintf(name, sizeof(name), "w%u", number);
	snprintf(
	    directory, sizeof(directory), "%s", home_file(&scene->home, name));
	snprintf(
	    file, sizeof(file), "%s", home_file(&scene->home, "policy.yaml"));
	struct worker_plan plan = {.directory = directory,
	    .policy = file,
	    .url = scene->urls[number] ? scene->urls[number] : scene->url,
	    .ttl_ms = scene->ttl_ms,
	    .is_update = scene->is_update,
	    .environment = scene->environments[number]};
	scene->workers[number] = worker_start(&plan);
}

void fleet_scene_start(struct fleet_scene *scene)
{
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		if (scene->workers[i] <= 0)
			fleet_scene_start_one(scene, i);
	}
}

void fleet_scene_kill(struct fleet_scene *scene, unsigned number)
{
	if (scene->workers[number] <= 0)
		return;
	kill(scene->workers[number], SIGKILL);
	waitpid(scene->workers[number], NULL, 0);
	scene->workers[number] = 0;
}

/* Ends of the logs */

static void read_file(struct fleet_scene *scene, unsigned number,
    const char *format, struct pv_buf *text)
{
	char name[64];
	bool is_journal = strcmp(format, "journal") == 0;
	snprintf(name, sizeof(name),
	    is_journal ? "w%u/journal.jsonl" : "w%u.log", number);
	pv_buf_init(text, SIZE_MAX);
	home_read(&scene->home, name, text);
}

static void show_rows(const struct fleet_scene *scene, const char *sql)
{
	const char *rows = cluster_ask(&scene->cluster, sql);
	printf("# %s\n", rows ? rows : "");
}

void fleet_scene_show(struct fleet_scene *scene)
{
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		struct pv_buf text;
		read_file(scene, i, "log", &text);
		size_t skipped =
		    text.len > LOG_SHOWN ? text.len - LOG_SHOWN : 0;
		printf("# worker %u said:\n", i);
		struct pv_str rest = pv_str_from(pv_buf_str(&text), skipped);
		size_t end;
		while ((end = pv_str_find(rest, '\n')) != PV_NOT_FOUND) {
			printf("#   %.*s\n", (int)end, rest.ptr);
			rest = pv_str_from(rest, end + 1);
		}
		pv_buf_finish(&text);
	}
	show_rows(scene,
	    "SELECT string_agg(format('worker %s %s: %s clocks, %s requests, "
	    "alive %s, idle %s', id, right(place, 2), clocks, requests, "
	    "is_alive, is_idle), '; ' ORDER BY id) FROM pavane.workers");
	show_rows(scene,
	    "SELECT string_agg(format('%s clocks of %s, has work %s', count, "
	    "coalesce(worker, 0), has_work), '; ') FROM (SELECT worker, "
	    "has_work, count(*) FROM pavane.clocks GROUP BY 1, 2) AS each");
	show_rows(scene,
	    "SELECT format('%s links, %s addresses, finished %s', (SELECT "
	    "count(*) FROM pavane.links), (SELECT count(*) FROM "
	    "pavane.addresses), is_finished) FROM pavane.crawls");
}

size_t fleet_scene_says(struct fleet_scene *scene, const char *text)
{
	size_t count = 0;
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		struct pv_buf log;
		read_file(scene, i, "log", &log);
		for (const char *at = pv_buf_text(&log);
		     (at = strstr(at, text)); at++)
			count++;
		pv_buf_finish(&log);
	}
	return count;
}

/* Progress */

/* As long as requests come a busy machine is slow, and nothing hangs. */
bool fleet_scene_reaches(struct fleet_scene *scene, unsigned percent)
{
	size_t wanted = scene->reachable * percent / 100;
	size_t seen;
	do {
		seen = server_log_count(scene->server);
		if (server_wait(scene->server, wanted, HANG_MS / 4))
			return true;
	} while (server_log_count(scene->server) > seen);
	return false;
}

static bool has_ended_by(
    struct fleet_scene *scene, unsigned number, enum pavane_end end)
{
	int wanted = (int)end << 8; /* as waitpid has an exit status */
	size_t seen;
	int status;
	do {
		seen = server_log_count(scene->server);
		status = worker_wait(scene->workers[number], HANG_MS / 2);
	} while (status < 0 && server_log_count(scene->server) > seen);
	if (status >= 0)
		scene->workers[number] = 0;
	if (status != wanted)
		printf("# worker %u: status %#x\n", number, (unsigned)status);
	return status == wanted;
}

bool fleet_scene_ends_by(struct fleet_scene *scene, enum pavane_end end)
{
	bool is_good = true;
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		if (scene->workers[i] > 0)
			is_good = has_ended_by(scene, i, end) && is_good;
	}
	return is_good;
}

bool fleet_scene_ends(struct fleet_scene *scene)
{
	return fleet_scene_ends_by(scene, PAVANE_FINISHED);
}

/* Journals */

static struct pv_str behind(struct pv_str text, const char *key)
{
	const char *at = memmem(text.ptr, text.len, key, strlen(key));
	if (!at)
		return PV_STR("");
	at += strlen(key);
	return (struct pv_str){at, (size_t)(text.ptr + text.len - at)};
}

static void count_line(
    struct fleet_scene *scene, struct pv_str line, unsigned *counts)
{
	size_t page;
	struct pv_str url = behind(line, "\"url\":\"http://");
	size_t colon = pv_str_find(url, ':');
	size_t end = pv_str_find(url, '"');
	if (!memmem(line.ptr, line.len, "\"final\":true", 12) ||
	    colon == PV_NOT_FOUND || end == PV_NOT_FOUND || end < colon)
		return;
	struct pv_str place = {url.ptr + colon, end - colon};
	size_t slash = pv_str_find(place, '/');
	if (slash != PV_NOT_FOUND &&
	    web_find_page(&scene->web, (struct pv_str){url.ptr, colon},
		pv_str_from(place, slash), &page))
		counts[page]++;
}

static void count_lines(struct fleet_scene *scene, unsigned *counts)
{
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		struct pv_buf text;
		read_file(scene, i, "journal", &text);
		struct pv_str rest = pv_buf_str(&text);
		size_t end;
		while ((end = pv_str_find(rest, '\n')) != PV_NOT_FOUND) {
			count_line(
			    scene, (struct pv_str){rest.ptr, end}, counts);
			rest = pv_str_from(rest, end + 1);
		}
		pv_buf_finish(&text);
	}
}

static void find_lines(
    struct fleet_scene *scene, struct fleet_findings *findings)
{
	size_t all = (size_t)scene->web.hosts * WEB_PAGES;
	unsigned *counts = calloc(all, sizeof(*counts));
	count_lines(scene, counts);
	for (size_t i = 0; i < all; i++) {
		findings->lines += counts[i] > 0;
		findings->line_repeats += counts[i] > 1 ? counts[i] - 1 : 0;
	}
	free(counts);
}

/* What the web's server saw */

static void find_asked(const struct fleet_scene *scene,
    const struct server_record *record, struct fleet_findings *findings)
{
	size_t page;
	bool is_again = record->nth > 1;
	bool is_page =
	    web_find_page(&scene->web, record->host, record->target, &page);
	bool is_robots = pv_str_equal(record->target, PV_STR("/robots.txt"));
	findings->pages += is_page && !is_again;
	findings->page_repeats += is_page && is_again;
	findings->robots_repeats += is_robots && is_again;
	findings->strays += !is_page && !is_robots;
}

struct fleet_findings fleet_scene_find(struct fleet_scene *scene)
{
	struct fleet_findings findings = {0};
	struct log_view view = log_view_of(scene->server);
	for (size_t i = 0; i < view.count; i++)
		find_asked(scene, &view.records[i], &findings);
	findings.strays += !view.is_whole;
	findings.gap = log_shortest_gap(&view, LOG_BY_HOST);
	findings.address_gap = log_shortest_gap(&view, LOG_BY_ADDRESS);
	find_lines(scene, &findings);
	log_view_finish(&view);
	return findings;
}

/* Merging */

int fleet_scene_run(struct fleet_scene *scene, const char *const *arguments)
{
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_run(&scene->home, arguments, &said, &end);
	int status = end.is_killed ? -1 : end.status;
	size_t skipped = said.len > LOG_SHOWN ? said.len - LOG_SHOWN : 0;
	if (status != 0)
		printf("# %s: %d: %s\n", arguments[0], status,
		    pv_buf_text(&said) + skipped);
	pv_buf_finish(&said);
	return status;
}

static size_t count_in(
    struct fleet_scene *scene, const char *file, const char *text)
{
	struct pv_buf journal;
	size_t count = 0;
	pv_buf_init(&journal, SIZE_MAX);
	home_read(&scene->home, file, &journal);
	for (const char *at = pv_buf_text(&journal); (at = strstr(at, text));
	     at++)
		count++;
	pv_buf_finish(&journal);
	return count;
}

struct fleet_merged fleet_scene_look(
    struct fleet_scene *scene, const char *directory)
{
	char file[60];
	struct fleet_merged found = {.is_made = true};
	snprintf(file, sizeof(file), "%s/journal.jsonl", directory);
	found.final_lines = count_in(scene, file, "\"final\":true");
	snprintf(file, sizeof(file), "%s/state.db", directory);
	struct pv_database *state =
	    pv_database_look(home_file(&scene->home, file));
	found.addresses = (size_t)pv_database_number(
	    state, "SELECT count(*) FROM addresses WHERE state IN (2, 3)");
	pv_database_close(state);
	return found;
}

/* Those that have begun. */
struct fleet_merged fleet_scene_merge(struct fleet_scene *scene)
{
	static const char *const names[FLEET_WORKERS] = {
	    "w0", "w1", "w2", "w3"};
	const char *arguments[4 + FLEET_WORKERS] = {"merge", "-o"};
	char directory[30], state[30];
	size_t count = 3;
	snprintf(directory, sizeof(directory), "merged%u", scene->merges++);
	arguments[2] = directory;
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		snprintf(state, sizeof(state), "%s/state.db", names[i]);
		if (access(home_file(&scene->home, state), F_OK) == 0)
			arguments[count++] = names[i];
	}
	if (fleet_scene_run(scene, arguments) != 0)
		return (struct fleet_merged){.is_made = false};
	return fleet_scene_look(scene, directory);
}

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "crawl/environment.h"
#include "crawl/patience.h"
#include "crawl/run/crawl.h"
#include "crawl/run/running.h"
#include "fetch/fetch.h"
#include "loop/clock.h"
#include "names/names.h"
#include "policy/policy.h"
#include "policy/sources/load.h"
#include "scratch.h"
#include "server/server.h"
#include "server/site.h"
#include "store/database.h"
#include "tap.h"

/* A crawl whose requests are made by several threads at once, as on a machine
 * with many processors. */

#define LANES 3
#define HOSTS 40
#define PAGES 12
#define SECONDS 200

static unsigned lanes; /* that the last fetcher had */

static bool is_lane(const char *task)
{
	char path[300];
	char name[32] = "";
	snprintf(path, sizeof(path), "/proc/self/task/%s/comm", task);
	FILE *file = fopen(path, "r");
	if (!file)
		return false;
	bool is_read = fgets(name, sizeof(name), file) != NULL;
	fclose(file);
	return is_read && strncmp(name, "pavane-transfer", 15) == 0;
}

static unsigned count_lanes(void)
{
	unsigned count = 0;
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;
	while (tasks && (task = readdir(tasks)))
		count += task->d_name[0] != '.' && is_lane(task->d_name);
	if (tasks)
		closedir(tasks);
	return count;
}

static struct pv_fetch *create_fetch(
    const struct pv_fetch_plan *plan, struct pv_why *why)
{
	struct pv_fetch_plan several = *plan;
	several.lanes = LANES;
	struct pv_fetch *fetch = pv_fetch_create(&several, why);
	lanes = count_lanes();
	return fetch;
}

static const struct pv_fetch_kind fetch_by_several = {
    .create = create_fetch,
    .destroy = pv_fetch_destroy,
    .leave = pv_fetch_leave,
    .start = pv_fetch_start,
    .hand_on = pv_fetch_hand_on,
    .cancel = pv_fetch_cancel,
    .close_idle = pv_fetch_close_idle,
};

static const struct pv_environment environment = {
    .clock = &pv_real_clock,
    .names = &pv_real_names,
    .fetch = &fetch_by_several,
};

/* Some of them by TLS, with cookies, and all under a limit on bandwidth, so that
 * they share what there is to share. */
static struct pv_policy *write_policy(struct server *server)
{
	struct pv_why why;
	struct pv_buf text;
	pv_why_init(&why);
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "identity: {contact: bot@example.org}\n"
	    "seeds: [\"http://{1..%d}.h.test/\", \"https://{1..%d}.t.test:%u/\"]\n"
	    "rate: {max_rate: 100000, concurrency: 200, bandwidth: 20MB/s}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "fetch: {cookies: true, tls: {verify: false},\n"
	    "  resolve: {\"*.h.test\": \"127.0.0.1:%u\", "
	    "\"*.t.test\": \"127.0.0.1\"}}\n"
	    "scope: {sitemaps: false}\n"
	    "output: {}\n",
	    HOSTS, HOSTS, (unsigned)server_tls_port(server),
	    (unsigned)server_port(server));
	struct pv_policy *policy =
	    pv_policy_load_text("policy.yaml", pv_buf_str(&text), &why);
	if (why.problems.count)
		ok(false, "the policy is right: %s", why.problems.kept[0].text);
	pv_buf_finish(&text);
	pv_why_finish(&why);
	return policy;
}

struct run {
	struct scratch scratch;
	struct pv_policy *policy;
	struct pv_crawl *crawl;
	unsigned stop_at; /* requests; 0: never */
	struct server *server;
};

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	struct run *run = ctx;
	(void)progress;
	if (!run->stop_at || server_log_count(run->server) < run->stop_at)
		return;
	run->stop_at = 0;
	pv_crawl_stop(run->crawl);
	pv_crawl_stop(run->crawl);
}

static enum pavane_end go(struct run *run)
{
	struct pv_why why;
	const struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = run->scratch.path,
	    .state_dir = run->scratch.path,
	    .on_progress = on_progress,
	    .progress_ms = 10,
	    .ctx = run,
	};
	end_after(SECONDS);
	pv_why_init(&why);
	run->crawl = pv_crawl_open(run->policy, &options, &environment, &why);
	if (!run->crawl)
		ok(false, "a crawl opens: %s", why.problems.kept[0].text);
	enum pavane_end end =
	    run->crawl ? pv_crawl_run(run->crawl) : PAVANE_FAILED;
	pv_crawl_close(run->crawl);
	pv_why_finish(&why);
	end_after(0);
	return end;
}

static int64_t number_of(struct run *run, const char *sql)
{
	struct pv_database *database =
	    pv_database_look(scratch_file(&run->scratch, "state.db"));
	int64_t number = pv_database_number(database, sql);
	pv_database_close(database);
	return number;
}

static void test_crawl(struct run *run)
{
	run->stop_at = HOSTS * PAGES / 2;
	ok(go(run) == PAVANE_STOPPED,
	    "P6: a crawl by several threads is stopped in its midst");
	ok(lanes == LANES, "they are as many as was asked for (%u)", lanes);
	ok(go(run) == PAVANE_FINISHED, "P3: it goes on to its end");
	int64_t pages = number_of(run, "SELECT count(*) FROM pages "
				       "WHERE outcome = 'answered'");
	ok(pages == 2 * HOSTS * PAGES,
	    "P3: with every page of every host (%lld)", (long long)pages);
}

int main(void)
{
	struct site site = {.pages = PAGES, .links = 4, .size = 20000};
	struct run run = {.stop_at = 0};
	run.server = server_start(&(struct server_plan){
	    .answer = site_answer, .ctx = &site, .has_tls = true});
	scratch_make(&run.scratch);
	run.policy = write_policy(run.server);
	test_crawl(&run);
	pv_policy_destroy(run.policy);
	scratch_remove(&run.scratch);
	server_stop(run.server);
	return tap_done();
}

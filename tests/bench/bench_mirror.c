#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/kept_site.h"
#include "bench/numbers.h"
#include "bench/processors.h"
#include "bench/stopwatch.h"
#include "crawl/scene.h"

/* A mirror with rewritten links, beside those of wget2 and httrack where they
 * are installed.
 *
 *   bench_mirror [PAGES [ROUNDS]]
 *
 * The server has a processor of its own, and each of the three in turn the
 * last one. Of all rounds the quickest counts. Each writes into a new
 * directory, and none is removed before the end: some file systems are slow at
 * making files after many were removed.
 */
#define TIMEOUT_S 600
#define NOT_INSTALLED 127

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "identity: {agent: benchbot/1.0, contact: bot@example.org}\n"
    "rate: {max_rate: 100000, interval: 100ms, concurrency: 32}\n"
    "politeness: {delay: 0, delay_from: start, delay_factor: 0, ip_delay: 0,\n"
    "  connections: 32}\n"
    "scope: {requisites: true, sitemaps: false, hosts: same}\n"
    "fetch: {private: all}\n"
    "output: {mirror: {rewrite: true}}\n";

/* What a mirror costs; of times the least of all rounds. */
struct cost {
	double busy_s;
	double took_s;
	double server_s; /* that the server was busy */
	size_t requests;
	size_t files;
};

struct bench {
	struct kept_site site;
	struct processors processors;
	struct crawl_scene scene;
	char url[64];
};

/* Whom we compare ourselves with. DIR and URL stand for what they are in a
 * round. */
struct peer {
	const char *name;
	const char *arguments[20];
};

static const struct peer peers[] = {
    {"wget2", {"wget2", "--no-config", "-r", "-k", "-p", "-l", "0", "-q",
		  "--progress=none", "--no-hsts", "--max-threads=32",
		  "--compression=none", "--no-xattr", "-P", "DIR", "URL"}},
    {"httrack", {"httrack", "URL", "-O", "DIR", "-q", "--robots=0", "-c32",
		    "-%c10000", "-A1000000000", "--disable-security-limits"}},
};
#define PEERS (sizeof(peers) / sizeof(*peers))

static _Noreturn void fail(const char *who, const char *what)
{
	printf("mirror: %s: %s\n", who, what);
	exit(1);
}

/* Measuring */

/* What is not a directory is a file. */
static size_t count_files(int where, const char *name)
{
	size_t count = 0;
	const struct dirent *entry;
	int file = openat(where, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	DIR *directory = file < 0 ? NULL : fdopendir(file);
	if (!directory)
		return 1;
	while ((entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			count += count_files(dirfd(directory), entry->d_name);
	closedir(directory);
	return count;
}

/* Nobody is to wait until what another left is on the disk. */
static void settle(struct bench *bench)
{
	int home = open(bench->scene.home.path, O_RDONLY | O_DIRECTORY);
	syncfs(home);
	close(home);
}

/* All that this program does meanwhile is to serve. */
static struct cost look(struct bench *bench)
{
	return (struct cost){
	    .took_s = stopwatch_seconds(CLOCK_MONOTONIC),
	    .server_s = stopwatch_seconds(CLOCK_PROCESS_CPUTIME_ID),
	    .requests = server_log_count(bench->scene.server),
	};
}

/* A mirror that lacks something is none to be compared with. */
static struct cost cost_since(
    struct bench *bench, const struct cost *before, const char *directory)
{
	struct cost now = look(bench);
	struct cost cost = {
	    .took_s = now.took_s - before->took_s,
	    .server_s = now.server_s - before->server_s,
	    .requests = now.requests - before->requests,
	    .files =
		count_files(AT_FDCWD, home_file(&bench->scene.home, directory)),
	};
	size_t wanted = kept_site_count(&bench->site);
	if (cost.requests < wanted || cost.files < wanted)
		fail(directory, "not all of the site is there");
	return cost;
}

/* Ours */

static void judge_links(struct bench *bench, const char *directory)
{
	const char *arguments[] = {"links", directory, "--broken", NULL};
	struct program_end end;
	if (!program_run(&bench->scene.home, arguments, NULL, &end) ||
	    end.is_killed || end.status != 0)
		fail(directory, "it has broken links");
}

static struct cost run_ours(struct bench *bench, unsigned round)
{
	char directory[32];
	const char *arguments[] = {
	    "crawl", "policy.yaml", "-o", directory, "-q", NULL};
	struct crawl_scene *scene = &bench->scene;
	snprintf(directory, sizeof(directory), "pavane-%u", round);
	settle(bench);
	struct cost before = look(bench);
	scene->program = program_start(&scene->home, arguments);
	if (!scene->program)
		exit(1);
	if (crawl_scene_wait(scene, TIMEOUT_S * 1000) != 0) {
		crawl_scene_show(scene);
		fail(directory, "the crawl did not end well");
	}
	struct cost cost = cost_since(bench, &before, directory);
	cost.busy_s = (double)scene->end.cpu_ms / 1e3;
	program_destroy(scene->program);
	scene->program = NULL;
	judge_links(bench, directory);
	return cost;
}

/* Peers */

/* In the home, with nobody's configuration, and with nothing to say. Who does
 * not come to an end is ended. */
static _Noreturn void be_peer(
    struct bench *bench, const struct peer *peer, const char *directory)
{
	char *arguments[sizeof(peer->arguments) / sizeof(char *)] = {NULL};
	int nowhere = open("/dev/null", O_RDWR);
	for (size_t i = 0; peer->arguments[i]; i++) {
		const char *word = peer->arguments[i];
		word = strcmp(word, "DIR") == 0 ? directory : word;
		word = strcmp(word, "URL") == 0 ? bench->url : word;
		arguments[i] = strdup(word);
	}
	for (int i = 0; i < 3; i++)
		dup2(nowhere, i);
	setenv("HOME", bench->scene.home.path, 1);
	alarm(TIMEOUT_S);
	if (chdir(bench->scene.home.path) == 0)
		execvp(arguments[0], arguments);
	_exit(NOT_INSTALLED);
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* False if it is not installed. */
static bool run_peer(struct bench *bench, const struct peer *peer,
    unsigned round, struct cost *cost)
{
	int status;
	struct rusage usage;
	char directory[32];
	snprintf(directory, sizeof(directory), "%s-%u", peer->name, round);
	settle(bench);
	struct cost before = look(bench);
	pid_t pid = fork();
	if (pid == 0)
		be_peer(bench, peer, directory);
	if (wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status))
		fail(directory, "it did not come to an end");
	if (WEXITSTATUS(status) == NOT_INSTALLED)
		return false;
	*cost = cost_since(bench, &before, directory);
	cost->busy_s = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	return true;
}

/* All of them */

static void keep_quickest(struct cost *cost, struct cost round)
{
	round.busy_s = numbers_lesser(cost->busy_s, round.busy_s);
	round.took_s = numbers_lesser(cost->took_s, round.took_s);
	round.server_s = numbers_lesser(cost->server_s, round.server_s);
	*cost = round;
}

static void tell(const char *who, const struct cost *cost)
{
	printf("mirror: %-8s %6.2f s, busy for %6.2f s (the server for %.2f "
	       "s), %zu requests, %zu files\n",
	    who, cost->took_s, cost->busy_s, cost->server_s, cost->requests,
	    cost->files);
}

static void compare(
    const struct cost *ours, const struct peer *peer, const struct cost *cost)
{
	if (!cost->took_s) {
		printf("mirror: %s is not installed\n", peer->name);
		return;
	}
	tell(peer->name, cost);
	printf("mirror: ratio %.2f of %s's time, %.2f of its CPU\n",
	    ours->took_s / cost->took_s, peer->name,
	    ours->busy_s / cost->busy_s);
}

static void run(struct bench *bench, unsigned rounds)
{
	struct cost ours = {0}, theirs[PEERS] = {0}, cost;
	for (unsigned i = 0; i < rounds; i++) {
		keep_quickest(&ours, run_ours(bench, i));
		for (size_t k = 0; k < PEERS; k++)
			if (run_peer(bench, &peers[k], i, &cost))
				keep_quickest(&theirs[k], cost);
	}
	tell("ours", &ours);
	for (size_t k = 0; k < PEERS; k++)
		compare(&ours, &peers[k], &theirs[k]);
}

int main(int argc, char **argv)
{
	struct bench bench = {.processors = processors_find()};
	struct server_plan plan = {
	    .answer = kept_site_answer, .ctx = &bench.site};
	kept_site_init(&bench.site, numbers_argument(argc, argv, 1, 2000));
	processors_use(bench.processors.first);
	if (!crawl_scene_open(&bench.scene, &plan))
		fail("ours", "no server");
	processors_use(bench.processors.last);
	snprintf(bench.url, sizeof(bench.url), "http://127.0.0.1:%u/",
	    (unsigned)server_port(bench.scene.server));
	crawl_scene_policy(&bench.scene, policy);
	run(&bench, numbers_argument(argc, argv, 2, 3));
	crawl_scene_close(&bench.scene);
	kept_site_finish(&bench.site);
	return 0;
}

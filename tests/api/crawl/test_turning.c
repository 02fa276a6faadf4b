#include "pavane/pavane.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json/json.h"
#include "crawl/patience.h"
#include "random.h"
#include "record/journal_name.h"
#include "scratch.h"
#include "server/log_check.h"
#include "server/server.h"
#include "store/state_look.h"
#include "store/tables/journal_files.h"
#include "tap.h"

/* A crawl that stays open and turns to a new file of its journal with almost each
 * commit, in a process of its own that is killed again and again, also while it
 * does: each round of each address has one last line, in one of the files.
 *
 * The moments follow from a seed: to have them again, "test_turning SEED". */

#define SECONDS 100
#define KILLS 8
#define ADDRESSES 20
#define ROUNDS_MAX 60
#define REQUESTS_MOST 40 /* of the site, before a kill */

struct scene {
	struct server *server;
	struct scratch scratch;
	struct random random;
	unsigned finals[ADDRESSES][ROUNDS_MAX];
	unsigned broken; /* lines */
	unsigned files;
	uint64_t last;
};

static bool answer(
    void *ctx, const struct server_request *request, struct server_answer *made)
{
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		return false;
	made->body = "here it is";
	return true;
}

/* The process that is killed */

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %s\n", line);
	fflush(stdout);
}

static struct pavane_crawl *open_crawl(
    struct pavane_policy *policy, const char *directory)
{
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	options.directory = directory;
	options.state_dir = directory;
	options.on_line = on_line;
	options.stays_open = true;
	options.follows_no_links = true;
	options.journal_turn_ms = 1;
	return pavane_crawl_open(policy, &options);
}

/* Asks for all addresses anew, and again, until it is killed; or only for what is
 * left. */
static int run(const char *directory, const char *site, bool is_last)
{
	static const struct pavane_setting settings[] = {
	    {NULL, "rate.max_rate=1000"},
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	};
	const char *const addresses[] = {site};
	const struct pavane_sources sources = {
	    .size = sizeof(sources),
	    .settings = settings,
	    .setting_count = sizeof(settings) / sizeof(*settings),
	    .addresses = addresses,
	    .address_count = 1,
	};
	struct pavane_asking asking = PAVANE_INIT(struct pavane_asking);
	char address[200];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	asking.wait_ms = -1;
	struct pavane_policy *policy = pavane_policy_load(&sources);
	struct pavane_crawl *crawl = open_crawl(policy, directory);
	if (!crawl || !pavane_crawl_spawn(crawl))
		return 1;
	for (unsigned i = 0; !is_last; i = (i + 1) % ADDRESSES) {
		snprintf(address, sizeof(address), "%sn%u", site, i);
		pavane_crawl_ask(crawl, address, NULL, &asking);
	}
	pavane_crawl_finish(crawl, &asking);
	bool is_finished = pavane_crawl_join(crawl) == PAVANE_FINISHED;
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return !is_finished;
}

static pid_t start(const struct scene *scene, const char *word)
{
	char site[100];
	snprintf(site, sizeof(site), "http://127.0.0.1:%u/",
	    (unsigned)server_port(scene->server));
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		execl("/proc/self/exe", "test_turning", scene->scratch.path,
		    site, word, (char *)NULL);
		_exit(1);
	}
	return child;
}

static void strike(struct scene *scene)
{
	pid_t child = start(scene, "on");
	size_t until = server_log_count(scene->server) + 1 +
		       random_below(&scene->random, REQUESTS_MOST);
	int status = 0;
	while (server_log_count(scene->server) < until)
		sched_yield();
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	ok(WIFSIGNALED(status), "it is killed");
}

/* What is there then */

static void read_line(struct scene *scene, struct pv_str line)
{
	struct pv_json *said = pv_json_read(line);
	struct pv_str url = pv_json_get_text(said, "url");
	size_t slash = pv_str_find_last(url, '/');
	int64_t round = pv_json_get_integer(said, "round", 1);
	unsigned long number = 0;
	if (!url.len)
		scene->broken++;
	else if (pv_json_get_bool(said, "final") &&
		 pv_str_starts(pv_str_from(url, slash), PV_STR("/n"))) {
		number = strtoul(url.ptr + slash + 2, NULL, 10);
		if (number < ADDRESSES && round < ROUNDS_MAX)
			scene->finals[number][round]++;
	}
	pv_json_destroy(said);
}

static bool read_file(void *ctx, uint64_t generation, uint64_t length)
{
	struct scene *scene = ctx;
	struct pv_buf text;
	char name[PV_JOURNAL_NAME_MAX];
	size_t end;
	pv_journal_name_write(generation, name);
	pv_buf_init(&text, 8 << 20);
	pv_file_read(scratch_file(&scene->scratch, name), &text);
	scene->files++;
	scene->last = generation;
	if (text.len < length)
		scene->broken++;
	struct pv_str left = pv_str_head(
	    pv_buf_str(&text), text.len < length ? text.len : (size_t)length);
	while ((end = pv_str_find(left, '\n')) != PV_NOT_FOUND) {
		read_line(scene, pv_str_head(left, end));
		left = pv_str_from(left, end + 1);
	}
	scene->broken += left.len > 0;
	pv_buf_finish(&text);
	return true;
}

static void read_journal(struct scene *scene)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_database *state = pv_state_look(scene->scratch.path, &why);
	if (state)
		pv_journal_files_each(state, read_file, scene);
	pv_database_close(state);
	pv_why_finish(&why);
}

/* Where each process is killed soon, none comes to the last ones. */
static bool was_asked(const struct scene *scene, unsigned address)
{
	char path[24];
	struct log_view view = log_view_of(scene->server);
	snprintf(path, sizeof(path), "/n%u", address);
	log_view_keep(&view, "*", path);
	bool was_asked = view.count > 0;
	log_view_finish(&view);
	return was_asked;
}

/* Rounds that are missing, or have more than one last line. */
static unsigned count_wrong(const struct scene *scene)
{
	unsigned wrong = 0;
	for (unsigned i = 0; i < ADDRESSES; i++) {
		unsigned last = ROUNDS_MAX - 1;
		while (last && !scene->finals[i][last])
			last--;
		wrong += !last && was_asked(scene, i);
		for (unsigned round = 1; round <= last; round++)
			wrong += scene->finals[i][round] != 1;
	}
	return wrong;
}

/* What an audit says */

static void append(void *ctx, const char *text, size_t len)
{
	pv_buf_append(ctx, (struct pv_str){text, len});
}

static bool is_kept(const struct scene *scene, const char *said)
{
	struct pv_buf text;
	struct pavane_audit_options options =
	    PAVANE_INIT(struct pavane_audit_options);
	pv_buf_init(&text, 8 << 20);
	options.directory = scene->scratch.path;
	options.write = append;
	options.ctx = &text;
	bool is_right = pavane_audit(&options) == PAVANE_KEPT &&
			strstr(pv_buf_text(&text), said);
	if (!is_right)
		printf("# %.1000s\n", pv_buf_text(&text));
	pv_buf_finish(&text);
	return is_right;
}

static void test_audit(const struct scene *scene)
{
	char name[PV_JOURNAL_NAME_MAX], said[100];
	ok(is_kept(scene, "Every promise was kept"),
	    "P1: an audit of all files finds every promise kept");
	for (uint64_t i = 0; i < scene->last / 2; i++) {
		pv_journal_name_write(i, name);
		unlink(scratch_file(&scene->scratch, name));
	}
	pv_journal_name_write(scene->last / 2, name);
	snprintf(said, sizeof(said), "kept from %s on", name);
	ok(is_kept(scene, said),
	    "and of those that are left, and says which these are");
}

static uint64_t seed_of(const char *text)
{
	uint64_t seed = 0;
	if (text)
		return strtoull(text, NULL, 10);
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = 1;
	return seed % 1000000;
}

int main(int argc, char **argv)
{
	static struct scene scene;
	int status = 1;
	if (argc > 3)
		return run(argv[1], argv[2], strcmp(argv[3], "last") == 0);
	uint64_t seed = seed_of(argc > 1 ? argv[1] : NULL);
	printf("# seed %llu\n", (unsigned long long)seed);
	scene.random = random_of(seed);
	scene.server = server_start(&(struct server_plan){.answer = answer});
	scratch_make(&scene.scratch);
	end_after(SECONDS);
	for (unsigned i = 0; i < KILLS; i++)
		strike(&scene);
	waitpid(start(&scene, "last"), &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
	    "what is left is done");
	read_journal(&scene);
	ok(scene.files > KILLS && scene.last == scene.files - 1,
	    "its journal has many files (%u)", scene.files);
	ok(!scene.broken, "P3: each line is whole (%u are not)", scene.broken);
	unsigned wrong = count_wrong(&scene);
	ok(!wrong,
	    "P3: each round of each address has one last line (%u have not)",
	    wrong);
	test_audit(&scene);
	end_after(0);
	server_stop(scene.server);
	scratch_remove(&scene.scratch);
	return tap_done();
}

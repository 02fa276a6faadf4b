#include "pavane/pavane.h"

#include <sys/wait.h>
#include <time.h>

#include "api/crawl/file_sink.h"
#include "base/file.h"
#include "base/reader.h"
#include "crawl/patience.h"
#include "random.h"
#include "scratch.h"
#include "server/server.h"
#include "server/site.h"
#include "store/database.h"
#include "store/tables/length.h"
#include "tap.h"

/* P3, of a program's own file (pavane/sink.h): a program that keeps a line for
 * each answer is killed again and again and goes on. After each kill the file,
 * cut to the length that the state has, tells of the same answers as the state,
 * each once; in the end none is missing. Half of the kills come before, after or
 * in the midst of a verb of the sink's, the others at some instant.
 *
 * PAVANE_TORTURE_ROUNDS says how many kills, and PAVANE_TORTURE_SEED what they
 * are drawn by. A crawl that has come to its end is begun anew. */
#define KILLS 10
#define PAGES 60
#define LATENCY_MS 20 /* so that a crawl has several commits */
#define LINE_MAX_BYTES 100
#define WAIT_MS 1000
#define MOMENTS_MAX (PAGES * 3)

struct round {
	struct server *server;
	struct scratch scratch;
	struct file_sink sink; /* the program's has this path as well */
	struct random random;
	size_t kills;
	size_t wrong; /* of them, after which file and state did not agree */
	size_t midst; /* of them, after which both had some of all answers */
};

static size_t setting(const char *name, size_t otherwise)
{
	const char *value = getenv(name);
	return value ? strtoull(value, NULL, 10) : otherwise;
}

/* The program: DIRECTORY PORT MOMENT, at which it is killed */

static struct pavane_policy *load(const char *port)
{
	char address[64];
	snprintf(address, sizeof(address), "http://127.0.0.1:%s/", port);
	static const struct pavane_setting settings[] = {
	    {NULL, "rate.max_rate=100000"},
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "politeness.connections=4"},
	    {NULL, "output={}"},
	};
	const char *const addresses[] = {address};
	const struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources),
	    .settings = settings,
	    .setting_count = sizeof(settings) / sizeof(*settings),
	    .addresses = addresses,
	    .address_count = 1,
	};
	return pavane_policy_load(&sources);
}

static int be_program(char **arguments)
{
	struct file_sink sink;
	const struct pavane_sink *const sinks[] = {&sink.verbs};
	struct pavane_policy *policy = load(arguments[2]);
	file_sink_init(&sink, arguments[1], "own");
	sink.kill_at = (unsigned)strtoul(arguments[3], NULL, 10);
	const struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = arguments[1],
	    .state_dir = arguments[1],
	    .sinks = sinks,
	    .sink_count = 1,
	};
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	enum pavane_end end = crawl ? pavane_crawl_run(crawl) : PAVANE_FAILED;
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return end == PAVANE_FINISHED ? 0 : 1;
}

/* A process of its own: what a server's threads hold when a process forks,
 * nobody gives back in the child. */
static pid_t start(const struct round *round, size_t moment)
{
	char port[16], at[24];
	snprintf(
	    port, sizeof(port), "%u", (unsigned)server_port(round->server));
	snprintf(at, sizeof(at), "%zu", moment);
	pid_t child = fork();
	if (child)
		return child;
	execl("/proc/self/exe", "test_own_sink", round->scratch.path, port, at,
	    (char *)NULL);
	_exit(1);
}

/* Kills */

/* Some requests from now on, and a moment; or the end of the program. */
static void wait_for_instant(struct round *round, size_t asked)
{
	size_t more = random_below(&round->random, PAGES / 3);
	struct timespec rest = {
	    .tv_nsec = (long)random_below(&round->random, 5000000)};
	server_wait(round->server, asked + more, WAIT_MS);
	nanosleep(&rest, NULL);
}

/* Its status: -1 if it was killed. */
static int run(struct round *round, bool is_killed)
{
	bool is_moment = random_below(&round->random, 2);
	size_t asked = server_log_count(round->server);
	size_t moment = 1 + random_below(&round->random, MOMENTS_MAX) /
				(1 + random_below(&round->random, 6));
	int status = 0;
	pid_t child = start(round, is_killed && is_moment ? moment : 0);
	if (is_killed && !is_moment) {
		wait_for_instant(round, asked);
		kill(child, SIGKILL);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
}

/* File and state */

struct told {
	char lines[PAGES * 2][LINE_MAX_BYTES];
	size_t count;
	size_t twice;
	size_t odd; /* lines that are not whole, or not the last word */
};

static void note(struct told *told, struct pv_str line)
{
	static const struct pv_str end = {" last http://", 13};
	bool is_whole = line.len < LINE_MAX_BYTES && line.len > 16 &&
			memcmp(line.ptr + 3, end.ptr, end.len) == 0;
	if (!is_whole || told->count == PAGES * 2) {
		told->odd++;
		return;
	}
	for (size_t i = 0; i < told->count; i++)
		told->twice += pv_str_equal(line, pv_str_of(told->lines[i]));
	memcpy(told->lines[told->count++], line.ptr, line.len);
}

/* The first so many bytes of the file. */
static void read_told(
    const struct round *round, uint64_t length, struct told *told)
{
	struct pv_buf text;
	memset(told, 0, sizeof(*told));
	pv_buf_init(&text, SIZE_MAX);
	pv_file_read(round->sink.path, &text);
	told->odd += text.len < length;
	pv_buf_cut(&text, (size_t)length);
	struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
	while (!pv_reader_is_end(&reader))
		note(told, pv_reader_take_line(&reader));
	told->odd += text.len && text.ptr[text.len - 1] != '\n';
	pv_buf_finish(&text);
}

/* Whether both tell of the same answers; how many. */
static bool agrees(struct round *round, size_t *count)
{
	struct told told;
	struct pv_database *database =
	    pv_database_look(scratch_file(&round->scratch, "state.db"));
	uint64_t length = pv_length_get(database, PV_STR("sink/own"));
	size_t pages = (size_t)pv_database_number(
	    database, "SELECT count(*) FROM pages WHERE http_status > 0");
	bool is_readable = pv_database_status(database) == PV_STORE_OK;
	pv_database_close(database);
	/* A kill may have come before there was a state. */
	if (!is_readable)
		length = pages = 0;
	read_told(round, length, &told);
	*count = told.count;
	if (told.count == pages && !told.twice && !told.odd)
		return true;
	printf("# kill %zu: %zu lines, %zu pages, %zu twice, %zu odd\n",
	    round->kills, told.count, pages, told.twice, told.odd);
	return false;
}

static void begin(struct round *round)
{
	scratch_make(&round->scratch);
	file_sink_init(&round->sink, round->scratch.path, "own");
}

/* A crawl that is killed until it comes to its end, or there were enough kills,
 * and then goes on to that end. */
static bool crawl_and_kill(struct round *round, size_t kills)
{
	size_t count;
	int status = -1;
	begin(round);
	while (status == -1) {
		status = run(round, round->kills < kills);
		round->kills += status == -1;
		round->wrong += !agrees(round, &count);
		round->midst += status == -1 && count && count < PAGES;
	}
	bool is_well = status == 0 && count >= PAGES;
	if (!is_well)
		printf("# ended with %d, %zu answers\n", status, count);
	scratch_remove(&round->scratch);
	return is_well;
}

int main(int argument_count, char **arguments)
{
	if (argument_count == 4)
		return be_program(arguments);
	size_t kills = setting("PAVANE_TORTURE_ROUNDS", KILLS);
	struct site site = {
	    .pages = PAGES, .links = 8, .size = 2000, .latency_ms = LATENCY_MS};
	struct round round = {
	    .server = server_start(
		&(struct server_plan){.answer = site_answer, .ctx = &site}),
	    .random = random_of(setting("PAVANE_TORTURE_SEED", 1)),
	};
	size_t crawls = 0, well = 0;
	while (round.kills < kills && crawls++ < kills)
		well += crawl_and_kill(&round, kills);
	ok(round.kills == kills, "a program is killed %zu times in %zu crawls",
	    round.kills, crawls);
	ok(!round.wrong,
	    "P3: file and state tell of the same answers after each kill (%zu)",
	    round.wrong);
	ok(round.midst >= kills / 5, "many of them in the midst (%zu of %zu)",
	    round.midst, kills);
	ok(well == crawls, "P3: and in the end none is missing");
	server_stop(round.server);
	return tap_done();
}

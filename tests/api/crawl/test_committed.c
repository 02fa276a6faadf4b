#include "pavane/pavane.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "server/site.h"
#include "tap.h"

/* A program that hears of pages and of their commits, and is killed again and
 * again: in the end it has heard of each page that the state has, at least once,
 * and always by the same number. */

#define PAGES 60
#define KILLS 10
#define NUMBERS_MAX 2000
#define ADDRESS_MAX 100
#define SECONDS 100

/* What the program has heard, in memory that outlives it. */
struct heard {
	unsigned pages;  /* on_page */
	unsigned bodies; /* of those, as the server sent them */
	unsigned headers;
	unsigned odd;     /* calls that came out of order, or contradict */
	uint64_t last;    /* number of this run */
	uint64_t told;    /* calls of on_committed */
	uint64_t kill_at; /* that call; 0: none */
	bool is_before;   /* ... returns from it */
	unsigned ends;
	enum pavane_end end;
	char addresses[NUMBERS_MAX][ADDRESS_MAX]; /* by number */
	unsigned times[NUMBERS_MAX];
};

struct course {
	uint16_t port; /* of the server */
	int file;      /* that `heard` lies in */
	struct scratch scratch;
	struct heard *heard;
};

static void on_page(void *ctx, const struct pavane_page *page)
{
	struct heard *heard = ctx;
	size_t len;
	const char *type = pavane_page_header(page, "Content-Type", &len);
	__atomic_add_fetch(&heard->pages, 1, __ATOMIC_RELAXED);
	if (page->status == 200 && page->is_whole && page->body_len > 100 &&
	    page->sha256 && page->attempt == 1)
		__atomic_add_fetch(&heard->bodies, 1, __ATOMIC_RELAXED);
	if (type && len >= 9 && strncmp(type, "text/html", 9) == 0 &&
	    !pavane_page_header(page, "No-Such", &len) && len == 0)
		__atomic_add_fetch(&heard->headers, 1, __ATOMIC_RELAXED);
}

static void note(struct heard *heard, const struct pavane_committed *page)
{
	char *address = heard->addresses[page->number];
	bool is_other =
	    heard->times[page->number] && strcmp(address, page->address) != 0;
	heard->odd += is_other || page->number <= heard->last;
	snprintf(address, ADDRESS_MAX, "%s", page->address);
	heard->times[page->number]++;
	heard->last = page->number;
}

static void on_committed(void *ctx, const struct pavane_committed *page)
{
	struct heard *heard = ctx;
	heard->told++;
	bool is_it = heard->told == heard->kill_at;
	if (is_it && heard->is_before)
		kill(getpid(), SIGKILL);
	if (page->number < NUMBERS_MAX)
		note(heard, page);
	if (is_it)
		kill(getpid(), SIGKILL);
}

static void on_end(void *ctx, enum pavane_end end, const char *reason)
{
	struct heard *heard = ctx;
	(void)reason;
	heard->ends++;
	heard->end = end;
}

static struct pavane_policy *load(const struct course *course)
{
	char address[64];
	snprintf(address, sizeof(address), "http://127.0.0.1:%u/",
	    (unsigned)course->port);
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

static enum pavane_end crawl(const struct course *course)
{
	const struct pavane_events events = {
	    .size = sizeof(events),
	    .on_page = on_page,
	    .on_committed = on_committed,
	    .on_end = on_end,
	};
	struct pavane_policy *policy = load(course);
	const struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = course->scratch.path,
	    .state_dir = course->scratch.path,
	    .events = &events,
	    .ctx = course->heard,
	};
	course->heard->last = 0;
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	enum pavane_end end = crawl ? pavane_crawl_run(crawl) : PAVANE_FAILED;
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return end;
}

/* The program of its own that is killed: what a server's threads hold when a
 * process forks, nobody gives back in the child. */
static void become_program(const struct course *course)
{
	char port[16], file[16];
	snprintf(port, sizeof(port), "%u", (unsigned)course->port);
	snprintf(file, sizeof(file), "%d", course->file);
	execl("/proc/self/exe", "test_committed", course->scratch.path, port,
	    file, (char *)NULL);
	_exit(1);
}

/* Whether it was killed, and not ended. */
static bool crawl_and_die(const struct course *course, uint64_t at)
{
	int status = 0;
	course->heard->told = 0;
	course->heard->kill_at = at;
	course->heard->is_before = at % 2;
	pid_t child = fork();
	if (!child)
		become_program(course);
	waitpid(child, &status, 0);
	course->heard->kill_at = 0;
	return WIFSIGNALED(status);
}

static unsigned count_told(const struct heard *heard)
{
	unsigned count = 0;
	for (size_t i = 0; i < NUMBERS_MAX; i++)
		count += heard->times[i] > 0;
	return count;
}

static unsigned count_twice(const struct heard *heard)
{
	unsigned count = 0;
	for (size_t i = 0; i < NUMBERS_MAX; i++)
		count += heard->times[i] > 1;
	return count;
}

/* Numbers without a gap, from 1. */
static bool is_complete(const struct heard *heard)
{
	unsigned count = count_told(heard);
	for (unsigned i = 1; i <= count; i++) {
		if (!heard->times[i])
			return false;
	}
	return !heard->times[0] && count >= PAGES;
}

static void test_kills(struct course *course)
{
	struct heard *heard = course->heard;
	unsigned killed = 0;
	for (unsigned i = 1; i <= KILLS; i++)
		killed += crawl_and_die(course, 1 + i % 5);
	ok(killed == KILLS, "a program is killed while it hears (%u)", killed);
	ok(crawl(course) == PAVANE_FINISHED, "P3: and goes on to the end");
	ok(is_complete(heard),
	    "P3: it has heard of every page, by numbers without a gap (%u)",
	    count_told(heard));
	ok(!heard->odd, "in order, and each number of one page (%u)",
	    heard->odd);
	ok(count_twice(heard) <= 100, "some of them again, as it may be (%u)",
	    count_twice(heard));
	unsigned before = count_told(heard);
	uint64_t told = heard->told;
	ok(crawl(course) == PAVANE_FINISHED && count_told(heard) == before &&
		heard->told == told,
	    "what it has heard of is not told again after a good end");
}

static void test_pages(struct course *course)
{
	struct heard *heard = course->heard;
	memset(heard, 0, sizeof(*heard));
	scratch_remove(&course->scratch);
	scratch_make(&course->scratch);
	ok(crawl(course) == PAVANE_FINISHED, "another program, not killed");
	ok(heard->pages >= PAGES, "sees each answer (%u)", heard->pages);
	ok(heard->bodies == PAGES && heard->headers >= PAGES,
	    "with status, body, digest and headers (%u, %u)", heard->bodies,
	    heard->headers);
	ok(heard->told == heard->pages, "each of which is committed (%llu)",
	    (unsigned long long)heard->told);
	ok(heard->ends == 1 && heard->end == PAVANE_FINISHED,
	    "and then of the end");
}

static bool map_heard(struct course *course)
{
	course->heard = mmap(NULL, sizeof(*course->heard),
	    PROT_READ | PROT_WRITE, MAP_SHARED, course->file, 0);
	return course->heard != MAP_FAILED;
}

/* The program that is killed: DIRECTORY PORT FILE. */
static int be_program(char **arguments)
{
	struct course course = {
	    .port = (uint16_t)strtoul(arguments[2], NULL, 10),
	    .file = (int)strtol(arguments[3], NULL, 10),
	};
	snprintf(course.scratch.path, sizeof(course.scratch.path), "%s",
	    arguments[1]);
	if (!map_heard(&course))
		return 1;
	crawl(&course);
	return 0;
}

int main(int count, char **arguments)
{
	if (count == 4)
		return be_program(arguments);
	struct site site = {.pages = PAGES, .links = 8, .size = 2000};
	struct server *server = server_start(
	    &(struct server_plan){.answer = site_answer, .ctx = &site});
	struct course course = {
	    .port = server_port(server),
	    .file = memfd_create("heard", 0),
	};
	if (ftruncate(course.file, sizeof(*course.heard)) != 0 ||
	    !map_heard(&course))
		return 1;
	scratch_make(&course.scratch);
	end_after(SECONDS);
	test_kills(&course);
	test_pages(&course);
	end_after(0);
	scratch_remove(&course.scratch);
	munmap(course.heard, sizeof(*course.heard));
	close(course.file);
	server_stop(server);
	return tap_done();
}

#include "pavane/pavane.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* Addresses that are asked for anew, each by itself: what the server has seen of
 * it, and what the journal says. */

#define SECONDS 100

static const struct server_route routes[] = {
    {.path = "/robots.txt",
	.answer = {.body = "User-agent: *\nDisallow: /secret\n"}},
    {.path = "/old",
	.answer = {.status = 301, .headers = "Location: /page#part\r\n"}},
    {.path = "/page", .nth = 2, .answer = {.body = "it is another now"}},
    {.path = "/page", .answer = {.body = "a page"}},
    {.path = "/",
	.answer = {.body = "<a href=/linked>1</a><img src=/image.png>"}},
};

struct course {
	struct server *server;
	struct scratch scratch;
	struct pavane_policy *policy;
	struct pavane_crawl *crawl;
};

static const char *address_of(const struct course *course, const char *path)
{
	static char address[100];
	snprintf(address, sizeof(address), "http://127.0.0.1:%u%s",
	    (unsigned)server_port(course->server), path);
	return address;
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %s\n", line);
}

static void open_course(struct course *course, struct server *server)
{
	static const struct pavane_setting settings[] = {
	    {NULL, "rate.max_rate=1000"},
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "scope.depth=0"},
	};
	*course = (struct course){.server = server};
	const char *const addresses[] = {address_of(course, "/")};
	const struct pavane_sources sources = {
	    .size = sizeof(sources),
	    .settings = settings,
	    .setting_count = sizeof(settings) / sizeof(*settings),
	    .addresses = addresses,
	    .address_count = 1,
	};
	scratch_make(&course->scratch);
	course->policy = pavane_policy_load(&sources);
}

static void begin_by(struct course *course, bool leaves_out_seeds)
{
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	options.directory = course->scratch.path;
	options.state_dir = course->scratch.path;
	options.on_line = on_line;
	options.stays_open = true;
	options.follows_no_links = true;
	options.leaves_out_seeds = leaves_out_seeds;
	course->crawl = pavane_crawl_open(course->policy, &options);
	pavane_crawl_spawn(course->crawl);
}

static void begin(struct course *course)
{
	begin_by(course, false);
}

static void end(struct course *course)
{
	struct pavane_asking asking = PAVANE_INIT(struct pavane_asking);
	asking.wait_ms = -1;
	pavane_crawl_finish(course->crawl, &asking);
	pavane_crawl_join(course->crawl);
	pavane_crawl_close(course->crawl);
}

static enum pavane_answer ask(
    const struct course *course, const char *path, struct pavane_reply *reply)
{
	struct pavane_asking asking = PAVANE_INIT(struct pavane_asking);
	*reply = (struct pavane_reply){.size = sizeof(*reply)};
	asking.wait_ms = -1;
	asking.reply = reply;
	return pavane_crawl_ask(
	    course->crawl, address_of(course, path), NULL, &asking);
}

static size_t requests_of(const struct course *course, const char *path)
{
	struct server_record record;
	size_t count = 0;
	for (size_t i = 0; server_log_get(course->server, i, &record); i++)
		count += pv_str_equal(record.target, pv_str_of(path));
	return count;
}

static void wait_for(
    const struct course *course, const char *path, size_t count)
{
	while (requests_of(course, path) < count)
		sched_yield();
}

/* Until it is on the disk, it waits, or is in flight. */
static enum pavane_answer ask_once_done(
    const struct course *course, const char *path, struct pavane_reply *reply)
{
	enum pavane_answer answer;
	while ((answer = ask(course, path, reply)) == PAVANE_NO &&
	       strcmp(reply->word, "known") == 0)
		sched_yield();
	return answer;
}

/* Lines of the journal that have all of these. */
static unsigned count_lines(const struct course *course, const char *path,
    const char *one, const char *other)
{
	struct pv_buf text;
	char url[120];
	unsigned count = 0;
	snprintf(url, sizeof(url), "\"url\":\"%s\"", address_of(course, path));
	pv_buf_init(&text, SIZE_MAX);
	pv_file_read(scratch_file(&course->scratch, "journal.jsonl"), &text);
	char *line = text.ptr, *next;
	for (; line && (next = strchr(line, '\n')); line = next + 1) {
		*next = '\0';
		count += strstr(line, url) && strstr(line, one) &&
			 strstr(line, other);
	}
	pv_buf_finish(&text);
	return count;
}

static void append(void *ctx, const char *text, size_t len)
{
	pv_buf_append(ctx, (struct pv_str){text, len});
}

static bool is_kept(const struct course *course)
{
	struct pavane_audit_options options =
	    PAVANE_INIT(struct pavane_audit_options);
	struct pv_buf report;
	pv_buf_init(&report, SIZE_MAX);
	options.directory = course->scratch.path;
	options.write = append;
	options.on_line = on_line;
	options.ctx = &report;
	bool is_kept = pavane_audit(&options) == PAVANE_KEPT;
	if (!is_kept)
		printf("# %s\n", pv_buf_text(&report));
	pv_buf_finish(&report);
	return is_kept;
}

static void test_rounds(struct server *server)
{
	struct course course;
	struct pavane_reply reply;
	open_course(&course, server);
	begin(&course);
	ok(ask(&course, "/page", &reply) == PAVANE_YES,
	    "an address that is new is asked for");
	wait_for(&course, "/page", 1);
	ok(ask_once_done(&course, "/page", &reply) == PAVANE_YES,
	    "one that was answered is asked for anew");
	wait_for(&course, "/page", 2);
	end(&course);
	begin(&course);
	ok(ask_once_done(&course, "/page", &reply) == PAVANE_YES,
	    "in the next run as well");
	end(&course);
	ok(requests_of(&course, "/page") == 3 && requests_of(&course, "/") == 1,
	    "so often, and nothing else is (%zu)",
	    requests_of(&course, "/page"));
	ok(count_lines(&course, "/page", "\"final\":true", "") == 3 &&
		count_lines(&course, "/page", "\"final\":true", "\"round\":") ==
		    2 &&
		count_lines(&course, "/page", "\"round\":2,", "") == 1 &&
		count_lines(&course, "/page", "\"round\":3,", "") == 1,
	    "P3: each round has a final line, with its number");
	ok(!requests_of(&course, "/linked") &&
		!requests_of(&course, "/image.png") &&
		!count_lines(&course, "/linked", "", ""),
	    "where links are not followed, they are not even noted");
	ok(is_kept(&course), "P1: and the audit finds all promises kept");
	pavane_policy_destroy(course.policy);
	scratch_remove(&course.scratch);
}

static void test_refused(struct server *server)
{
	struct course course;
	struct pavane_reply reply;
	open_course(&course, server);
	begin(&course);
	ask(&course, "/old", &reply);
	wait_for(&course, "/old", 1);
	ask_once_done(&course, "/old", &reply);
	wait_for(&course, "/old", 2);
	ok(ask(&course, "/secret", &reply) == PAVANE_NO &&
		strcmp(reply.word, "robots") == 0,
	    "what robots.txt forbids is refused (%s)", reply.sentence);
	ok(ask(&course, "/secret", &reply) == PAVANE_NO &&
		strcmp(reply.word, "robots") == 0 &&
		!requests_of(&course, "/secret"),
	    "P2: however often it is asked for");
	ok(ask(&course, "ftp", &reply) == PAVANE_WRONG,
	    "what is no address is said to be none");
	end(&course);
	char moved[140];
	snprintf(moved, sizeof(moved), "\"moved_to\":\"%s\"",
	    address_of(&course, "/page#part"));
	ok(count_lines(&course, "/old", "\"status\":301", moved) == 2,
	    "the line of a redirect says where it leads");
	pavane_policy_destroy(course.policy);
	scratch_remove(&course.scratch);
}

static bool explains(
    const struct course *course, const char *path, const char *said)
{
	struct pv_buf text;
	struct pavane_explain_options options =
	    PAVANE_INIT(struct pavane_explain_options);
	options.directory = course->scratch.path;
	options.on_line = on_line;
	struct pavane_explainer *explainer =
	    pavane_explainer_open(course->policy, &options);
	pv_buf_init(&text, 1 << 20);
	pavane_explain(explainer, address_of(course, path), append, &text);
	bool is_said = strstr(pv_buf_text(&text), said);
	if (!is_said)
		printf("# %s\n", pv_buf_text(&text));
	pavane_explainer_close(explainer);
	pv_buf_finish(&text);
	return is_said;
}

/* Of such a crawl each address stands for itself: no seed leads to it. */
static void test_explained(struct server *server)
{
	struct course course;
	struct pavane_reply reply;
	open_course(&course, server);
	begin(&course);
	ask(&course, "/old", &reply);
	wait_for(&course, "/old", 1);
	ask_once_done(&course, "/page", &reply);
	end(&course);
	ok(explains(&course, "/old",
	       "it was requested: answered 301; and is again when somebody "
	       "asks for it"),
	    "P4: an address that was asked for is explained");
	ok(explains(&course, "/old", "asked for by itself"),
	    "as one that nothing leads to");
	ok(explains(&course, "/page", "it was requested: answered 200"),
	    "so is where it redirects");
	ok(explains(&course, "/another", "it would be fetched"),
	    "P4: and one that nobody has asked for yet would be fetched");
	ok(explains(&course, "/secret", "robots.txt"),
	    "unless robots.txt forbids it");
	pavane_policy_destroy(course.policy);
	scratch_remove(&course.scratch);
}

/* However fast the crawl is, it has not asked for the seed before it is told to. */
static void test_without_seeds(struct server *server)
{
	struct course course;
	struct pavane_reply reply;
	size_t before = requests_of(&(struct course){.server = server}, "/");
	open_course(&course, server);
	begin_by(&course, true);
	ask(&course, "/page", &reply);
	while (count_lines(&course, "/page", "\"final\":true", "") == 0)
		sched_yield();
	ok(requests_of(&course, "/") == before,
	    "a crawl that leaves out its seeds asks for what it is told");
	ok(ask(&course, "/", &reply) == PAVANE_YES,
	    "its seed is as new to it as any other address (%s)",
	    reply.sentence);
	end(&course);
	ok(requests_of(&course, "/") == before + 1 &&
		count_lines(&course, "/", "\"final\":true", "") == 1,
	    "and is asked for once");
	pavane_policy_destroy(course.policy);
	scratch_remove(&course.scratch);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_rounds(server);
	test_refused(server);
	test_explained(server);
	test_without_seeds(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}

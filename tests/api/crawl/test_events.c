#include "pavane/pavane.h"

#include <unistd.h>

#include "base/file.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* A program that hears of its crawl, and has a say in it: a site of a page with
 * links of each kind, by real sockets. */

#define SECONDS 60

struct course {
	struct server *server;
	struct scratch scratch;
	unsigned asked;
	unsigned again;
	unsigned homeless;  /* found on no page */
	char refused[1000]; /* a line for each call of on_refused */
	bool refuses;       /* PDFs */
	bool admits;        /* what is denied by a rule */
};

static const char front[] =
    "<a href=a.pdf>a</a><a href=b.html>b</a><a href=denied/c.html>c</a>"
    "<a href=secret/d.html>d</a><img src=e.png>"
    "<a rel=nofollow href=denied/f.html>f</a>";

static bool answer_page(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	answer->headers = "Content-Type: text/html\r\n";
	answer->body = pv_str_equal(request->path, PV_STR("/")) ? front : "x";
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->headers = "Content-Type: text/plain\r\n";
		answer->body = "User-agent: *\nDisallow: /secret/\n";
	}
	return true;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);
	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static enum pavane_choice on_link(
    void *ctx, const struct pavane_link *link, struct pavane_refusal *refusal)
{
	struct course *course = ctx;
	__atomic_add_fetch(&course->asked, 1, __ATOMIC_RELAXED);
	if (!link->page[0] && link->place == PAVANE_LINK)
		__atomic_add_fetch(&course->homeless, 1, __ATOMIC_RELAXED);
	if (link->place == PAVANE_AGAIN)
		__atomic_add_fetch(&course->again, 1, __ATOMIC_RELAXED);
	if (course->refuses && ends_with(link->address, ".pdf")) {
		refusal->word = "no-pdf";
		refusal->sentence = "we want no PDF";
		return PAVANE_REFUSE;
	}
	return course->admits ? PAVANE_ADMIT : PAVANE_AS_IT_IS;
}

/* On one thread, and before the crawl is closed. */
static void on_refused(void *ctx, const struct pavane_refused *refused)
{
	struct course *course = ctx;
	size_t len = strlen(course->refused);
	snprintf(course->refused + len, sizeof(course->refused) - len,
	    "%s %u %s%s\n", refused->reason, (unsigned)refused->line,
	    strrchr(refused->address, '/'), *refused->via ? "" : " seed");
}

static struct pavane_policy *load(
    const struct course *course, const char *assignment)
{
	char address[64];
	snprintf(address, sizeof(address), "http://127.0.0.1:%u/",
	    (unsigned)server_port(course->server));
	const struct pavane_setting settings[] = {
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "scope.rules=[{deny: {path: \"/denied/*\"}}]"},
	    {NULL, assignment},
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

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %s\n", line);
}

static enum pavane_end crawl(struct course *course, const char *assignment)
{
	const struct pavane_events events = {
	    .size = sizeof(events),
	    .on_link = on_link,
	    .on_refused = on_refused,
	};
	struct pavane_policy *policy = load(course, assignment);
	const struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = course->scratch.path,
	    .state_dir = course->scratch.path,
	    .level = PAVANE_WARNING,
	    .on_line = on_line,
	    .events = &events,
	    .ctx = course,
	};
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	enum pavane_end end = crawl ? pavane_crawl_run(crawl) : PAVANE_FAILED;
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return end;
}

static bool was_requested(const struct course *course, const char *path)
{
	struct server_record record;
	for (size_t i = 0; server_log_get(course->server, i, &record); i++) {
		if (pv_str_equal(record.target, pv_str_of(path)))
			return true;
	}
	return false;
}

static bool journal_has(const struct course *course, const char *part)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	bool is_read =
	    pv_file_read(scratch_file(&course->scratch, "journal.jsonl"),
		&text) == PV_FILE_READ;
	bool is_there = is_read && strstr(pv_buf_text(&text), part);
	pv_buf_finish(&text);
	return is_there;
}

static void write_out(void *ctx, const char *text, size_t len)
{
	pv_buf_append(ctx, (struct pv_str){text, len});
}

/* What `pavane explain` says of that path of the site. */
static bool is_explained(
    const struct course *course, const char *path, const char *part)
{
	char address[100];
	struct pv_buf text;
	snprintf(address, sizeof(address), "http://127.0.0.1:%u%s",
	    (unsigned)server_port(course->server), path);
	struct pavane_policy *policy = load(course, "version=1");
	const struct pavane_explain_options options = {
	    .size = sizeof(struct pavane_explain_options),
	    .directory = course->scratch.path};
	struct pavane_explainer *explainer =
	    pavane_explainer_open(policy, &options);
	pv_buf_init(&text, SIZE_MAX);
	if (explainer)
		pavane_explain(explainer, address, write_out, &text);
	bool is_there = strstr(pv_buf_text(&text), part);
	if (!is_there)
		printf("# %s\n", pv_buf_text(&text));
	pv_buf_finish(&text);
	pavane_explainer_close(explainer);
	pavane_policy_destroy(policy);
	return is_there;
}

static unsigned count_lines(const char *text)
{
	unsigned count = 0;
	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void test_refusing(struct course *course)
{
	course->refuses = true;
	ok(crawl(course, "version=1") == PAVANE_FINISHED,
	    "a program has a say in a crawl");
	ok(course->asked >= 5, "it is asked for each link (%u)", course->asked);
	ok(!course->homeless, "and not for its seeds");
	ok(was_requested(course, "/b.html") && was_requested(course, "/e.png"),
	    "what it leaves is requested");
	ok(!was_requested(course, "/a.pdf"), "what it refuses is not");
	ok(!was_requested(course, "/denied/c.html"),
	    "nor what the policy denies");
	ok(journal_has(course, "\"reason\":\"program\",\"word\":\"no-pdf\""),
	    "P4: its word stands in the journal");
	ok(journal_has(course, "\"why\":\"we want no PDF\""),
	    "P4: and its sentence");
	ok(strstr(course->refused, "no-pdf 0 /a.pdf\n") &&
		strstr(course->refused, "rule 1 /c.html\n") &&
		strstr(course->refused, "robots 2 /d.html\n") &&
		count_lines(course->refused) == 4,
	    "P4: the program hears of each refusal once");
	if (count_lines(course->refused) != 4)
		printf("# %s\n", course->refused);
	ok(is_explained(course, "/a.pdf",
	       "it was left out: refused by the program that runs the crawl "
	       "(no-pdf: we want no PDF)"),
	    "P4: explain says both from the state");
}

/* Another policy has what it refused judged again. */
static void test_admitting_again(struct course *course)
{
	course->admits = true;
	course->refuses = false;
	ok(crawl(course, "scope.max_url=1900") == PAVANE_FINISHED,
	    "with another policy it is asked again");
	ok(course->again > 0, "for what was refused (%u)", course->again);
	ok(was_requested(course, "/denied/c.html"),
	    "what it admits is requested");
	ok(!was_requested(course, "/secret/d.html"),
	    "P2: but not what robots.txt forbids");
	ok(!was_requested(course, "/a.pdf"),
	    "what it refused itself stays refused");
}

/* From the beginning, so that the links of the page are judged. */
static void test_admitting(struct course *course)
{
	scratch_remove(&course->scratch);
	scratch_make(&course->scratch);
	ok(crawl(course, "version=1") == PAVANE_FINISHED,
	    "a crawl is begun with all admitted");
	ok(was_requested(course, "/a.pdf"), "it has what was refused before");
	ok(!was_requested(course, "/denied/f.html"),
	    "P2: but not what its page asks not to follow");
}

int main(void)
{
	struct course course = {.asked = 0};
	course.server =
	    server_start(&(struct server_plan){.answer = answer_page});
	scratch_make(&course.scratch);
	end_after(SECONDS);
	test_refusing(&course);
	test_admitting_again(&course);
	test_admitting(&course);
	end_after(0);
	scratch_remove(&course.scratch);
	server_stop(course.server);
	return tap_done();
}

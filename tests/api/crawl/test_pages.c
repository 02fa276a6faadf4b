#include "pavane/pavane.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

#include "base/file.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* A program that adds rows and links to the pages that it is shown, by real
 * sockets. */

#define SECONDS 60

struct course {
	struct server *server;
	struct scratch scratch;
	pthread_mutex_t mutex; /* of what follows: pages come on any thread */
	bool gives;            /* rows */
	unsigned links;        /* that were added and taken */
	unsigned refused;      /* by on_refused, by robots */
	unsigned asked;        /* by on_link, of what was added */
	unsigned lost;         /* links and rows that the counts do not have */
	char whys[2000];       /* a line for each refusal of a row or link */
	char seen[4000];       /* what it sees of pages, a line each */
	bool is_timed;         /* and how long the first one took */
};

static bool answer_page(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	answer->headers = "Content-Type: text/html\r\n";
	answer->body = "<p>nothing</p>";
	if (pv_str_equal(request->path, PV_STR("/")))
		answer->body = "<meta name=robots content=nofollow>"
			       "<a href=/item>i</a><h1>One</h1>";
	if (pv_str_equal(request->path, PV_STR("/missing")))
		answer->status = 404;
	if (pv_str_equal(request->path, PV_STR("/moved"))) {
		answer->status = 301;
		answer->headers = "Location: /added.html\r\n";
	}
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->headers = "Content-Type: text/plain\r\n";
		answer->body = "User-agent: *\nDisallow: /secret/\n";
	}
	return true;
}

static void expect(
    struct course *course, const struct pavane_page *page, bool is_taken)
{
	size_t len = strlen(course->whys);
	const char *why = pavane_page_why(page);
	if (!is_taken)
		snprintf(course->whys + len, sizeof(course->whys) - len, "%s\n",
		    why);
	else if (*why)
		course->lost++;
}

static void add_row(struct course *course, const struct pavane_page *page,
    const char *kind, const char *json)
{
	size_t count = page->row_count;
	bool is_taken = pavane_page_add_row(page, kind, json);
	if (page->row_count != count + is_taken)
		course->lost++;
	expect(course, page, is_taken);
}

static void add_link(struct course *course, const struct pavane_page *page,
    const char *address, enum pavane_place as)
{
	bool is_taken = pavane_page_add_link(page, address, as);
	course->links += is_taken;
	expect(course, page, is_taken);
}

/* Looking at pages */

static void note(struct course *course, const char *format, ...)
{
	size_t len = strlen(course->seen);
	va_list list;
	va_start(list, format);
	vsnprintf(course->seen + len, sizeof(course->seen) - len, format, list);
	va_end(list);
}

static void note_headers(struct course *course, const struct pavane_page *page)
{
	struct pavane_header header = PAVANE_INIT(struct pavane_header);
	for (size_t i = 0; pavane_page_header_at(page, i, &header); i++)
		note(course, "%.*s: %.*s\n", (int)header.name_len, header.name,
		    (int)header.value_len, header.value);
	if (pavane_page_header_at(page, page->header_count, &header))
		course->lost++;
	header.size = 0;
	if (pavane_page_header_at(page, 0, &header))
		course->lost++;
}

static void note_links(struct course *course, const struct pavane_page *page)
{
	struct pavane_page_link link = PAVANE_INIT(struct pavane_page_link);
	for (size_t i = 0; i < page->link_count; i++) {
		if (!pavane_page_link(page, i, &link))
			course->lost++;
		else
			note(course, "%s %s %s\n",
			    strchr(link.address + strlen("http://"), '/'),
			    link.is_page ? "page" : "part", link.verdict);
	}
	if (pavane_page_link(page, page->link_count, &link))
		course->lost++;
	link.size = 0;
	if (pavane_page_link(page, 0, &link))
		course->lost++;
}

static void note_page(struct course *course, const struct pavane_page *page)
{
	const char *moved_to = page->moved_to + strcspn(page->moved_to, ":");
	note(course, "kind: %s; moved to: %s\n", page->kind,
	    *moved_to ? strchr(moved_to + strlen("://"), '/') : "");
	note_headers(course, page);
	note_links(course, page);
	for (size_t i = 0; i < page->row_count; i++)
		note(course, "%s\n", pavane_page_row(page, i));
	if (pavane_page_row(page, page->row_count))
		course->lost++;
}

static void add_to_front(struct course *course, const struct pavane_page *page)
{
	add_row(course, page, "item", "{\"title\":\"Two\",\"price\":12.50}");
	add_row(course, page, "item", "{\"price\":\"1\"}");
	add_row(course, page, "item", "{\"titel\":\"x\"}");
	add_row(course, page, "item", "[1]");
	add_row(course, page, "item", "{");
	add_row(course, page, "none", "{}");
	add_row(course, page, "lead", "{}");
	add_row(course, page, "other", "{\"title\":\"x\"}");
	add_link(course, page, "added.html", PAVANE_LINK);
	add_link(course, page, "/missing", PAVANE_LINK);
	add_link(course, page, "/added.png", PAVANE_RESOURCE);
	add_link(course, page, "/moved", PAVANE_LINK);
	add_link(course, page, "/secret/x", PAVANE_LINK);
	add_link(course, page, "http://other.test/", PAVANE_LINK);
	add_link(course, page, "mailto:a@b.test", PAVANE_LINK);
	add_link(course, page, "/s.xml", PAVANE_SITEMAP);
}

static void on_page(void *ctx, const struct pavane_page *page)
{
	struct course *course = ctx;
	pthread_mutex_lock(&course->mutex);
	const char *path = strchr(page->address + strlen("http://"), '/');
	if (strcmp(path, "/") == 0 && course->gives) {
		course->is_timed = page->connect_ms >= 0 && page->tls_ms <= 0 &&
				   page->first_byte_ms >= 0 &&
				   page->total_ms >= page->first_byte_ms;
		add_to_front(course, page);
	} else if (strcmp(path, "/added.html") == 0 && course->gives)
		add_row(course, page, "other",
		    "{\"title\":\"Three\",\"tags\":[\"a\",\"b\",\"c\",\"d\"]}");
	else if (strcmp(path, "/missing") == 0 && course->gives)
		add_row(course, page, "other", "{\"title\":\"x\"}");
	else if (strcmp(path, "/added.png") == 0)
		add_link(course, page, "/x", PAVANE_LINK);
	if (course->gives &&
	    (strcmp(path, "/") == 0 || strcmp(path, "/moved") == 0))
		note_page(course, page);
	pthread_mutex_unlock(&course->mutex);
}

static enum pavane_choice on_link(
    void *ctx, const struct pavane_link *link, struct pavane_refusal *refusal)
{
	struct course *course = ctx;
	(void)refusal;
	if (strstr(link->address, "added.html"))
		atomic_fetch_add(&course->asked, 1);
	return PAVANE_AS_IT_IS;
}

static void on_refused(void *ctx, const struct pavane_refused *refused)
{
	struct course *course = ctx;
	course->refused += strcmp(refused->reason, "robots") == 0 ||
			   strcmp(refused->reason, "host") == 0;
}

static struct pavane_policy *load(const struct course *course)
{
	char address[64];
	snprintf(address, sizeof(address), "http://127.0.0.1:%u/",
	    (unsigned)server_port(course->server));
	static const struct pavane_setting settings[] = {
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "scope.requisites=true"},
	    {NULL,
		"pages={item: {match: {path: /}, fields: {title: {css: h1, "
		"required: true}, price: {css: b, type: number}}}, other: "
		"{fields: {title: h1, tags: {css: i, many: true}}}, lead: {follow: [{css: a, as: "
		"item}]}}"},
	    {NULL,
		"output={mirror: {}, fields: {forms: [jsonl], max_rows: 3}}"},
	};
	const char *const addresses[] = {address};
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	sources.settings = settings;
	sources.setting_count = sizeof(settings) / sizeof(*settings);
	sources.addresses = addresses;
	sources.address_count = 1;
	return pavane_policy_load(&sources);
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %s\n", line);
}

static enum pavane_end crawl(struct course *course, bool is_update)
{
	const struct pavane_events events = {
	    .size = sizeof(events),
	    .on_link = on_link,
	    .on_page = on_page,
	    .on_refused = on_refused,
	};
	struct pavane_policy *policy = load(course);
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	options.directory = course->scratch.path;
	options.state_dir = course->scratch.path;
	options.is_update = is_update;
	options.level = PAVANE_WARNING;
	options.on_line = on_line;
	options.events = &events;
	options.ctx = course;
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

static bool file_has(
    const struct course *course, const char *name, const char *part)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	pv_file_read(scratch_file(&course->scratch, name), &text);
	bool is_there = strstr(pv_buf_text(&text), part);
	if (!is_there)
		printf("# %s: %s\n", name, pv_buf_text(&text));
	pv_buf_finish(&text);
	return is_there;
}

static uint64_t count_rows(const struct course *course, const char *kind)
{
	struct pavane_rows *rows = pavane_rows_read(course->scratch.path);
	uint64_t count = 0;
	for (size_t i = 0; rows && i < rows->count; i++) {
		if (strcmp(rows->counts[i].kind, kind) == 0)
			count = rows->counts[i].rows;
	}
	pavane_rows_destroy(rows);
	return count;
}

static void test_links(struct course *course)
{
	ok(was_requested(course, "/added.html") &&
		was_requested(course, "/missing") &&
		was_requested(course, "/added.png"),
	    "links that a program adds are requested, though the page asks not "
	    "to follow its own");
	ok(!was_requested(course, "/item"), "as for its own is heeded");
	ok(!was_requested(course, "/secret/x") && course->refused == 2,
	    "P2: scope and robots.txt hold for them (%u)", course->refused);
	ok(course->asked == 1, "the program is asked about them itself (%u)",
	    course->asked);
	ok(course->links == 6, "what is refused so was taken (%u)",
	    course->links);
}

static void test_values(struct course *course)
{
	static const char front[] = "kind: item; moved to: \n";
	printf("# %s\n", course->seen);
	ok(strncmp(course->seen, front, strlen(front)) == 0,
	    "a program sees of which kind a page is");
	ok(course->is_timed, "and what the time of its request went into");
	ok(strstr(course->seen, "Content-Type: text/html\n"),
	    "its headers one by one");
	ok(strstr(course->seen, "/added.html page admitted\n") &&
		strstr(course->seen, "/item page meta-robots\n") &&
		strstr(course->seen, "/added.png part admitted\n") &&
		strstr(course->seen, "/ page host\n"),
	    "its links with the verdict on each");
	ok(strstr(course->seen, "\n{\"title\":\"One\",\"price\":null}\n"
				"{\"title\":\"Two\",\"price\":12.50}\n"),
	    "its rows, those that it has added itself included");
	ok(strstr(course->seen, "kind: ; moved to: /added.html\n"),
	    "and where a redirect leads");
}

static void test_rows(struct course *course)
{
	ok(file_has(course, "fields/item.jsonl", "\"_item\":2,") &&
		file_has(course, "fields/item.jsonl",
		    "\"_change\":\"new\",\"title\":\"Two\",\"price\":12.50}"),
	    "a row that a program adds stands behind the page's own");
	ok(count_rows(course, "item") == 2, "and is counted with it (%u)",
	    (unsigned)count_rows(course, "item"));
	ok(file_has(course, "fields/other.jsonl", "\"title\":\"Three\"") &&
		count_rows(course, "other") == 1,
	    "so does one of a page that is of no kind");
	static const char front[] =
	    "the field \"title\" of \"item\" is required, and has no value\n"
	    "\"titel\" is no field of a row of \"item\"\n"
	    "the JSON is no object\n"
	    "what was given is no JSON\n"
	    "the policy has no kind of pages \"none\" (pages)\n"
	    "the kind \"lead\" has no fields, and so no rows\n"
	    "the page has rows of the kind \"item\", and a page has rows of "
	    "one kind\n"
	    "only addresses of http and https are requested\n"
	    "what is added is a link or a resource (PAVANE_LINK, "
	    "PAVANE_RESOURCE)\n";
	ok(strncmp(course->whys, front, strlen(front)) == 0 &&
		strstr(course->whys, "leads to no pages\n") &&
		strstr(course->whys, "only an answer of 200 to 299"),
	    "P4: what is refused is so in words: %s", course->whys);
	ok(file_has(course, "fields/other.jsonl", "[\"a\",\"b\",\"c\"]") &&
		file_has(course, "fields/problems.jsonl", "too many"),
	    "P4: values beyond output.fields.max_rows are left out, and that "
	    "is said");
	ok(!course->lost, "counts of the page have all that was taken (%u)",
	    course->lost);
}

static void keep_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)level;
	snprintf(ctx, 200, "%s", line);
}

static void test_fields(struct course *course)
{
	char line[200] = "";
	struct pavane_fields_options options =
	    PAVANE_INIT(struct pavane_fields_options);
	struct pavane_fields_made made = PAVANE_INIT(struct pavane_fields_made);
	options.directory = course->scratch.path;
	options.on_line = keep_line;
	options.ctx = line;
	ok(!pavane_fields(&options, &made) &&
		strstr(line, "gave rows of its own"),
	    "rows that nothing could make anew are not lost: %s", line);
	ok(count_rows(course, "item") == 2, "all of them stay");
}

static void test_update(struct course *course)
{
	course->gives = false;
	ok(crawl(course, true) == PAVANE_FINISHED, "an update without them");
	ok(count_rows(course, "item") == 1 && count_rows(course, "other") == 0,
	    "rows that are not added again are gone (%u, %u)",
	    (unsigned)count_rows(course, "item"),
	    (unsigned)count_rows(course, "other"));
	ok(file_has(course, "fields/other.jsonl", "\"_change\":\"gone\""),
	    "which is told");
}

int main(void)
{
	struct course course = {
	    .mutex = PTHREAD_MUTEX_INITIALIZER, .gives = true};
	course.server =
	    server_start(&(struct server_plan){.answer = answer_page});
	scratch_make(&course.scratch);
	end_after(SECONDS);
	ok(crawl(&course, false) == PAVANE_FINISHED,
	    "a program adds rows and links to pages");
	test_links(&course);
	test_values(&course);
	test_rows(&course);
	test_fields(&course);
	test_update(&course);
	end_after(0);
	scratch_remove(&course.scratch);
	server_stop(course.server);
	return tap_done();
}

#include <stdatomic.h>
#include <time.h>

#include "base/reader.h"
#include "crawl/polite_scene.h"
#include "together.h"

/* Hosts that may be asked at some hours only, by the policy or by their own
 * robots.txt: they wait, others go on, and people are told (P1, P4). The hours
 * are made of the present one, so that the test means the same at any time. */

#define HOUR 3600

/* That began an hour ago, and that begin in two hours or three, with the day's
 * minutes in them or without. */
struct hours {
	char open[64];
	char shut[64];
	char there[64]; /* open, by a clock nine hours ahead */
	char visits_open[80];
	char visits_shut[80];
	time_t opens_at; /* what is shut */
};

struct span {
	time_t from;
	time_t to;
};

static void write_span(const char *form, struct span span, char text[64])
{
	struct tm from, to;
	struct pv_buf buf;
	pv_buf_init(&buf, 63);
	gmtime_r(&span.from, &from);
	gmtime_r(&span.to, &to);
	for (; *form; form++) {
		if (*form == '1' || *form == '2')
			pv_buf_append_format(&buf, "%02d",
			    *form == '1' ? from.tm_hour : to.tm_hour);
		else
			pv_buf_append_char(&buf, *form);
	}
	memcpy(text, pv_buf_text(&buf), buf.len + 1);
	pv_buf_finish(&buf);
}

#define ALLOWED(zone) "allowed_hours: [\"1:00-2:00\"], timezone: " zone
#define VISIT_TIME "User-agent: *\nVisit-time: 100-200\n"

static void find_hours(struct hours *hours)
{
	time_t now = time(NULL);
	struct span open = {now - HOUR, now + 2 * HOUR};
	struct span shut = {now + 3 * HOUR, now + 5 * HOUR};
	struct span there = {open.from + 9 * HOUR, open.to + 9 * HOUR};
	write_span(ALLOWED("UTC"), open, hours->open);
	write_span(ALLOWED("UTC"), shut, hours->shut);
	write_span(ALLOWED("\"+09:00\""), there, hours->there);
	write_span(VISIT_TIME, open, hours->visits_open);
	write_span(VISIT_TIME, shut, hours->visits_shut);
	hours->opens_at = shut.from / HOUR * HOUR;
}

/* The pages of one host are a chain, which ends when `pavane status` has said
 * what it is asked for, so that somebody goes on until then. */
#define CHAIN_LEAST 30
#define CHAIN_MOST 2000

static atomic_bool has_been_said;

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct pv_reader reader = pv_reader_of(request->path);
	uint64_t page = 0;
	(void)ctx;
	if (!pv_reader_accept_str(&reader, PV_STR("/p")) ||
	    !pv_reader_take_number(&reader, CHAIN_MOST, &page))
		return false;
	bool is_last =
	    page >= (atomic_load(&has_been_said) ? CHAIN_LEAST : CHAIN_MOST);
	pv_buf_append_text(answer->own_body, "a page");
	if (pv_str_equal(request->host, PV_STR("always.test")) && !is_last)
		pv_buf_append_format(
		    answer->own_body, "<a href=/p%u>", (unsigned)page + 1);
	return true;
}

/* Whether all of the chain was asked for. */
static bool is_chain_whole(struct crawl_scene *scene)
{
	size_t asked = polite_asked(scene, "always.test", "/p*");
	return asked >= CHAIN_LEAST && asked < CHAIN_MOST &&
	       polite_ends(scene, "always.test", "\"status\":200") == asked;
}

/* Whether `pavane status` says so before the crawl ends. */
static bool says_so(struct crawl_scene *scene, const char *text)
{
	static const char *const arguments[] = {"status", "o", NULL};
	struct program_end end;
	bool has_said = false;
	size_t seen = 0;
	while (!has_said && server_wait(scene->server, seen + 1, HANG_MS)) {
		struct pv_buf said;
		pv_buf_init(&said, 1 << 16);
		seen = server_log_count(scene->server);
		program_run(&scene->home, arguments, &said, &end);
		has_said = strstr(pv_buf_text(&said), text) != NULL &&
			   strstr(pv_buf_text(&said), "running") != NULL;
		pv_buf_finish(&said);
	}
	atomic_store(&has_been_said, true);
	return has_said;
}

static void is_told(struct crawl_scene *scene, const struct hours *hours,
    const char *host, const char *what)
{
	char time[32], text[160];
	struct tm parts;
	localtime_r(&hours->opens_at, &parts);
	strftime(time, sizeof(time), "%H:%M:%S", &parts);
	snprintf(
	    text, sizeof(text), "%s waits until %s for %s", host, time, what);
	ok(says_so(scene, text), "P4: while others go on, status says: %s",
	    text);
}

/* The policy's hours */

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
};

#define MANNERS "politeness: {delay: 150ms, delay_factor: 0, ip_delay: 0}\n"

static void test_allowed(const struct hours *hours)
{
	const struct polite_host hosts[] = {
	    {"open", "p{1..3}", hours->open, 0},
	    {"shut", "p{1..3}", hours->shut, 0},
	    {"there", "p{1..3}", hours->there, 0},
	    {"always", "p1", NULL, 0},
	};
	struct crawl_scene scene;
	struct polite_plan plan = {POLITE_HOSTS(hosts), POLITE_ROUTES(routes),
	    .answer = answer, .policy = MANNERS};
	if (polite_open(&scene, &plan)) {
		crawl_scene_start(&scene);
		is_told(
		    &scene, hours, "shut.test", "the policy's allowed_hours");
		ok(crawl_scene_wait(&scene, HANG_MS) == 4,
		    "a crawl of which a host may not be asked for hours ends "
		    "by limits.wait");
		ok(polite_asked(&scene, "shut.test", NULL) == 0,
		    "P1: out of its hours it is asked for nothing, not even "
		    "robots.txt");
		ok(polite_asked(&scene, "open.test", "/p*") == 3 &&
			polite_asked(&scene, "there.test", "/p*") == 3 &&
			is_chain_whole(&scene),
		    "who is within them is asked, by the clock of where that "
		    "is, and so are all others");
		ok(crawl_scene_run(&scene, HANG_MS) == 4 &&
			polite_asked(&scene, "shut.test", NULL) == 0,
		    "P3: another run waits for them as well");
		polite_audit(&scene);
		ok(crawl_scene_status(&scene, "\"pending\":") == 3,
		    "and nothing of it is lost");
	}
	crawl_scene_close(&scene);
}

/* Those of robots.txt */

static void test_visit_time(const struct hours *hours)
{
	const struct polite_host hosts[] = {
	    {"comes", "p{1..3}", NULL, 0},
	    {"wanted", "p{1..3}", NULL, 0},
	    {"both", "p{1..3}", hours->open, 0},
	    {"always", "p1", NULL, 0},
	};
	const struct server_route visit_routes[] = {
	    {.host = "wanted.test",
		.path = "/robots.txt",
		.answer = POLITE_TEXT(hours->visits_open)},
	    {.host = "always.test",
		.path = "/robots.txt",
		.answer = {.status = 404}},
	    {.path = "/robots.txt", .answer = POLITE_TEXT(hours->visits_shut)},
	};
	struct crawl_scene scene;
	struct polite_plan plan = {POLITE_HOSTS(hosts),
	    POLITE_ROUTES(visit_routes), .answer = answer, .policy = MANNERS};
	if (polite_open(&scene, &plan)) {
		crawl_scene_start(&scene);
		is_told(
		    &scene, hours, "test", "the Visit-time of its robots.txt");
		ok(crawl_scene_wait(&scene, HANG_MS) == 4,
		    "a crawl of which hosts want no visits for hours ends by "
		    "limits.wait");
		ok(polite_asked(&scene, "wanted.test", "/p*") == 3 &&
			is_chain_whole(&scene),
		    "within a Visit-time a host is asked");
		ok(polite_asked(&scene, "comes.test", "/p*") == 0 &&
			polite_asked(&scene, "both.test", "/p*") == 0,
		    "P1: out of it no host is, whatever the policy allows");
		ok(crawl_scene_run(&scene, HANG_MS) == 4 &&
			polite_asked(&scene, "comes.test", NULL) == 1 &&
			polite_asked(&scene, "both.test", NULL) == 1,
		    "P3: another run remembers, and asks for nothing at all");
		polite_audit(&scene);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	struct hours hours;
	/* As the program, which gets no variables from us, tells hours. */
	unsetenv("TZ");
	tzset();
	find_hours(&hours);
	together(&all, test_allowed(&hours));
	together(&all, test_visit_time(&hours));
	together_end(&all);
	return tap_done();
}

#include "base/system.h"

#include "base/reader.h"
#include "crawl/scene.h"

/* Sites that would go on for ever, each in its own way, in one crawl: it ends
 * by itself, all else has been fetched, and what was left out says why. A way
 * more is a row. */

#define GOOD 3 /* pages beside each trap */

/* Links of a trap: from the target of the page they stand in, as HTML. */
typedef void (*write_links_fn)(struct pv_str target, struct pv_buf *html);

static void write_link(struct pv_str address, struct pv_buf *html)
{
	pv_buf_append_text(html, "<a href=\"");
	pv_buf_append(html, address);
	pv_buf_append_text(html, "\">on</a>\n");
}

/* The number behind the last of these bytes; negative behind "=-". */
static int number_behind(struct pv_str target, char byte)
{
	size_t at = pv_str_find_last(target, byte);
	return at == PV_NOT_FOUND ? 0 : atoi(target.ptr + at + 1);
}

/* Months as "/2031/05" or in any other form of two numbers. */
static void write_month(const char *form, int month, struct pv_buf *html)
{
	pv_buf_append_text(html, "<a href=\"");
	for (; *form; form++) {
		if (*form == 'Y')
			pv_buf_append_format(html, "%04d", month / 12);
		else if (*form == 'M')
			pv_buf_append_format(html, "%02d", month % 12 + 1);
		else
			pv_buf_append_char(html, *form);
	}
	pv_buf_append_text(html, "\">month</a>\n");
}

static int month_now(void)
{
	int64_t days = pv_time_now().wall_ms / 86400000;
	return (int)(1970 * 12 + days * 12 / 366);
}

/* The month after it and the one before. */
static void write_months(const char *form, int month, struct pv_buf *html)
{
	write_month(form, (month ? month : month_now()) + 1, html);
	write_month(form, (month ? month : month_now()) - 1, html);
}

static void month_paths(struct pv_str target, struct pv_buf *html)
{
	int month = 0;
	if (target.len == 8)
		month = atoi(target.ptr + 1) * 12 + atoi(target.ptr + 6) - 1;
	write_months("/Y/M", month, html);
}

static void month_values(struct pv_str target, struct pv_buf *html)
{
	int month = 0;
	size_t at = pv_str_find(target, '=');
	if (at != PV_NOT_FOUND)
		month = atoi(target.ptr + at + 1) * 12 +
			number_behind(target, '=') - 1;
	write_months("/show?year=Y&amp;month=M", month, html);
}

static void counters(struct pv_str target, struct pv_buf *html)
{
	int month = number_behind(target, '=');
	for (int step = -1; step <= 1; step += 2) {
		pv_buf_append_format(html,
		    "<a href=\"/calendar?month=%d\">month</a>\n", month + step);
	}
}

/* A parameter more for each page: "?f1=on&f2=on". */
static void new_parameters(struct pv_str target, struct pv_buf *html)
{
	struct pv_buf next;
	bool is_first = pv_str_find(target, '?') == PV_NOT_FOUND;
	pv_buf_init(&next, 65536);
	pv_buf_append(&next, target);
	pv_buf_append_format(
	    &next, "%cf%zu=on", is_first ? '?' : '&', target.len);
	write_link(pv_buf_str(&next), html);
	pv_buf_finish(&next);
}

static void same_parameter(struct pv_str target, struct pv_buf *html)
{
	struct pv_buf next;
	bool is_first = pv_str_find(target, '?') == PV_NOT_FOUND;
	pv_buf_init(&next, 65536);
	pv_buf_append(&next, target);
	pv_buf_append_text(&next, is_first ? "?lang=en" : "&lang=en");
	write_link(pv_buf_str(&next), html);
	pv_buf_finish(&next);
}

/* Its own address, with a byte written as something longer. */
static void rewritten(struct pv_str target, const char *first, char byte,
    const char *instead, struct pv_buf *html)
{
	struct pv_buf next;
	pv_buf_init(&next, 65536);
	for (size_t i = 0; i < target.len; i++) {
		if (target.ptr[i] == byte)
			pv_buf_append_text(&next, instead);
		else
			pv_buf_append_char(&next, target.ptr[i]);
	}
	write_link(target.len > 1 ? pv_buf_str(&next) : pv_str_of(first), html);
	pv_buf_finish(&next);
}

static void references(struct pv_str target, struct pv_buf *html)
{
	rewritten(target, "/list?a=1&amp;b=2", '&', "&amp;amp;", html);
}

static void escapes(struct pv_str target, struct pv_buf *html)
{
	rewritten(target, "/a%20b", '%', "%25", html);
}

/* "Log in, and come back here." */
static void escaped_logins(struct pv_str target, struct pv_buf *html)
{
	static const char digits[] = "0123456789ABCDEF";
	struct pv_buf next;
	pv_buf_init(&next, 65536);
	pv_buf_append_text(&next, "/login?next=");
	for (size_t i = 0; i < target.len; i++) {
		unsigned char byte = (unsigned char)target.ptr[i];
		bool is_plain =
		    pv_str_find(PV_STR("/?=%"), target.ptr[i]) == PV_NOT_FOUND;
		if (is_plain)
			pv_buf_append_char(&next, target.ptr[i]);
		else
			pv_buf_append_format(&next, "%%%c%c", digits[byte / 16],
			    digits[byte % 16]);
	}
	write_link(pv_buf_str(&next), html);
	pv_buf_finish(&next);
}

static void plain_logins(struct pv_str target, struct pv_buf *html)
{
	struct pv_buf next;
	pv_buf_init(&next, 65536);
	pv_buf_append_text(&next, "/login?next=");
	pv_buf_append(&next, target);
	write_link(pv_buf_str(&next), html);
	pv_buf_finish(&next);
}

static void same_segments(struct pv_str target, struct pv_buf *html)
{
	(void)target;
	write_link(PV_STR("docs/intro/"), html);
}

static void new_segments(struct pv_str target, struct pv_buf *html)
{
	pv_buf_append_format(
	    html, "<a href=\"s%zu/\">deeper</a>\n", target.len);
}

static void longer_words(struct pv_str target, struct pv_buf *html)
{
	struct pv_buf next;
	pv_buf_init(&next, 65536);
	pv_buf_append(&next, target);
	for (int i = 0; i < 10; i++)
		pv_buf_append_text(&next, "and-so-on-");
	write_link(pv_buf_str(&next), html);
	pv_buf_finish(&next);
}

static const struct {
	const char *host;
	const char *reason; /* in the journal */
	const char *words;  /* of the status */
	write_links_fn write_links;
} traps[] = {
    {"months.test", "trap-calendar", "with a date too far from today",
	month_paths},
    {"values.test", "trap-calendar", "with a date too far from today",
	month_values},
    {"counters.test", "trap-calendar", "with a date too far from today",
	counters},
    {"filters.test", "trap-query", "with a query that grows", new_parameters},
    {"lang.test", "trap-query", "with a query that grows", same_parameter},
    {"amp.test", "trap-query", "with a query that grows", references},
    {"percent.test", "trap-query", "with a query that grows", escapes},
    {"login.test", "trap-query", "with a query that grows", escaped_logins},
    {"return.test", "trap-query", "with a query that grows", plain_logins},
    {"relative.test", "trap-repeats", "with a segment that repeats",
	same_segments},
    {"deeper.test", "trap-segments", "with too many segments", new_segments},
    {"longer.test", "too-long", "longer than max_url", longer_words},
};

#define TRAPS (sizeof(traps) / sizeof(*traps))

static bool answer_trap(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct pv_buf *html = answer->own_body;
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		return false;
	for (size_t i = 0; i < TRAPS; i++) {
		if (!pv_str_equal(request->host, pv_str_of(traps[i].host)))
			continue;
		pv_buf_append_text(html, "<!doctype html>");
		if (!pv_str_starts(request->path, PV_STR("/good/")))
			traps[i].write_links(request->target, html);
		for (int good = 1; good <= GOOD; good++)
			pv_buf_append_format(
			    html, "<a href=\"/good/%d\">good</a>\n", good);
		return true;
	}
	return false;
}

static void write_policy(struct crawl_scene *scene)
{
	struct pv_buf text;
	pv_buf_init(&text, 65536);
	pv_buf_append_text(&text, "version: 1\nseeds:\n");
	for (size_t i = 0; i < TRAPS; i++)
		pv_buf_append_format(
		    &text, "  - \"http://%s:PORT/\"\n", traps[i].host);
	pv_buf_append_text(&text,
	    "rate: {max_rate: 1000, interval: 100ms}\n"
	    "politeness: {delay: 0s, ip_delay: 0, delay_factor: 0}\n"
	    "scope: {sitemaps: false, traps: {calendar: {back: 365d}}}\n"
	    "output: {}\n"
	    "fetch: {resolve: {\"*.test\": \"127.70.0.1\"}}\n");
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void judge_trap(struct crawl_scene *scene, size_t number)
{
	struct log_view view = log_view_of(scene->server);
	const char *host = traps[number].host;
	char reason[64], start[128], path[16];
	size_t good = 0;
	for (int i = 1; i <= GOOD; i++) {
		snprintf(path, sizeof(path), "/good/%d", i);
		good += log_count(&view, host, path) == 1;
	}
	snprintf(
	    reason, sizeof(reason), "\"reason\":\"%s\"", traps[number].reason);
	snprintf(start, sizeof(start), "\"url\":\"http://%s:", host);
	size_t refused = crawl_scene_lines(scene, start, reason, NULL);
	size_t all = crawl_scene_lines(scene, start, "\"reason\":", NULL);
	size_t asked = log_count(&view, host, NULL);
	ok(good == GOOD, "all that lies beside the trap is fetched: %s", host);
	ok(asked >= GOOD + 4 && asked <= 60,
	    "and little of what does not end (%zu requests)", asked);
	if (!ok(refused >= 1 && all == refused,
		"P4: what is left out has its reason, %s (%zu of %zu)",
		traps[number].reason, refused, all))
		crawl_scene_show_lines(scene, start);
	log_view_finish(&view);
}

/* How many the status says of each, and in which words. */
static void judge_status(struct crawl_scene *scene)
{
	static const char *const arguments[] = {"status", "o", NULL};
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_run(&scene->home, arguments, &said, &end);
	for (size_t i = 0; i < TRAPS; i++) {
		char reason[64], line[128];
		snprintf(reason, sizeof(reason), "\"reason\":\"%s\"",
		    traps[i].reason);
		snprintf(line, sizeof(line), "%zu  %s",
		    crawl_scene_lines(scene, reason, "\"final\":true", NULL),
		    traps[i].words);
		if (!ok(strstr(pv_buf_text(&said), line) != NULL,
			"P4: the status says so: %s", line))
			printf("# %s\n", pv_buf_text(&said));
	}
	pv_buf_finish(&said);
}

int main(void)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere, .answer = answer_trap};
	struct crawl_scene scene;
	if (ok(crawl_scene_open(&scene, &plan),
		"sites without end are there")) {
		write_policy(&scene);
		crawl_scene_ends(&scene, 0, "P5: the crawl ends by itself");
		for (size_t i = 0; i < TRAPS; i++)
			judge_trap(&scene, i);
		judge_status(&scene);
	}
	crawl_scene_close(&scene);
	return tap_done();
}

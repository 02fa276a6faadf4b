#include "torture/maze.h"

#include <stdio.h>

#include "base/reader.h"

#define DELAY_MS 20
#define SLOW_DELAY_MS 250
#define PICTURE_SIZE 40000

/* Pages that are written down */

enum trouble {
	WELL,
	BUSY,     /* 503, with Retry-After */
	FAILING,  /* 500 */
	CUT_SHORT /* in the midst of the body */
};

struct place {
	const char *host;
	const char *path;
	const char *body;
	const char *type;     /* NULL: a page */
	const char *location; /* of a redirect, 302 where nothing is said */
	int status;
	const char *headers;

	/* what goes wrong with the first requests, and with how many */
	enum trouble trouble;
	uint32_t times;

	/* from that day on; 0: from the first */
	int day;
};

/* Of places that fit, the last counts that is there by then. */
static const struct place places[] = {
    {"a.test", "/",
	.body =
	    "<link rel=stylesheet href=/style.css>"
	    "<a href=/tree/1>t</a><a href=/redirects>r</a><a href=/traps>n</a>"
	    "<a href=/deep/1>d</a><a href=/same>s</a><a href=/states>g</a>"
	    "<a href=/hosts>h</a><a href=/private/1>p</a><a href=/gallery>i</a>"
	    "<a rel=nofollow href=/unwanted>u</a><a href=/closed>c</a>"},
    {"a.test", "/",
	.body = "<link rel=stylesheet href=/style.css>"
		"<a href=/tree/1>t</a><a href=/deep/4>d</a>",
	.day = 2},
    {"a.test", "/robots.txt",
	.body = "User-agent: *\nDisallow: /private/\nAllow: /private/open\n"
		"Sitemap: http://a.test/map.xml\n",
	.type = "text/plain"},
    {"a.test", "/private/open", .body = "open"},
    {"a.test", "/map.xml",
	.body = "<?xml version=\"1.0\"?><sitemapindex "
		"xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
		"<sitemap><loc>http://a.test/map-1.xml</loc></sitemap>"
		"<sitemap><loc>http://a.test/map-2.xml</loc></sitemap>"
		"</sitemapindex>",
	.type = "application/xml"},
    {"a.test", "/map-1.xml",
	.body = "<?xml version=\"1.0\"?><urlset "
		"xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
		"<url><loc>http://a.test/listed/1</loc>"
		"<lastmod>2020-01-01</lastmod></url>"
		"<url><loc>http://a.test/listed/2</loc>"
		"<lastmod>2020-01-01</lastmod></url>"
		"<url><loc>http://a.test/listed/3</loc></url>"
		"<url><loc>http://a.test/private/listed</loc></url>"
		"<url><loc>http://b.test/not-its-own</loc></url>"
		"</urlset>",
	.type = "application/xml"},
    {"a.test", "/map-2.xml",
	.body = "<?xml version=\"1.0\"?><urlset "
		"xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
		"<url><loc>http://a.test/listed/4</loc></url>"
		"<url><loc>http://a.test/listed/5</loc></url>"
		"</urlset>",
	.type = "application/xml", .trouble = FAILING, .times = 1},

    {"a.test", "/redirects",
	.body =
	    "<a href=/chain/1>c</a><a href=/circle/1>o</a><a href=/long/1>l</a>"
	    "<a href=/abroad>a</a><a href=/away>x</a><a href=/itself>i</a>"
	    "<a href=/to-private>p</a>"},
    {"a.test", "/chain/1", .location = "/chain/2"},
    {"a.test", "/chain/2", .location = "/chain/3", .status = 301},
    {"a.test", "/chain/3", .location = "/chain/end", .status = 307},
    {"a.test", "/chain/end", .body = "the end of a chain"},
    {"a.test", "/circle/1", .location = "/circle/2"},
    {"a.test", "/circle/2", .location = "/circle/3"},
    {"a.test", "/circle/3", .location = "/circle/1"},
    {"a.test", "/long/1", .location = "/long/2"},
    {"a.test", "/long/2", .location = "/long/3"},
    {"a.test", "/long/3", .location = "/long/4"},
    {"a.test", "/long/4", .location = "/long/5"},
    {"a.test", "/long/5", .location = "/long/6"},
    {"a.test", "/long/6", .location = "/long/7"},
    {"a.test", "/abroad", .location = "http://b.test/landed"},
    {"a.test", "/away", .location = "http://elsewhere.test/"},
    {"a.test", "/itself", .location = "/itself"},
    {"a.test", "/to-private", .location = "/private/2"},

    {"a.test", "/traps",
	.body =
	    "<a href=/again/x/>a</a><a href=/calendar?year=2999&month=5>c</a>"
	    "<a href=/s/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21>"
	    "s</a><a href=/q?a=1&a=2&a=1&a=1&a=1&a=1>q</a>"
	    "<a href=/shop?PHPSESSID=11111111a>1</a>"
	    "<a href=/shop?PHPSESSID=22222222a>2</a>"
	    "<a href=/shop?PHPSESSID=33333333a>3</a>"
	    "<a href=/shop?PHPSESSID=44444444a>4</a>"
	    "<a href=/shop?PHPSESSID=55555555a>5</a>"
	    "<a href=/shop?PHPSESSID=66666666a>6</a>"
	    "<a href=/shop?PHPSESSID=77777777a>7</a>"},
    {"a.test", "/again/x/", .body = "<a href=x/>again</a>"},
    {"a.test", "/again/x/x/", .body = "<a href=x/>again</a>"},
    {"a.test", "/again/x/x/x/", .body = "<a href=x/>again</a>"},
    {"a.test", "/shop?PHPSESSID=*", .body = "a shop"},
    {"a.test", "/bazaar",
	.body = "<a href=/stall?PHPSESSID=77777777a>7</a>"
		"<a href=/stall?PHPSESSID=66666666a>6</a>"
		"<a href=/stall?PHPSESSID=55555555a>5</a>"
		"<a href=/stall?PHPSESSID=44444444a>4</a>"
		"<a href=/stall?PHPSESSID=33333333a>3</a>"
		"<a href=/stall?PHPSESSID=22222222a>2</a>"
		"<a href=/stall?PHPSESSID=11111111a>1</a>"},
    {"a.test", "/stall?PHPSESSID=*", .body = "a stall"},

    {"a.test", "/deep/1", .body = "<a href=/deep/2>2</a>"},
    {"a.test", "/deep/2", .body = "<a href=/deep/3>3</a>"},
    {"a.test", "/deep/3", .body = "<a href=/deep/4>4</a>"},
    {"a.test", "/deep/4", .body = "<a href=/deep/5>5</a>",
	.headers = "ETag: \"1\"\r\n"},
    {"a.test", "/deep/5", .body = "<a href=/deep/6>6</a>"},
    {"a.test", "/deep/6", .body = "the deepest"},

    {"a.test", "/same",
	.body =
	    "<a href=/twin/1>1</a><a href=/twin/2>2</a><a href=/twin/3>3</a>"
	    "<a href=/twin/1#here>1</a><a href=http://a.test:80/twin/4>4</a>"
	    "<a href=/twin/../twin/5>5</a><a href=/empty>e</a>"},
    {"a.test", "/twin/*", .body = "one of several that are the same"},
    {"a.test", "/empty", .body = ""},

    {"a.test", "/states",
	.body =
	    "<a href=/gone>g</a><a href=/missing>m</a><a href=/forbidden>f</a>"
	    "<a href=/lasting>l</a><a href=/tagged>t</a><a href=/plain.txt>p</a>"},
    {"a.test", "/gone", .body = "gone", .status = 410},
    {"a.test", "/missing", .body = "missing", .status = 404},
    {"a.test", "/forbidden", .body = "forbidden", .status = 403},
    {"a.test", "/lasting", .body = "for a day", .headers = "ETag: \"1\"\r\n"},
    {"a.test", "/lasting", .body = "gone by now", .status = 404, .day = 2},
    {"a.test", "/tagged", .body = "tagged", .headers = "ETag: \"1\"\r\n"},
    {"a.test", "/tagged",
	.body = "<a href=/fresh/1>f</a><a href=/fresh/2>f</a>",
	.headers = "ETag: \"2\"\r\n", .day = 2},
    {"a.test", "/plain.txt", .body = "plain text", .type = "text/plain"},
    {"a.test", "/fresh/1", .body = "fresh", .day = 2},
    {"a.test", "/fresh/2", .body = "<a href=/fresh/3>3</a>", .day = 2,
	.trouble = FAILING, .times = 1},
    {"a.test", "/fresh/3", .body = "fresher", .day = 2},

    {"a.test", "/hosts",
	.body =
	    "<a href=http://b.test/>b</a><a href=http://slow.test/>s</a>"
	    "<a href=http://busy.test/>y</a><a href=http://sick.test/>k</a>"
	    "<a href=http://ill.test/>i</a><a href=http://moody.test/>m</a>"
	    "<a href=http://moved.test/>v</a><a href=http://elsewhere.test/>"
	    "e</a><a href=http://no-port.test:1/>n</a>"},
    {"a.test", "/closed", .body = "<a href=/behind>b</a>",
	.headers = "X-Robots-Tag: nofollow\r\n"},
    {"a.test", "/style.css",
	.body = "@import 'more.css'; @import 'http://cdn.test/far.css';"
		"body { background: url(ground.png) }",
	.type = "text/css"},
    {"a.test", "/more.css", .body = "@import 'last.css'; p { margin: 0 }",
	.type = "text/css"},
    {"a.test", "/last.css", .body = "p { padding: 0 }", .type = "text/css"},
    {"cdn.test", "/far.css", .body = "@import 'farther.css';",
	.type = "text/css"},
    {"cdn.test", "/farther.css", .body = "b { background: url(/far.png) }",
	.type = "text/css"},
    {"cdn.test", "/robots.txt", .body = "User-agent: *\nDisallow: /no\n",
	.type = "text/plain"},
    {"a.test", "/gallery",
	.body =
	    "<img src=/one.png><img src=http://cdn.test/two.png>"
	    "<img src=http://cdn.test/no.png><img src=/lost.png>"
	    "<img src=http://cdn.test/cut.png><script src=/gone.js></script>"
	    "<img src=http://later.test/1.png><img src=http://later.test/2.png>"
	    "<img src=http://patient.test/1.png>"
	    "<img src=http://dead.test/1.png>"},
    {"a.test", "/lost.png", .body = "", .status = 404},
    {"a.test", "/gone.js", .body = "", .status = 410},

    /* Hosts that have something about them */
    {"b.test", "/robots.txt",
	.body = "User-agent: *\nDisallow: /not\n"
		"Sitemap: http://a.test/for-b.xml\n",
	.type = "text/plain"},
    {"a.test", "/for-b.xml",
	.body = "<?xml version=\"1.0\"?><urlset "
		"xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
		"<url><loc>http://b.test/vouched/1</loc></url>"
		"<url><loc>http://b.test/not/this</loc></url>"
		"<url><loc>http://slow.test/not-vouched</loc></url>"
		"</urlset>",
	.type = "application/xml", .trouble = FAILING, .times = 2},
    {"b.test", "/vouched/*", .body = "vouched for"},
    {"b.test", "/", .body = "<a href=/leaf/1>1</a><a href=/leaf/2>2</a>"},
    {"b.test", "/landed", .body = "<a href=/leaf/1>1</a>"},
    {"b.test", "/for-moved.txt", .body = "User-agent: *\nDisallow: /hidden\n",
	.type = "text/plain"},
    {"slow.test", "/robots.txt", .body = "User-agent: *\nCrawl-delay: 0.25\n",
	.type = "text/plain"},
    {"slow.test", "/",
	.body =
	    "<a href=/leaf/1>1</a><a href=/leaf/2>2</a><a href=/leaf/3>3</a>"
	    "<a href=/leaf/4>4</a><a href=/leaf/5>5</a><a href=/leaf/6>6</a>"
	    "<a href=/leaf/7>7</a><a href=/leaf/8>8</a><a href=/leaf/9>9</a>"},
    {"busy.test", "/",
	.body =
	    "<a href=/leaf/1>1</a><a href=/busy>2</a><a href=/leaf/2>3</a>"
	    "<a href=/leaf/3>3</a><a href=/leaf/4>4</a><a href=/leaf/5>5</a>"},
    {"busy.test", "/busy", .body = "<a href=/leaf/6>6</a>", .trouble = BUSY,
	.times = 1},
    {"sick.test", "/",
	.body = "<a href=/leaf/1>1</a><a href=/twice>2</a><a href=/leaf/2>3</a>"
		"<a href=/cut>c</a><a href=/leaf/3>3</a>"},
    {"sick.test", "/twice", .body = "<a href=/leaf/4>4</a>", .trouble = FAILING,
	.times = 2},
    {"sick.test", "/cut",
	.body = "<a href=/leaf/5>5</a> and so on, until the end",
	.trouble = CUT_SHORT, .times = 1},
    {"ill.test", "/",
	.body =
	    "<a href=/leaf/1>1</a><a href=/never>2</a><a href=/leaf/2>3</a>"},
    {"ill.test", "/never", .body = "never", .trouble = FAILING,
	.times = UINT32_MAX},
    {"moody.test", "/robots.txt", .body = "User-agent: *\nDisallow: /leaf/2\n",
	.type = "text/plain", .trouble = FAILING, .times = 1},
    {"moody.test", "/",
	.body =
	    "<a href=/leaf/1>1</a><a href=/leaf/2>2</a><a href=/leaf/3>3</a>"},
    {"moved.test", "/robots.txt", .location = "http://b.test/for-moved.txt",
	.status = 301},
    {"moved.test", "/", .body = "<a href=/leaf/1>1</a><a href=/hidden>2</a>"},
    {"shut.test", "/*", .body = "not you", .status = 403},
    {"shut.test", "/robots.txt", .body = "", .type = "text/plain"},
    {"patient.test", "/robots.txt",
	.body = "User-agent: *\nCrawl-delay: 3600\n", .type = "text/plain"},
    {"later.test", "/*", .body = "tomorrow", .status = 503,
	.headers = "Retry-After: 86400\r\n"},
    {"away.test", "/", .location = "http://shut.test/", .status = 308},
    {"old.test", "/", .location = "http://new.test/home", .status = 301},
    {"new.test", "/robots.txt", .body = "User-agent: *\nCrawl-delay: 0.25\n",
	.type = "text/plain"},
    {"new.test", "/home", .body = "<a href=/1>1</a><a href=/leaf/2>2</a>"},
    {"new.test", "/1", .body = "<a href=/2>2</a><a href=/leaf/3>3</a>"},
    {"new.test", "/2", .body = "<a href=/leaf/4>4</a>"},
};

static const struct place *find_place(
    struct pv_str host, const char *target, int day)
{
	const struct place *found = NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const struct place *place = &places[i];
		size_t len = strlen(place->path);
		bool is_open = place->path[len - 1] == '*';
		bool fits = is_open ? strncmp(target, place->path, len - 1) == 0
				    : strcmp(target, place->path) == 0;
		if (fits && pv_str_equal(host, pv_str_of(place->host)) &&
		    place->day <= day)
			found = place;
	}
	return found;
}

/* Those that are made up: a tree of pages with their pictures, leaves, what
 * only a sitemap lists */

#define TREE_SIZE 60
#define TREE_WIDTH 3
#define LATE_TREE 13 /* leads to hosts that have been left by then */

static bool number_behind(const char *target, const char *prefix, uint64_t *n)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(target));
	return pv_reader_accept_str(&reader, pv_str_of(prefix)) &&
	       pv_reader_take_number(&reader, 100000, n) &&
	       pv_reader_is_end(&reader);
}

static unsigned version_of(uint64_t n, int day)
{
	return day > 1 && n % 3 == 0;
}

static void write_tree(uint64_t n, int day, struct pv_buf *body)
{
	pv_buf_append_format(body,
	    "<title>%u of %u</title><link rel=stylesheet href=/style.css>"
	    "<img src=/picture/%u.png>",
	    version_of(n, day), (unsigned)n, (unsigned)n % 10);
	for (uint64_t i = 0; i < TREE_WIDTH; i++) {
		unsigned child = (unsigned)((n - 1) * TREE_WIDTH + 2 + i);
		if (child <= TREE_SIZE)
			pv_buf_append_format(
			    body, "<a href=/tree/%u>%u</a>", child, child);
	}
	if (n == LATE_TREE)
		pv_buf_append_text(body, "<img src=http://later.test/3.png>"
					 "<img src=http://patient.test/2.png>"
					 "<a href=http://shut.test/3>3</a>"
					 "<a href=http://shut.test/4>4</a>");
	pv_buf_append_format(body,
	    "<a href=/tree/1>up</a><a href=/>top</a><a href=/tree/%u#me>me</a>",
	    (unsigned)n);
	while (body->len < 500 * (n % 7))
		pv_buf_append_text(body, "<p>past walls and gates and gardens");
}

static void tell_version(uint64_t n, int day, struct pv_buf *headers)
{
	if (n % 4 == 0)
		pv_buf_append_format(
		    headers, "ETag: \"%u\"\r\n", version_of(n, day));
	if (n % 4 == 1)
		pv_buf_append_format(headers,
		    "Last-Modified: Sun, 0%u Nov 1994 08:49:37 GMT\r\n",
		    6 + version_of(n, day));
}

static bool make_up(struct pv_str host, const char *target, int day,
    struct server_answer *answer)
{
	uint64_t n = 0;
	struct pv_buf *body = answer->own_body;
	size_t len = strlen(target);
	bool is_main = pv_str_equal(host, PV_STR("a.test"));
	if (is_main && number_behind(target, "/tree/", &n) && n &&
	    n <= TREE_SIZE) {
		answer->status = day > 1 && n % 10 == 9 ? 404 : 200;
		tell_version(n, day, answer->own_headers);
		write_tree(n, day, body);
	} else if (is_main && number_behind(target, "/listed/", &n)) {
		pv_buf_append_format(
		    body, "%u of %u", version_of(n, day), (unsigned)n);
	} else if (number_behind(target, "/leaf/", &n)) {
		pv_buf_append_format(
		    body, "leaf %u of %.*s", (unsigned)n, PV_STR_ARG(host));
	} else if (len > 4 && strcmp(target + len - 4, ".png") == 0) {
		answer->type = "image/png";
		answer->kind = SERVER_PATTERN;
		answer->size = PICTURE_SIZE / (1 + len % 5);
		answer->body_pace = (struct server_pace){0, 16384, 4};
	} else {
		return false;
	}
	return true;
}

/* Answers */

static void be_in_trouble(enum trouble trouble, struct server_answer *answer)
{
	if (trouble == CUT_SHORT) {
		answer->fault =
		    (struct server_fault){SERVER_CLOSE, SERVER_IN_BODY, 5};
		return;
	}
	answer->body = "not now";
	answer->status = trouble == BUSY ? 503 : 500;
	answer->headers = trouble == BUSY ? "Retry-After: 1\r\n" : NULL;
}

static bool answer_on(struct pv_str host, const char *target, int day,
    uint32_t nth, struct server_answer *answer)
{
	const struct place *place = find_place(host, target, day);
	if (!place)
		return make_up(host, target, day, answer);
	answer->body = place->body;
	answer->type = place->type;
	answer->location = place->location;
	answer->status = place->status;
	answer->headers = place->headers;
	if (place->location && !place->status)
		answer->status = 302;
	if (nth <= place->times)
		be_in_trouble(place->trouble, answer);
	return true;
}

/* It must be as it was, for all that the headers say. */
static bool is_known(
    const struct server_request *request, const struct server_answer *answer)
{
	static const char *const pairs[][2] = {
	    {"If-None-Match", "ETag"}, {"If-Modified-Since", "Last-Modified"}};
	struct pv_str own = pv_buf_str(answer->own_headers);
	if (answer->headers)
		own = pv_str_of(answer->headers);
	for (size_t i = 0; i < 2; i++) {
		struct pv_str asked =
		    server_header(request->headers, pairs[i][0]);
		struct pv_str said = server_header(own, pairs[i][1]);
		if (asked.ptr && said.ptr && pv_str_equal(asked, said) &&
		    (!answer->status || answer->status == 200))
			return true;
	}
	return false;
}

/* Between 4 and 17 ms, or much more, the same each time. */
static uint32_t latency_ms(const char *target)
{
	uint32_t sum = 0;
	for (; *target; target++)
		sum = sum * 31 + (unsigned char)*target;
	return sum % 11 ? 4 + sum % 14 : 70;
}

bool maze_answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct maze *maze = ctx;
	char target[512];
	snprintf(target, sizeof(target), "%.*s", PV_STR_ARG(request->target));
	answer->head_pace.delay_ms = latency_ms(target);
	if (!answer_on(request->host, target, atomic_load(&maze->day),
		request->nth, answer))
		return false;
	if (is_known(request, answer)) {
		pv_buf_clear(answer->own_body);
		answer->kind = SERVER_TEXT;
		answer->body = "";
		answer->status = 304;
	}
	return true;
}

bool maze_write_body(struct pv_str url, int day, struct pv_buf *body)
{
	struct pv_buf headers;
	struct server_answer answer = {
	    .own_body = body, .own_headers = &headers};
	struct pv_str rest = pv_str_from(url, strlen("http://"));
	struct pv_str host = pv_str_head(rest, pv_str_find(rest, '/'));
	char target[512];
	snprintf(target, sizeof(target), "%.*s",
	    PV_STR_ARG(pv_str_from(rest, host.len)));
	pv_buf_init(&headers, 1 << 16);
	bool is_kept = answer_on(host, target, day, UINT32_MAX, &answer) &&
		       (!answer.status || answer.status == 200);
	if (is_kept && answer.kind == SERVER_PATTERN) {
		for (uint64_t i = 0; i < answer.size; i++)
			pv_buf_append_char(body, server_pattern_at(i));
	} else if (is_kept && !body->len && answer.body) {
		pv_buf_append_text(body, answer.body);
	}
	pv_buf_finish(&headers);
	return is_kept;
}

/* The policy */

/* Those that are no seeds are visited because one of those was moved there, or
 * for what pages need, or not at all. */
static const struct host {
	const char *name;
	bool is_seed;
	const char *manners; /* NULL for none of its own */
	bool is_dead;        /* nobody is there */
} hosts[] = {
    {"a.test", true, "connections: 2", false},
    {"b.test", true, NULL, false},
    {"slow.test", true, NULL, false},
    {"busy.test", true, NULL, false},
    {"sick.test", true, NULL, false},
    {"ill.test", true, "delay: 250ms", false},
    {"moody.test", true, NULL, false},
    {"moved.test", true, NULL, false},
    {"old.test", true, NULL, false},
    {"new.test", false, NULL, false},
    {"cdn.test", false, NULL, false},
    {"away.test", true, NULL, false},
    {"shut.test", false, "delay: 250ms, blocked: {after: 2}", false},
    {"patient.test", false, "crawl_delay: {give_up_over: 1m}", false},
    {"later.test", false, "retry_after: {give_up_over: 1m}", false},
    {"dead.test", false, "robots: ignore", true},
    {"no-port.test", false, NULL, false},
    {"elsewhere.test", false, NULL, false},
};

#define HOST_COUNT (sizeof(hosts) / sizeof(*hosts))

static void write_hosts(uint16_t port, struct pv_buf *policy)
{
	pv_buf_append_text(
	    policy, "fetch:\n  redirects: 4\n  retries: 2\n  resolve:\n");
	for (size_t i = 0; i < HOST_COUNT; i++)
		pv_buf_append_format(policy, "    %s: \"127.90.0.%zu:%u\"\n",
		    hosts[i].name, i + 1, hosts[i].is_dead ? 1u : port);
	pv_buf_append_text(policy, "domains:\n");
	for (size_t i = 0; i < HOST_COUNT; i++)
		if (hosts[i].manners)
			pv_buf_append_format(policy, "  %s: {%s}\n",
			    hosts[i].name, hosts[i].manners);
	pv_buf_append_text(policy, "seeds:\n");
	for (size_t i = 0; i < HOST_COUNT; i++)
		if (hosts[i].is_seed)
			pv_buf_append_format(
			    policy, "  - http://%s/\n", hosts[i].name);
}

void maze_write_policy(
    uint16_t port, bool has_shared_clocks, struct pv_buf *policy)
{
	pv_buf_append_format(policy,
	    "version: 1\n"
	    "rate: {max_rate: 1000, interval: 100ms, concurrency: 8}\n"
	    "politeness: {shared_clocks: %s, delay: %ums, delay_from: start, "
	    "ip_delay: 0, delay_factor: 0, "
	    "backoff: {failure: 30ms, overload: 30ms, factor: 1}}\n"
	    "scope: {depth: 4}\n"
	    "output: {mirror: {rewrite: false}}\n",
	    has_shared_clocks ? "true" : "false", (unsigned)DELAY_MS);
	write_hosts(port, policy);
}

const char *maze_host(size_t number)
{
	return number < HOST_COUNT ? hosts[number].name : NULL;
}

int64_t maze_delay_ms(struct pv_str host, bool is_page)
{
	if (pv_str_equal(host, PV_STR("ill.test")) ||
	    pv_str_equal(host, PV_STR("shut.test")))
		return SLOW_DELAY_MS;
	if (is_page && (pv_str_equal(host, PV_STR("slow.test")) ||
			   pv_str_equal(host, PV_STR("new.test"))))
		return SLOW_DELAY_MS;
	return DELAY_MS;
}

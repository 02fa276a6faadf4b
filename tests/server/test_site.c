#include "server/site.h"

#include <stdlib.h>

#include "tap.h"

/* A page as the site answers it. */
static bool get(struct site *site, const char *path, struct pv_buf *body,
    struct server_answer *answer)
{
	struct server_request request = {
	    .target = pv_str_of(path),
	    .path = pv_str_of(path),
	    .host = PV_STR("h1.test"),
	    .headers = PV_STR("Host: h1.test:8080\r\n"),
	};
	pv_buf_clear(body);
	*answer = (struct server_answer){.own_body = body};
	return site_answer(site, &request, answer);
}

/* How many pages can be found from the first. */
static size_t reachable(const struct site *site)
{
	uint32_t links[SITE_LINKS_MAX];
	bool *is_known = calloc(site->pages, sizeof(*is_known));
	uint32_t *queue = calloc(site->pages, sizeof(*queue));
	size_t found = 1;
	is_known[0] = true;
	for (size_t at = 0; at < found; at++) {
		size_t count = site_links(site, queue[at], links);
		for (size_t i = 0; i < count; i++) {
			if (is_known[links[i]])
				continue;
			is_known[links[i]] = true;
			queue[found++] = links[i];
		}
	}
	free(is_known);
	free(queue);
	return found;
}

static void test_reachable(void)
{
	static const struct site sites[] = {
	    {.pages = 1, .links = 0},
	    {.pages = 1, .links = 5},
	    {.pages = 100, .links = 1},
	    {.pages = 1000, .links = 2},
	    {.pages = 20000, .links = 20},
	    {.pages = 5000, .links = 20, .hosts = 3},
	    {.pages = 5000, .links = 2, .hosts = 3},
	};
	for (size_t i = 0; i < sizeof(sites) / sizeof(*sites); i++)
		ok(reachable(&sites[i]) == sites[i].pages,
		    "all %u pages with %u links each can be found",
		    sites[i].pages, sites[i].links);
}

static void test_pages(void)
{
	struct site site = {.pages = 50, .links = 10, .size = 4096};
	struct server_answer answer;
	struct pv_buf body;
	struct pv_buf again;
	uint32_t page = 99;
	pv_buf_init(&body, 1 << 20);
	pv_buf_init(&again, 1 << 20);
	ok(get(&site, "/page/7", &body, &answer) && body.len == 4096,
	    "a page has the size that is wanted");
	get(&site, "/page/7", &again, &answer);
	ok(pv_str_equal(pv_buf_str(&body), pv_buf_str(&again)),
	    "and is the same each time");
	size_t links = 0;
	for (const char *at = pv_buf_text(&body); (at = strstr(at, "<a href="));
	     at++)
		links++;
	ok(links == 10, "and has as many links as are wanted");
	ok(get(&site, "/", &body, &answer) &&
		site_page(&site, PV_STR("/"), &page) && page == 0,
	    "the first page is the root");
	ok(!get(&site, "/page/50", &body, &answer) &&
		!get(&site, "/page/0", &body, &answer) &&
		!get(&site, "/page/7x", &body, &answer) &&
		!get(&site, "/robots.txt", &body, &answer),
	    "nothing else is there");
	site.robots = "User-agent: *\n";
	site.latency_ms = 7;
	ok(get(&site, "/robots.txt", &body, &answer) &&
		answer.body == site.robots && answer.head_pace.delay_ms == 7,
	    "but robots.txt where there is one, and all takes its time");
	site.hosts = 3;
	site.host_prefix = "h";
	site.host_suffix = ".test";
	get(&site, "/page/7", &body, &answer);
	ok(strstr(pv_buf_text(&body), "<a href=\"//h") &&
		strstr(pv_buf_text(&body), ".test:8080/\">"),
	    "a page links to other hosts, at the same port");
	pv_buf_finish(&body);
	pv_buf_finish(&again);
}

int main(void)
{
	test_reachable();
	test_pages();
	return tap_done();
}

#include "crawl/patience.h"
#include "fleet/scene/claims.h"

/* The robots.txt of each host a is at a host b, which has pages of its own and so an
 * owner of its own: whoever owns the two, the rules are read, and hold. */

#define PAIRS 24
#define PAGES 8 /* of each host, beside its first */
#define DELAY_MS 100

/* The hosts of a group live at one address. */
#define POLICY(ip_delay)                                                  \
	"version: 1\n"                                                    \
	"name: scene\n"                                                   \
	"seeds: [\"http://root.test:PORT/0\"]\n"                          \
	"scope: {sitemaps: false, hosts: any}\n"                          \
	"rate: {max_rate: 100000, interval: 1s, concurrency: 40}\n"       \
	"politeness: {delay: 100ms, delay_factor: 0, ip_delay: " ip_delay \
	"}\n"                                                             \
	"stop: {drain_timeout: 2s}\n"                                     \
	"fetch: {private: all, resolve: {root.test: 127.0.0.1, "          \
	"\"*.a0.test\": 127.0.1.1, \"*.a1.test\": 127.0.1.2, "            \
	"\"*.a2.test\": 127.0.1.3, \"*.a3.test\": 127.0.1.4, "            \
	"\"*.b0.test\": 127.0.2.1, \"*.b1.test\": 127.0.2.2, "            \
	"\"*.b2.test\": 127.0.2.3, \"*.b3.test\": 127.0.2.4}}\n"          \
	"output: {}\n"
#define GROUPS 4

static struct pv_str port_of(const struct server_request *request)
{
	struct pv_str own = server_header(request->headers, "host");
	return pv_str_from(own, pv_str_find(own, ':'));
}

static void link_to(const struct server_request *request, char kind,
    unsigned number, struct pv_buf *body)
{
	pv_buf_append_format(body,
	    "<a href=\"http://x%u.%c%u.test%.*s/n0\">host</a>\n", number, kind,
	    number % GROUPS, PV_STR_ARG(port_of(request)));
}

/* One host after the other is found, so that they come to whoever looks then; those
 * with a robots.txt elsewhere last. */
static void answer_root(
    const struct server_request *request, struct server_answer *answer)
{
	unsigned long number = strtoul(request->path.ptr + 1, NULL, 10);
	if (number >= 2 * PAIRS)
		return;
	link_to(request, number < PAIRS ? 'b' : 'a', (unsigned)number % PAIRS,
	    answer->own_body);
	pv_buf_append_format(
	    answer->own_body, "<a href=/%lu>next</a>\n", number + 1);
}

static void answer_robots(const struct server_request *request, bool is_a,
    struct server_answer *answer)
{
	unsigned long number = strtoul(request->host.ptr + 1, NULL, 10);
	answer->type = "text/plain";
	if (!is_a)
		return;
	answer->status = 302;
	pv_buf_append_format(answer->own_headers,
	    "Location: http://x%lu.b%lu.test%.*s/robots-of-a\r\n", number,
	    number % GROUPS, PV_STR_ARG(port_of(request)));
}

static void answer_page(
    const struct server_request *request, struct server_answer *answer)
{
	if (!pv_str_equal(request->path, PV_STR("/n0")))
		return;
	pv_buf_append_text(answer->own_body, "<a href=/private>page</a>\n");
	for (unsigned i = 1; i <= PAGES; i++)
		pv_buf_append_format(
		    answer->own_body, "<a href=/n%u>page</a>\n", i);
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	bool is_a = pv_str_find(request->host, 'a') != PV_NOT_FOUND;
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		answer_robots(request, is_a, answer);
	else if (pv_str_equal(request->path, PV_STR("/robots-of-a")))
		answer->body = "User-agent: *\nDisallow: /private\n";
	else if (pv_str_equal(request->host, PV_STR("root.test")))
		answer_root(request, answer);
	else
		answer_page(request, answer);
	return true;
}

/* What was asked for on hosts and targets like these, once or again. */
static size_t count(struct fleet_scene *scene, const char *host,
    const char *target, bool with_repeats)
{
	struct log_view view = log_view_of(scene->server);
	size_t found = 0;
	log_view_keep(&view, host, target);
	for (size_t i = 0; i < view.count; i++)
		found += with_repeats || view.records[i].nth == 1;
	log_view_finish(&view);
	return found;
}

static void is_polite(struct fleet_scene *scene, enum log_key key)
{
	struct log_view view = log_view_of(scene->server);
	struct log_gap gap = log_shortest_gap(&view, key);
	ok(gap.us >= DELAY_MS * 1000 - FLEET_TOLERANCE_US,
	    "nobody is asked sooner than the delay allows (%.1f ms)",
	    (double)gap.us / 1000);
	log_view_finish(&view);
}

static void judge(struct fleet_scene *scene, size_t robots_max)
{
	size_t of_a = count(scene, "x*.a*", "/n*", false);
	size_t of_b = count(scene, "x*.b*", "/n*", false);
	size_t robots = count(scene, "x*.a*", "/robots.txt", true);
	bool is_good = ok(of_a == (size_t)PAIRS * (PAGES + 1) &&
			      of_b == (size_t)PAIRS * (PAGES + 1),
	    "each page is asked for (%zu, and %zu where the robots.txt are, of "
	    "%d)",
	    of_a, of_b, PAIRS * (PAGES + 1));
	is_good = ok(count(scene, "x*.a*", "/private", true) == 0,
		      "what the rules elsewhere forbid is not") &&
		  is_good;
	is_good = ok(robots <= robots_max,
		      "no robots.txt is asked for in vain, time and again (%zu "
		      "for %d hosts)",
		      robots, PAIRS) &&
		  is_good;
	is_good = ok(!fleet_scene_says(scene, "cannot be requested"),
		      "and none counts as one that cannot be read") &&
		  is_good;
	if (!is_good)
		fleet_scene_show(scene);
}

static void test_steady(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	ok(fleet_scene_ends(scene), "four workers finish the crawl");
	is_polite(scene, LOG_BY_HOST);
	judge(scene, (size_t)2 * PAIRS);
}

/* Hosts that share an address go from owner to owner together. */
static void test_addresses(struct fleet_scene *scene)
{
	test_steady(scene);
	is_polite(scene, LOG_BY_ADDRESS);
}

/* Whoever owns where the rules are is lost. */
static void test_killed(struct fleet_scene *scene)
{
	int64_t until = fleet_scene_now_ms() + HANG_MS;
	fleet_scene_start(scene);
	while (count(scene, "x*.a*", "/robots.txt", true) < PAIRS / 2 &&
	       fleet_scene_now_ms() < until)
		fleet_scene_rest(10);
	fleet_scene_kill(scene, 1);
	ok(fleet_scene_ends(scene), "three finish it, when one was killed");
	is_polite(scene, LOG_BY_HOST);
	judge(scene, (size_t)3 * PAIRS);
}

static void run(void (*test)(struct fleet_scene *scene), const char *policy)
{
	struct fleet_scene scene;
	if (!fleet_scene_open_with(&scene, policy, answer, NULL)) {
		ok(false, "PostgreSQL can be made to run here");
		return;
	}
	test(&scene);
	fleet_scene_close(&scene);
}

int main(int count, char **arguments)
{
	const char *absence = fleet_scene_absence();
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	if (absence)
		return tap_skip_all(absence);
	const char *only = count == 2 ? arguments[1] : "123";
	if (strchr(only, '1'))
		run(test_steady, POLICY("0"));
	if (strchr(only, '2'))
		run(test_addresses, POLICY("100ms"));
	if (strchr(only, '3'))
		run(test_killed, POLICY("0"));
	return tap_done();
}

#include "crawl/polite_scene.h"

/* Names that share an address, or a clock: together they ask for no more than
 * one does (P1). */

#define MANY 50
#define IP_DELAY_MS 40
#define NET_DELAY_MS 150

/* Many names on one address; a few on another, whose network has a rest of its
 * own; some that share a clock, each on an address of its own. */
#define OTHERS                                                      \
	{"net1", "p1", NULL, 20}, {"net2", "p1", NULL, 20},         \
	    {"net3", "p1", NULL, 20}, {"net4", "p1", NULL, 20},     \
	    {"a.blog", "p1", NULL, 0}, {"b.blog", "p1", NULL, 0},   \
	    {"c.blog", "p1", NULL, 0}, {"d.blog", "p1", NULL, 0},   \
	    {"a.apart", "p1", NULL, 0}, {"b.apart", "p1", NULL, 0}, \
	    {"late", "p{1..3}", "backoff: {overload: 10ms}", 30},   \
	    {"beside", "p{1..12}", NULL, 30},

static const struct polite_host others[] = {OTHERS};

#define OTHER_COUNT (sizeof(others) / sizeof(*others))
#define HOST_COUNT (MANY + OTHER_COUNT)

static const struct server_route routes[] = {
    {.host = "late.test",
	.path = "/p1",
	.nth = 1,
	.answer = {.status = 503, .headers = "Retry-After: 3\r\n"}},
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/p*", .answer = {.body = "a page"}},
};

#define POLICY                                                            \
	"  \"127.81.0.20/32\": {ip_delay: 150ms}\n"                       \
	"  \"*.blog.test\": {delay: 300ms, share: true}\n"                \
	"  \"*.apart.test\": {delay: 300ms}\n"                            \
	"politeness: {delay: 100ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 40ms}\n"

struct names {
	char texts[MANY][16];
	struct polite_host hosts[HOST_COUNT];
};

static void name_all(struct names *names)
{
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(names->texts[i], sizeof(names->texts[i]), "m%u", i);
		names->hosts[i] = (struct polite_host){
		    .name = names->texts[i], .seeds = "p1", .address = 10};
	}
	for (size_t i = 0; i < OTHER_COUNT; i++)
		names->hosts[MANY + i] = others[i];
}

static void judge_address(struct crawl_scene *scene, const char *hosts,
    int64_t gap_ms, const char *claim)
{
	struct log_view view = polite_view(scene, hosts, NULL);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_ADDRESS);
	ok(log_key_count(&view, LOG_BY_ADDRESS) == 1 && gap.us >= gap_ms * 1000,
	    "P1: %s: no two beginnings under %lld ms (%.3f ms, of %zu "
	    "requests to %zu names)",
	    claim, (long long)gap_ms, (double)gap.us / 1000, view.count,
	    log_key_count(&view, LOG_BY_HOST));
	log_view_finish(&view);
}

static void judge_shared(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "*.blog.test", NULL);
	struct log_gap gap = log_shortest_gap(&view, LOG_TOGETHER);
	ok(view.count == 8 && gap.us >= 300000,
	    "*.blog.test: P1: hosts that share a clock are asked as one host "
	    "is, wherever they are (%.3f ms)",
	    (double)gap.us / 1000);
	log_view_finish(&view);
	polite_gaps(scene, "*.apart.test", 300,
	    "P1: hosts that do not share one have each the same delay");
}

/* Retry-After stays with the host. */
static void judge_neighbours(struct crawl_scene *scene)
{
	struct log_view late = polite_view(scene, "late.test", "/p1");
	struct log_view beside = polite_view(scene, "beside.test", "/p*");
	size_t meanwhile = 0;
	for (size_t i = 0; i < beside.count && late.count == 2; i++)
		meanwhile +=
		    beside.records[i].begin_us > late.records[0].begin_us &&
		    beside.records[i].begin_us < late.records[1].begin_us;
	ok(late.count == 2 && beside.count == 12 && meanwhile > 0,
	    "beside.test: a host is asked while a neighbour at its address "
	    "wants to be asked later (%zu times)",
	    meanwhile);
	log_view_finish(&late);
	log_view_finish(&beside);
	polite_rests_after(
	    scene, "late.test", 503, 3000, "P1: and the neighbour waits");
}

int main(void)
{
	struct crawl_scene scene;
	struct names names;
	name_all(&names);
	struct polite_plan plan = {.hosts = names.hosts,
	    .host_count = HOST_COUNT,
	    POLITE_ROUTES(routes),
	    .policy = POLICY};
	if (polite_open(&scene, &plan)) {
		crawl_scene_ends(
		    &scene, 0, "a crawl of many names at one address ends");
		judge_address(&scene, "m*.test", IP_DELAY_MS,
		    "all the names at an address");
		judge_address(&scene, "net*.test", NET_DELAY_MS,
		    "those of a network with a rest of its own");
		polite_gaps(&scene, "*.test", 100,
		    "P1: and each host has its own delay");
		ok(polite_asked(&scene, "m*.test", "/p1") == MANY,
		    "each of them has its turn (%zu)",
		    polite_asked(&scene, "m*.test", "/p1"));
		polite_audit(&scene);
		judge_shared(&scene);
		judge_neighbours(&scene);
	}
	crawl_scene_close(&scene);
	return tap_done();
}

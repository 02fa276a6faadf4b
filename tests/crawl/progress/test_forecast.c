#include "crawl/progress/forecast.h"

#include "crawl/scene.h"
#include "together.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)

static void test_time(void)
{
	static const struct {
		int64_t ms;
		const char *text;
	} cases[] = {
	    {59001, "60 s"},
	    {90 * SECOND, "90 s"},
	    {90 * SECOND + 1, "2 min"},
	    {9 * MINUTE + 10 * SECOND, "10 min"},
	    {90 * MINUTE, "90 min"},
	    {91 * MINUTE, "1 h 31 min"},
	    {2 * HOUR, "2 h"},
	    {2 * HOUR - 1, "2 h"},
	    {10 * HOUR + 1, "11 h"},
	    {48 * HOUR, "48 h"},
	    {49 * HOUR, "3 days"},
	};
	struct pv_buf text;
	pv_buf_init(&text, 100);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_buf_clear(&text);
		pv_forecast_write_time(cases[i].ms, &text);
		is_text(pv_buf_str(&text), cases[i].text, "%lld ms",
		    (long long)cases[i].ms);
	}
	pv_buf_finish(&text);
}

/* A site with more pages than can be asked for while the test looks on. */
struct outlook {
	const char *claim;
	const char *seeds;
	const char *delay; /* and ip_delay */
	const char *more;  /* of the policy */
	const char *told;  /* NULL: nothing */
	size_t requests;   /* that are looked on at */
};

static const struct outlook outlooks[] = {
    {"one host, between starts", "http://127.0.0.1:PORT/",
	"delay: 50ms, delay_from: start, ip_delay: 0", "",
	" addresses known so far, 50ms between requests", 60},
    {"and after answers", "http://127.0.0.1:PORT/",
	"delay: 50ms, delay_from: end, ip_delay: 0", "",
	" addresses known so far, 50ms after each answer", 60},
    {"between requests to an address", "http://127.0.0.1:PORT/",
	"delay: 5ms, delay_from: start, ip_delay: 60ms", "",
	" addresses known so far, 60ms between requests (ip_delay)", 60},
    {"by the rate of the whole crawl", "http://127.0.0.1:PORT/",
	"delay: 5ms, delay_from: start, ip_delay: 0",
	"rate: {max_rate: 20, burst: 20}\n",
	" addresses known so far, 50ms between requests (max_rate)", 60},
    {"two hosts go on side by side",
	"http://127.0.0.1:PORT/, http://127.0.0.2:PORT/",
	"delay: 50ms, delay_from: start, ip_delay: 0", "", NULL, 60},
    {"a limit comes before", "http://127.0.0.1:PORT/",
	"delay: 50ms, delay_from: start, ip_delay: 0",
	"limits: {pages: 100000}\n", NULL, 60},
    {"it is soon over", "http://127.0.0.1:PORT/",
	"delay: 5ms, delay_from: start, ip_delay: 0", "", NULL, 500},
};

static void write_policy(
    struct crawl_scene *scene, const struct outlook *outlook)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\nseeds: [%s]\npoliteness: {%s, delay_factor: 0}\n"
	    "%soutput: {}\n%s",
	    outlook->seeds, outlook->delay,
	    strstr(outlook->more, "rate:")
		? ""
		: "rate: {max_rate: 1000, burst: 1000}\n",
	    outlook->more);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* How many lines of what the program said speak of what is to come. */
static size_t count_told(const struct pv_buf *said)
{
	const char *at = pv_buf_text(said);
	size_t count = 0;
	while ((at = strstr(at, "known so far"))) {
		at++;
		count++;
	}
	return count;
}

static void look_on(struct crawl_scene *scene, const struct outlook *outlook)
{
	static const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", "o", NULL};
	struct pv_buf said;
	write_policy(scene, outlook);
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	server_wait(
	    scene->server, outlook->requests ? outlook->requests : 60, HANG_MS);
	program_signal(scene->program, SIGINT);
	ok(crawl_scene_wait(scene, HANG_MS) == 3, "%s: stopped",
	    outlook->claim);
	pv_buf_init(&said, 1 << 20);
	program_errors(scene->program, &said);
	const char *told = strstr(pv_buf_text(&said), "127.0.0.1: about ");
	bool is_right = outlook->told ? told && strstr(told, outlook->told) &&
					    count_told(&said) == 1
				      : count_told(&said) == 0;
	if (!ok(is_right, "%s: %s", outlook->claim,
		outlook->told ? "how long it takes is said once"
			      : "nothing is said of how long it takes"))
		printf("# %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
}

static void test_outlook(const struct outlook *outlook)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct site site = {.pages = 3000, .links = 1000};
	struct server_plan plan = {
	    .addresses = everywhere, .answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a server is there"))
		return;
	look_on(&scene, outlook);
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_time());
	for (size_t i = 0; i < sizeof(outlooks) / sizeof(*outlooks); i++)
		together(&all, test_outlook(&outlooks[i]));
	together_end(&all);
	return tap_done();
}

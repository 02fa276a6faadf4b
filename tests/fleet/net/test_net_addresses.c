#include "crawl/polite_scene.h"
#include "fleet/cluster.h"

/* Several workers, whose hosts share addresses: together they ask an address no
 * faster than one crawl would, and each address is fetched once. */

#define WORKERS 4
#define HOSTS 40
#define ADDRESSES 4
#define PAGES 3
#define IP_DELAY_MS 300

#define SHARING 4 /* hosts that share a clock, each at another address */
#define PARTS 10  /* in which hosts become known, one after the other */

struct town {
	char bodies[PARTS][600];
	char paths[PARTS][8];
	struct server_route routes[PARTS + 4];
	size_t route_count;
};

struct crew {
	struct crawl_scene scene;
	struct cluster cluster;
	struct town town;
	struct program *workers[WORKERS];
	char directories[WORKERS][8];
	char texts[HOSTS][16];
	struct polite_host hosts[HOSTS + SHARING + 1];
	size_t host_count;
};

/* The first page of each host leads to the others; those of "hub" lead to the
 * hosts, a few at a time. */
static void make_town(struct town *town)
{
	size_t count = 0;
	for (unsigned part = 0; part < PARTS; part++) {
		char *body = town->bodies[part];
		snprintf(
		    town->paths[part], sizeof(town->paths[part]), "/q%u", part);
		for (unsigned i = part * (HOSTS / PARTS);
		     i < (part + 1) * (HOSTS / PARTS); i++)
			snprintf(body + strlen(body),
			    sizeof(town->bodies[part]) - strlen(body),
			    "<a href=http://h%u.test:{port}/p1>%u</a> ", i, i);
		for (unsigned i = 0; i < SHARING && part == PARTS - 1; i++)
			snprintf(body + strlen(body),
			    sizeof(town->bodies[part]) - strlen(body),
			    "<a href=http://s%u.pair.test:{port}/p1>%u</a> ", i,
			    i);
		town->routes[count++] =
		    (struct server_route){.path = town->paths[part],
			.answer = {.body = body, .is_template = true}};
	}
	town->routes[count++] = (struct server_route){
	    .path = "/robots.txt", .answer = {.status = 404}};
	town->routes[count++] = (struct server_route){.path = "/hub",
	    .answer = {.body = "<a href=q0>0</a><a href=q1>1</a>"
			       "<a href=q2>2</a><a href=q3>3</a>"
			       "<a href=q4>4</a><a href=q5>5</a>"
			       "<a href=q6>6</a><a href=q7>7</a>"
			       "<a href=q8>8</a><a href=q9>9</a>"}};
	town->routes[count++] = (struct server_route){.path = "/p1",
	    .answer = {.body = "{host}<a href=/p2>2</a> <a href=/p3>3</a>",
		.is_template = true}};
	town->routes[count++] = (struct server_route){.path = "/p*",
	    .answer = {.body = "{host} {path}", .is_template = true}};
	town->route_count = count;
}

static const char *const sharing[SHARING] = {
    "s0.pair", "s1.pair", "s2.pair", "s3.pair"};

static void name_hosts(struct crew *crew)
{
	for (unsigned i = 0; i < HOSTS; i++) {
		snprintf(crew->texts[i], sizeof(crew->texts[i]), "h%u", i);
		crew->hosts[i] = (struct polite_host){
		    .name = crew->texts[i],
		    .address = 10 + i / (HOSTS / ADDRESSES),
		};
	}
	for (unsigned i = 0; i < SHARING; i++)
		crew->hosts[HOSTS + i] =
		    (struct polite_host){.name = sharing[i], .address = 10 + i};
	crew->hosts[HOSTS + SHARING] =
	    (struct polite_host){.name = "hub", .seeds = "hub", .address = 9};
	crew->host_count = HOSTS + SHARING + 1;
	make_town(&crew->town);
}

static bool start(struct crew *crew, size_t number)
{
	snprintf(crew->directories[number], sizeof(crew->directories[0]),
	    "w%zu", number);
	const char *const arguments[] = {"crawl", "policy.yaml", "--fleet",
	    cluster_url(&crew->cluster), "-o", crew->directories[number], "-q",
	    NULL};
	crew->workers[number] = program_start(&crew->scene.home, arguments);
	return crew->workers[number] != NULL;
}

/* A crawl that goes on asking is slow, and does not hang. */
static bool ends_well(struct crew *crew, size_t number)
{
	struct program_end end;
	size_t seen;
	do {
		seen = server_log_count(crew->scene.server);
		if (program_wait(crew->workers[number], HANG_MS, &end))
			return !end.is_killed && end.status == 0;
	} while (server_log_count(crew->scene.server) > seen);
	program_tell_stacks(crew->workers[number]);
	return false;
}

static void show(struct crew *crew)
{
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	for (size_t i = 0; i < WORKERS; i++) {
		if (crew->workers[i])
			program_errors(crew->workers[i], &said);
	}
	printf("# they said: %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
}

static size_t count_lines(struct crew *crew, const char *file, const char *text)
{
	size_t count = 0;
	for (size_t i = 0; i < WORKERS; i++) {
		struct pv_buf lines;
		char path[40];
		pv_buf_init(&lines, 64 << 20);
		snprintf(
		    path, sizeof(path), "%s/%s", crew->directories[i], file);
		if (crew->directories[i][0] &&
		    home_read(&crew->scene.home, path, &lines)) {
			const char *at = pv_buf_text(&lines);
			while ((at = strstr(at, text))) {
				count++;
				at++;
			}
		}
		pv_buf_finish(&lines);
	}
	return count;
}

/* Each page once, whoever has asked for it. */
static void judge_pages(struct crew *crew, size_t pages)
{
	struct log_view view = polite_view(&crew->scene, NULL, "/p*");
	size_t final = count_lines(crew, "journal.jsonl", "\"final\":true");
	ok(view.count == (HOSTS + SHARING) * pages,
	    "P3: each page was asked for once (%zu requests)", view.count);
	log_view_finish(&view);
	if (!ok(final >= (HOSTS + SHARING) * pages,
		"P3: and has a line in a journal (%zu lines)", final))
		show(crew);
}

static void judge_gaps(struct crew *crew, int64_t gap_ms)
{
	struct log_view view = polite_view(&crew->scene, NULL, NULL);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_ADDRESS);
	ok(gap.us >= gap_ms * 1000,
	    "P1: no two requests to an address begin within its delay of %lld "
	    "ms (%.3f ms, of %zu requests to %zu addresses)",
	    (long long)gap_ms, (double)gap.us / 1000, view.count,
	    log_key_count(&view, LOG_BY_ADDRESS));
	log_view_finish(&view);
}

static bool open_crew(struct crew *crew, const char *policy)
{
	struct polite_plan plan = {.hosts = crew->hosts,
	    .host_count = crew->host_count,
	    .routes = crew->town.routes,
	    .route_count = crew->town.route_count,
	    .policy = policy};
	return polite_open(&crew->scene, &plan) &&
	       ok(cluster_make(&crew->cluster), "a server of a fleet is there");
}

static void close_crew(struct crew *crew)
{
	for (size_t i = 0; i < WORKERS; i++)
		program_destroy(crew->workers[i]);
	cluster_remove(&crew->cluster);
	server_stop(crew->scene.server);
	home_remove(&crew->scene.home);
}

/* Together they are as one host, and whoever asks them owns all four addresses. */
static void judge_sharing(struct crew *crew, int64_t gap_ms)
{
	struct log_view view = polite_view(&crew->scene, "*.pair.test", NULL);
	struct log_gap gap = log_shortest_gap(&view, LOG_TOGETHER);
	ok(gap.us >= gap_ms * 1000,
	    "P1: hosts that share a clock are asked as one host is (%.3f ms, "
	    "of %zu requests)",
	    (double)gap.us / 1000, view.count);
	log_view_finish(&view);
}

/* The town's addresses may have up to four owners when the hosts that share a clock
 * are found, which live at all of them. */
static void test_groups(void)
{
	static struct crew crew;
	bool is_well = true;
	name_hosts(&crew);
	if (!open_crew(&crew, "  \"*.pair.test\": {delay: 200ms, share: true}\n"
			      "name: net\n"
			      "scope: {hosts: any}\n"
			      "politeness: {delay: 50ms, delay_from: start, "
			      "delay_factor: 0, ip_delay: 300ms}\n"))
		return;
	for (size_t i = 0; i < WORKERS; i++)
		is_well = start(&crew, i) && is_well;
	for (size_t i = 0; i < WORKERS; i++)
		is_well = ends_well(&crew, i) && is_well;
	if (!ok(is_well,
		"four workers crawl %u hosts at %u addresses to the end",
		HOSTS + SHARING, ADDRESSES))
		show(&crew);
	judge_gaps(&crew, IP_DELAY_MS);
	judge_sharing(&crew, 200);
	judge_pages(&crew, PAGES);
	size_t clocks = count_lines(
	    &crew, "clocks.jsonl", "\"event\":\"given\",\"worker\"");
	ok(clocks > 0, "hosts have followed their addresses (%zu)", clocks);
	close_crew(&crew);
}

static size_t count_in(struct crew *crew, size_t number, const char *text)
{
	struct pv_buf lines;
	char path[40];
	size_t count = 0;
	pv_buf_init(&lines, 64 << 20);
	snprintf(
	    path, sizeof(path), "%s/journal.jsonl", crew->directories[number]);
	home_read(&crew->scene.home, path, &lines);
	const char *at = pv_buf_text(&lines);
	while ((at = strstr(at, text))) {
		count++;
		at++;
	}
	pv_buf_finish(&lines);
	return count;
}

/* The second comes when the first has taken all there is; it is a beat or two until
 * it gets a part. */
static void test_late(void)
{
	static struct crew crew;
	name_hosts(&crew);
	if (!open_crew(&crew, "name: late\n"
			      "scope: {hosts: any}\n"
			      "politeness: {delay: 50ms, delay_from: start, "
			      "delay_factor: 0, ip_delay: 800ms}\n"))
		return;
	bool is_well = start(&crew, 0) &&
		       server_wait(crew.scene.server, 30, HANG_MS) &&
		       start(&crew, 1);
	is_well = is_well && ends_well(&crew, 0) && ends_well(&crew, 1);
	if (!ok(is_well, "a second worker comes late, and both end well"))
		show(&crew);
	size_t pages = count_in(&crew, 1, "\"final\":true");
	ok(pages >= PAGES,
	    "it has got its part of the hosts, and keeps it (%zu pages)",
	    pages);
	judge_gaps(&crew, 800);
	judge_pages(&crew, PAGES);
	close_crew(&crew);
}

int main(void)
{
	const char *absence = cluster_absence();
	if (absence)
		return tap_skip_all(absence);
	test_groups();
	test_late();
	return tap_done();
}

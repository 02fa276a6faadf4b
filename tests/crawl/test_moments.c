#include <time.h>

#include "crawl/patience.h"
#include "crawl/scene.h"
#include "server/hole.h"
#include "server/name_server.h"
#include "together.h"

/* Stopping from every moment (P3, P6). A moment is a row: how to come to it,
 * and how to know that it has come. Each is stopped by one signal, and once
 * more by two; then what was in the way is mended, and the crawl goes on.
 *
 * That it ends soon shows in two ways, however busy the machine is: nothing of
 * what could be waited for would come within the hour, but for drain_timeout,
 * where that is DRAIN_MS; and what it uses of the processor from the signal
 * on. */

#define PAGES 6
#define DRAIN_MS 300
#define DELAY_MS 50

/* Of the processor, from the signal on: where a page is read and may be to its
 * end, and else. */
#define READING_CPU_MS 3000
#define STOPPING_CPU_MS 600

/* What stands in the way, until it is mended: the name a.test leads to the
 * server, whose routes are the moment's; or to nobody; or nobody tells. */
enum way {
	TO_SERVER,
	TO_TLS, /* by https */
	TO_HOLE,
	TO_SILENCE, /* of the name server */
};

/* What comes of the crawl once it is mended. */
enum rest {
	GOES_ON,
	RESTS, /* as long as it was asked to */
	IS_LIMITED,
	HAS_REFUSALS,
	HAS_FAILED,
};

struct play;

struct moment {
	const char *name;
	enum way way;
	struct server_route routes[1];
	size_t requests; /* that have come by then */
	const char *seed;
	const char *policy;      /* until it is mended */
	const char *policy_then; /* and then */
	bool (*has_come)(struct play *play);
	enum rest rest;
	bool may_be_lost; /* what came, by two signals: unless it was read */
	size_t page_size;
	const char *halt; /* what it writes when it has come (leftovers.h) */
	bool is_open;     /* something is under way */
	bool is_going_on; /* there are requests at the time of the signal */
	bool is_update;
};

struct play {
	struct crawl_scene scene;
	const struct moment *moment;
	struct server *good; /* without the routes */
	struct name_server *names;
	struct hole hole;
	struct site site;
	struct site large; /* of large pages */
	const char *environment[2];
	bool is_mended;
	int64_t stopped_us; /* when the signals were sent */
};

/* Having come there */

static int64_t now_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t now_ms(void)
{
	return now_us() / 1000;
}

/* Whether something comes to be true while somebody looks. */
static bool wait_until(struct play *play, bool (*is_so)(struct play *play))
{
	struct timespec look = {.tv_nsec = 5000000};
	int64_t until = now_ms() + HANG_MS;
	while (!is_so(play)) {
		if (now_ms() > until)
			return false;
		nanosleep(&look, NULL);
	}
	return true;
}

static bool is_looking_up(struct play *play)
{
	return name_server_asked(play->names, "a.test") > 0;
}

/* One socket more than the hole's own knocks there. */
static bool is_connecting(struct play *play)
{
	char line[512], wanted[32];
	unsigned count = 0;
	FILE *sockets = fopen("/proc/net/tcp", "r");
	snprintf(
	    wanted, sizeof(wanted), ":%04X 02 ", (unsigned)play->hole.port);
	while (sockets && fgets(line, sizeof(line), sockets))
		count += strstr(line, wanted) != NULL;
	if (sockets)
		fclose(sockets);
	return count > 1;
}

static bool is_accepted(struct play *play)
{
	return server_accept_count(play->scene.server) > 0;
}

/* The answer has come whole: it is being read. */
static bool is_answered(struct play *play)
{
	return server_wait_idle(play->scene.server, play->moment->requests, 0);
}

/* The first page again, which an update does not always ask for first. */
static bool is_asked_again(struct play *play)
{
	struct log_view view = log_view_of(play->scene.server);
	log_view_keep(&view, NULL, "/");
	bool is_so = view.count == 2;
	log_view_finish(&view);
	return is_so;
}

static bool has_said(struct play *play, const char *text)
{
	return program_says(play->scene.program, text, 20);
}

/* SIGUSR1 makes it tell. */
static bool tells(struct play *play, const char *text)
{
	if (!has_said(play, "directory: "))
		return false;
	program_signal(play->scene.program, SIGUSR1);
	return has_said(play, text);
}

static bool waits_for_robots(struct play *play)
{
	return tells(play, "for its robots.txt, which cannot be fetched");
}

static bool waits_for_retry_after(struct play *play)
{
	return tells(play, "Retry-After");
}

static bool waits_for_hours(struct play *play)
{
	return tells(play, "allowed_hours");
}

static bool waits_for_room(struct play *play)
{
	return has_said(play, "output.min_free");
}

static bool has_begun(struct play *play)
{
	return has_said(play, "directory: ");
}

/* By itself, at its moment's text. */
static bool is_halted(struct play *play)
{
	return program_is_halted(play->scene.program);
}

/* The moments */

#define FRONT(...)                                     \
	{                                              \
		.path = "/", .answer = { __VA_ARGS__ } \
	}
#define BUSY .status = 503, .headers = "Retry-After: 3600\r\n"

static const struct moment moments[] = {
    {.name = "before the first page",
	.has_come = has_begun,
	.is_going_on = true},
    {.name = "while seeds are read",
	.seed = "http://a.test/?{1..1000000}",
	.requests = 1,
	.policy_then = "limits: {time: 1s}\n",
	.rest = IS_LIMITED,
	.is_going_on = true},
    {.name = "while a name is looked up",
	.way = TO_SILENCE,
	.has_come = is_looking_up},
    {.name = "while it connects",
	.way = TO_HOLE,
	.has_come = is_connecting,
	.is_open = true},
    {.name = "in a TLS handshake",
	.way = TO_TLS,
	.seed = "https://a.test/",
	.has_come = is_accepted,
	.is_open = true},
    {.name = "while robots.txt does not answer",
	.routes = {{.path = "/robots.txt",
	    .answer = {.fault = {.kind = SERVER_STALL}}}},
	.requests = 1,
	.is_open = true},
    {.name = "while robots.txt cannot be had",
	.routes = {{.path = "/robots.txt", .answer = {.status = 500}}},
	.has_come = waits_for_robots,
	.is_going_on = true},
    {.name = "before the first byte",
	.routes = {FRONT(.fault = {.kind = SERVER_STALL})},
	.requests = 2,
	.is_open = true},
    {.name = "in a slow body",
	.routes = {FRONT(.kind = SERVER_PATTERN, .size = 1000000,
	    .body_pace = {.piece = 10, .pause_ms = 50})},
	.requests = 2,
	.is_open = true},
    {.name = "in a page of 60 MB",
	.page_size = 60000000,
	.requests = 2,
	.has_come = is_answered,
	.may_be_lost = true},
    {.name = "in a page of half a million links",
	.routes = {FRONT(.kind = SERVER_LINKS, .size = 500000)},
	.requests = 2,
	.policy_then = "limits: {time: 2s}\n",
	.has_come = is_answered,
	.rest = IS_LIMITED,
	.may_be_lost = true},
    {.name = "in a bomb",
	.routes = {FRONT(.coding = SERVER_GZIP, .kind = SERVER_ZEROS,
	    .size = 400000000)},
	.requests = 2,
	.has_come = is_answered,
	.rest = HAS_FAILED,
	.may_be_lost = true},
    {.name = "while its host rests for an hour",
	.routes = {FRONT(BUSY)},
	.policy = "limits: {wait: none}\n",
	.policy_then = "limits: {wait: 30m}\n",
	.has_come = waits_for_retry_after,
	.rest = RESTS},
    {.name = "between two ticks",
	.policy = "rate: {max_rate: 1, interval: 1h}\nlimits: {wait: none}\n",
	.requests = 1,
	.has_come = is_answered},
    {.name = "out of its hours",
	.policy = "domains: {a.test: {HOURS}}\nlimits: {wait: none}\n",
	.has_come = waits_for_hours},
    {.name = "while the disk is short of room",
	.policy = "output: {min_free: 1000000GB}\n",
	.has_come = waits_for_room},
    {.name = "while refusals are told",
	.routes = {FRONT(.kind = SERVER_LINKS, .size = 100000)},
	.policy = "scope: {depth: 0, sitemaps: false}\n",
	.policy_then = "scope: {depth: 0, sitemaps: false}\n",
	.halt = "PAVANE_HALT=10000 \"final\":true",
	.has_come = is_halted,
	.rest = HAS_REFUSALS},
    {.name = "in an update",
	.routes = {{.path = "/",
	    .nth = 2,
	    .answer = {.fault = {.kind = SERVER_STALL}}}},
	.requests = PAGES + 2,
	.has_come = is_asked_again,
	.is_open = true,
	.is_update = true},
};

/* The scene */

/* The hour that begins in some twelve. */
static void write_hours(struct pv_buf *text)
{
	time_t then = time(NULL) + 12 * 3600;
	struct tm tm;
	gmtime_r(&then, &tm);
	pv_buf_append_format(text,
	    "allowed_hours: [\"%02d:00-%02d:00\"], timezone: UTC", tm.tm_hour,
	    (tm.tm_hour + 1) % 24);
}

#define PATIENCE "connect: 1h, first_byte: 1h, stall: 1h, total: 1h"

static void write_way(struct play *play, struct pv_buf *text)
{
	enum way way = play->moment->way;
	const struct server *server =
	    play->is_mended ? play->good : play->scene.server;
	unsigned port = server_port(server);
	if (way == TO_TLS)
		port = server_tls_port(server);
	if (way == TO_HOLE && !play->is_mended)
		port = play->hole.port;
	if (way == TO_SILENCE && !play->is_mended)
		pv_buf_append_format(text,
		    "fetch: {name_servers: [\"%s\"], "
		    "timeout: {" PATIENCE "}}\n",
		    name_server_address(play->names));
	else
		pv_buf_append_format(text,
		    "fetch: {resolve: {a.test: \"127.0.0.1:%u\"}, "
		    "tls: {ca: \"%s\"}, timeout: {" PATIENCE "}}\n",
		    port, server_authority_path(server));
}

static void write_lines(const char *lines, struct pv_buf *text)
{
	const char *hours = strstr(lines, "HOURS");
	if (!hours) {
		pv_buf_append_text(text, lines);
		return;
	}
	pv_buf_append(text, (struct pv_str){lines, (size_t)(hours - lines)});
	write_hours(text);
	pv_buf_append_text(text, hours + strlen("HOURS"));
}

static void write_policy(struct play *play, unsigned signals)
{
	const struct moment *moment = play->moment;
	bool is_waited_for = moment->is_open && signals == 1;
	char drain[32];
	const char *lines =
	    play->is_mended ? moment->policy_then : moment->policy;
	struct pv_buf text;
	snprintf(drain, sizeof(drain), is_waited_for ? "%dms" : "1h", DRAIN_MS);
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "identity: {contact: bot@example.org}\n"
	    "seeds: [\"%s\"]\n"
	    "politeness: {delay: %dms, ip_delay: 0, delay_factor: 0,\n"
	    "  backoff: {failure: 100ms, overload: 100ms}}\n"
	    "stop: {drain_timeout: %s}\n",
	    moment->seed ? moment->seed : "http://a.test/",
	    moment->is_going_on ? DELAY_MS : 0, drain);
	write_way(play, &text);
	if (lines)
		write_lines(lines, &text);
	if (!lines || !strstr(lines, "output:"))
		pv_buf_append_text(&text, "output: {}\n");
	crawl_scene_policy(&play->scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static bool open_play(struct play *play, const struct moment *moment)
{
	static const struct server_tls_name stalls[] = {
	    {"a.test", SERVER_TLS_STALLS}};
	*play = (struct play){
	    .moment = moment, .site = {.pages = PAGES, .links = 3}};
	play->large = play->site;
	play->large.size = moment->page_size;
	struct server_plan plan = {
	    .routes = moment->routes,
	    .route_count = moment->routes[0].path != NULL,
	    .answer = site_answer,
	    .ctx = &play->large,
	    SERVER_TLS_NAMES(stalls),
	};
	struct server_plan good = {
	    .answer = site_answer, .ctx = &play->site, .has_tls = true};
	bool is_open = crawl_scene_open(&play->scene, &plan);
	play->good = server_start(&good);
	play->names = name_server_start();
	hole_open(&play->hole, "127.0.0.1");
	name_server_set(
	    play->names, &(struct name_server_entry){.name = "a.test",
			     .manner = NAME_SERVER_IS_SILENT});
	return is_open && play->good && play->names;
}

static void close_play(struct play *play)
{
	crawl_scene_close(&play->scene);
	server_stop(play->good);
	name_server_stop(play->names);
	hole_close(&play->hole);
}

/* As people start it, so that it says something. */
static void start(struct play *play, const char *command)
{
	const char *const crawl[] = {"crawl", "policy.yaml", "-o", "o", NULL};
	const char *const update[] = {
	    "update", "o", "--set", "recrawl.after=0s", NULL};
	bool is_update = strcmp(command, "update") == 0;
	play->environment[0] = play->is_mended ? NULL : play->moment->halt;
	play->scene.home.environment = play->environment;
	program_destroy(play->scene.program);
	play->scene.program =
	    program_start(&play->scene.home, is_update ? update : crawl);
}

static bool comes_to(struct play *play, unsigned signals)
{
	const struct moment *moment = play->moment;
	write_policy(play, signals);
	if (moment->is_update) {
		start(play, "crawl");
		crawl_scene_wait(&play->scene, HANG_MS);
	}
	start(play, moment->is_update ? "update" : "crawl");
	if (!server_wait(play->scene.server, moment->requests, HANG_MS))
		return false;
	return !moment->has_come || wait_until(play, moment->has_come);
}

/* From the signal to the end, on the wall and of the processor; negative if
 * there was no end. */
struct stop {
	int64_t took_ms;
	int64_t cpu_ms;
};

static struct stop stop(struct play *play, unsigned signals)
{
	const struct program *program = play->scene.program;
	int64_t began_ms = now_ms();
	int64_t cpu_us = program_cpu_us(program);
	program_signal(play->scene.program, SIGINT);
	/* The same signal twice in an instant would be one. */
	if (signals > 1)
		program_signal(play->scene.program, SIGTERM);
	program_signal(play->scene.program, SIGCONT);
	play->stopped_us = now_us();
	if (crawl_scene_wait(&play->scene, HANG_MS) == -2)
		return (struct stop){-1, -1};
	return (struct stop){
	    now_ms() - began_ms, (program_cpu_us(program) - cpu_us) / 1000};
}

/* Requests that came after the signals, whenever the server looked at them. */
static size_t count_later(struct play *play)
{
	struct log_view view = log_view_of(play->scene.server);
	size_t count = 0;
	for (size_t i = 0; i < view.count; i++)
		count += view.records[i].begin_us > play->stopped_us;
	log_view_finish(&view);
	return count;
}

/* One signal has what is read come to its end. */
static bool is_lost(struct play *play, unsigned signals)
{
	return play->moment->may_be_lost && signals > 1 &&
	       crawl_scene_lines(&play->scene, "\"url\":\"http://a.test/\"",
		   "\"final\":true", NULL) == 0;
}

static void judge_stop(struct play *play, unsigned signals)
{
	const struct moment *moment = play->moment;
	struct stop stopped = stop(play, signals);
	bool is_reading = moment->may_be_lost && !is_lost(play, signals);
	int64_t allowed_ms = (is_reading ? READING_CPU_MS : STOPPING_CPU_MS) *
			     (IS_SANITIZED ? 10 : 1);
	int64_t least_ms = moment->is_open && signals == 1 ? DRAIN_MS : 0;
	size_t more = count_later(play);
	/* One may have been on its way; and others begin, one each delay, as
	 * long as no processor is there for who hears of the signal. */
	size_t late = (size_t)play->scene.end.waited_us / 1000 / DELAY_MS;
	size_t most = moment->is_going_on ? 1 + late : 0;
	ok(play->scene.end.status == 3 && !play->scene.end.is_killed,
	    "P6: %s, %u signals end it with 3 (%d)", moment->name, signals,
	    play->scene.end.status);
	ok(stopped.took_ms >= least_ms && stopped.cpu_ms < allowed_ms,
	    "P6: soon, when what is open had its time (%lld ms, of which it "
	    "worked for %lld)",
	    (long long)stopped.took_ms, (long long)stopped.cpu_ms);
	ok(more <= most, "P6: and nothing new is begun (%zu of %zu)", more,
	    most);
}

static size_t finals(struct play *play)
{
	return crawl_scene_lines(&play->scene, "\"final\":true", NULL);
}

/* What was stopped goes on as if nothing had been. */
static void judge_rest(struct play *play, unsigned signals)
{
	static const int ends[] = {[GOES_ON] = 0,
	    [RESTS] = 4,
	    [IS_LIMITED] = 4,
	    [HAS_REFUSALS] = 0,
	    [HAS_FAILED] = 5};
	const struct moment *moment = play->moment;
	enum rest rest = is_lost(play, signals) ? GOES_ON : moment->rest;
	play->is_mended = true;
	write_policy(play, signals);
	start(play, moment->is_update ? "update" : "crawl");
	int status = crawl_scene_wait(&play->scene, HANG_MS);
	if (!ok(status == ends[rest], "P3: another run goes on (%d)", status))
		crawl_scene_show(&play->scene);
	if (rest != GOES_ON && moment->may_be_lost)
		ok(crawl_scene_lines(&play->scene, "\"url\":\"http://a.test/\"",
		       "\"final\":true", NULL) == 1,
		    "P3: and what was read is not read again");
	if (rest == GOES_ON)
		ok(finals(play) == PAGES * (moment->is_update ? 2 : 1),
		    "P3: and nothing is lost, nor done twice (%zu)",
		    finals(play));
	if (rest == RESTS)
		ok(server_log_count(play->good) == 0,
		    "P1: and who asked for rest has it");
	if (rest == HAS_REFUSALS)
		ok(crawl_scene_lines(&play->scene, "\"outcome\":\"refused\"",
		       "\"final\":true", NULL) == moment->routes[0].answer.size,
		    "P4: and each refusal is told once");
}

/* A moment's claims, where no program can be halted. */
static void skip_moment(void)
{
	for (unsigned i = 0; i < 8; i++)
		tap_skip("P6: it ends", "no library can be preloaded here");
}

static void play_moment(const struct moment *moment, unsigned signals)
{
	struct play play;
	if (moment->halt && access(LEFTOVERS_LIBRARY, F_OK) != 0) {
		skip_moment();
		return;
	}
	if (!open_play(&play, moment)) {
		ok(false, "there is a scene");
		return;
	}
	if (ok(comes_to(&play, signals), "it comes: %s", moment->name)) {
		judge_stop(&play, signals);
		judge_rest(&play, signals);
	} else {
		crawl_scene_show(&play.scene);
	}
	close_play(&play);
}

int main(int argc, char **argv)
{
	/* Some keep a processor busy. */
	struct together all = {.most = 4};
	for (size_t i = 0; i < sizeof(moments) / sizeof(*moments); i++) {
		if (argc > 1 && !strstr(moments[i].name, argv[1]))
			continue;
		together(&all, play_moment(&moments[i], 1));
		together(&all, play_moment(&moments[i], 2));
	}
	together_end(&all);
	return tap_done();
}

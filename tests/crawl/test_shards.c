#include <stdint.h>

#include "base/reader.h"
#include "crawl/scene.h"
#include "sink/outbound_line.h"

/* A crawl that four machines share without knowing each other: what they fetch
 * in all is what one crawl fetches, no address twice and no host by two of them,
 * and what one finds for another is neither lost nor told twice, however its
 * program ends. */

#define HOSTS 40
#define SHARDS 4
#define ROUNDS_MAX 30
#define REQUESTS_MAX 4000

/* From the first host there is a way to each other one, some links long; its
 * style sheets, images and where it redirects to lie at others again. */
static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	unsigned host = (unsigned)atoll(request->host.ptr + 1);
	unsigned port = *(const unsigned *)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->status = 404;
		return true;
	}
	if (pv_str_equal(request->path, PV_STR("/moved"))) {
		answer->status = 302;
		pv_buf_append_format(answer->own_headers,
		    "Location: http://h%u.test:%u/landed\r\n", host % HOSTS + 1,
		    port);
		return true;
	}
	if (pv_str_equal(request->path, PV_STR("/style.css"))) {
		answer->type = "text/css";
		pv_buf_append_format(answer->own_body,
		    "a{background:url(http://h%u.test:%u/bg.png)}",
		    (host + 10) % HOSTS + 1, port);
		return true;
	}
	if (!pv_str_equal(request->path, PV_STR("/"))) {
		pv_buf_append_text(answer->own_body, "something");
		return true;
	}
	pv_buf_append_format(answer->own_body,
	    "<a href=http://h%u.test:%u/><a href=http://h%u.test:%u/>"
	    "<a href=/moved><a href=/page>"
	    "<a href=http://h%u.test:%u/too-deep-for-some>"
	    "<img src=http://h%u.test:%u/i.png>"
	    "<link rel=stylesheet href=http://h%u.test:%u/style.css>",
	    2 * host % HOSTS + 1, port, (2 * host + 1) % HOSTS + 1, port,
	    (host + 30) % HOSTS + 1, port, (host + 5) % HOSTS + 1, port,
	    (host + 7) % HOSTS + 1, port);
	return true;
}

#define POLICY(depth)                                                   \
	"version: 1\n"                                                  \
	"seeds: [\"http://h1.test:PORT/\"]\n"                           \
	"scope: {hosts: any, depth: " depth "}\n"                       \
	"rate: {max_rate: 100000, interval: 1s}\n"                      \
	"politeness: {delay: 2ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0}\n"                                                \
	"output: {}\n"                                                  \
	"fetch: {resolve: {\"*.test\": \"127.0.0.1\"}}\n"

/* What was asked for, as texts in order. */
struct asked {
	char *items[REQUESTS_MAX];
	size_t count;
};

static int by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* All requests behind the first `from`, but those for robots.txt. */
static void gather(struct crawl_scene *scene, size_t from, struct asked *asked)
{
	struct log_view view = log_view_of(scene->server);
	asked->count = 0;
	for (size_t i = from; i < view.count; i++) {
		struct pv_buf text;
		const struct server_record *record = &view.records[i];
		if (pv_str_equal(record->target, PV_STR("/robots.txt")) ||
		    asked->count == REQUESTS_MAX)
			continue;
		pv_buf_init(&text, 1 << 16);
		pv_buf_append(&text, record->host);
		pv_buf_append(&text, record->target);
		asked->items[asked->count++] = pv_buf_take(&text);
	}
	log_view_finish(&view);
	qsort(asked->items, asked->count, sizeof(*asked->items), by_text);
}

static void forget(struct asked *asked)
{
	for (size_t i = 0; i < asked->count; i++)
		free(asked->items[i]);
	asked->count = 0;
}

/* Where a nearer way to a page is found later, it is asked for once more, since
 * more may be followed from there: by a crawl, and by shards more often. */
static void drop_repeats(struct asked *asked)
{
	size_t kept = 0;
	for (size_t i = 0; i < asked->count; i++) {
		if (kept &&
		    strcmp(asked->items[kept - 1], asked->items[i]) == 0)
			free(asked->items[i]);
		else
			asked->items[kept++] = asked->items[i];
	}
	asked->count = kept;
}

static bool is_same(const struct asked *a, const struct asked *b)
{
	bool is_same = a->count == b->count;
	for (size_t i = 0; is_same && i < a->count; i++)
		is_same = strcmp(a->items[i], b->items[i]) == 0;
	return is_same;
}

/* What one has and the other has not, where they should be the same. */
static void show_difference(const struct asked *a, const struct asked *b)
{
	size_t i = 0, j = 0;
	while (i < a->count || j < b->count) {
		int order = i == a->count   ? 1
			    : j == b->count ? -1
					    : strcmp(a->items[i], b->items[j]);
		if (order)
			printf("# %s: %s\n", order < 0 ? "more" : "less",
			    order < 0 ? a->items[i] : b->items[j]);
		i += order <= 0;
		j += order >= 0;
	}
}

static size_t count_twice(const struct asked *asked)
{
	size_t twice = 0;
	for (size_t i = 1; i < asked->count; i++)
		twice += strcmp(asked->items[i - 1], asked->items[i]) == 0;
	return twice;
}

/* Shards */

static int shard_run(
    struct crawl_scene *scene, char kind, unsigned shard, struct pv_buf *said)
{
	char word[16], directory[8], paths[SHARDS][8];
	const char *arguments[8 + 2 * SHARDS] = {
	    "crawl", "policy.yaml", "-o", directory, "--shard", word};
	size_t count = 6;
	struct program_end end;
	snprintf(word, sizeof(word), "%u/%u", shard, SHARDS);
	snprintf(directory, sizeof(directory), "%c%u", kind, shard);
	for (unsigned i = 1; i <= SHARDS; i++) {
		snprintf(paths[i - 1], sizeof(*paths), "%c%u", kind, i);
		if (i == shard || !crawl_scene_has(scene, paths[i - 1]))
			continue;
		arguments[count++] = "--inbound";
		arguments[count++] = paths[i - 1];
	}
	return program_run(&scene->home, arguments, said, &end) &&
		       !end.is_killed
		   ? end.status
		   : -1;
}

static void read_outbound(struct crawl_scene *scene, const char *directory,
    unsigned shard, struct pv_buf *text)
{
	char name[64];
	snprintf(name, sizeof(name), "%s/outbound/%u.jsonl", directory, shard);
	home_read(&scene->home, name, text);
}

/* Of all files for others: how many bytes there are. */
static size_t outbound_bytes(struct crawl_scene *scene, char kind)
{
	struct pv_buf all;
	pv_buf_init(&all, SIZE_MAX);
	for (unsigned i = 1; i <= SHARDS; i++) {
		char directory[8];
		snprintf(directory, sizeof(directory), "%c%u", kind, i);
		for (unsigned j = 1; j <= SHARDS; j++)
			read_outbound(scene, directory, j, &all);
	}
	size_t len = all.len;
	pv_buf_finish(&all);
	return len;
}

/* Who has asked a host; a second one is noted as none of them. */
static void note_hosts(
    struct crawl_scene *scene, size_t from, unsigned shard, unsigned *owners)
{
	struct log_view view = log_view_of(scene->server);
	for (size_t i = from; i < view.count; i++) {
		unsigned host = (unsigned)atoll(view.records[i].host.ptr + 1);
		owners[host] =
		    !owners[host] || owners[host] == shard ? shard : SHARDS + 1;
	}
	log_view_finish(&view);
}

struct rounds {
	char kind; /* of their directories: the first letter */
	unsigned owners[HOSTS + 1];
	unsigned count;
	bool have_ended; /* all runs as they should */
};

/* Runs all shards in turn until a whole round has written and asked nothing. */
static void run_rounds(struct crawl_scene *scene, struct rounds *rounds)
{
	size_t before, bytes;
	rounds->have_ended = true;
	do {
		before = server_log_count(scene->server);
		bytes = outbound_bytes(scene, rounds->kind);
		for (unsigned i = 1; i <= SHARDS; i++) {
			size_t from = server_log_count(scene->server);
			struct pv_buf said;
			pv_buf_init(&said, 1 << 20);
			int status = shard_run(scene, rounds->kind, i, &said);
			if (status != 0) {
				printf("# shard %u ended with %d: %s\n", i,
				    status, pv_buf_text(&said));
				rounds->have_ended = false;
			}
			pv_buf_finish(&said);
			note_hosts(scene, from, i, rounds->owners);
		}
		rounds->count++;
	} while (rounds->have_ended && rounds->count < ROUNDS_MAX &&
		 (server_log_count(scene->server) > before ||
		     outbound_bytes(scene, rounds->kind) > bytes));
}

static size_t count_owners(const struct rounds *rounds, unsigned shard)
{
	size_t count = 0;
	for (unsigned i = 1; i <= HOSTS; i++)
		count += rounds->owners[i] == shard;
	return count;
}

/* Whether an audit finds the promises of that crawl kept. */
static bool is_kept(struct crawl_scene *scene, const char *directory)
{
	const char *const arguments[] = {"audit", directory, NULL};
	struct program_end end;
	return program_run(&scene->home, arguments, NULL, &end) &&
	       end.status == 0;
}

static void judge_owners(const struct rounds *rounds)
{
	size_t least = HOSTS;
	ok(count_owners(rounds, SHARDS + 1) == 0 &&
		count_owners(rounds, 0) == 0,
	    "P1: each host is asked by one of them");
	for (unsigned i = 1; i <= SHARDS; i++) {
		size_t count = count_owners(rounds, i);
		least = count < least ? count : least;
	}
	ok(least > 0, "each has some hosts (%zu at least)", least);
}

/* One crawl, and four that share its work. */
static void judge_rounds(struct crawl_scene *scene, char kind, bool has_depth)
{
	static struct asked wanted, found;
	struct rounds rounds = {.kind = kind};
	const char one[] = {kind, '\0'};
	const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", one, "-q", NULL};
	struct program_end end;
	size_t from = server_log_count(scene->server);
	bool has_ended = program_run(&scene->home, arguments, NULL, &end);
	gather(scene, from, &wanted);
	ok(has_ended && !end.status && wanted.count > HOSTS * 3,
	    "one crawl of all hosts fetches much (%zu)", wanted.count);
	from = server_log_count(scene->server);
	run_rounds(scene, &rounds);
	gather(scene, from, &found);
	ok(rounds.have_ended && rounds.count < ROUNDS_MAX,
	    "rounds of four shards come to an end (%u rounds)", rounds.count);
	if (!has_depth)
		ok(count_twice(&found) == 0, "no address is fetched twice");
	drop_repeats(&wanted);
	drop_repeats(&found);
	if (!ok(is_same(&found, &wanted),
		"P3: all they fetch is what one crawl fetches (%zu and %zu)",
		found.count, wanted.count))
		show_difference(&found, &wanted);
	judge_owners(&rounds);
	forget(&found);
	forget(&wanted);
}

/* Kills */

/* The lines of the files for others, in order; how many of them are none. */
static size_t gather_lines(
    struct crawl_scene *scene, const char *directory, struct asked *lines)
{
	size_t faults = 0;
	lines->count = 0;
	for (unsigned i = 1; i <= SHARDS; i++) {
		struct pv_buf text;
		pv_buf_init(&text, SIZE_MAX);
		read_outbound(scene, directory, i, &text);
		struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
		faults += text.len && text.ptr[text.len - 1] != '\n';
		while (
		    !pv_reader_is_end(&reader) && lines->count < REQUESTS_MAX) {
			struct pv_outbound_line read;
			struct pv_buf url;
			struct pv_str line = pv_reader_take_line(&reader);
			faults += pv_outbound_line_read(&read, line) != NULL;
			pv_buf_init(&url, 1 << 16);
			pv_buf_append_format(&url, "%.*s depth %u %s",
			    PV_STR_ARG(read.link.url),
			    (unsigned)read.link.standing.depth,
			    pv_use_word(read.link.standing.use));
			pv_outbound_line_finish(&read);
			lines->items[lines->count++] = pv_buf_take(&url);
		}
		pv_buf_finish(&text);
	}
	qsort(lines->items, lines->count, sizeof(*lines->items), by_text);
	return faults;
}

/* Kills the only shard of its kind in mid-crawl, again and again. */
static int run_killed(struct crawl_scene *scene, const char *directory)
{
	const char *const arguments[] = {"crawl", "policy.yaml", "-o",
	    directory, "--shard", "1/2", "-q", NULL};
	struct program_end end = {.status = -1};
	for (unsigned kills = 0; kills < 6; kills++) {
		size_t before = server_log_count(scene->server);
		struct program *program =
		    program_start(&scene->home, arguments);
		server_wait(scene->server, before + 3 + kills, HANG_MS);
		program_signal(program, SIGKILL);
		program_wait(program, HANG_MS, &end);
		program_destroy(program);
	}
	program_run(&scene->home, arguments, NULL, &end);
	return end.status;
}

static void judge_kills(struct crawl_scene *scene)
{
	static const char *const whole[] = {
	    "crawl", "policy.yaml", "-o", "w", "--shard", "1/2", "-q", NULL};
	static struct asked wanted, found;
	struct program_end end;
	bool has_ended = program_run(&scene->home, whole, NULL, &end);
	size_t faults = gather_lines(scene, "w", &wanted);
	ok(has_ended && end.status == 0, "one of two shards ends");
	ok(!faults && wanted.count > 10,
	    "and leaves the other whole lines (%zu)", wanted.count);
	ok(run_killed(scene, "k") == 0,
	    "one that is killed again and again ends, too");
	faults = gather_lines(scene, "k", &found);
	ok(faults == 0, "P3: no line is cut by a kill");
	ok(count_twice(&found) == 0, "P3: none is written twice");
	ok(is_same(&found, &wanted), "P3: and none is missing (%zu and %zu)",
	    found.count, wanted.count);
	forget(&wanted);
	forget(&found);
}

/* Words */

static bool says(struct crawl_scene *scene, const char *const *arguments,
    int status, const char *text)
{
	struct pv_buf said;
	struct program_end end;
	pv_buf_init(&said, 1 << 20);
	bool is_right = program_run(&scene->home, arguments, &said, &end) &&
			end.status == status &&
			strstr(pv_buf_text(&said), text);
	if (!is_right)
		printf("# ended with %d: %s\n", end.status, pv_buf_text(&said));
	pv_buf_finish(&said);
	return is_right;
}

#define SAYS(scene, status, text, ...)                                    \
	says((scene), (const char *const[]){__VA_ARGS__, NULL}, (status), \
	    (text))

static void judge_words(struct crawl_scene *scene)
{
	ok(SAYS(scene, 1, "was begun as shard 1/4 and cannot go on as 2/4",
	       "crawl", "policy.yaml", "-o", "s1", "--shard", "2/4"),
	    "P4: a shard does not go on as another one");
	ok(SAYS(scene, 1, "was begun without --shard", "crawl", "policy.yaml",
	       "-o", "o", "--shard", "1/4"),
	    "P4: nor does a crawl of all hosts as one");
	ok(SAYS(scene, 0, "shard      1 of 4", "continue", "s1"),
	    "P4: without the option it stays what it was, and says so");
	ok(SAYS(scene, 0, " crawl POLICY --shard I/4 --inbound ", "continue",
	       "s1"),
	    "and how the others get what is theirs");
	ok(SAYS(scene, 0, "shard      1 of 4", "status", "s1"),
	    "P4: so does its status");
	ok(SAYS(scene, 1, "5/4 is no shard", "crawl", "policy.yaml", "-o", "x",
	       "--shard", "5/4"),
	    "there is no fifth of four");
	ok(SAYS(scene, 1, "nowhere: --inbound: cannot be read", "crawl",
	       "policy.yaml", "-o", "s1", "--inbound", "nowhere"),
	    "P4: what is not there cannot be read");
	ok(SAYS(scene, 1, "this crawl is not divided", "crawl", "policy.yaml",
	       "-o", "o", "--inbound", "s1"),
	    "P4: what is not divided has no other shards");
}

/* Explaining */

static void judge_explanation(struct crawl_scene *scene)
{
	bool is_told = false;
	for (unsigned host = 1; !is_told && host <= HOSTS; host++) {
		char address[64];
		struct pv_buf said;
		struct program_end end;
		const char *const arguments[] = {
		    "explain", "policy.yaml", "-o", "s1", address, NULL};
		snprintf(address, sizeof(address), "http://h%u.test:%u/", host,
		    (unsigned)server_port(scene->server));
		pv_buf_init(&said, 1 << 20);
		program_run(&scene->home, arguments, &said, &end);
		is_told =
		    strstr(pv_buf_text(&said), "this is for shard 2 of 4") &&
		    strstr(pv_buf_text(&said), "(shard, shard 2)");
		pv_buf_finish(&said);
	}
	ok(is_told, "P4: an address of another shard is explained");
}

int main(void)
{
	static unsigned port;
	struct crawl_scene scene;
	struct server_plan plan = {.answer = answer, .ctx = &port};
	if (!ok(crawl_scene_open(&scene, &plan), "forty hosts are there"))
		return tap_done();
	port = server_port(scene.server);
	crawl_scene_policy(&scene, POLICY("none"));
	if (crawl_scene_ends(&scene, 0, "a crawl of all ends")) {
		judge_rounds(&scene, 's', false);
		ok(is_kept(&scene, "s1") && is_kept(&scene, "s2") &&
			is_kept(&scene, "s3") && is_kept(&scene, "s4"),
		    "P1, P2: an audit of each finds every promise kept");
		judge_words(&scene);
		judge_explanation(&scene);
		judge_kills(&scene);
		crawl_scene_policy(&scene, POLICY("5"));
		judge_rounds(&scene, 'd', true);
	}
	crawl_scene_close(&scene);
	return tap_done();
}

#include "torture/ordeal.h"

#include <sys/resource.h>

#include "base/digest.h"
#include "crawl/patience.h"
#include "server/log_check.h"
#include "store/database.h"

#define DELAY_MS 3
#define LARGE 400000

/* A run takes a quarter of a second where nothing is in its way. */
#define TIMEOUT_MS 10000
#define TIMES_MAX 8

/* Of what came and could not be kept where descriptors are few. */
#define REPEATS_MAX 5
#define TEXT_MAX ((size_t)16 << 20)

/* The site: two hosts with a few pages and what belongs to them, one body that
 * does not stay in memory. When it is updated some of the pages are gone, so that
 * the first routes hold. */
#define GONE_ROUTES 2

#define STYLE "<link rel=stylesheet href=/style.css>"

static const struct server_route routes[] = {
    {.path = "/dir/3", .answer = {.status = 404, .body = "no"}},
    {.path = "/5*", .answer = {.status = 410, .body = "no"}},
    {.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\nDisallow: /private\n"}},
    {.host = "a.test",
	.path = "/",
	.answer = {.body = STYLE
		   "<a href=/1>1</a><a href=/2>2</a><a href=/private>p</a>"
		   "<a href=/moved>m</a><a href=/gone>g</a>"
		   "<a href=/large>l</a><img src=/deep/er/image.png>"}},
    {.host = "b.test",
	.path = "/",
	.answer = {.body = STYLE "<a href=/1>1</a><a href=/dir/2>2</a>"
				 "<a href=/dir/3>3</a><a href=/dir/>d</a>"}},
    {.path = "/style.css",
	.answer = {.type = "text/css",
	    .body = "body { background: url(/back.png) }"}},
    {.path = "/*.png", .answer = {.type = "image/png", .body = "no image"}},
    {.path = "/moved", .answer = {.status = 301, .location = "/1"}},
    {.path = "/gone", .answer = {.status = 404, .body = "no"}},
    {.path = "/large",
	.answer = {.kind = SERVER_PATTERN,
	    .size = LARGE,
	    .type = "application/octet-stream"}},
    {.path = "/1", .answer = {.body = "one <a href=/4>4</a>"}},
    {.path = "/2", .answer = {.body = "two <a href=/5?a=b>5</a>"}},
    {.path = "/4", .answer = {.body = "four"}},
    {.path = "/5*", .answer = {.body = "five"}},
    {.path = "/dir/", .answer = {.body = "the directory"}},
    {.path = "/dir/2", .answer = {.body = "two <a href=/1>1</a>"}},
    {.path = "/dir/3", .answer = {.body = "three"}},
};

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://a.test:%u/\", \"http://b.test:%u/\"]\n"
    "scope: {sitemaps: false}\n"
    "rate: {max_rate: 1000, interval: 10ms, concurrency: 8}\n"
    "politeness: {delay: 3ms, delay_from: start, delay_factor: 0, "
    "ip_delay: 0}\n"
    "output: {mirror: {rewrite: false}}\n"
    "fetch:\n"
    "  resolve: {a.test: \"127.71.0.1\", b.test: \"127.71.0.2\"}\n";

const struct ordeal_kind ordeal_kinds[ORDEAL_KINDS] = {
    {"a crawl", "o", trial_crawl, false, false, false},
    {"a crawl that was killed before", "o", trial_crawl, true, false, false},
    {"an update", "o", trial_update, false, true, false},
    {"a crawl whose clocks are elsewhere", "state", trial_crawl, false, false,
	true},
};

/* Running */

/* Each begins with an empty log, at the same port. */
static bool start_server(struct ordeal *ordeal)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	size_t first = ordeal->is_later ? 0 : GONE_ROUTES;
	server_stop(ordeal->server);
	ordeal->server = server_start(&(struct server_plan){
	    .addresses = everywhere,
	    .port = ordeal->port,
	    .routes = routes + first,
	    .route_count = sizeof(routes) / sizeof(*routes) - first,
	});
	if (ordeal->server)
		ordeal->port = server_port(ordeal->server);
	return ordeal->server;
}

static bool shell(struct ordeal *ordeal, const char *command)
{
	char text[2048];
	snprintf(text, sizeof(text), "cd '%s' && { %s; }", ordeal->home.path,
	    command);
	bool is_done = system(text) == 0;
	if (!is_done)
		printf("# failed: %s\n", command);
	return is_done;
}

/* Starts the program with less than we have, 0 for as much. */
static void limit(int what, unsigned most, struct rlimit *ours)
{
	getrlimit(what, ours);
	struct rlimit less = {most, ours->rlim_max};
	if (most)
		setrlimit(what, &less);
}

static struct program *start(
    struct ordeal *ordeal, const char *const *arguments)
{
	struct rlimit files, bytes;
	limit(RLIMIT_NOFILE, ordeal->descriptors, &files);
	limit(RLIMIT_FSIZE, ordeal->file_bytes, &bytes);
	struct program *program = program_start(&ordeal->home, arguments);
	setrlimit(RLIMIT_NOFILE, &files);
	setrlimit(RLIMIT_FSIZE, &bytes);
	return program;
}

static int run(struct ordeal *ordeal, const char *const *arguments,
    struct pv_buf *said, struct program_end *end)
{
	double times = patience() < TIMES_MAX ? patience() : TIMES_MAX;
	int timeout_ms = (int)(TIMEOUT_MS * times);
	struct program *program = start(ordeal, arguments);
	bool has_ended = program && program_wait(program, timeout_ms, end);
	if (program)
		program_errors(program, said);
	program_destroy(program);
	if (!has_ended)
		return -2;
	return end->is_killed ? -1 : end->status;
}

/* Looking */

/* Only what a portrait asks of a trial. */
static void look(struct ordeal *ordeal, struct portrait *portrait)
{
	struct trial trial = {.home = ordeal->home, .server = ordeal->server};
	portrait_take(portrait, &trial);
}

static void take_digests(
    struct ordeal *ordeal, const struct lines *files, struct lines *digests)
{
	for (size_t i = 0; i < files->count; i++) {
		char name[1024];
		uint8_t digest[PV_DIGEST_SIZE];
		struct pv_buf text;
		pv_buf_init(&text, TEXT_MAX);
		snprintf(name, sizeof(name), "o/%s", files->items[i]);
		home_read(&ordeal->home, name, &text);
		pv_digest(pv_buf_str(&text), digest);
		pv_buf_clear(&text);
		pv_digest_write(digest, &text);
		lines_add(
		    digests, "%s %s", files->items[i], pv_buf_text(&text));
		pv_buf_finish(&text);
	}
	lines_sort(digests);
}

/* The run that the journal's last line is of. */
static int64_t last_run(const char *journal)
{
	int64_t run = 0;
	const char *at = journal;
	while ((at = strstr(at, "\"run\":"))) {
		at += strlen("\"run\":");
		int64_t found = strtoll(at, NULL, 10);
		run = found > run ? found : run;
	}
	return run;
}

/* Judging */

/* A sentence for a person: where, what; and only one. */
static void judge_words(struct ordeal_end *end)
{
	const char *said = pv_buf_text(&end->said);
	/* What is wrong with a policy that cannot be read, nobody knows. */
	bool is_policy =
	    end->status == 2 && strstr(said, "policy.yaml: cannot be read: ");
	if (end->status != 0 && end->status != 1 && !is_policy)
		pv_buf_append_format(
		    &end->faults, "it ended with %d\n", end->status);
	if (strstr(said, "Sanitizer") || strstr(said, "runtime error"))
		pv_buf_append_text(&end->faults, "a sanitizer complains\n");
	if (end->status == 1 && (!strstr(said, "error: ") ||
				    !strchr(said + strlen("error: "), ':') ||
				    strstr(said, "Success")))
		pv_buf_append_text(
		    &end->faults, "it did not say in a sentence why\n");
}

/* What is to go may still be where it was. */
static bool is_digest(const struct ordeal *ordeal, const char *line)
{
	static const char site[] = "site/";
	char gone[1024];
	snprintf(gone, sizeof(gone), "gone/%s",
	    strncmp(line, site, strlen(site)) == 0 ? line + strlen(site) : "");
	return lines_count(&ordeal->digests, line) ||
	       lines_count(&ordeal->digests, gone);
}

/* What stands when the program has ended was served, and is whole. */
static void judge_files(struct ordeal *ordeal, struct ordeal_end *end)
{
	struct portrait found;
	struct lines digests = {.items = NULL};
	look(ordeal, &found);
	take_digests(ordeal, &found.files, &digests);
	for (size_t i = 0; i < digests.count; i++) {
		const char *line = digests.items[i];
		if (!strstr(line, "/.pavane/") && !is_digest(ordeal, line))
			pv_buf_append_format(
			    &end->faults, "it left %s\n", line);
	}
	lines_finish(&digests);
	portrait_finish(&found);
}

static void judge_end(struct ordeal *ordeal, struct ordeal_end *end)
{
	const struct portrait *wanted = &ordeal->wanted;
	struct pv_buf *faults = &end->faults;
	struct portrait found;
	struct lines digests = {.items = NULL};
	look(ordeal, &found);
	take_digests(ordeal, &found.files, &digests);
	lines_compare(&found.addresses, &wanted->addresses, "address", faults);
	lines_compare(&found.counts, &wanted->counts, "count", faults);
	lines_compare(&found.finals, &wanted->finals, "last line", faults);
	lines_compare(&found.changes, &wanted->changes, "change", faults);
	lines_compare(&found.copies, &wanted->copies, "copy", faults);
	lines_compare(&digests, &ordeal->digests, "file", faults);
	if (!found.is_sound)
		pv_buf_append_text(faults, "state.db is damaged\n");
	if (found.torn)
		pv_buf_append_format(
		    faults, "%zu lines are torn\n", found.torn);
	lines_finish(&digests);
	portrait_finish(&found);
}

static bool is_same(
    const struct server_record *a, const struct server_record *b)
{
	return pv_str_equal(a->host, b->host) &&
	       pv_str_equal(a->target, b->target);
}

/* Of a run: nothing is asked for twice, but what could not be kept for want of
 * descriptors, or memory, that are there a moment later. */
static void judge_run(const struct log_view *view, size_t from, size_t to,
    const char *plan, struct ordeal_end *end)
{
	size_t repeats = 0, last = 0;
	bool has_few = strstr(plan, "descriptors");
	bool is_passing = strstr(plan, "FILE") || strstr(plan, "NOMEM");
	for (size_t i = from; i < to; i++) {
		for (size_t k = from; k < i; k++) {
			if (!is_same(&view->records[i], &view->records[k]))
				continue;
			repeats++;
			last = i;
		}
	}
	if (repeats > (has_few ? REPEATS_MAX : is_passing))
		pv_buf_append_format(&end->faults,
		    "%.*s%.*s was asked for more than once in a run\n",
		    PV_STR_ARG(view->records[last].host),
		    PV_STR_ARG(view->records[last].target));
}

/* Whether the journal's last word on an address is of a run before that. */
static bool is_settled(const char *journal, const char *url, int64_t before)
{
	const char *line = journal;
	while (*line) {
		size_t len = strcspn(line, "\n");
		const char *at = memmem(line, len, url, strlen(url));
		const char *run = memmem(line, len, "\"run\":", 6);
		bool is_final = memmem(line, len, "\"final\":true", 12);
		if (at && run && is_final &&
		    strtoll(run + 6, NULL, 10) < before)
			return true;
		line += len + (line[len] == '\n');
	}
	return false;
}

/* What was settled when it ended is not asked for when it goes on. In updates
 * the last word is that of another round. */
static void judge_repeats(struct ordeal *ordeal, const struct log_view *view,
    size_t from, struct ordeal_end *end)
{
	struct pv_buf journal;
	pv_buf_init(&journal, TEXT_MAX);
	home_read(&ordeal->home, "o/journal.jsonl", &journal);
	int64_t run = last_run(pv_buf_text(&journal));
	for (size_t i = from; i < view->count && !ordeal->kind->is_update;
	     i++) {
		const struct server_record *record = &view->records[i];
		char url[512];
		snprintf(url, sizeof(url), "\"url\":\"http://%.*s:%u%.*s\"",
		    PV_STR_ARG(record->host), (unsigned)ordeal->port,
		    PV_STR_ARG(record->target));
		if (is_settled(pv_buf_text(&journal), url, run))
			pv_buf_append_format(
			    &end->faults, "settled, and asked for: %s\n", url);
	}
	if (strstr(pv_buf_text(&journal), "\"attempt\":2"))
		pv_buf_append_text(&end->faults, "a host was blamed\n");
	pv_buf_finish(&journal);
}

static void judge_requests(struct ordeal *ordeal, size_t middle,
    const char *plan, struct ordeal_end *end)
{
	server_wait_idle(ordeal->server, 0, 5000);
	struct log_view view = log_view_of(ordeal->server);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
	if (gap.us < DELAY_MS * 1000)
		pv_buf_append_format(&end->faults,
		    "%.*s was asked after %.3f ms\n",
		    PV_STR_ARG(gap.first.host), (double)gap.us / 1000);
	judge_run(&view, 0, middle, plan, end);
	judge_run(&view, middle, view.count, "", end);
	judge_repeats(ordeal, &view, middle, end);
	log_view_finish(&view);
}

static void judge_promises(struct ordeal *ordeal, struct ordeal_end *end)
{
	static const char *const audit[] = {"audit", "o", "--json", NULL};
	struct program_end how;
	struct pv_buf said;
	pv_buf_init(&said, TEXT_MAX);
	program_run(&ordeal->home, audit, &said, &how);
	if (how.is_killed || how.status)
		pv_buf_append_format(
		    &end->faults, "audit: %.2000s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
}

/* Beginning and going on */

static bool prepare(struct ordeal *ordeal)
{
	bool is_later = ordeal->kind->is_killed || ordeal->kind->is_update;
	ordeal->is_later = ordeal->kind->is_update;
	return start_server(ordeal) &&
	       shell(ordeal, is_later ? "rm -rf o state; cp -a kept/o o; "
					"cp -a kept/state state"
				      : "rm -rf o state");
}

static const char *const *going_on(struct ordeal *ordeal)
{
	struct trial trial = {.home = ordeal->home};
	bool is_begun = ordeal->kind->is_update && trial_has_update(&trial);
	return is_begun ? trial_continue : ordeal->kind->arguments;
}

/* What was there before: a crawl that was killed, or one that finished. */
static bool make_earlier(struct ordeal *ordeal)
{
	struct pv_buf said;
	struct program_end end;
	pv_buf_init(&said, TEXT_MAX);
	ordeal->is_later = false;
	if (!start_server(ordeal) ||
	    !shell(ordeal, "rm -rf o state kept; mkdir kept"))
		return false;
	faulty_choose(&ordeal->faulty, ordeal->kind->below);
	faulty_plan(&ordeal->faulty, NULL);
	if (ordeal->kind->is_killed)
		faulty_plan(&ordeal->faulty, "change %d kill-half",
		    (int)(ordeal->changes * 3 / 4));
	int status = run(ordeal, trial_crawl, &said, &end);
	faulty_rest(&ordeal->faulty);
	ordeal->changes = ordeal->faulty.tally->changes;
	if (ordeal->kind->is_killed != (status == -1))
		printf("# it said: %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
	return shell(ordeal, "mv o kept/o; mv state kept/state");
}

bool ordeal_begin(struct ordeal *ordeal, const struct ordeal_kind *kind)
{
	struct program_end end = {.status = 0};
	struct pv_buf said;
	ordeal->kind = kind;
	if (kind->is_killed || kind->is_update)
		make_earlier(ordeal);
	if (!prepare(ordeal))
		return false;
	pv_buf_init(&said, TEXT_MAX);
	faulty_choose(&ordeal->faulty, kind->below);
	faulty_plan(&ordeal->faulty, NULL);
	int status = run(ordeal, kind->arguments, &said, &end);
	faulty_rest(&ordeal->faulty);
	ordeal->took_ms = end.wall_ms;
	for (size_t i = 0; i < FAULT_SORT_COUNT; i++)
		ordeal->calls[i] = ordeal->faulty.tally->calls[i];
	if (kind == ordeal_kinds)
		ordeal->changes = ordeal->faulty.tally->changes;
	portrait_finish(&ordeal->wanted);
	lines_finish(&ordeal->digests);
	ordeal->digests = (struct lines){.items = NULL};
	look(ordeal, &ordeal->wanted);
	take_digests(ordeal, &ordeal->wanted.files, &ordeal->digests);
	if (status != 0)
		printf("# it said: %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
	return status == 0;
}

void ordeal_suffer(
    struct ordeal *ordeal, const char *plan, struct ordeal_end *end)
{
	struct program_end how = {.status = 0};
	struct pv_buf said;
	*end = (struct ordeal_end){.status = -2};
	pv_buf_init(&end->said, TEXT_MAX);
	pv_buf_init(&end->faults, TEXT_MAX);
	pv_buf_init(&said, TEXT_MAX);
	prepare(ordeal);
	if (sscanf(plan, "descriptors %u", &ordeal->descriptors) != 1 &&
	    sscanf(plan, "bytes %u", &ordeal->file_bytes) != 1)
		faulty_plan(&ordeal->faulty, "%s", plan);
	end->status = run(ordeal, ordeal->kind->arguments, &end->said, &how);
	faulty_rest(&ordeal->faulty);
	ordeal->descriptors = ordeal->file_bytes = 0;
	end->took_ms = how.wall_ms;
	end->is_struck = ordeal->faulty.tally->strikes;
	size_t middle = server_log_count(ordeal->server);
	judge_words(end);
	if (ordeal->kind->is_never_ended && end->status)
		pv_buf_append_text(&end->faults, "it was ended\n");
	judge_files(ordeal, end);
	int status = run(ordeal, going_on(ordeal), &said, &how);
	if (status != 0)
		pv_buf_append_format(&end->faults,
		    "going on ended with %d: %s\n", status, pv_buf_text(&said));
	judge_end(ordeal, end);
	judge_requests(ordeal, middle, plan, end);
	judge_promises(ordeal, end);
	pv_buf_finish(&said);
}

void ordeal_end_finish(struct ordeal_end *end)
{
	pv_buf_finish(&end->said);
	pv_buf_finish(&end->faults);
}

bool ordeal_open(struct ordeal *ordeal)
{
	*ordeal = (struct ordeal){.port = 0};
	if (!home_make(&ordeal->home) || !start_server(ordeal))
		return false;
	home_print(&ordeal->home, "policy.yaml", policy, (unsigned)ordeal->port,
	    (unsigned)ordeal->port);
	return faulty_open(&ordeal->faulty, &ordeal->home, "o");
}

void ordeal_close(struct ordeal *ordeal)
{
	portrait_finish(&ordeal->wanted);
	lines_finish(&ordeal->digests);
	faulty_close(&ordeal->faulty);
	server_stop(ordeal->server);
	home_remove(&ordeal->home);
}

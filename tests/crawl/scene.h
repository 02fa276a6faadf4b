#ifndef PAVANE_TESTS_CRAWL_SCENE_H
#define PAVANE_TESTS_CRAWL_SCENE_H

#include <glob.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/buf.h"
#include "crawl/patience.h"
#include "server/leftovers.h"
#include "server/log_check.h"
#include "server/run_program.h"
#include "server/server.h"
#include "server/site.h"
#include "tap.h"

/* The program at work on a server of ours: its policy, its directory "o" in a
 * home of the test's own, and what the server saw. */
struct crawl_scene {
	struct home home;
	struct server *server;
	struct program *program;
	struct program_end end;
	bool has_sitemaps; /* they are asked for; else nobody does */
};

static inline bool crawl_scene_open(
    struct crawl_scene *scene, const struct server_plan *plan)
{
	*scene = (struct crawl_scene){.program = NULL};
	scene->server = server_start(plan);
	return scene->server && home_make(&scene->home);
}

/* Whatever a test is about, the crawl has kept its promises of pace: of those
 * that are only measured, and of directories that a test has spoilt, nothing is
 * said. Of these the audit says what it cannot read, and nothing else; whether
 * that is so where nothing was spoilt shows in the number of claims. */
static inline void crawl_scene_judge_promises(struct crawl_scene *scene)
{
	static const char *const arguments[] = {"audit", "o", "--json", NULL};
	struct program_end end;
	struct pv_buf said;
	if (!tap.claims)
		return;
	pv_buf_init(&said, 1 << 20);
	program_run(&scene->home, arguments, &said, &end);
	const char *told = pv_buf_text(&said);
	bool is_audit = strncmp(told, "{\"kept\":", 8) == 0;
	bool is_unread = !is_audit && !end.is_killed && end.status == 1 &&
			 strncmp(told, "pavane: ", 8) == 0;
	if (!is_unread && !ok(is_audit && end.status == 0,
			      "P1, P2: an audit finds every promise kept")) {
		const char *violations = strstr(told, "\"violations\"");
		printf("# ended with %d: %.4000s\n", end.status,
		    violations ? violations : told);
	}
	pv_buf_finish(&said);
}

/* Nor has any program left a file open, or a connection. */
static inline void crawl_scene_judge_leftovers(struct crawl_scene *scene)
{
	static const char claim[] = "no program leaves a descriptor open";
	struct pv_buf left;
	if (!tap.claims)
		return;
	if (!leftovers_are_known(&scene->home)) {
		tap_skip(claim, "no program tells here");
		return;
	}
	pv_buf_init(&left, 1 << 20);
	bool have_all_told = leftovers_read(&scene->home, &left);
	if (!ok(have_all_told && left.len == 0, "%s", claim))
		printf("# %s of %u:\n%s", have_all_told ? "all" : "not all",
		    scene->home.watched_ends, pv_buf_text(&left));
	pv_buf_finish(&left);
}

static inline void crawl_scene_close(struct crawl_scene *scene)
{
	crawl_scene_judge_promises(scene);
	program_destroy(scene->program);
	crawl_scene_judge_leftovers(scene);
	server_stop(scene->server);
	home_remove(&scene->home);
}

/* Appends a text in which PORT and TLS are the server's ports. */
static inline void crawl_scene_write(
    const struct crawl_scene *scene, const char *text, struct pv_buf *buf)
{
	while (*text) {
		bool is_port = strncmp(text, "PORT", 4) == 0;
		bool is_tls = strncmp(text, "TLS", 3) == 0;
		if (is_port)
			pv_buf_append_format(
			    buf, "%u", (unsigned)server_port(scene->server));
		else if (is_tls)
			pv_buf_append_format(buf, "%u",
			    (unsigned)server_tls_port(scene->server));
		else
			pv_buf_append_char(buf, *text);
		text += is_port ? 4 : is_tls ? 3 : 1;
	}
}

/* Where a policy says nothing of sitemaps, and the scene has none, nobody is to
 * ask for any: a request that is not what a test is about. */
static inline void crawl_scene_leave_sitemaps(
    const struct crawl_scene *scene, const char *text, struct pv_buf *buf)
{
	static const char *const beginnings[] = {"\nscope: {", "\nscope:\n"};
	static const char *const insertions[] = {
	    "sitemaps: false, ", "  sitemaps: false\n"};
	if (scene->has_sitemaps || strstr(text, "sitemaps:")) {
		crawl_scene_write(scene, text, buf);
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		const char *scope = strstr(text, beginnings[i]);
		if (!scope)
			continue;
		const char *rest = scope + strlen(beginnings[i]);
		struct pv_str head = {text, (size_t)(rest - text)};
		char *before = strndup(head.ptr, head.len);
		crawl_scene_write(scene, before, buf);
		free(before);
		pv_buf_append_text(buf, insertions[i]);
		crawl_scene_write(scene, rest, buf);
		return;
	}
	crawl_scene_write(scene, text, buf);
	pv_buf_append_text(buf, "scope: {sitemaps: false}\n");
}

/* Writes policy.yaml; PORT in it is the server's. */
static inline void crawl_scene_policy(
    struct crawl_scene *scene, const char *text)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 1 << 20);
	crawl_scene_leave_sitemaps(scene, text, &buf);
	home_write(&scene->home, "policy.yaml", pv_buf_str(&buf));
	pv_buf_finish(&buf);
}

static inline bool crawl_scene_start(struct crawl_scene *scene)
{
	static const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", "o", "-q", NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	if (!scene->program) {
		puts("Bail out! The program could not be started.");
		exit(1);
	}
	return true;
}

/* Its exit status; -1 if it was killed, and -2 if it did not end in time. */
static inline int crawl_scene_wait(struct crawl_scene *scene, int timeout_ms)
{
	if (!program_wait(scene->program, timeout_ms, &scene->end)) {
		if (timeout_ms >= HANG_MS)
			program_tell_stacks(scene->program);
		return -2;
	}
	return scene->end.is_killed ? -1 : scene->end.status;
}

/* Crawls to the end. A crawl that goes on asking is slow, as its machine may be,
 * and does not hang. */
static inline int crawl_scene_run(struct crawl_scene *scene, int timeout_ms)
{
	size_t seen;
	int status;
	if (!crawl_scene_start(scene))
		return -3;
	do {
		seen = server_log_count(scene->server);
		status = crawl_scene_wait(scene, timeout_ms);
	} while (status == -2 && server_log_count(scene->server) > seen);
	return status;
}

/* What it said, where a claim did not hold. */
static inline void crawl_scene_show(struct crawl_scene *scene)
{
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_errors(scene->program, &said);
	printf("# it said: %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
}

static inline bool crawl_scene_ends(
    struct crawl_scene *scene, int status, const char *claim)
{
	int found = crawl_scene_run(scene, HANG_MS);
	if (ok(found == status, "%s", claim))
		return true;
	printf("# ended with %d\n", found);
	crawl_scene_show(scene);
	return false;
}

/* The journal */

/* Calls `on_line` with each line of it that holds all of these texts. */
struct crawl_scene_search {
	const char *texts[8];
	size_t count;
	void (*on_line)(const char *line);
};

static inline size_t crawl_scene_search(
    struct crawl_scene *scene, const struct crawl_scene_search *search)
{
	struct pv_buf journal;
	size_t found = 0;
	pv_buf_init(&journal, SIZE_MAX);
	home_read(&scene->home, "o/journal.jsonl", &journal);
	char *line = journal.ptr;
	while (line && *line) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		bool has_all = true;
		for (size_t i = 0; i < search->count; i++)
			has_all = has_all && strstr(line, search->texts[i]);
		found += has_all;
		if (has_all && search->on_line)
			search->on_line(line);
		line = end ? end + 1 : NULL;
	}
	pv_buf_finish(&journal);
	return found;
}

/* How many lines of the journal hold all of these texts (ended by NULL). */
static inline size_t crawl_scene_lines(struct crawl_scene *scene, ...)
{
	struct crawl_scene_search search = {.count = 0};
	va_list list;
	va_start(list, scene);
	while (search.count < 7 &&
	       (search.texts[search.count] = va_arg(list, const char *)))
		search.count++;
	va_end(list);
	return crawl_scene_search(scene, &search);
}

static inline void crawl_scene_show_line(const char *line)
{
	printf("# %s\n", line);
}

/* The lines that hold a text, where a claim did not hold. */
static inline void crawl_scene_show_lines(
    struct crawl_scene *scene, const char *text)
{
	crawl_scene_search(scene,
	    &(struct crawl_scene_search){
		.texts = {text}, .count = 1, .on_line = crawl_scene_show_line});
}

/* An address, in which PORT and TLS are the server's, and a part of its last
 * line. */
struct address_end {
	const char *url;
	const char *end;
};

static inline void crawl_scene_judge_end(
    struct crawl_scene *scene, const struct address_end *end)
{
	struct pv_buf url;
	pv_buf_init(&url, 1 << 16);
	pv_buf_append_text(&url, "\"url\":\"");
	crawl_scene_write(scene, end->url, &url);
	pv_buf_append_char(&url, '"');
	const char *address = pv_buf_text(&url);
	bool is_right =
	    crawl_scene_lines(scene, address, "\"final\":true", NULL) == 1 &&
	    crawl_scene_lines(
		scene, address, end->end, "\"final\":true", NULL) == 1;
	if (!ok(is_right, "%s: %s", end->url, end->end))
		crawl_scene_show_lines(scene, address);
	pv_buf_finish(&url);
}

static inline void crawl_scene_judge_ends(
    struct crawl_scene *scene, const struct address_end *ends, size_t count)
{
	for (size_t i = 0; i < count; i++)
		crawl_scene_judge_end(scene, &ends[i]);
}

#define JUDGE_ENDS(scene, table) \
	crawl_scene_judge_ends(  \
	    (scene), (table), sizeof(table) / sizeof(*(table)))

/* Whether there is a file in the home whose name fits the pattern. */
static inline bool crawl_scene_has(
    struct crawl_scene *scene, const char *pattern)
{
	glob_t found;
	bool is_there =
	    glob(home_file(&scene->home, pattern), 0, NULL, &found) == 0;
	globfree(&found);
	return is_there;
}

/* The number behind that text in what `pavane status --json` says of it; -1 if
 * it says nothing of the kind. */
static inline int64_t crawl_scene_status(
    struct crawl_scene *scene, const char *text)
{
	static const char *const arguments[] = {"status", "o", "--json", NULL};
	struct program_end end;
	struct pv_buf said;
	int64_t number = -1;
	pv_buf_init(&said, 1 << 20);
	program_run(&scene->home, arguments, &said, &end);
	const char *at = strstr(pv_buf_text(&said), text);
	if (at && end.status == 0)
		number = strtoll(at + strlen(text), NULL, 10);
	pv_buf_finish(&said);
	return number;
}

/* What a turn of the loop computes is counted by its thread's own clock, so that
 * a busy machine changes nothing of it. What it waits for besides, such as a call
 * that blocks, is only seen on the wall, where it takes longer if its thread has
 * no processor, which is no doing of the program's. */
#define TURN_CPU_MAX_MS 50
#define TURN_MAX_MS 150

static inline void crawl_scene_judge_turns(struct crawl_scene *scene)
{
	int64_t blocked_ms = crawl_scene_status(scene, "\"blocked_ms\":");
	int64_t waited_ms = scene->end.waited_us / 1000;
	int64_t cpu_ms = crawl_scene_status(scene, "\"turn_cpu_ms\":");
	int64_t more = IS_SANITIZED ? 10 : 1;
	int64_t most_ms = TURN_MAX_MS * more;
	ok(cpu_ms >= 0 && cpu_ms < TURN_CPU_MAX_MS * more,
	    "P6: no turn of the loop computes for %lld ms (%lld)",
	    (long long)(TURN_CPU_MAX_MS * more), (long long)cpu_ms);
	ok(blocked_ms >= 0 && blocked_ms - waited_ms < most_ms,
	    "P6: no turn of the loop takes %lld ms (%lld, of which it may have "
	    "waited %lld for a processor)",
	    (long long)most_ms, (long long)blocked_ms, (long long)waited_ms);
}

#endif

/* The crawling half of the library, for tests of the program: it does as if.
 *
 * What happens is told by the environment: FAKE_PAGES to do, one each FAKE_MS;
 * FAKE_END (failed, limited, not-begun); FAKE_DRAIN_MS that what is in flight
 * takes to end, and FAKE_DROP_MS to be dropped; FAKE_LINES, with the text
 * FAKE_LINE, told on the way; FAKE_WARNING; FAKE_NOTE; FAKE_ENTRY, for a
 * mirror with an entry page; FAKE_OPEN=failed;
 * FAKE_RUNNING, FAKE_CUT and FAKE_NAME of a status. Once half is done there is a
 * file "half". What was done stands in
 * state.db, as text. Each function is weak, so that the library's own may stand beside it.
 */

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/fake_progress.h"
#include "serve/absent.c" /* the service needs all of the library */
#include "pavane/pavane.h"

#define WEAK __attribute__((weak))
#define IN_FLIGHT 3

struct pavane_crawl {
	const struct pavane_policy *policy;
	struct pavane_crawl_options options;
	char directory[512];
	struct pavane_progress progress;
	atomic_int stops;
	int64_t began_ms;
	int64_t stopped_ms;
	uint64_t lines;
};

static const char *environment(const char *name, const char *otherwise)
{
	const char *value = getenv(name);
	return value ? value : otherwise;
}

static long number_of(const char *name, const char *otherwise)
{
	return strtol(environment(name, otherwise), NULL, 10);
}

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void tell(struct pavane_crawl *crawl, enum pavane_level level,
    const char *text, uint64_t number)
{
	char line[2048];
	snprintf(
	    line, sizeof(line), "%s %llu", text, (unsigned long long)number);
	if (level <= crawl->options.level)
		crawl->options.on_line(crawl->options.ctx, level, line);
}

static FILE *file_of(const char *directory, const char *name, const char *mode)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return fopen(path, mode);
}

static void make_directory(const char *directory, const char *name)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	mkdir(path, 0777);
}

static void read_state(const char *directory, struct pavane_progress *progress)
{
	unsigned long long done = 0;
	FILE *file = file_of(directory, "state.db", "r");
	char text[64] = "";
	if (file && fgets(text, sizeof(text), file))
		done = strtoull(text, NULL, 10);
	if (file)
		fclose(file);
	fake_progress(progress);
	progress->pending = (uint64_t)number_of("FAKE_PAGES", "8");
	progress->pending -=
	    done < progress->pending ? done : progress->pending;
	progress->done = done;
	progress->known = done + progress->pending;
}

static void write_text(
    const char *directory, const char *name, const char *text)
{
	FILE *file = file_of(directory, name, "w");
	if (file)
		fputs(text, file);
	if (file)
		fclose(file);
}

static void write_state(struct pavane_crawl *crawl)
{
	char text[64];
	snprintf(text, sizeof(text), "%llu\n",
	    (unsigned long long)crawl->progress.done);
	write_text(crawl->directory, "state.db", text);
}

static void write_out(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

static void write_policy(struct pavane_crawl *crawl)
{
	FILE *file = file_of(crawl->directory, "policy.yaml", "w");
	pavane_policy_write_effective(crawl->policy, write_out, file);
	fclose(file);
}

WEAK const char *pavane_policy_directory(const struct pavane_policy *policy)
{
	(void)policy;
	return "./docs.example.org";
}

WEAK struct pavane_crawl *pavane_crawl_open(const struct pavane_policy *policy,
    const struct pavane_crawl_options *options)
{
	struct pavane_crawl *crawl = calloc(1, sizeof(*crawl));
	crawl->policy = policy;
	crawl->options = *options;
	snprintf(crawl->directory, sizeof(crawl->directory), "%s",
	    options->directory ? options->directory
			       : pavane_policy_directory(policy));
	bool is_failing =
	    strcmp(environment("FAKE_OPEN", ""), "failed") == 0 ||
	    (mkdir(crawl->directory, 0777) != 0 && errno != EEXIST);
	if (is_failing) {
		tell(crawl, PAVANE_ERROR, "the disk is in the way", 0);
		free(crawl);
		return NULL;
	}
	if (options->is_fresh)
		write_text(crawl->directory, "state.db", "0\n");
	read_state(crawl->directory, &crawl->progress);
	if (options->is_update)
		crawl->progress.changes =
		    (struct pavane_changes){.round = 2, .added = 3, .same = 5};
	write_policy(crawl);
	write_text(crawl->directory, "journal.jsonl", "");
	make_directory(crawl->directory, "site");
	make_directory(crawl->directory, "site/docs.example.org");
	write_text(crawl->directory, "site/docs.example.org/index.html", "\n");
	return crawl;
}

static void show(struct pavane_crawl *crawl)
{
	crawl->progress.elapsed_ms = now_ms() - crawl->began_ms;
	if (crawl->options.on_progress)
		crawl->options.on_progress(
		    crawl->options.ctx, &crawl->progress);
}

static void rest(long ms)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000};
	nanosleep(&time, NULL);
}

/* Nothing new; what is in flight takes its time, or is dropped. */
static void drain(struct pavane_crawl *crawl)
{
	long left = number_of("FAKE_DRAIN_MS", "30");
	crawl->progress.phase = PAVANE_DRAINING;
	for (; left > 0 && atomic_load(&crawl->stops) < 2; left -= 10) {
		crawl->progress.drain_left_ms = left;
		show(crawl);
		rest(10);
	}
	if (atomic_load(&crawl->stops) > 1) {
		crawl->progress.phase = PAVANE_DROPPING;
		show(crawl);
		rest(number_of("FAKE_DROP_MS", "0"));
	}
	crawl->progress.in_flight = 0;
}

static void do_page(struct pavane_crawl *crawl)
{
	struct pavane_progress *progress = &crawl->progress;
	rest(number_of("FAKE_MS", "5"));
	progress->pending--;
	progress->done++;
	progress->pages++;
	progress->requests++;
	progress->bytes += 1000;
	progress->in_flight =
	    progress->pending < IN_FLIGHT ? progress->pending : IN_FLIGHT;
	if (crawl->lines < (uint64_t)number_of("FAKE_LINES", "0"))
		tell(crawl, PAVANE_INFO, environment("FAKE_LINE", "page"),
		    crawl->lines++);
	if (progress->done == progress->pending)
		write_text(crawl->directory, "half", "done\n");
	show(crawl);
}

static enum pavane_end end_wanted(void)
{
	static const struct {
		const char *name;
		enum pavane_end end;
	} ends[] = {
	    {"failed", PAVANE_FAILED},
	    {"limited", PAVANE_LIMITED},
	    {"not-begun", PAVANE_NOT_BEGUN},
	};
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (strcmp(environment("FAKE_END", ""), ends[i].name) == 0)
			return ends[i].end;
	}
	return PAVANE_FINISHED;
}

WEAK enum pavane_end pavane_crawl_run(struct pavane_crawl *crawl)
{
	struct pavane_progress *progress = &crawl->progress;
	crawl->began_ms = now_ms();
	progress->phase = PAVANE_CRAWLING;
	tell(crawl, PAVANE_DEBUG, "level", crawl->options.level);
	if (getenv("FAKE_NOTE"))
		progress->note = getenv("FAKE_NOTE");
	if (getenv("FAKE_WARNING"))
		tell(crawl, PAVANE_WARNING, getenv("FAKE_WARNING"), 0);
	while (progress->pending && !atomic_load(&crawl->stops))
		do_page(crawl);
	if (atomic_load(&crawl->stops))
		drain(crawl);
	write_state(crawl);
	progress->end =
	    atomic_load(&crawl->stops) ? PAVANE_STOPPED : end_wanted();
	progress->phase = PAVANE_ENDED;
	progress->has_entry_page = getenv("FAKE_ENTRY") != NULL;
	if (progress->has_entry_page)
		write_text(crawl->directory, "index.html", "\n");
	show(crawl);
	return progress->end;
}

WEAK void pavane_crawl_stop(struct pavane_crawl *crawl)
{
	atomic_fetch_add(&crawl->stops, 1);
}

WEAK void pavane_crawl_interrupt(struct pavane_crawl *crawl)
{
	atomic_fetch_add(&crawl->stops, 1);
}

WEAK bool pavane_crawl_has_changed(const struct pavane_crawl *crawl)
{
	(void)crawl;
	return false;
}

WEAK struct pavane_crawl *pavane_crawl_reopen(struct pavane_crawl *crawl,
    const struct pavane_policy *policy,
    const struct pavane_crawl_options *options)
{
	pavane_crawl_close(crawl);
	return pavane_crawl_open(policy, options);
}

WEAK const struct pavane_progress *pavane_crawl_progress(
    struct pavane_crawl *crawl)
{
	return &crawl->progress;
}

WEAK const char *pavane_crawl_directory(const struct pavane_crawl *crawl)
{
	return crawl->directory;
}

WEAK void pavane_crawl_close(struct pavane_crawl *crawl)
{
	free(crawl);
}

WEAK void pavane_crawl_leave(struct pavane_crawl *crawl)
{
	free(crawl);
}

WEAK void pavane_progress_write_json(
    const struct pavane_progress *progress, pavane_write_fn write, void *ctx)
{
	char text[128];
	int len = snprintf(text, sizeof(text),
	    "{\"phase\":%d,\"done\":%llu,\"pending\":%llu}\n",
	    (int)progress->phase, (unsigned long long)progress->done,
	    (unsigned long long)progress->pending);
	write(ctx, text, (size_t)len);
}

WEAK struct pavane_status *pavane_status_read(
    const char *directory, pavane_line_fn on_line, void *ctx)
{
	struct {
		struct pavane_status status;
		struct pavane_progress progress;
	} *read = calloc(1, sizeof(*read));
	FILE *file = file_of(directory, "state.db", "r");
	if (!file) {
		on_line(ctx, PAVANE_ERROR, "there is no crawl");
		free(read);
		return NULL;
	}
	fclose(file);
	read_state(directory, &read->progress);
	read->progress.note = environment("FAKE_NOTE", "");
	read->progress.end = end_wanted();
	if (!getenv("FAKE_CUT"))
		read->progress.phase = PAVANE_ENDED;
	read->status = (struct pavane_status){
	    .is_running = getenv("FAKE_RUNNING") != NULL,
	    .process = getenv("FAKE_RUNNING") ? 4711 : 0,
	    .as_of_ms = 1700000000000,
	    .name = environment("FAKE_NAME", ""),
	    .progress = &read->progress,
	};
	return &read->status;
}

WEAK void pavane_status_destroy(struct pavane_status *status)
{
	free(status);
}

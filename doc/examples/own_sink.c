/* Keeps a file of its own, pages.tsv: status and address of each answer, which
 * are there exactly once, whenever the program is killed and run again. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <pavane/pavane.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static bool done(bool is_done, struct pavane_fault *fault)
{
	fault->error = is_done ? 0 : errno;
	return is_done;
}

/* What lies behind the length was never committed. */
static bool recover(void *ctx, uint64_t length, struct pavane_fault *fault)
{
	int *file = ctx;
	*file = open("pages.tsv", O_RDWR | O_CREAT | O_APPEND, 0666);
	return done(*file >= 0 && ftruncate(*file, (off_t)length) == 0, fault);
}

static bool append(
    void *ctx, const struct pavane_entry *entry, struct pavane_fault *fault)
{
	const int *file = ctx;
	return done(
	    dprintf(*file, "%d\t%s\n", entry->status, entry->address) > 0,
	    fault);
}

static bool sync_file(void *ctx, uint64_t *length, struct pavane_fault *fault)
{
	*length = (uint64_t)lseek(*(int *)ctx, 0, SEEK_END);
	return done(fsync(*(int *)ctx) == 0, fault);
}

int main(int argc, char **argv)
{
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	struct pavane_sink sink = PAVANE_INIT(struct pavane_sink);
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	int file = -1;
	signal(SIGPIPE, SIG_IGN);
	sources.file = argc == 2 ? argv[1] : "policy.yaml";
	sink.name = "pages", sink.ctx = &file, sink.recover = recover;
	sink.append = append, sink.sync = sync_file;
	options.sinks = (const struct pavane_sink *[]){&sink};
	options.sink_count = 1;
	struct pavane_policy *policy = pavane_policy_load(&sources);
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	bool is_done = crawl && pavane_crawl_run(crawl) == PAVANE_FINISHED;
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return is_done && file >= 0 && close(file) == 0 ? 0 : 1;
}

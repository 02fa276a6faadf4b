/* Runs the crawls of two policies at once. Where both have pages of one host,
 * that host still gets one request at a time, and its rest after each: crawls
 * of one user share their pace, in one process as in several. */

#include <pavane/pavane.h>
#include <signal.h>
#include <stdio.h>

#define CRAWLS 2

/* Called by the threads of both crawls. */
static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)level;
	fprintf(stderr, "%s: %s\n", (const char *)ctx, line);
}

static struct pavane_crawl *begin(const struct pavane_policy *policy,
    char *file, struct pavane_runtime *shared)
{
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	options.on_line = on_line;
	options.ctx = file;
	options.runtime = shared;
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	if (!crawl || pavane_crawl_spawn(crawl))
		return crawl;
	pavane_crawl_close(crawl);
	return NULL;
}

int main(int argc, char **argv)
{
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	struct pavane_runtime_options options =
	    PAVANE_INIT(struct pavane_runtime_options);
	struct pavane_policy *policies[CRAWLS];
	struct pavane_crawl *crawls[CRAWLS];
	int failed = 0;
	if (argc != CRAWLS + 1)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	struct pavane_runtime *shared = pavane_runtime_open(&options);
	for (int i = 0; i < CRAWLS; i++) {
		sources.file = argv[i + 1];
		policies[i] = pavane_policy_load(&sources);
		crawls[i] = begin(policies[i], argv[i + 1], shared);
	}
	for (int i = 0; i < CRAWLS; i++) {
		failed |= !crawls[i] ||
			  pavane_crawl_join(crawls[i]) != PAVANE_FINISHED;
		pavane_crawl_close(crawls[i]);
		pavane_policy_destroy(policies[i]);
	}
	return pavane_runtime_close(shared) && !failed ? 0 : 1;
}

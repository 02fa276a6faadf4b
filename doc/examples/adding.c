/* Crawls on a thread of the library's, and adds each address that comes on the
 * standard input while the crawl runs, until that ends. */

#include <pavane/pavane.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx, (void)level;
	fprintf(stderr, "%s\n", line);
}

/* Waits for the answer, at most ten seconds. */
static void add(struct pavane_crawl *crawl, const char *address)
{
	struct pavane_asking asking = PAVANE_INIT(struct pavane_asking);
	struct pavane_reply reply = PAVANE_INIT(struct pavane_reply);
	asking.wait_ms = 10000;
	asking.reply = &reply;
	switch (pavane_crawl_add(crawl, address, NULL, 0, &asking)) {
	case PAVANE_YES:
		printf("added: %s\n", address);
		break;
	case PAVANE_LATE:
		printf("to be added: %s\n", address);
		break;
	default:
		printf("not added: %s: %s\n", address, reply.sentence);
	}
}

int main(int argc, char **argv)
{
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	char line[4096];
	signal(SIGPIPE, SIG_IGN);
	sources.file = argc == 2 ? argv[1] : "policy.yaml";
	options.on_line = on_line;
	options.stays_open = true; /* until pavane_crawl_finish */
	struct pavane_policy *policy = pavane_policy_load(&sources);
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	bool is_run = crawl && pavane_crawl_spawn(crawl);
	while (is_run && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\r\n")] = '\0';
		add(crawl, line);
	}
	if (is_run)
		pavane_crawl_finish(crawl, NULL);
	is_run = is_run && pavane_crawl_join(crawl) == PAVANE_FINISHED;
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return is_run && fflush(stdout) == 0 ? 0 : 1;
}

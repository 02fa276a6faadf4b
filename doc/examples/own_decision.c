/* Has a say in which links are followed: print views are not, and the licence
 * is, wherever it stands. */

#include <pavane/pavane.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Called by several threads at once. What it answers depends on the link alone.
 * An address that robots.txt or a limit refuses is not to be admitted. */
static enum pavane_choice on_link(
    void *ctx, const struct pavane_link *link, struct pavane_refusal *refusal)
{
	(void)ctx;
	if (strstr(link->address, "print=1")) {
		refusal->word = "print-view";
		refusal->sentence = "the page is there without print=1, too";
		return PAVANE_REFUSE;
	}
	if (link->may_be_admitted && strstr(link->address, "/licence"))
		return PAVANE_ADMIT;
	return PAVANE_AS_IT_IS;
}

/* Called by the thread that writes; for what the policy refuses, too. */
static void on_refused(void *ctx, const struct pavane_refused *refused)
{
	(void)ctx;
	printf("%s: %s\n", refused->reason, refused->address);
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx, (void)level;
	fprintf(stderr, "%s\n", line);
}

int main(int argc, char **argv)
{
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	struct pavane_events events = PAVANE_INIT(struct pavane_events);
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	signal(SIGPIPE, SIG_IGN);
	sources.file = argc == 2 ? argv[1] : "policy.yaml";
	events.on_link = on_link;
	events.on_refused = on_refused;
	options.events = &events;
	options.on_line = on_line;
	struct pavane_policy *policy = pavane_policy_load(&sources);
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	bool is_done = crawl && pavane_crawl_run(crawl) == PAVANE_FINISHED;
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return is_done && fflush(stdout) == 0 ? 0 : 1;
}

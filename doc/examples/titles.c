/* Prints the title and the address of each page of a site, as they come. */

#include <ctype.h>
#include <pavane/pavane.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* What stands behind the word, of which the letters are small; or NULL. */
static const char *find(const char *text, const char *end, const char *word)
{
	size_t len = strlen(word), same = 0;
	for (; same < len && text < end; text++) {
		bool fits = tolower((unsigned char)*text) == word[same];
		same = fits ? same + 1 : *text == word[0];
	}
	return same == len ? text : NULL;
}

/* Called by several threads at once. The body ends without a NUL. */
static void on_page(void *ctx, const struct pavane_page *page)
{
	(void)ctx;
	if (page->status != 200 || !page->body)
		return;
	const char *end = page->body + page->body_len;
	const char *title = find(page->body, end, "<title>");
	const char *behind = title ? find(title, end, "</title>") : NULL;
	if (behind)
		printf("%.*s\t%s\n", (int)(behind - title - 8), title,
		    page->address);
}

/* Also gets what is wrong with the policy. */
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
	events.on_page = on_page;
	options.events = &events;
	options.on_line = on_line;
	struct pavane_policy *policy = pavane_policy_load(&sources);
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	bool is_done = crawl && pavane_crawl_run(crawl) == PAVANE_FINISHED;
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return is_done && fflush(stdout) == 0 ? 0 : 1;
}

/* Crawls in a loop of its own, by epoll, which waits for the standard input as
 * well: a line there stops the crawl, once what is in flight has ended. */

#include <errno.h>
#include <pavane/pavane.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx, (void)level;
	fprintf(stderr, "%s\n", line);
}

static bool watch(int loop, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
	return epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* False if the loop is broken. No step waits. */
static bool run(struct pavane_crawl *crawl, int loop)
{
	struct epoll_event event;
	do {
		int count =
		    epoll_wait(loop, &event, 1, pavane_crawl_timeout_ms(crawl));
		if (count < 0 && errno != EINTR)
			return false;
		if (count == 1 && event.data.fd == STDIN_FILENO) {
			epoll_ctl(loop, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
			pavane_crawl_stop(crawl);
		}
	} while (pavane_crawl_step(crawl));
	return true;
}

int main(int argc, char **argv)
{
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	signal(SIGPIPE, SIG_IGN);
	sources.file = argc == 2 ? argv[1] : "policy.yaml";
	options.on_line = on_line;
	struct pavane_policy *policy = pavane_policy_load(&sources);
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	int loop = epoll_create1(EPOLL_CLOEXEC);
	bool is_run = crawl && watch(loop, STDIN_FILENO) &&
		      watch(loop, pavane_crawl_fd(crawl)) &&
		      pavane_crawl_start(crawl) && run(crawl, loop);
	if (is_run && pavane_crawl_progress(crawl)->end == PAVANE_STOPPED)
		puts("stopped");
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
	return is_run && close(loop) == 0 ? 0 : 1;
}

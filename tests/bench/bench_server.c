#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "server/caller.h"
#include "server/server.h"
#include "server/site.h"

/* What the tests' own server gives at most: it must never be what a benchmark
 * of the crawler measures. Counted are answers for each second that the server's
 * thread was busy, whatever else the machine did. */

#define CONNECTIONS 64
#define ANSWERS 200000

static double seconds(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The processor's time that all other threads took. */
static double others_seconds(void)
{
	return seconds(CLOCK_PROCESS_CPUTIME_ID) -
	       seconds(CLOCK_THREAD_CPUTIME_ID);
}

static size_t answer_size(struct server *server, const char *request)
{
	struct pv_buf heard;
	pv_buf_init(&heard, CALLER_MAX);
	int fd = caller_open("127.0.0.1", server_port(server));
	caller_say(fd, request);
	caller_hear(fd, &heard, CALLER_MAX, 100);
	close(fd);
	size_t len = heard.len;
	pv_buf_finish(&heard);
	return len;
}

static size_t hear(int fd, size_t missing)
{
	static char bytes[65536];
	ssize_t len = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	return len > 0 ? missing - (size_t)len : missing;
}

/* Asks the same on all connections, again and again. */
static void ask(struct server *server, const char *request, size_t size)
{
	struct pollfd waits[CONNECTIONS];
	size_t missing[CONNECTIONS];
	size_t answers = 0;
	for (size_t i = 0; i < CONNECTIONS; i++) {
		waits[i].fd = caller_open("127.0.0.1", server_port(server));
		waits[i].events = POLLIN;
		missing[i] = size;
		caller_say(waits[i].fd, request);
	}
	while (answers < ANSWERS) {
		poll(waits, CONNECTIONS, 1000);
		for (size_t i = 0; i < CONNECTIONS; i++) {
			if (!waits[i].revents)
				continue;
			missing[i] = hear(waits[i].fd, missing[i]);
			if (missing[i])
				continue;
			answers++;
			missing[i] = size;
			caller_say(waits[i].fd, request);
		}
	}
	for (size_t i = 0; i < CONNECTIONS; i++)
		close(waits[i].fd);
}

static void measure(
    const char *name, const struct server_plan *plan, const char *request)
{
	struct server *server = server_start(plan);
	if (!server)
		exit(1);
	size_t size = answer_size(server, request);
	double busy = others_seconds();
	double began = seconds(CLOCK_MONOTONIC);
	ask(server, request, size);
	double took = seconds(CLOCK_MONOTONIC) - began;
	busy = others_seconds() - busy;
	printf("server: %-24s %8.0f answers a busy second, %8.0f a second\n",
	    name, ANSWERS / busy, ANSWERS / took);
	server_stop(server);
}

int main(void)
{
	static const struct server_route routes[] = {
	    {.answer = {.body = "hello"}}};
	static struct site site = {.pages = 20000, .links = 20, .size = 8192};
	measure("small", &(struct server_plan){SERVER_ROUTES(routes)},
	    "GET / HTTP/1.1\r\nHost: a.test\r\nUser-Agent: bench/1.0\r\n"
	    "Accept: */*\r\nAccept-Encoding: gzip\r\n\r\n");
	measure("small, unlogged",
	    &(struct server_plan){SERVER_ROUTES(routes), .is_unlogged = true},
	    "GET / HTTP/1.1\r\nHost: a.test\r\nUser-Agent: bench/1.0\r\n"
	    "Accept: */*\r\nAccept-Encoding: gzip\r\n\r\n");
	measure("8 KiB with 20 links",
	    &(struct server_plan){.answer = site_answer, .ctx = &site},
	    "GET /page/17 HTTP/1.1\r\nHost: a.test\r\n\r\n");
	return 0;
}

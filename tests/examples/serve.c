#include <stdio.h>
#include <string.h>

#include "server/log_check.h"
#include "server/server.h"

/* The site that the examples of doc/examples crawl: prints its port, serves until
 * the standard input ends, and then prints what it saw: the path of each request,
 * in their order; how many were open at once, at most; and the shortest time from
 * the end of one to the beginning of the next, in milliseconds. */

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/docs/",
	.answer = {.body = "<html><head><TITLE>The Docs</TITLE></head><body>"
			   "<a href=one.html>1</a> <a href=two.html>2</a> "
			   "<a href=one.html?print=1>p</a> "
			   "<a href=/licence.html>l</a> "
			   "<a href=/news.html>n</a>"}},
    {.path = "/docs/one.html*",
	.answer = {.body = "<title>One</title><a href=/docs/>up</a>"}},
    {.path = "/docs/two.html", .answer = {.body = "<p>no title"}},
    {.path = "/licence.html", .answer = {.body = "<title>Licence</title>"}},
    {.path = "/pages/",
	.answer = {.body = "<a href=1.html>1</a> <a href=2.html>2</a> "
			   "<a href=3.html>3</a> <a href=4.html>4</a> "
			   "<a href=5.html>5</a> <a href=6.html>6</a> "
			   "<a href=7.html>7</a> <a href=8.html>8</a>"}},
    {.path = "/pages/*.html",
	.answer = {.body = "<title>Page {n}</title>", .is_template = true}},
};

static void print_log(struct server *server)
{
	struct log_view view = log_view_of(server);
	for (size_t i = 0; i < view.count; i++)
		printf("%.*s\n", (int)view.records[i].target.len,
		    view.records[i].target.ptr);
	printf("at once: %zu\n", log_most_at_once(&view, LOG_BY_HOST));
	printf("rest: %lld\n",
	    (long long)(log_shortest_rest(&view, LOG_BY_HOST).us / 1000));
	log_view_finish(&view);
}

int main(void)
{
	const struct server_plan plan = {SERVER_ROUTES(routes)};
	struct server *server = server_start(&plan);
	if (!server)
		return 1;
	printf("%u\n", (unsigned)server_port(server));
	fflush(stdout);
	while (getchar() != EOF)
		;
	print_log(server);
	server_stop(server);
	return 0;
}

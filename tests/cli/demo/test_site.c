#include "cli/demo/site.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/demo/pages.h"
#include "tap.h"

struct answer {
	char text[16384];
	size_t len;
};

static int visit(uint16_t port)
{
	struct sockaddr_in there = {
	    .sin_family = AF_INET,
	    .sin_port = htons(port),
	    .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
	};
	int visitor = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(visitor, (struct sockaddr *)&there, sizeof(there)) == 0)
		return visitor;
	close(visitor);
	return -1;
}

/* Sends such bytes and hears what comes. */
static void say(
    const struct pv_demo_site *site, const char *request, struct answer *answer)
{
	int visitor = visit(pv_demo_site_port(site));
	ssize_t got;
	answer->len = 0;
	send(visitor, request, strlen(request), MSG_NOSIGNAL);
	shutdown(visitor, SHUT_WR);
	while ((got = recv(visitor, answer->text + answer->len,
		    sizeof(answer->text) - 1 - answer->len, 0)) > 0)
		answer->len += (size_t)got;
	answer->text[answer->len] = '\0';
	close(visitor);
}

static void ask(
    const struct pv_demo_site *site, const char *path, struct answer *answer)
{
	char request[256];
	snprintf(request, sizeof(request),
	    "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
	say(site, request, answer);
}

static bool has_status(const struct answer *answer, const char *status)
{
	return strncmp(answer->text, "HTTP/1.1 ", 9) == 0 &&
	       strncmp(answer->text + 9, status, 3) == 0;
}

static void test_answers(const struct pv_demo_site *site)
{
	struct answer answer;
	ask(site, "/robots.txt", &answer);
	ok(has_status(&answer, "200") &&
		strstr(answer.text, "Disallow: /private/\n"),
	    "there is a robots.txt");
	ask(site, "/", &answer);
	ok(has_status(&answer, "200") &&
		strstr(answer.text, "Content-Type: text/html") &&
		strstr(answer.text, "<a href=\"dances/\">"),
	    "there is a page with links");
	const char *body = strstr(answer.text, "\r\n\r\n");
	const char *length = strstr(answer.text, "Content-Length: ");
	ok(body && length && strtoul(length + 16, NULL, 10) == strlen(body + 4),
	    "whose length is told");
	ask(site, "/dances/slow.html", &answer);
	ok(has_status(&answer, "301") &&
		strstr(answer.text, "Location: /dances/pavane.html\r\n"),
	    "there is a redirect");
	ask(site, "/nowhere", &answer);
	ok(has_status(&answer, "404"), "what is not there is not");
	ask(site, "/music/tempo.html", &answer);
	ok(has_status(&answer, "503") &&
		strstr(answer.text, "Retry-After: 1\r\n"),
	    "a page is busy at first");
	ask(site, "/music/tempo.html", &answer);
	ok(has_status(&answer, "200"), "and answers the second time");
}

/* What an update of a mirror is to find. */
static void test_changes(const struct pv_demo_site *site)
{
	struct answer answer;
	ask(site, "/music/viol.html", &answer);
	ok(!strstr(answer.text, "seven strings"), "a page is there");
	ask(site, "/music/viol.html", &answer);
	ok(strstr(answer.text, "seven strings"),
	    "and has changed after its first answer");
	ask(site, "/dances/minuet.html", &answer);
	ok(has_status(&answer, "200"), "another one is there");
	ask(site, "/dances/minuet.html", &answer);
	ok(has_status(&answer, "404"), "and is deleted after its first answer");
}

/* What comes from a stranger. */
static void test_strangers(const struct pv_demo_site *site)
{
	static const char *const requests[] = {"", "\r\n\r\n", "GET",
	    "GET \r\n\r\n", "POST / HTTP/1.1\r\n\r\n",
	    "GET /%2e%2e/ HTTP/1.1\r\n\r\n"};
	struct answer answer;
	char *large = malloc(100001);
	memset(large, 'x', 100000);
	large[100000] = '\0';
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
		say(site, requests[i], &answer);
		ok(!answer.len || has_status(&answer, "404"),
		    "stranger %zu gets nothing", i);
	}
	say(site, large, &answer);
	ok(!answer.len, "nor does one who never stops");
	ask(site, "/", &answer);
	ok(has_status(&answer, "200"), "and others are answered all the same");
	free(large);
}

static void test_ledger(void)
{
	struct pv_demo_site *site = pv_demo_site_start(0);
	struct pv_demo_ledger ledger;
	struct answer answer;
	pv_demo_site_read_ledger(site, &ledger);
	ok(!ledger.requests && ledger.missed > 10 && !ledger.is_robots_first,
	    "at first all is missed");
	for (size_t i = 0; i < pv_demo_page_count; i++) {
		if (!pv_demo_pages[i].is_forbidden)
			ask(site, pv_demo_pages[i].path, &answer);
	}
	pv_demo_site_read_ledger(site, &ledger);
	ok(ledger.is_robots_first && ledger.missed == 1 && !ledger.repeated &&
		!ledger.forbidden && !ledger.hurried,
	    "the busy page is missed until it is asked for again");
	ok(ledger.least_gap_us < 50000, "a hurry is seen (%zu us)",
	    ledger.least_gap_us);
	ask(site, "/music/tempo.html", &answer);
	ask(site, "/", &answer);
	ask(site, "/private/rehearsal.html", &answer);
	pv_demo_site_read_ledger(site, &ledger);
	ok(!ledger.missed, "nothing is missed any more");
	ok(ledger.hurried == 1, "it was asked for too early");
	ok(ledger.repeated == 1, "a page was asked for twice");
	ok(ledger.forbidden == 1, "and one that robots.txt forbids");
	pv_demo_site_stop(site);
}

int main(void)
{
	struct pv_demo_site *site = pv_demo_site_start(0);
	if (!ok(site != NULL, "a site can be put up"))
		return tap_done();
	test_answers(site);
	test_changes(site);
	test_strangers(site);
	uint16_t port = pv_demo_site_port(site);
	pv_demo_site_stop(site);
	ok(visit(port) < 0, "and taken down");
	site = pv_demo_site_start(port);
	ok(site && pv_demo_site_port(site) == port,
	    "and put up again at the same port");
	ok(!pv_demo_site_start(port), "which no second site gets");
	pv_demo_site_stop(site);
	test_ledger();
	pv_demo_site_stop(NULL);
	return tap_done();
}

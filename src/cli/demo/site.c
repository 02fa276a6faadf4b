#include "cli/demo/site.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "cli/demo/pages.h"
#include "cli/terminal/sheet.h"
#include "cli/terminal/side_thread.h"
#include "pavane/pavane.h"

#define REQUEST_MAX 8192

/* A visitor that says nothing is not listened to for longer. */
#define PATIENCE_MS 2000

#define RETRY_AFTER_S 1

struct entry {
	unsigned asked;
	int64_t until_us; /* it was said not to come before this */
};

struct pv_demo_site {
	int listener;
	int bell[2]; /* a pipe: a byte, or its end, ends the thread */
	uint16_t port;
	pthread_t thread;
	pthread_mutex_t lock; /* of the ledger, its entries among it */
	struct pv_demo_ledger ledger;
	struct entry *entries; /* one for each of pv_demo_pages */
	int64_t answered_us;   /* when the last answer ended */
};

static int64_t now_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Whether something comes from a visitor in time. */
static bool has_more(int visitor, int64_t since_us)
{
	int64_t left_ms = PATIENCE_MS - (now_us() - since_us) / 1000;
	struct pollfd wanted = {visitor, POLLIN, 0};
	return left_ms > 0 && poll(&wanted, 1, (int)left_ms) > 0;
}

/* Reads the head of a request as text; false if none comes. */
static bool read_head(int visitor, char *head)
{
	size_t len = 0;
	int64_t since_us = now_us();
	while (len < REQUEST_MAX && has_more(visitor, since_us)) {
		ssize_t got =
		    recv(visitor, head + len, REQUEST_MAX - len, MSG_DONTWAIT);
		if (got <= 0)
			return false;
		len += (size_t)got;
		head[len] = '\0';
		if (strstr(head, "\r\n\r\n"))
			return true;
	}
	return false;
}

/* The page that a request's first line asks for; NULL if there is none. */
static const struct pv_demo_page *page_of(const char *head)
{
	static const char method[] = "GET ";
	const char *path = head + sizeof(method) - 1;
	if (strncmp(head, method, sizeof(method) - 1) != 0)
		return NULL;
	size_t len = strcspn(path, " ?#\r\n");
	for (size_t i = 0; i < pv_demo_page_count; i++) {
		const struct pv_demo_page *page = &pv_demo_pages[i];
		if (strlen(page->path) == len &&
		    strncmp(page->path, path, len) == 0)
			return page;
	}
	return NULL;
}

static struct entry *entry_of(
    struct pv_demo_site *site, const struct pv_demo_page *page)
{
	return &site->entries[page - pv_demo_pages];
}

static void note_request(
    struct pv_demo_site *site, const struct pv_demo_page *page, int64_t now)
{
	struct pv_demo_ledger *ledger = &site->ledger;
	size_t gap = (size_t)(now - site->answered_us);
	pthread_mutex_lock(&site->lock);
	if (ledger->requests && gap < ledger->least_gap_us)
		ledger->least_gap_us = gap;
	if (!ledger->requests)
		ledger->is_robots_first =
		    page && strcmp(page->path, "/robots.txt") == 0;
	ledger->requests++;
	if (page) {
		struct entry *entry = entry_of(site, page);
		ledger->hurried += now < entry->until_us;
		entry->asked++;
	}
	pthread_mutex_unlock(&site->lock);
}

/* The first answer of a page that is busy. */
static bool is_put_off(
    struct pv_demo_site *site, const struct pv_demo_page *page, int64_t now)
{
	struct entry *entry = entry_of(site, page);
	if (!page->is_busy || entry->asked > 1)
		return false;
	entry->until_us = now + (int64_t)RETRY_AFTER_S * 1000000;
	return true;
}

/* What the page says now: "" if it is gone. */
static const char *body_of(
    struct pv_demo_site *site, const struct pv_demo_page *page)
{
	bool is_later = page->later && entry_of(site, page)->asked > 1;
	return is_later ? page->later : page->body;
}

static void write_answer(struct pv_demo_site *site,
    const struct pv_demo_page *page, int64_t now, FILE *file)
{
	static const struct pv_demo_page unknown = {
	    .status = 404, .type = "text/plain", .body = "Nothing here.\n"};
	struct pv_sheet body;
	const char *text = page ? body_of(site, page) : "";
	if (!*text) {
		page = &unknown;
		text = unknown.body;
	}
	bool is_busy = page != &unknown && is_put_off(site, page, now);
	pv_sheet_open(&body);
	pv_demo_page_write(page, text, body.file);
	pv_sheet_close(&body);
	fprintf(file,
	    "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
	    "Connection: close\r\n",
	    is_busy ? 503 : page->status, is_busy ? "Busy" : "Answer",
	    page->type, body.len);
	if (is_busy)
		fprintf(file, "Retry-After: %d\r\n", RETRY_AFTER_S);
	if (page->location)
		fprintf(file, "Location: %s\r\n", page->location);
	fprintf(file, "\r\n%s", body.text);
	pv_sheet_finish(&body);
}

/* The answer's end is noted before it is sent: what the visitor sees can only
 * be later, so a gap is never taken for shorter than it was. */
static void answer(struct pv_demo_site *site, int visitor)
{
	char head[REQUEST_MAX + 1] = "";
	struct pv_sheet sheet;
	if (!read_head(visitor, head))
		return;
	int64_t now = now_us();
	const struct pv_demo_page *page = page_of(head);
	note_request(site, page, now);
	pv_sheet_open(&sheet);
	write_answer(site, page, now, sheet.file);
	pv_sheet_close(&sheet);
	site->answered_us = now_us();
	send(visitor, sheet.text, sheet.len, MSG_NOSIGNAL);
	pv_sheet_finish(&sheet);
}

static void *serve(void *ctx)
{
	struct pv_demo_site *site = ctx;
	struct pollfd awaited[] = {
	    {site->listener, POLLIN, 0},
	    {site->bell[0], POLLIN, 0},
	};
	while (!awaited[1].revents) {
		if (poll(awaited, 2, -1) < 0 || !awaited[0].revents)
			continue;
		int visitor = accept4(site->listener, NULL, NULL, SOCK_CLOEXEC);
		if (visitor < 0)
			continue;
		answer(site, visitor);
		close(visitor);
	}
	return NULL;
}

/* A port that nobody but this machine reaches. */
static bool listen_here(struct pv_demo_site *site, uint16_t port)
{
	struct sockaddr_in here = {
	    .sin_family = AF_INET,
	    .sin_port = htons(port),
	    .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
	};
	socklen_t size = sizeof(here);
	int yes = 1;
	site->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (site->listener < 0)
		return false;
	setsockopt(site->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(site->listener, (struct sockaddr *)&here, size) != 0 ||
	    listen(site->listener, 16) != 0 ||
	    getsockname(site->listener, (struct sockaddr *)&here, &size) != 0)
		return false;
	site->port = ntohs(here.sin_port);
	return true;
}

static void release(struct pv_demo_site *site)
{
	int saved = errno;
	for (int i = 0; i < 2; i++) {
		if (site->bell[i] >= 0)
			close(site->bell[i]);
	}
	if (site->listener >= 0)
		close(site->listener);
	pthread_mutex_destroy(&site->lock);
	free(site->entries);
	free(site);
	errno = saved;
}

struct pv_demo_site *pv_demo_site_start(uint16_t port)
{
	struct pv_demo_site *site = calloc(1, sizeof(*site));
	struct entry *entries = calloc(pv_demo_page_count, sizeof(*entries));
	if (!site || !entries)
		pavane_out_of_memory(sizeof(*site));
	*site = (struct pv_demo_site){
	    .listener = -1,
	    .bell = {-1, -1},
	    .entries = entries,
	    .ledger = {.least_gap_us = SIZE_MAX},
	};
	pthread_mutex_init(&site->lock, NULL);
	if (!listen_here(site, port) || pipe2(site->bell, O_CLOEXEC) != 0) {
		release(site);
		return NULL;
	}
	site->thread = pv_side_thread_start(serve, site);
	return site;
}

uint16_t pv_demo_site_port(const struct pv_demo_site *site)
{
	return site->port;
}

void pv_demo_site_read_ledger(
    struct pv_demo_site *site, struct pv_demo_ledger *ledger)
{
	pthread_mutex_lock(&site->lock);
	*ledger = site->ledger;
	for (size_t i = 0; i < pv_demo_page_count; i++) {
		const struct pv_demo_page *page = &pv_demo_pages[i];
		unsigned asked = site->entries[i].asked;
		unsigned wanted = page->is_busy ? 2 : 1;
		if (page->is_forbidden)
			ledger->forbidden += asked;
		else if (asked < wanted)
			ledger->missed++;
		else
			ledger->repeated += asked - wanted;
	}
	pthread_mutex_unlock(&site->lock);
}

void pv_demo_site_stop(struct pv_demo_site *site)
{
	if (!site)
		return;
	close(site->bell[1]);
	site->bell[1] = -1;
	pthread_join(site->thread, NULL);
	release(site);
}

#include "cli/terminal/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

/* Nothing here takes longer, unless somebody is held up. */
#define LONG_MS 2000

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static size_t read_all(int file, char *text, size_t size)
{
	size_t len = 0;
	ssize_t got;
	while (len < size && (got = read(file, text + len, size - len)) > 0)
		len += (size_t)got;
	return len;
}

static void test_order(void)
{
	int ends[2];
	char text[16] = "";
	ok(pipe(ends) == 0, "there is a pipe");
	struct pv_outlet *outlet = pv_outlet_create(ends[1]);
	pv_outlet_write(outlet, "one ", 4);
	pv_outlet_write(outlet, "", 0);
	pv_outlet_write(outlet, "two", 3);
	pv_outlet_drain(outlet, LONG_MS);
	ok(!pv_outlet_is_behind(outlet), "what was written is out");
	pv_outlet_destroy(outlet);
	close(ends[1]);
	read_all(ends[0], text, sizeof(text) - 1);
	is_text(pv_str_of(text), "one two", "in its order");
	close(ends[0]);
}

/* A pipe that nobody reads, and then somebody does. Its other end stays the
 * outlet's, which may still be stuck in it. */
static void test_full(int mode)
{
	static char text[1000];
	static char back[1000 * 1000];
	int ends[2];
	size_t given = 0;
	ok(pipe(ends) == 0, "there is a pipe");
	fcntl(ends[1], F_SETFL, mode);
	memset(text, 'x', sizeof(text));
	struct pv_outlet *outlet = pv_outlet_create(ends[1]);
	int64_t began = now_ms();
	while (given < 900 && pv_outlet_write(outlet, text, sizeof(text)))
		given++;
	ok(given > 200 && given < 900, "a full pipe's queue becomes full");
	ok(pv_outlet_is_behind(outlet), "and it is behind");
	pv_outlet_drain(outlet, 20);
	ok(now_ms() - began < LONG_MS, "and nobody is held up");
	size_t first = read_all(ends[0], back, 100000);
	ok(first == 100000, "whoever reads gets something");
	pv_outlet_drain(outlet, 20);
	ok(pv_outlet_write(outlet, "y", 1), "and there is room again");
	pv_outlet_destroy(outlet);
	close(ends[0]);
}

static void test_patience(void)
{
	int ends[2];
	ok(pipe(ends) == 0, "there is a pipe");
	char *text = calloc(1, 200000);
	struct pv_outlet *outlet = pv_outlet_create(ends[1]);
	pv_outlet_write(outlet, text, 200000);
	int64_t began = now_ms();
	pv_outlet_drain(outlet, 50);
	pv_outlet_destroy(outlet);
	int64_t took = now_ms() - began;
	ok(took >= 45 && took < LONG_MS,
	    "somebody who does not read is waited for a little (%d ms)",
	    (int)took);
	free(text);
	close(ends[0]);
}

static void test_broken(void)
{
	int ends[2];
	ok(pipe(ends) == 0, "there is a pipe");
	close(ends[0]);
	struct pv_outlet *outlet = pv_outlet_create(ends[1]);
	for (int i = 0; i < 10000; i++)
		pv_outlet_write(outlet, "lost\n", 5);
	pv_outlet_drain(outlet, LONG_MS);
	ok(!pv_outlet_is_behind(outlet),
	    "a pipe without a reader swallows what comes");
	ok(pv_outlet_error(outlet) == EPIPE, "and says that it is one");
	ok(pv_outlet_write(outlet, "more", 4), "and goes on doing so");
	pv_outlet_destroy(outlet);
	close(ends[1]);
	outlet = pv_outlet_create(-1);
	pv_outlet_write(outlet, "lost\n", 5);
	pv_outlet_drain(outlet, LONG_MS);
	ok(!pv_outlet_is_behind(outlet),
	    "and so does a file that is not there");
	pv_outlet_destroy(outlet);
	int full = open("/dev/full", O_WRONLY);
	outlet = pv_outlet_create(full);
	pv_outlet_write(outlet, "lost\n", 5);
	pv_outlet_drain(outlet, LONG_MS);
	ok(!pv_outlet_is_behind(outlet), "and a disk that is full");
	ok(pv_outlet_error(outlet) == ENOSPC, "which says so");
	pv_outlet_destroy(outlet);
	close(full);
}

int main(void)
{
	struct sigaction nothing = {.sa_handler = SIG_IGN};
	sigaction(SIGPIPE, &nothing, NULL);
	test_order();
	test_full(0);
	test_full(O_NONBLOCK);
	test_patience();
	test_broken();
	pv_outlet_destroy(NULL);
	return tap_done();
}

#include "server/leftovers.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "crawl/patience.h"
#include "tap.h"

/* This test is its own program: it ends as the argument says. */

static int end_as(const char *how)
{
	if (strcmp(how, "file") == 0)
		open("left", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (strcmp(how, "socket") == 0)
		socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (strcmp(how, "closed") == 0)
		close(open("left", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	if (strcmp(how, "killed") == 0)
		raise(SIGKILL);
	if (strcmp(how, "silent") == 0)
		_exit(0);
	for (int i = 0; i < 3 && strcmp(how, "writes") == 0; i++)
		if (write(STDOUT_FILENO, "one two\n", 8) != 8)
			return 1;
	return 0;
}

/* Whether the program told, if it had to; what it left is in the buffer. */
static bool run(struct home *home, const char *how, struct pv_buf *left)
{
	struct program_end end;
	pv_buf_clear(left);
	unlink(home_file(home, "leftovers"));
	home->watched_ends = 0;
	program_run(home, (const char *[]){how, NULL}, NULL, &end);
	return leftovers_read(home, left);
}

static void test_ends(struct home *home, struct pv_buf *left)
{
	int inherited = open("/dev/null", O_RDONLY);
	ok(run(home, "nothing", left) && leftovers_are_known(home) &&
		left->len == 0,
	    "what a program had from the beginning is not left open by it");
	close(inherited);
	ok(run(home, "closed", left) && left->len == 0,
	    "nor is a file that it has closed");
	ok(run(home, "file", left) && strstr(pv_buf_text(left), "/left\n"),
	    "one that is left open is named");
	run(home, "socket", left);
	home_read(home, "leftovers", left);
	ok(strstr(pv_buf_text(left), "socket:["), "so is a socket");
	ok(!run(home, "silent", left), "a program that tells nothing is seen");
	ok(run(home, "killed", left) && !leftovers_are_known(home),
	    "one that is killed need not tell");
}

static void test_preload(struct home *home, struct pv_buf *left)
{
	static const char *const others[] = {"LD_PRELOAD=", NULL};
	home->environment = others;
	ok(run(home, "file", left) && !leftovers_are_known(home),
	    "nor need one that preloads something else");
	home->environment = NULL;
}

static void test_halt(struct home *home)
{
	static const char *const halts[] = {"PAVANE_HALT=2 two", NULL};
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 16);
	home->environment = halts;
	struct program *program =
	    program_start(home, (const char *[]){"writes", NULL});
	home->environment = NULL;
	while (!program_is_halted(program) && !program_wait(program, 1, &end))
		;
	program_output(program, &said);
	ok(program_is_halted(program) &&
		strcmp(pv_buf_text(&said), "one two\none two\n") == 0,
	    "a program stops itself before it writes a text once too often");
	pv_buf_clear(&said);
	program_signal(program, SIGCONT);
	program_wait(program, HANG_MS, &end);
	program_output(program, &said);
	ok(!program_is_halted(program) && end.status == 0 && said.len == 24,
	    "and goes on with the same call when it is told to");
	program_destroy(program);
	pv_buf_finish(&said);
}

int main(int argc, char **argv)
{
	struct home home;
	struct pv_buf left;
	if (argc > 1)
		return end_as(argv[1]);
	if (access(LEFTOVERS_LIBRARY, F_OK) != 0)
		return tap_skip_all("no library can be preloaded here");
	if (!home_make(&home))
		return 1;
	setenv("PAVANE", argv[0], 1);
	pv_buf_init(&left, 1 << 16);
	test_ends(&home, &left);
	test_preload(&home, &left);
	test_halt(&home);
	pv_buf_finish(&left);
	home_remove(&home);
	return tap_done();
}

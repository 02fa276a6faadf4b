#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pavane/pavane.h"
#include "tap.h"

/* What happens to a program that did not put a hook of its own in the
 * library's place. */

static void leave_a_trace(void)
{
	if (write(STDERR_FILENO, "at exit\n", 8) < 0)
		_exit(9);
}

/* Runs out of memory in a process apart; its status, and what it said. */
static int run_out(char *said, size_t size)
{
	int ends[2];
	if (pipe(ends) != 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		atexit(leave_a_trace);
		pavane_out_of_memory(12345);
		_exit(0);
	}
	close(ends[1]);
	size_t len = 0;
	ssize_t count;
	while ((count = read(ends[0], said + len, size - 1 - len)) > 0)
		len += (size_t)count;
	said[len] = '\0';
	close(ends[0]);
	int status = -1;
	waitpid(child, &status, 0);
	return status;
}

int main(void)
{
	char said[256];
	int status = run_out(said, sizeof(said));
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
	    "the program ends with status 1");
	is_text(pv_str_of(said),
	    "pavane: out of memory: cannot allocate 12345 bytes\n",
	    "it says why, and runs nothing else, since other threads still do");
	return tap_done();
}

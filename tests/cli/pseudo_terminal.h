#ifndef PAVANE_TESTS_CLI_PSEUDO_TERMINAL_H
#define PAVANE_TESTS_CLI_PSEUDO_TERMINAL_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "scratch.h"
#include "tap.h"

/* The program on a terminal: a pseudo-terminal of ours, and what a person would
 * see there. The crawl is one that does as if (fake_crawl.c). To be included in
 * one file of a program.
 */

/* Nothing takes longer, unless something is wrong. */
#define PATIENCE_MS 120000

struct scene {
	int master;
	pid_t program;
	struct terminal terminal;
	size_t wraps; /* while progress was drawn */
	int status;
	bool has_ended;
};

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void set_size(struct scene *scene, size_t columns, size_t rows)
{
	struct winsize size = {
	    .ws_col = (unsigned short)columns,
	    .ws_row = (unsigned short)rows,
	};
	ioctl(scene->master, TIOCSWINSZ, &size);
	terminal_init(&scene->terminal, columns, rows);
}

/* In the child: the terminal is the program's own, as in a shell. */
static _Noreturn void become(const char *terminal, const char *const *arguments)
{
	const char *directory = getenv("top_builddir");
	char program[1024];
	signal(SIGHUP, SIG_DFL);
	setsid();
	int slave = open(terminal, O_RDWR);
	ioctl(slave, TIOCSCTTY, 0);
	for (int i = 0; i < 3; i++)
		dup2(slave, i);
	if (slave > 2)
		close(slave);
	snprintf(program, sizeof(program), "%s/tests/cli/fake_pavane",
	    directory ? directory : ".");
	setenv("TERM", "xterm", 1);
	execv(program, (char *const *)(uintptr_t)arguments);
	_exit(127);
}

static void begin(struct scene *scene, size_t columns, size_t rows,
    const char *const *arguments)
{
	*scene = (struct scene){
	    .master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
	grantpt(scene->master);
	unlockpt(scene->master);
	set_size(scene, columns, rows);
	scene->program = fork();
	if (!scene->program)
		become(ptsname(scene->master), arguments);
}

#define BEGIN(scene, columns, rows, ...) \
	begin(scene, columns, rows,      \
	    (const char *const[]){"pavane", __VA_ARGS__, NULL})

/* Takes what comes within so long; false if nothing will come any more. */
static bool watch(struct scene *scene, int ms)
{
	char text[4096];
	struct pollfd wanted = {scene->master, POLLIN, 0};
	if (poll(&wanted, 1, ms) <= 0)
		return true;
	ssize_t got = read(scene->master, text, sizeof(text));
	if (got <= 0)
		return false;
	terminal_write(&scene->terminal, text, (size_t)got);
	if (terminal_has(&scene->terminal, "in flight"))
		scene->wraps = scene->terminal.wraps;
	return true;
}

static bool watch_until(struct scene *scene, const char *text)
{
	int64_t began = now_ms();
	while (!terminal_has(&scene->terminal, text)) {
		if (now_ms() - began > PATIENCE_MS || !watch(scene, 50))
			return false;
	}
	return true;
}

static void watch_to_the_end(struct scene *scene)
{
	int64_t began = now_ms();
	while (watch(scene, 50) && now_ms() - began < PATIENCE_MS)
		;
	if (now_ms() - began >= PATIENCE_MS)
		kill(scene->program, SIGKILL);
	waitpid(scene->program, &scene->status, 0);
	close(scene->master);
}

static void type(const struct scene *scene, const char *keys)
{
	ssize_t written = write(scene->master, keys, strlen(keys));
	ok(written == (ssize_t)strlen(keys), "somebody types");
}

/* What is told at the end has names of files, which are as long as they are. */
__attribute__((unused)) static void is_tidy(const struct scene *scene)
{
	const struct terminal *terminal = &scene->terminal;
	ok(!scene->wraps, "no line that was drawn has wrapped (%zu)",
	    scene->wraps);
	ok(!terminal->strange, "nothing strange was written (%zu)",
	    terminal->strange);
	ok(terminal->column == 0,
	    "the cursor stands at the beginning of a row");
}

static bool has_exited(const struct scene *scene, int status)
{
	return WIFEXITED(scene->status) && WEXITSTATUS(scene->status) == status;
}

/* The directory in which a test's programs run, with a home that is nowhere. */
static struct {
	struct scratch scratch;
	char *built;
} workplace;

static bool workplace_enter(void)
{
	const char *built = getenv("top_builddir");
	workplace.built = realpath(built ? built : ".", NULL);
	if (!workplace.built || !scratch_make(&workplace.scratch) ||
	    chdir(workplace.scratch.path) != 0)
		return false;
	setenv("top_builddir", workplace.built, 1);
	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	return true;
}

static void workplace_leave(void)
{
	char remove[160];
	snprintf(remove, sizeof(remove), "rm -rf %s", workplace.scratch.path);
	ok(chdir("..") == 0 && system(remove) == 0, "all is put away");
	free(workplace.built);
}

#endif

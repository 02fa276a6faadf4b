/* The program on a terminal: a pseudo-terminal of ours, and what a person would
 * see there. The crawl is one that does as if (fake_crawl.c). */

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
#include "tap.h"

/* Nothing takes longer, unless something is wrong. */
#define PATIENCE_MS 20000

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
static void become(const char *terminal, const char *const *arguments)
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
static void is_tidy(const struct scene *scene)
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

static void test_to_the_end(void)
{
	struct scene scene;
	setenv("FAKE_MS", "40", 1);
	setenv("FAKE_LINES", "3", 1);
	BEGIN(&scene, 400, 40, "mirror", "-o", "scratch.end", "localhost");
	ok(watch_until(&scene, "of 8 done"), "progress is drawn");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 0), "the crawl ends with 0");
	ok(!terminal_has(&scene.terminal, "in flight"),
	    "at the end what was drawn is gone");
	ok(terminal_count(&scene.terminal, "page ") == 3,
	    "the lines above it are there");
	ok(terminal_count(&scene.terminal, "Finished after") == 1,
	    "and so is the summary, once");
	is_tidy(&scene);
	unsetenv("FAKE_LINES");
}

static void test_stop(void)
{
	struct scene scene;
	setenv("FAKE_PAGES", "1000", 1);
	setenv("FAKE_DRAIN_MS", "15000", 1);
	BEGIN(&scene, 400, 40, "mirror", "-o", "scratch.stop", "localhost");
	ok(watch_until(&scene, "of 1,000 done"), "progress is drawn");
	type(&scene, "\003");
	ok(watch_until(&scene, "Ctrl+C again drops them"),
	    "P6: after Ctrl+C it says what it waits for");
	type(&scene, "\003");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 3), "P6: after a second one it ends with 3");
	ok(terminal_has(&scene.terminal, "continue scratch.stop"),
	    "and says how to go on");
	ok(!terminal_has(&scene.terminal, "again drops"),
	    "what was drawn is gone");
	is_tidy(&scene);
	unsetenv("FAKE_DRAIN_MS");
}

static void test_third_stop(void)
{
	struct scene scene;
	setenv("FAKE_DRAIN_MS", "15000", 1);
	setenv("FAKE_DROP_MS", "15000", 1);
	BEGIN(&scene, 100, 40, "mirror", "-o", "scratch.third", "localhost");
	ok(watch_until(&scene, "of 1,000 done"), "progress is drawn");
	type(&scene, "\003");
	ok(watch_until(&scene, "again drops"), "it stops");
	type(&scene, "\003");
	ok(watch_until(&scene, "is dropped"), "it drops");
	type(&scene, "\003");
	watch_to_the_end(&scene);
	ok(WIFSIGNALED(scene.status) && WTERMSIG(scene.status) == SIGINT,
	    "a third Ctrl+C ends the program at once");
	unsetenv("FAKE_DRAIN_MS");
	unsetenv("FAKE_DROP_MS");
}

static void test_resize(void)
{
	struct scene scene;
	BEGIN(&scene, 120, 40, "mirror", "-o", "scratch.resize", "localhost");
	ok(watch_until(&scene, "100 refused"), "progress is drawn");
	set_size(&scene, 44, 40);
	ok(watch_until(&scene, "as long as its Retry-After asks"),
	    "it is drawn anew for a narrow terminal");
	ok(!scene.terminal.wraps, "in which nothing wraps");
	type(&scene, "\003");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 3), "and ends");
}

static void test_question_by_signal(void)
{
	struct scene scene;
	setenv("FAKE_PAGES", "1000", 1);
	BEGIN(&scene, 200, 40, "mirror", "-o", "scratch.asked", "localhost");
	ok(watch_until(&scene, "of 1,000 done"), "progress is drawn");
	kill(scene.program, SIGUSR1);
	ok(watch_until(&scene, "held by    the policy"),
	    "SIGUSR1 makes it tell all there is");
	ok(watch_until(&scene, "of 1,000 done"),
	    "above what is drawn, which goes on");
	type(&scene, "\003");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 3), "and ends");
	is_tidy(&scene);
}

static void test_stalled(void)
{
	struct scene scene;
	setenv("FAKE_PAGES", "20", 1);
	setenv("FAKE_LINES", "20", 1);
	BEGIN(&scene, 100, 40, "mirror", "-o", "scratch.stalled", "localhost");
	ok(watch_until(&scene, "of 20 done"), "progress is drawn");
	type(&scene, "\023");
	int64_t began = now_ms();
	while (waitpid(scene.program, &scene.status, WNOHANG) == 0 &&
	       now_ms() - began < PATIENCE_MS)
		poll(NULL, 0, 20);
	ok(has_exited(&scene, 0),
	    "a terminal that is stopped does not hold the crawl up");
	kill(scene.program, SIGKILL);
	close(scene.master);
	unsetenv("FAKE_LINES");
}

static void test_hang_up(void)
{
	struct scene scene;
	setenv("FAKE_PAGES", "1000", 1);
	BEGIN(&scene, 100, 40, "mirror", "-o", "scratch.gone", "localhost");
	ok(watch_until(&scene, "of 1,000 done"), "progress is drawn");
	close(scene.master);
	waitpid(scene.program, &scene.status, 0);
	ok(has_exited(&scene, 3),
	    "P6: when the terminal is gone it stops, the state saved");
}

static void test_question(void)
{
	struct scene scene;
	setenv("FAKE_PAGES", "3", 1);
	BEGIN(&scene, 100, 40, "mirror", "-o", "scratch.end", "localhost",
	    "--fresh");
	ok(watch_until(&scene, "[y/N]"), "--fresh asks");
	ok(terminal_has(
	       &scene.terminal, "scratch.end holds a crawl: 8 done, 0 left."),
	    "and says what would be lost");
	type(&scene, "\n");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 1) &&
		terminal_has(&scene.terminal, "Nothing was touched."),
	    "nothing is no");
	BEGIN(&scene, 100, 40, "mirror", "-o", "scratch.end", "localhost",
	    "--fresh");
	ok(watch_until(&scene, "[y/N]"), "--fresh asks again");
	type(&scene, "y\n");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 0) &&
		terminal_has(&scene.terminal, "3 known: 3 done"),
	    "y begins anew");
	BEGIN(&scene, 100, 40, "mirror", "-o", "scratch.end", "localhost",
	    "--fresh", "--yes");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 0) && !terminal_has(&scene.terminal, "[y/N]"),
	    "--yes is not asked");
}

int main(void)
{
	char directory[] = "scratch.XXXXXX";
	char remove[64];
	const char *built = getenv("top_builddir");
	char *absolute = realpath(built ? built : ".", NULL);
	if (!absolute || !mkdtemp(directory) || chdir(directory) != 0)
		return 99;
	setenv("top_builddir", absolute, 1);
	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	test_to_the_end();
	test_stop();
	test_third_stop();
	test_resize();
	test_question_by_signal();
	test_stalled();
	test_hang_up();
	test_question();
	snprintf(remove, sizeof(remove), "rm -rf %s", directory);
	ok(chdir("..") == 0 && system(remove) == 0, "all is put away");
	free(absolute);
	return tap_done();
}

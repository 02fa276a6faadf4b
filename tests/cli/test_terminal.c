#include "cli/pseudo_terminal.h"

/* What a person sees of a crawl on a terminal, and what its keys do. */

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
	ok(watch_until(&scene, "are dropped"), "it drops");
	type(&scene, "\003");
	watch_to_the_end(&scene);
	ok(WIFSIGNALED(scene.status) && WTERMSIG(scene.status) == SIGINT,
	    "a third Ctrl+C ends the program at once");
	ok(!terminal_has(&scene.terminal, "are dropped"),
	    "and what was drawn is gone");
	unsetenv("FAKE_DRAIN_MS");
	unsetenv("FAKE_DROP_MS");
}

static void test_resize(void)
{
	struct scene scene;
	BEGIN(&scene, 120, 40, "mirror", "-o", "scratch.resize", "localhost");
	ok(watch_until(&scene, "100 left out"), "progress is drawn");
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
	ok(watch_until(&scene, "limited by the policy"),
	    "SIGUSR1 makes it tell all there is");
	ok(watch_until(&scene, "of 1,000 done"),
	    "above what is drawn, which goes on");
	type(&scene, "\003");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 3), "and ends");
	is_tidy(&scene);
}

/* The child leads a session of its own, in which nothing can be suspended
 * from the terminal: the system lets such a program go on. */
static void test_suspend(void)
{
	struct scene scene;
	BEGIN(&scene, 120, 40, "mirror", "-o", "scratch.asleep", "localhost");
	ok(watch_until(&scene, "of 1,000 done"), "progress is drawn");
	kill(scene.program, SIGSTOP);
	waitpid(scene.program, &scene.status, WUNTRACED);
	while (watch(&scene, 300) && !WIFSTOPPED(scene.status))
		;
	size_t row = scene.terminal.row;
	terminal_write(&scene.terminal, "$ fg\n", 5);
	kill(scene.program, SIGCONT);
	type(&scene, "\032");
	ok(watch_until(&scene, "of 1,000 done"),
	    "after it was suspended it is drawn again");
	ok(scene.terminal.row > row, "below what others wrote");
	type(&scene, "\003");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 3), "and ends");
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
	ok(terminal_has(&scene.terminal,
	       "scratch.end holds a crawl: 8 done, 0 pending."),
	    "and says what would be lost");
	type(&scene, "\n");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 1) &&
		terminal_has(&scene.terminal, "Nothing was changed."),
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
	if (!workplace_enter())
		return 99;
	test_to_the_end();
	test_stop();
	test_third_stop();
	test_resize();
	test_question_by_signal();
	test_suspend();
	test_stalled();
	test_hang_up();
	test_question();
	workplace_leave();
	return tap_done();
}

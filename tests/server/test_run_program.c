#include "server/run_program.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "crawl/patience.h"
#include "tap.h"

/* With the shell in the place of our program: it does what is wanted of it. */
static void use_shell(void)
{
	setenv("PAVANE", "/bin/sh", 1);
}

static struct program *shell(struct home *home, const char *script)
{
	return program_start(home, (const char *[]){"-c", script, NULL});
}

static void test_end(struct home *home)
{
	struct program_end end = {.status = -1};
	struct pv_buf said;
	pv_buf_init(&said, 1 << 16);
	const char *arguments[] = {
	    "-c", "echo out; echo err >&2; exit 3", NULL};
	ok(program_run(home, arguments, &said, &end), "a program runs");
	ok(!end.is_killed && end.status == 3, "how it exits is known");
	is_text(pv_buf_str(&said), "out\nerr\n",
	    "what it says is kept, errors last");
	ok(end.memory_bytes > 4096 && end.wall_ms < HANG_MS,
	    "its memory and time are known");
	pv_buf_finish(&said);
}

static void test_home(struct home *home)
{
	struct pv_buf said;
	struct pv_buf wanted;
	struct program_end end;
	const char *arguments[] = {"-c",
	    "echo $HOME; echo $XDG_CONFIG_HOME; echo $XDG_STATE_HOME; "
	    "pwd; cat given; "
	    "echo ${http_proxy-none}; mkdir -p a/b; echo kept >a/b/c",
	    NULL};
	pv_buf_init(&said, 1 << 16);
	pv_buf_init(&wanted, 1 << 16);
	setenv("http_proxy", "http://127.0.0.1:1/", 1);
	home_print(home, "given", "a %s\n", "file");
	program_run(home, arguments, &said, &end);
	pv_buf_append_format(&wanted,
	    "%s\n%s/config\n%s/state\n%s\na file\nnone\n", home->path,
	    home->path, home->path, home->path);
	is_text(pv_buf_str(&said), pv_buf_text(&wanted),
	    "it runs in its home, with nobody's environment");
	static const char *const more[] = {"MORE=yes", "AND=more", NULL};
	pv_buf_clear(&said);
	home->environment = more;
	program_run(home, (const char *[]){"-c", "echo $MORE $AND; pwd", NULL},
	    &said, &end);
	home->environment = NULL;
	pv_buf_clear(&wanted);
	pv_buf_append_format(&wanted, "yes more\n%s\n", home->path);
	is_text(pv_buf_str(&said), pv_buf_text(&wanted),
	    "but what the home has of it");
	pv_buf_clear(&said);
	home_read(home, "a/b/c", &said);
	is_text(pv_buf_str(&said), "kept\n", "what it leaves can be read");
	pv_buf_finish(&said);
	pv_buf_finish(&wanted);
}

static void test_signals(struct home *home)
{
	struct program_end end = {.status = -1};
	struct program *program =
	    shell(home, "trap 'echo caught; exit 7' TERM; echo ready; "
			"while :; do sleep 0.01; done");
	ok(program_says(program, "ready", HANG_MS),
	    "what it says is waited for");
	ok(!program_wait(program, 20, &end) && end.status == -1,
	    "one that goes on is not ended by waiting");
	ok(program_memory(program) > 4096 &&
		program_memory_peak(program) >= program_memory(program),
	    "its memory is known while it runs");
	ok(program_file_count(program) >= 3, "and its open files");
	ok(program_conductor_us(program) > 0,
	    "and what its first thread uses of the processor");
	int64_t cpu_us = program_cpu_us(program);
	ok(cpu_us > 0, "and all of them");
	program_signal(program, SIGTERM);
	ok(program_wait(program, HANG_MS, &end) && !end.is_killed &&
		end.status == 7,
	    "a signal reaches it");
	ok(program_says(program, "caught", 0) &&
		!program_says(program, "never said", HANG_MS),
	    "one that has ended is not waited for");
	ok(program_memory(program) == 0, "and has no memory");
	ok(program_conductor_us(program) < 0, "and uses no processor");
	ok(program_cpu_us(program) == end.cpu_ms * 1000 &&
		program_cpu_us(program) + 1000 >= cpu_us,
	    "but it is known what it used");
	program_destroy(program);
}

/* Two on one processor cannot but wait for each other. */
static void test_waiting(struct home *home)
{
	struct pv_buf said;
	struct program_end end = {.waited_us = -1};
	cpu_set_t before, one;
	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
		if (CPU_ISSET(cpu, &before))
			CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	pv_buf_init(&said, 1 << 10);
	program_run(home,
	    (const char *[]){"-c",
		"count() { i=0; while [ $i -lt 100000 ]; do i=$((i+1)); "
		"done; }; count & count; wait",
		NULL},
	    &said, &end);
	sched_setaffinity(0, sizeof(before), &before);
	pv_buf_finish(&said);
	if (access("/proc/self/schedstat", R_OK) != 0)
		tap_skip("it is known how long it waited for a processor",
		    "the system does not tell");
	else
		ok(end.waited_us > 0 && end.waited_us <= end.wall_ms * 1000,
		    "it is known how long its first thread waited for a "
		    "processor (%lld us of %lld ms)",
		    (long long)end.waited_us, (long long)end.wall_ms);
}

static void test_killing(struct home *home)
{
	struct pv_buf said;
	struct program_end end = {.status = -1};
	struct program *program = shell(home, "kill -9 $$");
	ok(program_wait(program, HANG_MS, &end) && end.is_killed &&
		end.status == SIGKILL,
	    "a signal that ends it is told from an exit");
	program_destroy(program);
	program = shell(home, "echo $$; echo ready; exec sleep 1000");
	program_says(program, "ready", HANG_MS);
	pv_buf_init(&said, 1 << 10);
	program_output(program, &said);
	pid_t pid = (pid_t)strtol(pv_buf_text(&said), NULL, 10);
	ok(pid > 0 && kill(pid, 0) == 0, "a program runs until it ends");
	program_destroy(program);
	ok(kill(pid, 0) != 0, "or is killed with what stands for it");
	pv_buf_finish(&said);
	program_destroy(NULL);
}

/* Where make check runs, the program is there. */
static void test_own(struct home *home)
{
	struct pv_buf said;
	struct program_end end = {.status = -1};
	const char *claim = "without a word it is our own program";
	if (access("pavane", X_OK) != 0) {
		tap_skip(claim, "it is not in this directory");
		return;
	}
	pv_buf_init(&said, 1 << 16);
	unsetenv("PAVANE");
	ok(program_run(
	       home, (const char *[]){"--version", NULL}, &said, &end) &&
		end.status == 0 &&
		pv_str_starts(pv_buf_str(&said), PV_STR("pavane ")),
	    "%s", claim);
	pv_buf_finish(&said);
}

int main(void)
{
	struct home home;
	if (!home_make(&home))
		return 1;
	test_own(&home);
	use_shell();
	test_end(&home);
	test_home(&home);
	test_signals(&home);
	test_waiting(&home);
	test_killing(&home);
	home_remove(&home);
	ok(access(home.path, F_OK) != 0, "a home goes with all that is in it");
	return tap_done();
}

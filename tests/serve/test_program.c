#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "crawl/patience.h"
#include "server/run_program.h"
#include "tap.h"

/* The program as systemd runs it: what it tells, and what it does for signals. */

#define SECONDS 60
#define WAIT_MS 30000

struct scene {
	struct home home;
	struct program *program;
	int notify;
	char path[600];
	char text[200]; /* what it has told last */
};

static void open_notify(struct scene *scene)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct timeval patience = {.tv_sec = WAIT_MS / 1000};
	snprintf(scene->path, sizeof(scene->path), "NOTIFY_SOCKET=@pavane-%d",
	    (int)getpid());
	size_t len = strlen(scene->path + 14);
	memcpy(address.sun_path, scene->path + 14, len);
	address.sun_path[0] = '\0';
	scene->notify = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	setsockopt(scene->notify, SOL_SOCKET, SO_RCVTIMEO, &patience,
	    sizeof(patience));
	if (bind(scene->notify, (struct sockaddr *)&address,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) != 0)
		abort();
}

/* The next that it tells but for WATCHDOG=1, which it tells again and again. */
static bool tells(struct scene *scene, const char *state)
{
	ssize_t len;
	do {
		len = recv(
		    scene->notify, scene->text, sizeof(scene->text) - 1, 0);
		scene->text[len < 0 ? 0 : len] = '\0';
	} while (strcmp(scene->text, "WATCHDOG=1") == 0 &&
		 strcmp(state, "WATCHDOG=1") != 0);
	bool is_told = strncmp(scene->text, state, strlen(state)) == 0;
	if (!is_told)
		printf("# %s\n", scene->text);
	return is_told;
}

static void test_systemd(void)
{
	struct scene scene = {.program = NULL};
	struct program_end end = {.status = -1};
	const char *environment[] = {scene.path, "WATCHDOG_USEC=100000", NULL};
	if (!home_make(&scene.home))
		abort();
	open_notify(&scene);
	scene.home.environment = environment;
	home_print(&scene.home, "service.yaml",
	    "directory: service\nlisten: 127.0.0.1:0\n");
	scene.program = program_start(
	    &scene.home, (const char *[]){"serve", "-c", "service.yaml", NULL});
	ok(scene.program && tells(&scene, "READY=1"),
	    "it says when it is ready");
	ok(tells(&scene, "WATCHDOG=1") && tells(&scene, "WATCHDOG=1"),
	    "and again and again that it is alive");
	program_signal(scene.program, SIGHUP);
	ok(tells(&scene, "RELOADING=1\nMONOTONIC_USEC=") &&
		tells(&scene, "READY=1"),
	    "SIGHUP has it read its configuration again");
	ok(program_says(
	       scene.program, "the configuration was read again", WAIT_MS),
	    "which it says");
	home_print(&scene.home, "service.yaml", "director: service\n");
	program_signal(scene.program, SIGHUP);
	ok(tells(&scene, "RELOADING=1\n") && tells(&scene, "READY=1") &&
		program_says(scene.program, "the configuration stays as it was",
		    WAIT_MS) &&
		program_says(scene.program, "did you mean directory", WAIT_MS),
	    "one with a mistake changes nothing, and it goes on");
	program_signal(scene.program, SIGUSR1);
	ok(tells(&scene, "WATCHDOG=1"), "a signal of no meaning ends nothing");
	program_signal(scene.program, SIGTERM);
	ok(tells(&scene, "STOPPING=1"), "SIGTERM ends it");
	ok(program_wait(scene.program, WAIT_MS, &end) && !end.is_killed &&
		end.status == 0,
	    "P6: with status 0");
	program_destroy(scene.program);
	close(scene.notify);
	home_remove(&scene.home);
}

/* What ends it before it is ready. */
static int status_of(struct home *home, const char *setting, const char *other)
{
	struct program_end end = {.status = -1};
	struct program *program =
	    program_start(home, (const char *[]){"serve", "-c", "service.yaml",
				    "--set", setting, "--set", other, NULL});
	bool has_ended = program && program_wait(program, WAIT_MS, &end);
	program_destroy(program);
	return has_ended && !end.is_killed ? end.status : -1;
}

static void test_mistakes(void)
{
	struct home home;
	struct program *other;
	if (!home_make(&home))
		abort();
	home_print(
	    &home, "service.yaml", "directory: service\nlisten: 127.0.0.1:0\n");
	ok(status_of(&home, "jobs.runing=1", "jobs.keep=1d") == 2,
	    "a mistake of the configuration ends it with status 2");
	ok(status_of(&home, "listen=0.0.0.0:0", "jobs.keep=1d") == 2,
	    "P7: so does an address that others reach, without tokens");
	ok(status_of(&home, "tokens_file=nowhere", "jobs.keep=1d") == 2,
	    "and tokens that cannot be read");
	other = program_start(
	    &home, (const char *[]){"serve", "-c", "service.yaml", NULL});
	ok(other && program_says(other, "listening on", WAIT_MS),
	    "another service is there");
	ok(status_of(&home, "jobs.running=1", "jobs.keep=1d") == 1,
	    "a directory in use ends it with status 1");
	program_signal(other, SIGTERM);
	program_destroy(other);
	home_remove(&home);
}

int main(void)
{
	end_after(SECONDS);
	test_systemd();
	test_mistakes();
	end_after(0);
	return tap_done();
}

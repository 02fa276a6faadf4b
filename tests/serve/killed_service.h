#ifndef PAVANE_TESTS_SERVE_KILLED_SERVICE_H
#define PAVANE_TESTS_SERVE_KILLED_SERVICE_H

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "pavane/serve.h"
#include "serve/http/asking.h"

/* A service in a process of its own, to be killed: the test's own program, which is
 * called with the configuration's file and the end of a pipe, by which it says its
 * port. */
struct killed_service {
	pid_t child;
	int said;      /* what it says its port by; -1: it has */
	uint16_t port; /* 0: not known yet */
};

static inline void killed_service_on_line(
    void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %s\n", line);
	fflush(stdout);
}

/* What the program does then; it returns only if the service cannot be opened. */
static inline int killed_service_serve(const char *file, const char *pipe)
{
	struct pavane_serve_options options = {
	    .file = file, .socket = -1, .on_line = killed_service_on_line};
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	struct pavane_service *service = pavane_service_open(&options);
	if (!service)
		return 1;
	dprintf((int)strtoul(pipe, NULL, 10), "%s\n",
	    strrchr(pavane_service_address(service), ':') + 1);
	for (;;)
		pause();
}

static inline bool killed_service_start(
    struct killed_service *service, const char *file)
{
	int ends[2];
	char end[16];
	if (pipe(ends) != 0)
		return false;
	snprintf(end, sizeof(end), "%d", ends[1]);
	fflush(stdout);
	service->port = 0;
	service->said = ends[0];
	service->child = fork();
	if (!service->child) {
		execl("/proc/self/exe", "killed", file, end, (char *)NULL);
		_exit(1);
	}
	close(ends[1]);
	return service->child > 0;
}

/* Waits until it answers; false if it has ended before. */
static inline bool killed_service_await(struct killed_service *service)
{
	char port[16] = "";
	ssize_t len = read(service->said, port, sizeof(port) - 1);
	close(service->said);
	service->said = -1;
	service->port = (uint16_t)strtoul(port, NULL, 10);
	return len > 0;
}

/* Whether it was alive until then. */
static inline bool killed_service_strike(struct killed_service *service)
{
	int status = 0;
	kill(service->child, SIGKILL);
	waitpid(service->child, &status, 0);
	if (service->said >= 0)
		close(service->said);
	service->said = -1;
	return WIFSIGNALED(status);
}

#endif

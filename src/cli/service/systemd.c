#include "cli/service/systemd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define FIRST_SOCKET 3

#define US_OF_MS 1000

/* 0 where there is none. */
static long long number_of(const char *variable)
{
	const char *text = getenv(variable);
	char *end;
	if (!text)
		return 0;
	errno = 0;
	long long number = strtoll(text, &end, 10);
	return errno || end == text || *end ? 0 : number;
}

int pv_systemd_socket(void)
{
	if (number_of("LISTEN_PID") != getpid() || number_of("LISTEN_FDS") < 1)
		return -1;
	fcntl(FIRST_SOCKET, F_SETFD, FD_CLOEXEC);
	return FIRST_SOCKET;
}

/* A path, or a name that begins with "@" in the place of a NUL. */
void pv_systemd_notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t len = path ? strlen(path) : 0;
	if (!len || len >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, len);
	if (address.sun_path[0] == '@')
		address.sun_path[0] = '\0';
	int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (file < 0)
		return;
	sendto(file, state, strlen(state), MSG_NOSIGNAL,
	    (struct sockaddr *)&address,
	    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	close(file);
}

const char *pv_systemd_credentials(void)
{
	const char *directory = getenv("CREDENTIALS_DIRECTORY");
	return directory && directory[0] == '/' ? directory : NULL;
}

/* Without a process, it means us. */
int64_t pv_systemd_watchdog_ms(void)
{
	long long limit_us = number_of("WATCHDOG_USEC");
	long long process = number_of("WATCHDOG_PID");
	if (limit_us <= 0 || (getenv("WATCHDOG_PID") && process != getpid()))
		return 0;
	int64_t half_ms = limit_us / 2 / US_OF_MS;
	return half_ms ? half_ms : 1;
}

/* That is not to be before systemd has asked for it, which it may have done within
 * the same millisecond. */
void pv_systemd_notify_reloading(int64_t now_ms)
{
	char state[80];
	snprintf(state, sizeof(state), "RELOADING=1\nMONOTONIC_USEC=%lld",
	    (long long)(now_ms + 1) * US_OF_MS);
	pv_systemd_notify(state);
}

#include "cli/service/systemd.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define FIRST_SOCKET 3

static long number_of(const char *variable)
{
	const char *text = getenv(variable);
	return text ? strtol(text, NULL, 10) : 0;
}

int pv_systemd_socket(void)
{
	if (number_of("LISTEN_PID") != (long)getpid() ||
	    number_of("LISTEN_FDS") < 1)
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

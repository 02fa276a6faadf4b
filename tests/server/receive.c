#include "server/receive.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Where the wall clock was set meanwhile, its stamps say nothing. */
#define OLDEST_US 60000000

#define WARM_UP_TRIES 50

static int64_t now_us(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* False if there is none. */
static bool find_stamp(struct msghdr *message, int64_t *wall_us)
{
	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part;
	     part = CMSG_NXTHDR(message, part)) {
		struct timespec time;
		if (part->cmsg_level != SOL_SOCKET ||
		    part->cmsg_type != SCM_TIMESTAMPNS)
			continue;
		memcpy(&time, CMSG_DATA(part), sizeof(time));
		*wall_us = time.tv_sec * 1000000 + time.tv_nsec / 1000;
		return true;
	}
	return false;
}

/* `wall_us` is 0 if the kernel made no stamp. */
static ssize_t receive(int fd, void *ptr, size_t size, int64_t *wall_us)
{
	union {
		char bytes[128];
		struct cmsghdr align;
	} control;
	struct iovec piece = {ptr, size};
	struct msghdr message = {
	    .msg_iov = &piece,
	    .msg_iovlen = 1,
	    .msg_control = control.bytes,
	    .msg_controllen = sizeof(control.bytes),
	};
	ssize_t len = recvmsg(fd, &message, 0);
	*wall_us = 0;
	if (len > 0)
		find_stamp(&message, wall_us);
	return len;
}

ssize_t receive_stamped(int fd, void *ptr, size_t size, int64_t *at_us)
{
	int64_t wall_us;
	ssize_t len = receive(fd, ptr, size, &wall_us);
	if (len <= 0)
		return len;
	int64_t age = wall_us ? now_us(CLOCK_REALTIME) - wall_us : 0;
	bool is_good = age > 0 && age < OLDEST_US;
	*at_us = now_us(CLOCK_MONOTONIC) - (is_good ? age : 0);
	return len;
}

static bool is_stamped(int fd)
{
	char byte;
	int64_t wall_us;
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	send(fd, "", 1, 0);
	poll(&wait, 1, 10);
	return receive(fd, &byte, 1, &wall_us) < 0 || wall_us;
}

void receive_warm_up(void)
{
	int yes = 1;
	struct sockaddr_in place = {
	    .sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(place);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof(yes));
	if (bind(fd, (struct sockaddr *)&place, len) == 0 &&
	    getsockname(fd, (struct sockaddr *)&place, &len) == 0 &&
	    connect(fd, (struct sockaddr *)&place, len) == 0) {
		for (int i = 0; i < WARM_UP_TRIES && !is_stamped(fd); i++)
			poll(NULL, 0, 1);
	}
	close(fd);
}

int64_t receive_wall_ms(int64_t at_us)
{
	int64_t age = now_us(CLOCK_MONOTONIC) - at_us;
	return (now_us(CLOCK_REALTIME) - age) / 1000;
}

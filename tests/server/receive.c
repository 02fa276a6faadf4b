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

/* Looking at three clocks takes less than a microsecond. */
#define CLOCK_TRIES 20
#define CLOCK_TIGHT_US 10

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

/* The monotonic time at a time of the wall clock, or now if there is none. Who is
 * pushed aside between looking at the one clock and at the other would reckon
 * with both of them: so that is done until it took no time to speak of. */
static int64_t monotonic_of(int64_t wall_us)
{
	int64_t best_us = INT64_MAX, offset_us = 0, now = 0;
	for (int i = 0; i < CLOCK_TRIES && best_us > CLOCK_TIGHT_US; i++) {
		int64_t before = now_us(CLOCK_MONOTONIC);
		int64_t wall = now_us(CLOCK_REALTIME);
		now = now_us(CLOCK_MONOTONIC);
		if (now - before >= best_us)
			continue;
		best_us = now - before;
		offset_us = before + best_us / 2 - wall;
	}
	int64_t age = wall_us ? now - (wall_us + offset_us) : 0;
	return age > 0 && age < OLDEST_US ? now - age : now;
}

ssize_t receive_stamped(int fd, void *ptr, size_t size, int64_t *at_us)
{
	int64_t wall_us;
	ssize_t len = receive(fd, ptr, size, &wall_us);
	if (len <= 0)
		return len;
	*at_us = monotonic_of(wall_us);
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

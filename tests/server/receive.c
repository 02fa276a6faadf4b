#include "server/receive.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* Where the wall clock was set meanwhile, its stamps say nothing. */
#define OLDEST_US 60000000

static int64_t now_us(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* How long ago the stamp was made; 0 if there is none. */
static int64_t age_us(struct msghdr *message)
{
	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part;
	     part = CMSG_NXTHDR(message, part)) {
		struct timespec time;
		if (part->cmsg_level != SOL_SOCKET ||
		    part->cmsg_type != SCM_TIMESTAMPNS)
			continue;
		memcpy(&time, CMSG_DATA(part), sizeof(time));
		int64_t age = now_us(CLOCK_REALTIME) - time.tv_sec * 1000000 -
			      time.tv_nsec / 1000;
		return age > 0 && age < OLDEST_US ? age : 0;
	}
	return 0;
}

ssize_t receive_stamped(int fd, void *ptr, size_t size, int64_t *at_us)
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
	if (len > 0)
		*at_us = now_us(CLOCK_MONOTONIC) - age_us(&message);
	return len;
}

int64_t receive_wall_ms(int64_t at_us)
{
	int64_t age = now_us(CLOCK_MONOTONIC) - at_us;
	return (now_us(CLOCK_REALTIME) - age) / 1000;
}

#ifndef PAVANE_TESTS_SERVE_HTTP_ASKING_H
#define PAVANE_TESTS_SERVE_HTTP_ASKING_H

#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"

/* A client that sends bytes as they are given, and takes what comes. What never
 * comes is waited for half a minute, so that a test ends. */
#define ASKING_MAX ((size_t)8 << 20)

static inline int64_t asking_now(void *ctx)
{
	struct timespec now;
	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* From 127.0.0.HOST; 0: as the system chooses. */
static inline int asking_connect_from(uint8_t host, uint16_t port)
{
	struct sockaddr_in from = {.sin_family = AF_INET,
	    .sin_addr = {htonl(INADDR_LOOPBACK - 1 + host)}};
	struct sockaddr_in end = {.sin_family = AF_INET,
	    .sin_port = htons(port),
	    .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct timeval patience = {.tv_sec = 30};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if ((host && bind(fd, (struct sockaddr *)&from, sizeof(from)) != 0) ||
	    connect(fd, (struct sockaddr *)&end, sizeof(end)) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static inline int asking_connect(uint16_t port)
{
	return asking_connect_from(0, port);
}

/* To a socket in the file system. */
static inline int asking_connect_unix(const char *path)
{
	struct sockaddr_un end = {.sun_family = AF_UNIX};
	struct timeval patience = {.tv_sec = 30};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	snprintf(end.sun_path, sizeof(end.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&end, sizeof(end)) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static inline bool asking_send(int fd, struct pv_str bytes)
{
	while (bytes.len) {
		ssize_t len = send(fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);
		if (len <= 0)
			return false;
		bytes = pv_str_from(bytes, (size_t)len);
	}
	return true;
}

/* Until the connection ends; false if it never does. */
static inline bool asking_receive(int fd, struct pv_buf *buf)
{
	char bytes[4096];
	ssize_t len;
	while ((len = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		pv_buf_append(buf, (struct pv_str){bytes, (size_t)len});
	return len == 0;
}

/* Until the text is among what came. */
static inline bool asking_receive_until(
    int fd, const char *text, struct pv_buf *buf)
{
	char byte;
	while (!strstr(pv_buf_text(buf), text)) {
		if (recv(fd, &byte, 1, 0) != 1)
			return false;
		pv_buf_append_char(buf, byte);
	}
	return true;
}

/* Appends all that is replied until the connection ends. */
static inline bool asking(
    uint16_t port, struct pv_str request, struct pv_buf *reply)
{
	int fd = asking_connect(port);
	bool is_whole =
	    fd >= 0 && asking_send(fd, request) && asking_receive(fd, reply);
	if (fd >= 0)
		close(fd);
	return is_whole;
}

#endif

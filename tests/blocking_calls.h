#ifndef PAVANE_TESTS_BLOCKING_CALLS_H
#define PAVANE_TESTS_BLOCKING_CALLS_H

#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Calls that wait, of the test's own in the place of the C library's: they count
 * where a thread has said that it must not wait now, and then do what they do.
 * To be included in one file of a program. */
static struct {
	unsigned count;
	char first[64]; /* what it was */
} blocking_calls;

static __thread bool must_not_wait;

static void blocking_note(const char *what)
{
	if (!must_not_wait)
		return;
	if (!blocking_calls.count++)
		snprintf(blocking_calls.first, sizeof(blocking_calls.first),
		    "%s", what);
}

/* Calls are looked up each by its own name in what is loaded behind us. */
#define BEHIND(type, name) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

static bool blocking_is_socket_waiting(int fd)
{
	return !(fcntl(fd, F_GETFL) & O_NONBLOCK);
}

#define INSTEAD_OF(name) __asm__(name) __attribute__((used))

int blocking_fsync(int fd) INSTEAD_OF("fsync");
int blocking_fsync(int fd)
{
	blocking_note("fsync");
	return BEHIND(int (*)(int), "fsync")(fd);
}

int blocking_fdatasync(int fd) INSTEAD_OF("fdatasync");
int blocking_fdatasync(int fd)
{
	blocking_note("fdatasync");
	return BEHIND(int (*)(int), "fdatasync")(fd);
}

int blocking_poll(struct pollfd *fds, nfds_t count, int ms) INSTEAD_OF("poll");
int blocking_poll(struct pollfd *fds, nfds_t count, int ms)
{
	if (ms)
		blocking_note("poll");
	return BEHIND(int (*)(struct pollfd *, nfds_t, int), "poll")(
	    fds, count, ms);
}

int blocking_epoll_wait(int fd, struct epoll_event *events, int count, int ms)
    INSTEAD_OF("epoll_wait");
int blocking_epoll_wait(int fd, struct epoll_event *events, int count, int ms)
{
	if (ms)
		blocking_note("epoll_wait");
	return BEHIND(int (*)(int, struct epoll_event *, int, int),
	    "epoll_wait")(fd, events, count, ms);
}

int blocking_epoll_pwait(int fd, struct epoll_event *events, int count, int ms,
    const sigset_t *signals) INSTEAD_OF("epoll_pwait");
int blocking_epoll_pwait(int fd, struct epoll_event *events, int count, int ms,
    const sigset_t *signals)
{
	if (ms)
		blocking_note("epoll_pwait");
	return BEHIND(
	    int (*)(int, struct epoll_event *, int, int, const sigset_t *),
	    "epoll_pwait")(fd, events, count, ms, signals);
}

int blocking_nanosleep(const struct timespec *time, struct timespec *left)
    INSTEAD_OF("nanosleep");
int blocking_nanosleep(const struct timespec *time, struct timespec *left)
{
	blocking_note("nanosleep");
	return BEHIND(int (*)(const struct timespec *, struct timespec *),
	    "nanosleep")(time, left);
}

int blocking_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
    INSTEAD_OF("pthread_cond_wait");
int blocking_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	blocking_note("pthread_cond_wait");
	return BEHIND(int (*)(pthread_cond_t *, pthread_mutex_t *),
	    "pthread_cond_wait")(cond, mutex);
}

int blocking_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
    const struct timespec *until) INSTEAD_OF("pthread_cond_timedwait");
int blocking_cond_timedwait(
    pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
	blocking_note("pthread_cond_timedwait");
	return BEHIND(int (*)(pthread_cond_t *, pthread_mutex_t *,
			  const struct timespec *),
	    "pthread_cond_timedwait")(cond, mutex, until);
}

/* A thread that has ended is joined at once: what matters is which one is. */
int blocking_join(pthread_t thread, void **result) INSTEAD_OF("pthread_join");
int blocking_join(pthread_t thread, void **result)
{
	if (pthread_tryjoin_np(thread, result) == 0)
		return 0;
	blocking_note("pthread_join");
	return BEHIND(int (*)(pthread_t, void **), "pthread_join")(
	    thread, result);
}

int blocking_sem_wait(sem_t *sem) INSTEAD_OF("sem_wait");
int blocking_sem_wait(sem_t *sem)
{
	blocking_note("sem_wait");
	return BEHIND(int (*)(sem_t *), "sem_wait")(sem);
}

int blocking_flock(int fd, int how) INSTEAD_OF("flock");
int blocking_flock(int fd, int how)
{
	if (!(how & LOCK_NB))
		blocking_note("flock");
	return BEHIND(int (*)(int, int), "flock")(fd, how);
}

int blocking_getaddrinfo(const char *name, const char *service,
    const struct addrinfo *hints, struct addrinfo **found)
    INSTEAD_OF("getaddrinfo");
int blocking_getaddrinfo(const char *name, const char *service,
    const struct addrinfo *hints, struct addrinfo **found)
{
	blocking_note("getaddrinfo");
	return BEHIND(int (*)(const char *, const char *,
			  const struct addrinfo *, struct addrinfo **),
	    "getaddrinfo")(name, service, hints, found);
}

int blocking_connect(int fd, const struct sockaddr *address, socklen_t len)
    INSTEAD_OF("connect");
int blocking_connect(int fd, const struct sockaddr *address, socklen_t len)
{
	if (blocking_is_socket_waiting(fd))
		blocking_note("connect");
	return BEHIND(int (*)(int, const struct sockaddr *, socklen_t),
	    "connect")(fd, address, len);
}

ssize_t blocking_recv(int fd, void *room, size_t size, int flags)
    INSTEAD_OF("recv");
ssize_t blocking_recv(int fd, void *room, size_t size, int flags)
{
	if (!(flags & MSG_DONTWAIT) && blocking_is_socket_waiting(fd))
		blocking_note("recv");
	return BEHIND(ssize_t(*)(int, void *, size_t, int), "recv")(
	    fd, room, size, flags);
}

#endif

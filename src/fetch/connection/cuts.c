#include "fetch/connection/cuts.h"

#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifdef __linux__
#include <linux/tcp.h>
#include <netinet/in.h>
#endif

/* Less than this is what any answer may bring at any moment. */
#define GREEDY_BYTES ((uint64_t)64 * 1024)

/* Of what the kernel holds for a socket, so much is thrown away at most; the
 * other side hears of the shutdown and can send no more. */
#define DISCARD_MAX ((size_t)64 << 20)

static void discard(int fd)
{
	static const size_t piece = 64 * 1024;
	char bytes[64 * 1024];
	for (size_t done = 0; done < DISCARD_MAX; done += piece)
		if (recv(fd, bytes, piece, MSG_DONTWAIT) <= 0)
			return;
}

/* Who joins meanwhile sees that it is cut off, or is seen here. */
static void cut(struct pv_socket *socket)
{
	struct pv_cut *made = pv_socket_cut(socket);
	int fd = pv_socket_fd(socket);
	atomic_store(&made->is_made, true);
	if (pv_socket_users(socket) > 1)
		atomic_store(&made->is_shared, true);
	shutdown(fd, SHUT_RDWR);
	discard(fd);
}

static bool add(struct pv_sockets *sockets, int fd)
{
	struct pv_socket *socket = pv_sockets_get(sockets, fd);
	bool is_new = socket && !atomic_load(&pv_socket_cut(socket)->is_made);
	if (is_new)
		cut(socket);
	return is_new;
}

bool pv_cuts_add(struct pv_sockets *sockets, int fd)
{
	pthread_mutex_lock(&sockets->mutex);
	bool is_new = add(sockets, fd);
	pthread_mutex_unlock(&sockets->mutex);
	return is_new;
}

bool pv_cuts_add_during(struct pv_sockets *sockets, int fd,
    const atomic_uint *serial, unsigned expected)
{
	pthread_mutex_lock(&sockets->mutex);
	bool is_new = atomic_load(serial) == expected && add(sockets, fd);
	pthread_mutex_unlock(&sockets->mutex);
	return is_new;
}

/* How many bytes have come by a connection since it was made. */
static uint64_t count_received(int fd)
{
#ifdef __linux__
	struct tcp_info info = {.tcpi_bytes_received = 0};
	socklen_t len = sizeof(info);
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0)
		return info.tcpi_bytes_received;
#endif
	(void)fd;
	return 0;
}

/* How many of them nobody has read. */
static uint64_t count_unread(int fd)
{
	int unread = 0;
	if (ioctl(fd, FIONREAD, &unread) != 0 || unread < 0)
		return UINT64_MAX;
	return (uint64_t)unread;
}

static uint64_t count_read(uint64_t received, uint64_t unread)
{
	return received > unread ? received - unread : 0;
}

/* What comes between the two counts seems to have been read at the mark, and
 * not to have been read afterwards: so it is nobody's fault. */
static uint64_t count_read_at_mark(int fd)
{
	uint64_t unread = count_unread(fd);
	return count_read(count_received(fd), unread);
}

static uint64_t count_read_now(int fd)
{
	uint64_t received = count_received(fd);
	return count_read(received, count_unread(fd));
}

void pv_cuts_mark(struct pv_sockets *sockets)
{
	pthread_mutex_lock(&sockets->mutex);
	for (int fd = 0; (size_t)fd < sockets->size; fd++) {
		struct pv_socket *socket = pv_sockets_get(sockets, fd);
		if (socket)
			*pv_socket_noted(socket) = count_read_at_mark(fd);
	}
	pthread_mutex_unlock(&sockets->mutex);
}

/* None of one that was cut off, or of a number that is no socket's. */
static uint64_t count_since(const struct pv_sockets *sockets, int fd)
{
	struct pv_socket *socket = pv_sockets_get(sockets, fd);
	if (!socket || atomic_load(&pv_socket_cut(socket)->is_made))
		return 0;
	uint64_t noted = *pv_socket_noted(socket);
	uint64_t bytes = count_read_now(fd);
	return bytes > noted ? bytes - noted : 0;
}

int pv_cuts_find_greediest(struct pv_sockets *sockets, pv_cuts_fn may_be)
{
	uint64_t most = GREEDY_BYTES;
	int greediest = -1;
	pthread_mutex_lock(&sockets->mutex);
	for (int fd = 0; (size_t)fd < sockets->size; fd++) {
		uint64_t bytes = count_since(sockets, fd);
		if (bytes < most || (may_be && !may_be(sockets, fd, bytes)))
			continue;
		most = bytes;
		greediest = fd;
	}
	pthread_mutex_unlock(&sockets->mutex);
	return greediest;
}

enum pv_cut_verdict pv_cuts_judge(struct pv_socket *connection)
{
	if (!connection)
		return PV_CUT_NONE;
	struct pv_cut *made = pv_socket_cut(connection);
	if (!atomic_load(&made->is_made))
		return PV_CUT_NONE;
	if (pv_socket_users(connection) > 1)
		atomic_store(&made->is_shared, true);
	return atomic_load(&made->is_shared) ? PV_CUT_BYSTANDER : PV_CUT_BLAMED;
}

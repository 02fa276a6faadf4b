#include "fetch/cuts.h"

#include <pthread.h>
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

void pv_cuts_init(struct pv_cuts *cuts, struct pv_sockets *sockets)
{
	*cuts = (struct pv_cuts){.sockets = sockets};
}

static void discard(int fd)
{
	static const size_t piece = 64 * 1024;
	char bytes[64 * 1024];
	for (size_t done = 0; done < DISCARD_MAX; done += piece)
		if (recv(fd, bytes, piece, MSG_DONTWAIT) <= 0)
			return;
}

bool pv_cuts_add(struct pv_cuts *cuts, int fd)
{
	struct pv_sockets *sockets = cuts->sockets;
	pthread_mutex_lock(&sockets->mutex);
	uint64_t connection = pv_sockets_id(sockets, fd);
	bool is_new = connection && !pv_sockets_is_cut(sockets, fd);
	if (is_new) {
		cuts->items[cuts->next++ % PV_CUTS_MAX] = (struct pv_cut){
		    .connection = connection,
		    .own_port = pv_sockets_own_port(fd),
		};
		atomic_fetch_add(&cuts->count, 1);
		pv_sockets_set_cut(sockets, fd);
		shutdown(fd, SHUT_RDWR);
		discard(fd);
	}
	pthread_mutex_unlock(&sockets->mutex);
	return is_new;
}

/* How many bytes a connection has received since it was made. */
static uint64_t received(int fd)
{
#ifdef __linux__
	struct tcp_info info = {.tcpi_bytes_received = 0};
	socklen_t len = sizeof(info);
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0)
		return info.tcpi_bytes_received;
#else
	(void)fd;
#endif
	return 0;
}

void pv_cuts_mark(struct pv_cuts *cuts)
{
	struct pv_sockets *sockets = cuts->sockets;
	pthread_mutex_lock(&sockets->mutex);
	for (int fd = 0; (size_t)fd < sockets->size; fd++)
		if (pv_sockets_id(sockets, fd))
			pv_sockets_set_received(sockets, fd, received(fd));
	pthread_mutex_unlock(&sockets->mutex);
}

int pv_cuts_find_greediest(struct pv_cuts *cuts, pv_cuts_fn may_be)
{
	struct pv_sockets *sockets = cuts->sockets;
	uint64_t most = GREEDY_BYTES;
	int greediest = -1;
	pthread_mutex_lock(&sockets->mutex);
	for (int fd = 0; (size_t)fd < sockets->size; fd++) {
		if (!pv_sockets_id(sockets, fd) ||
		    pv_sockets_is_cut(sockets, fd))
			continue;
		uint64_t more = received(fd) - pv_sockets_received(sockets, fd);
		if (more < most || (may_be && !may_be(cuts, fd, more)))
			continue;
		most = more;
		greediest = fd;
	}
	pthread_mutex_unlock(&sockets->mutex);
	return greediest;
}

static bool is_it(
    const struct pv_cut *cut, uint64_t connection, uint16_t own_port)
{
	if (!cut->connection)
		return false;
	if (connection)
		return cut->connection == connection;
	return own_port && cut->own_port == own_port;
}

static struct pv_cut *find(
    struct pv_cuts *cuts, uint64_t connection, uint16_t own_port)
{
	for (size_t i = 0; i < PV_CUTS_MAX; i++)
		if (is_it(&cuts->items[i], connection, own_port))
			return &cuts->items[i];
	return NULL;
}

enum pv_cut_verdict pv_cuts_judge(struct pv_cuts *cuts, uint64_t connection,
    uint16_t own_port, unsigned users)
{
	enum pv_cut_verdict verdict = PV_CUT_NONE;
	if (!atomic_load(&cuts->count))
		return verdict;
	pthread_mutex_lock(&cuts->sockets->mutex);
	struct pv_cut *cut = find(cuts, connection, own_port);
	if (cut) {
		cut->is_shared = cut->is_shared || users > 1;
		verdict = cut->is_shared ? PV_CUT_BYSTANDER : PV_CUT_BLAMED;
	}
	pthread_mutex_unlock(&cuts->sockets->mutex);
	return verdict;
}

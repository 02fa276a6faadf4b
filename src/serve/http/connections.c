#include "serve/http/connections.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/line.h"
#include "base/system.h"
#include "serve/http/peers.h"

struct pv_connection {
	struct pv_line_link link;
	int socket;
	struct pv_peer *peer; /* NULL: it has no address */
	char peer_name[PV_PEER_SIZE];
	int64_t deadline; /* by the plan's clock, or PV_NO_DEADLINE */
	void (*wake)(void *ctx);
	void *wake_ctx;
	bool is_displaced; /* by one that came, and about to end */
};

struct pv_connections {
	struct pv_connections_plan plan; /* the trusted ones under the lock */
	pthread_mutex_t lock;            /* of all that follows */
	struct pv_line line;
	struct pv_peers peers;
	uint32_t count;
	uint32_t displaced; /* of them */
	int64_t next_look;  /* of the keeper, or PV_NO_DEADLINE */
	bool is_destroyed;

	atomic_bool is_ended;
	int bell[2]; /* a pipe that wakes the keeper */
	pthread_t keeper;
};

static void ring(struct pv_connections *connections)
{
	/* A pipe that is full wakes as well. */
	ssize_t len = write(connections->bell[1], "", 1);
	(void)len;
}

static void shut(const struct pv_connection *connection)
{
	shutdown(connection->socket, SHUT_RDWR);
}

/* Ends those whose time is over; returns when the next one's is. */
static int64_t end_late(struct pv_connections *connections, int64_t now)
{
	int64_t next = PV_NO_DEADLINE;
	struct pv_line_link *link = connections->line.first;
	for (; link; link = link->behind) {
		struct pv_connection *connection =
		    PV_WHOLE(struct pv_connection, link, link);
		if (connection->deadline == PV_NO_DEADLINE)
			continue;
		if (connection->deadline <= now) {
			shut(connection);
			connection->deadline = PV_NO_DEADLINE;
		} else if (next == PV_NO_DEADLINE ||
			   connection->deadline < next) {
			next = connection->deadline;
		}
	}
	return next;
}

static int timeout_of(int64_t next, int64_t now)
{
	if (next == PV_NO_DEADLINE)
		return -1;
	return next - now < INT_MAX ? (int)(next - now) : INT_MAX;
}

static void wait_for_bell(struct pv_connections *connections, int timeout)
{
	char bytes[64];
	struct pollfd bell = {.fd = connections->bell[0], .events = POLLIN};
	if (poll(&bell, 1, timeout) > 0) {
		ssize_t len = read(bell.fd, bytes, sizeof(bytes));
		(void)len;
	}
}

static void *keep(void *ctx)
{
	struct pv_connections *connections = ctx;
	const struct pv_connections_plan *plan = &connections->plan;
	for (;;) {
		pthread_mutex_lock(&connections->lock);
		bool is_destroyed = connections->is_destroyed;
		int64_t now = plan->now(plan->now_ctx);
		int64_t next = end_late(connections, now);
		connections->next_look = next;
		pthread_mutex_unlock(&connections->lock);
		if (is_destroyed)
			return NULL;
		wait_for_bell(connections, timeout_of(next, now));
	}
}

struct pv_connections *pv_connections_create(
    const struct pv_connections_plan *plan)
{
	struct pv_connections *connections = pv_alloc(sizeof(*connections));
	connections->plan = *plan;
	connections->next_look = PV_NO_DEADLINE;
	if (pipe2(connections->bell, O_CLOEXEC | O_NONBLOCK) != 0) {
		free(connections);
		return NULL;
	}
	pthread_mutex_init(&connections->lock, NULL);
	if (pv_thread_start(&connections->keeper, "keeper", keep, connections))
		return connections;
	pthread_mutex_destroy(&connections->lock);
	close(connections->bell[0]);
	close(connections->bell[1]);
	free(connections);
	return NULL;
}

void pv_connections_destroy(struct pv_connections *connections)
{
	if (!connections)
		return;
	pthread_mutex_lock(&connections->lock);
	connections->is_destroyed = true;
	pthread_mutex_unlock(&connections->lock);
	ring(connections);
	pthread_join(connections->keeper, NULL);
	pthread_mutex_destroy(&connections->lock);
	close(connections->bell[0]);
	close(connections->bell[1]);
	free(connections);
}

static bool is_trusted(
    const struct pv_connections_plan *plan, const struct pv_address *address)
{
	for (size_t i = 0; i < plan->trusted_count; i++) {
		if (pv_network_holds(&plan->trusted[i], address))
			return true;
	}
	return false;
}

void pv_connections_trust(struct pv_connections *connections,
    const struct pv_network *trusted, size_t count)
{
	pthread_mutex_lock(&connections->lock);
	connections->plan.trusted = trusted;
	connections->plan.trusted_count = count;
	pthread_mutex_unlock(&connections->lock);
}

/* Whether a connection waits for a peer that has more than `least` of them. */
static bool may_displace(const struct pv_connections *connections,
    const struct pv_connection *connection, uint32_t least)
{
	return !connection->is_displaced &&
	       connection->deadline != PV_NO_DEADLINE && connection->peer &&
	       connection->peer->count > least &&
	       !is_trusted(&connections->plan, &connection->peer->address);
}

/* Of who has most, the one whose time is over first. */
static struct pv_connection *find_displaceable(
    const struct pv_connections *connections, uint32_t least)
{
	struct pv_connection *found = NULL;
	struct pv_line_link *link = connections->line.first;
	for (; link; link = link->behind) {
		struct pv_connection *connection =
		    PV_WHOLE(struct pv_connection, link, link);
		if (!may_displace(connections, connection, least))
			continue;
		if (!found || connection->peer->count > found->peer->count ||
		    (connection->peer->count == found->peer->count &&
			connection->deadline < found->deadline))
			found = connection;
	}
	return found;
}

/* Where all places are taken, who has least of them gets one of who has most, so
 * that a few that hold many shut nobody out. */
static bool displace(struct pv_connections *connections, uint32_t own)
{
	if (connections->displaced >= PV_DISPLACED_MAX)
		return false;
	struct pv_connection *victim = find_displaceable(connections, own + 1);
	if (!victim)
		return false;
	shut(victim);
	victim->is_displaced = true;
	connections->displaced++;
	return true;
}

static bool may_add(
    struct pv_connections *connections, const struct pv_address *address)
{
	const struct pv_connections_plan *plan = &connections->plan;
	bool is_counted = address && !is_trusted(plan, address);
	uint32_t own =
	    is_counted ? pv_peers_count(&connections->peers, address) : 0;
	if (atomic_load(&connections->is_ended) ||
	    (is_counted && own >= plan->per_peer_max))
		return false;
	return connections->count - connections->displaced <
		   plan->connections_max ||
	       displace(connections, own);
}

bool pv_connections_may_add(
    struct pv_connections *connections, const struct pv_address *address)
{
	pthread_mutex_lock(&connections->lock);
	bool may = may_add(connections, address);
	pthread_mutex_unlock(&connections->lock);
	return may;
}

static void name_peer(
    struct pv_connection *connection, const struct pv_address *address)
{
	struct pv_buf buf;
	pv_buf_init(&buf, PV_PEER_SIZE - 1);
	if (!address || !pv_address_write(address, &buf))
		pv_buf_append_text(&buf, "unix");
	memcpy(connection->peer_name, pv_buf_text(&buf), buf.len + 1);
	pv_buf_finish(&buf);
}

struct pv_connection *pv_connections_add(struct pv_connections *connections,
    int socket, const struct pv_address *address)
{
	struct pv_connection *connection = pv_alloc(sizeof(*connection));
	connection->socket = socket;
	connection->deadline = PV_NO_DEADLINE;
	name_peer(connection, address);
	pthread_mutex_lock(&connections->lock);
	if (address)
		connection->peer = pv_peers_take(&connections->peers, address);
	pv_line_add(&connections->line, &connection->link);
	connections->count++;
	if (atomic_load(&connections->is_ended))
		shut(connection);
	pthread_mutex_unlock(&connections->lock);
	return connection;
}

void pv_connections_remove(
    struct pv_connections *connections, struct pv_connection *connection)
{
	pthread_mutex_lock(&connections->lock);
	pv_line_remove(&connections->line, &connection->link);
	pv_peers_give(&connections->peers, connection->peer);
	connections->count--;
	connections->displaced -= connection->is_displaced;
	pthread_mutex_unlock(&connections->lock);
	free(connection);
}

void pv_connections_limit(struct pv_connections *connections,
    struct pv_connection *connection, int64_t ms)
{
	const struct pv_connections_plan *plan = &connections->plan;
	int64_t deadline = ms == PV_NO_DEADLINE ? PV_NO_DEADLINE
						: plan->now(plan->now_ctx) + ms;
	pthread_mutex_lock(&connections->lock);
	connection->deadline = deadline;
	bool is_sooner = deadline != PV_NO_DEADLINE &&
			 (connections->next_look == PV_NO_DEADLINE ||
			     deadline < connections->next_look);
	pthread_mutex_unlock(&connections->lock);
	if (is_sooner)
		ring(connections);
}

void pv_connections_on_end(struct pv_connections *connections,
    struct pv_connection *connection, void (*wake)(void *ctx), void *ctx)
{
	pthread_mutex_lock(&connections->lock);
	connection->wake = wake;
	connection->wake_ctx = ctx;
	if (wake && atomic_load(&connections->is_ended))
		wake(ctx);
	pthread_mutex_unlock(&connections->lock);
}

void pv_connections_end_all(struct pv_connections *connections)
{
	pthread_mutex_lock(&connections->lock);
	atomic_store(&connections->is_ended, true);
	struct pv_line_link *link = connections->line.first;
	for (; link; link = link->behind) {
		struct pv_connection *connection =
		    PV_WHOLE(struct pv_connection, link, link);
		shut(connection);
		if (connection->wake)
			connection->wake(connection->wake_ctx);
	}
	pthread_mutex_unlock(&connections->lock);
}

bool pv_connections_is_over(const struct pv_connections *connections,
    const struct pv_connection *connection)
{
	struct pollfd end = {.fd = connection->socket, .events = POLLRDHUP};
	if (atomic_load(&connections->is_ended))
		return true;
	return poll(&end, 1, 0) > 0 &&
	       (end.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

const char *pv_connection_peer(const struct pv_connection *connection)
{
	return connection->peer_name;
}

#include "serve/http/connections.h"

#include <poll.h>
#include <stdatomic.h>

#include "serve/http/asking.h"
#include "tap.h"

static int64_t now(void *ctx)
{
	return atomic_load((_Atomic int64_t *)ctx);
}

/* A connection whose other end the test has. */
struct pair {
	int ends[2];
	struct pv_connection *connection;
};

static void begin(
    struct pv_connections *connections, struct pair *pair, const char *address)
{
	struct pv_address read = {0};
	bool has_address = pv_address_read(pv_str_of(address), &read);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair->ends) != 0)
		abort();
	pair->connection = pv_connections_add(
	    connections, pair->ends[0], has_address ? &read : NULL);
}

static void end(struct pv_connections *connections, struct pair *pair)
{
	pv_connections_remove(connections, pair->connection);
	close(pair->ends[0]);
	close(pair->ends[1]);
}

static bool is_shut(const struct pair *pair, int timeout)
{
	struct pollfd other = {.fd = pair->ends[1], .events = POLLRDHUP};
	return poll(&other, 1, timeout) == 1;
}

static bool may_add(struct pv_connections *connections, const char *address)
{
	struct pv_address read;
	return pv_connections_may_add(connections,
	    pv_address_read(pv_str_of(address), &read) ? &read : NULL);
}

static void test_count(struct pv_connections *connections)
{
	struct pair pairs[4];
	begin(connections, &pairs[0], "192.0.2.1");
	ok(may_add(connections, "192.0.2.1"), "a peer may have a second one");
	begin(connections, &pairs[1], "192.0.2.1");
	ok(!may_add(connections, "192.0.2.1"), "but no third");
	ok(may_add(connections, "192.0.2.2"), "another peer may come");
	ok(may_add(connections, ""), "and one without an address");
	begin(connections, &pairs[2], "10.0.0.1");
	begin(connections, &pairs[3], "10.0.0.1");
	ok(may_add(connections, "10.0.0.1"), "a trusted one may have more");
	is_text(pv_str_of(pv_connection_peer(pairs[3].connection)), "10.0.0.1",
	    "a peer is known by its address");
	end(connections, &pairs[1]);
	ok(may_add(connections, "192.0.2.1"), "one that ended counts no more");
	begin(connections, &pairs[1], "");
	is_text(pv_str_of(pv_connection_peer(pairs[1].connection)), "unix",
	    "one without an address is called unix");
	struct pair last;
	begin(connections, &last, "192.0.2.9");
	ok(!may_add(connections, "192.0.2.10") &&
		!may_add(connections, "10.0.0.1"),
	    "there are never more than may be in all");
	end(connections, &last);
	for (int i = 0; i < 4; i++)
		end(connections, &pairs[i]);
}

/* Strangers at two addresses have taken all places. */
static void test_displaced(
    struct pv_connections *connections, _Atomic int64_t *clock)
{
	struct pair pairs[5], next;
	atomic_store(clock, 0);
	begin(connections, &pairs[0], "192.0.2.1");
	begin(connections, &pairs[1], "192.0.2.1");
	begin(connections, &pairs[2], "192.0.2.2");
	begin(connections, &pairs[3], "192.0.2.2");
	begin(connections, &pairs[4], "10.0.0.1");
	ok(!may_add(connections, "192.0.2.3"),
	    "one that is being answered is not displaced");
	pv_connections_limit(connections, pairs[0].connection, 3000);
	pv_connections_limit(connections, pairs[1].connection, 2000);
	pv_connections_limit(connections, pairs[2].connection, 2000);
	pv_connections_limit(connections, pairs[4].connection, 1000);
	end(connections, &pairs[3]);
	begin(connections, &pairs[3], "10.0.0.1");
	ok(!may_add(connections, "192.0.2.2") && !is_shut(&pairs[1], 0),
	    "nor for who would have as many then");
	ok(may_add(connections, "192.0.2.3") && is_shut(&pairs[1], 0),
	    "P5: who has none gets the place of one that waits longest, of who "
	    "has most");
	ok(!is_shut(&pairs[0], 0) && !is_shut(&pairs[2], 0) &&
		!is_shut(&pairs[4], 0),
	    "and the others stay");
	begin(connections, &next, "192.0.2.3");
	end(connections, &pairs[1]);
	ok(!may_add(connections, "192.0.2.4") && !is_shut(&pairs[0], 0),
	    "where each has one, nobody has to go");
	pv_connections_limit(connections, pairs[3].connection, 1000);
	ok(!may_add(connections, "192.0.2.4") && !is_shut(&pairs[4], 0),
	    "nor a trusted one, that may have any number");
	end(connections, &next);
	ok(may_add(connections, "192.0.2.4"),
	    "what has ended leaves its place");
	for (int i = 0; i < 5; i++) {
		if (i != 1)
			end(connections, &pairs[i]);
	}
}

static void test_deadlines(
    struct pv_connections *connections, _Atomic int64_t *clock)
{
	struct pair late;
	struct pair early;
	begin(connections, &late, "192.0.2.1");
	begin(connections, &early, "192.0.2.1");
	pv_connections_limit(connections, late.connection, 1000);
	pv_connections_limit(connections, early.connection, 0);
	ok(is_shut(&early, 20000), "a connection whose time is over is ended");
	ok(!is_shut(&late, 0), "another one goes on");
	ok(pv_connections_is_over(connections, early.connection),
	    "it is over then");
	atomic_store(clock, 999);
	pv_connections_limit(connections, early.connection, 0);
	ok(!is_shut(&late, 0), "as long as it may");
	pv_connections_limit(connections, late.connection, PV_NO_DEADLINE);
	atomic_store(clock, 5000);
	ok(!is_shut(&late, 0), "one that has no deadline stays");
	pv_connections_limit(connections, late.connection, 0);
	ok(is_shut(&late, 20000), "until it gets one");
	end(connections, &late);
	end(connections, &early);
}

static void count(void *ctx)
{
	(*(int *)ctx)++;
}

static void test_end(struct pv_connections *connections)
{
	struct pair pair;
	struct pair second;
	int woken = 0;
	begin(connections, &pair, "192.0.2.1");
	pv_connections_on_end(connections, pair.connection, count, &woken);
	ok(!pv_connections_is_over(connections, pair.connection),
	    "a connection is not over while both ends are there");
	pv_connections_end_all(connections);
	ok(is_shut(&pair, 0) && woken == 1, "all are ended, and woken");
	ok(!may_add(connections, "192.0.2.7"), "none may come any more");
	begin(connections, &second, "192.0.2.7");
	ok(is_shut(&second, 0), "and one that came in between is ended");
	pv_connections_on_end(connections, second.connection, count, &woken);
	ok(woken == 2, "what begins to wait then is woken at once");
	end(connections, &pair);
	end(connections, &second);
}

int main(void)
{
	_Atomic int64_t clock = 0;
	struct pv_network trusted;
	bool is_exact;
	pv_network_read(PV_STR("10.0.0.0/8"), &trusted, &is_exact);
	struct pv_connections_plan plan = {.connections_max = 5,
	    .per_peer_max = 2,
	    .trusted = &trusted,
	    .trusted_count = 1,
	    .now = now,
	    .now_ctx = &clock};
	struct pv_connections *connections = pv_connections_create(&plan);
	test_count(connections);
	test_displaced(connections, &clock);
	test_deadlines(connections, &clock);
	test_end(connections);
	pv_connections_destroy(connections);
	pv_connections_destroy(NULL);
	return tap_done();
}

#include "names/channel.h"

#include <ares.h>
#include <stdlib.h>
#include <uv.h>

#include "base/alloc.h"
#include "policy/values/resolve_table.h"

#define SERVERS_MAX 8
#define TRIES 2
#define DNS_PORT 53

/* RFC 1035, 3.2.2 and 3.2.4; RFC 3596, 2.1. */
#define TYPE_A 1
#define TYPE_AAAA 28
#define CLASS_IN 1

/* What goes through every network in one piece. */
#define EDNS_BYTES 1232

/* A socket of c-ares that the loop watches. */
struct watch {
	uv_poll_t poll;
	struct watch *next;
	struct pv_channel *channel;
	ares_socket_t socket;
};

struct pv_channel {
	uv_loop_t *loop;
	uv_timer_t timer; /* for what c-ares does when nothing comes */
	struct watch *watches;
	ares_channel ares; /* NULL where c-ares could not begin */
	int status;        /* why it could not */
};

struct question {
	pv_reply_fn on_reply;
	void *ctx;
	int bits;
};

/* The loop and c-ares. */

static void on_timer(uv_timer_t *timer);

static void set_timer(struct pv_channel *channel)
{
	struct timeval left;
	if (!ares_timeout(channel->ares, NULL, &left)) {
		uv_timer_stop(&channel->timer);
		return;
	}
	/* A millisecond more, for what is lost in rounding. */
	uint64_t left_ms =
	    (uint64_t)left.tv_sec * 1000 + (uint64_t)left.tv_usec / 1000 + 1;
	uv_timer_start(&channel->timer, on_timer, left_ms, 0);
}

static void on_timer(uv_timer_t *timer)
{
	struct pv_channel *channel = timer->data;
	ares_process_fd(channel->ares, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
	set_timer(channel);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
	const struct watch *watch = poll->data;
	struct pv_channel *channel = watch->channel;
	ares_socket_t socket = watch->socket; /* the watch may go meanwhile */
	bool is_readable = status < 0 || events & UV_READABLE;
	bool is_writable = status < 0 || events & UV_WRITABLE;
	ares_process_fd(channel->ares, is_readable ? socket : ARES_SOCKET_BAD,
	    is_writable ? socket : ARES_SOCKET_BAD);
	set_timer(channel);
}

static void on_watch_closed(uv_handle_t *poll)
{
	free(poll->data);
}

static struct watch *add_watch(struct pv_channel *channel, ares_socket_t socket)
{
	struct watch *watch = pv_alloc(sizeof(*watch));
	if (uv_poll_init(channel->loop, &watch->poll, socket) != 0) {
		/* Nothing is heard on it: who asks there waits in vain, and
		 * has a deadline. */
		free(watch);
		return NULL;
	}
	watch->poll.data = watch;
	watch->channel = channel;
	watch->socket = socket;
	watch->next = channel->watches;
	channel->watches = watch;
	return watch;
}

/* c-ares wants to know when it can read from or write to a socket; if neither,
 * it is about to close it. */
static void on_socket(
    void *ctx, ares_socket_t socket, int is_read, int is_written)
{
	struct pv_channel *channel = ctx;
	struct watch **at = &channel->watches;
	while (*at && (*at)->socket != socket)
		at = &(*at)->next;
	struct watch *watch = *at;
	int events =
	    (is_read ? UV_READABLE : 0) | (is_written ? UV_WRITABLE : 0);
	if (events && !watch)
		watch = add_watch(channel, socket);
	if (!watch)
		return;
	if (events) {
		uv_poll_start(&watch->poll, events, on_poll);
		return;
	}
	*at = watch->next;
	uv_poll_stop(&watch->poll);
	uv_close((uv_handle_t *)&watch->poll, on_watch_closed);
}

/* Opening and closing. */

static int set_servers(ares_channel ares, const struct pv_texts *servers)
{
	struct ares_addr_port_node nodes[SERVERS_MAX] = {0};
	size_t count = 0;
	for (size_t i = 0; i < servers->count && count < SERVERS_MAX; i++) {
		struct pv_socket server;
		if (!pv_socket_read(pv_str_of(servers->items[i]), &server))
			return ARES_EBADSTR;
		struct ares_addr_port_node *node = &nodes[count++];
		bool is_v4 = server.address.bits == 32;
		node->family = is_v4 ? AF_INET : AF_INET6;
		node->udp_port = node->tcp_port =
		    server.port ? server.port : DNS_PORT;
		memcpy(&node->addr, server.address.bytes, is_v4 ? 4 : 16);
		if (count > 1)
			nodes[count - 2].next = node;
	}
	return count ? ares_set_servers_ports(ares, nodes) : ARES_SUCCESS;
}

static int begin(
    struct pv_channel *channel, const struct pv_texts *servers, int64_t try_ms)
{
	struct ares_options options = {
	    .flags = ARES_FLAG_EDNS | ARES_FLAG_NOALIASES,
	    .ednspsz = EDNS_BYTES,
	    .timeout = (int)try_ms,
	    .tries = TRIES,
	    .sock_state_cb = on_socket,
	    .sock_state_cb_data = channel,
	};
	int status = ares_init_options(&channel->ares, &options,
	    ARES_OPT_FLAGS | ARES_OPT_EDNSPSZ | ARES_OPT_TIMEOUTMS |
		ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB);
	if (status != ARES_SUCCESS) {
		channel->ares = NULL;
		return status;
	}
	status = set_servers(channel->ares, servers);
	if (status != ARES_SUCCESS) {
		ares_destroy(channel->ares);
		channel->ares = NULL;
	}
	return status;
}

struct pv_channel *pv_channel_open(
    uv_loop_t *loop, const struct pv_texts *servers, int64_t try_ms)
{
	struct pv_channel *channel = pv_alloc(sizeof(*channel));
	channel->loop = loop;
	uv_timer_init(loop, &channel->timer);
	channel->timer.data = channel;
	channel->status = ares_library_init(ARES_LIB_INIT_ALL);
	if (channel->status == ARES_SUCCESS)
		channel->status = begin(channel, servers, try_ms);
	return channel;
}

static void on_channel_closed(uv_handle_t *timer)
{
	free(timer->data);
}

void pv_channel_close(struct pv_channel *channel)
{
	if (!channel)
		return;
	ares_destroy(channel->ares);
	ares_library_cleanup();
	uv_close((uv_handle_t *)&channel->timer, on_channel_closed);
}

uv_loop_t *pv_channel_loop(const struct pv_channel *channel)
{
	return channel->loop;
}

/* Asking. */

static void on_answer(
    void *arg, int status, int timeouts, unsigned char *bytes, int len)
{
	struct question *question = arg;
	struct pv_reply reply;
	(void)timeouts;
	pv_reply_read(status, question->bits, bytes, (size_t)len, &reply);
	question->on_reply(question->ctx, &reply);
	free(question);
}

void pv_channel_ask(struct pv_channel *channel, const char *name, int bits,
    pv_reply_fn on_reply, void *ctx)
{
	if (!channel->ares) {
		struct pv_reply reply;
		pv_reply_read(channel->status, bits, NULL, 0, &reply);
		on_reply(ctx, &reply);
		return;
	}
	struct question *question = pv_alloc(sizeof(*question));
	*question = (struct question){on_reply, ctx, bits};
	int type = bits == 32 ? TYPE_A : TYPE_AAAA;
	if (strchr(name, '.'))
		ares_query(
		    channel->ares, name, CLASS_IN, type, on_answer, question);
	else
		ares_search(
		    channel->ares, name, CLASS_IN, type, on_answer, question);
	set_timer(channel);
}

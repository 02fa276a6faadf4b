#include "fetch/shard.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fetch/hooks.h"
#include "fetch/transfer.h"

/* So many bytes of bodies come in a turn of the loop, of one connection; a
 * piece counts as so many at least, since each costs as much as some bytes. */
#define TURN_BYTES ((size_t)512 * 1024)
#define PIECE_BYTES ((size_t)512)

/* What comes later than that in a call of libcurl's has to wait for the next
 * turn: a byte may cost much more than it should. */
#define TURN_NS UINT64_C(4000000)

/* A timer that is due at once may go off again in the same turn. */
#define NEXT_TURN_MS 1

/* So many easy handles are kept for the next requests. */
#define RESTING_MAX 256

/* Flights that were sent */

static void on_sent(struct pv_exchange *exchange)
{
	struct pv_shard *shard = exchange->shard;
	exchange->next = NULL;
	exchange->previous = shard->last_sent;
	if (shard->last_sent)
		shard->last_sent->next = exchange;
	else
		shard->first_sent = exchange;
	shard->last_sent = exchange;
}

static void forget_sent(struct pv_shard *shard, struct pv_exchange *exchange)
{
	if (!exchange->is_sent || exchange->is_told)
		return;
	exchange->is_told = true;
	if (exchange->previous)
		exchange->previous->next = exchange->next;
	else
		shard->first_sent = exchange->next;
	if (exchange->next)
		exchange->next->previous = exchange->previous;
	else
		shard->last_sent = exchange->previous;
}

static void tell_sent(struct pv_shard *shard)
{
	struct pv_exchange *exchange;
	while ((exchange = shard->first_sent)) {
		forget_sent(shard, exchange);
		exchange->transfer->sent_ns = uv_hrtime();
		pv_post_add(&shard->lane->notices, &exchange->transfer->sent);
	}
}

/* Flights that end */

static void rest(struct pv_shard *shard, struct pv_exchange *exchange)
{
	if (shard->resting_count == RESTING_MAX ||
	    !pv_exchange_is_clean(exchange)) {
		pv_exchange_destroy(exchange);
		return;
	}
	exchange->next = shard->resting;
	shard->resting = exchange;
	shard->resting_count++;
}

static void forget_held(struct pv_exchange *exchange)
{
	if (!exchange->held_link)
		return;
	*exchange->held_link = exchange->held_next;
	if (exchange->held_next)
		exchange->held_next->held_link = exchange->held_link;
	exchange->held_link = NULL;
}

/* The loop charges for it when it hears of what is asked, or of the end. */
static void tell_what_came(struct pv_exchange *exchange)
{
	exchange->transfer->came = exchange->came;
	exchange->came = 0;
}

static void take_back(struct pv_shard *shard, struct pv_exchange *exchange)
{
	pv_exchange_stop(exchange);
	forget_held(exchange);
	pv_call_begin(&shard->lane->call, pv_exchange_fd(exchange));
	curl_multi_remove_handle(shard->multi, exchange->easy);
	pv_call_end(&shard->lane->call);
	pv_exchange_leave(exchange);
	forget_sent(shard, exchange);
	pv_jar_count(
	    &shard->lane->shared->jar, exchange->cookie_count, exchange->easy);
	tell_what_came(exchange);
	exchange->transfer->is_cut = exchange->is_cut;
	exchange->transfer->exchange = NULL;
	shard->count--;
	rest(shard, exchange);
}

void pv_shard_cancel(struct pv_shard *shard, struct pv_exchange *exchange)
{
	take_back(shard, exchange);
}

static void end(struct pv_exchange *exchange)
{
	struct pv_shard *shard = exchange->shard;
	struct pv_transfer *transfer = exchange->transfer;
	take_back(shard, exchange);
	pv_post_add(&shard->lane->notices, &transfer->ended);
}

static struct pv_exchange *exchange_of(CURL *easy)
{
	char *exchange = NULL;
	curl_easy_getinfo(easy, CURLINFO_PRIVATE, &exchange);
	return (void *)exchange;
}

/* Tells what libcurl has noted. The loop's time is that of when it last waited,
 * which may be before that happened; but where nothing has, it stands still, so
 * that no timer goes off twice in a turn. */
static void settle(struct pv_shard *shard)
{
	CURLMsg *message;
	int left;
	tell_sent(shard);
	while ((message = curl_multi_info_read(shard->multi, &left))) {
		struct pv_exchange *exchange =
		    exchange_of(message->easy_handle);
		uv_update_time(&shard->lane->loop);
		pv_exchange_finish(exchange, message->data.result);
		end(exchange);
	}
}

static void act(struct pv_shard *shard, curl_socket_t fd, int ready)
{
	int running;
	shard->room = TURN_BYTES;
	pv_call_begin(&shard->lane->call, fd);
	curl_multi_socket_action(shard->multi, fd, ready, &running);
	pv_call_end(&shard->lane->call);
	settle(shard);
}

void pv_shard_on_ready(void *shard, int fd, int ready)
{
	act(shard, fd, ready);
}

/* Flights that are held */

static void hold(struct pv_exchange **line, struct pv_exchange *exchange)
{
	exchange->held_next = *line;
	exchange->held_link = line;
	if (*line)
		(*line)->held_link = &exchange->held_next;
	*line = exchange;
}

/* It goes on with what libcurl has kept for it, and may be held again. */
static void let_go(struct pv_shard *shard, struct pv_exchange *exchange)
{
	forget_held(exchange);
	pv_exchange_let_go(exchange);
	shard->room = TURN_BYTES;
	pv_call_begin(&shard->lane->call, pv_exchange_fd(exchange));
	CURLcode code = curl_easy_pause(exchange->easy, CURLPAUSE_CONT);
	pv_call_end(&shard->lane->call);
	if (code != CURLE_OK)
		pv_exchange_note_stuck(exchange);
}

/* Those that are held again have to wait for the next turn. */
static void let_held_go(struct pv_shard *shard)
{
	struct pv_exchange *line = shard->held;
	if (line)
		line->held_link = &line;
	shard->held = NULL;
	while (line)
		let_go(shard, line);
}

void pv_shard_grant(struct pv_transfer *transfer)
{
	struct pv_exchange *exchange = transfer->exchange;
	transfer->grants_heard++;
	if (!exchange)
		return;
	exchange->granted += transfer->asked;
	let_go(exchange->shard, exchange);
}

static void ask(
    struct pv_shard *shard, struct pv_exchange *exchange, size_t count)
{
	struct pv_transfer *transfer = exchange->transfer;
	transfer->asked = count - exchange->granted;
	tell_what_came(exchange);
	hold(&shard->throttled, exchange);
	pv_exchange_hold(exchange);
	pv_post_add(&shard->lane->notices, &transfer->asks);
}

static void on_timer(uv_timer_t *timer)
{
	struct pv_shard *shard = timer->data;
	let_held_go(shard);
	act(shard, CURL_SOCKET_TIMEOUT, 0);
}

static void on_soon(uv_idle_t *soon)
{
	struct pv_shard *shard = soon->data;
	uv_idle_stop(soon);
	act(shard, CURL_SOCKET_TIMEOUT, 0);
}

static bool is_late(const struct pv_shard *shard)
{
	return uv_hrtime() - shard->lane->call.began_ns > TURN_NS;
}

static bool admit(struct pv_exchange *exchange, size_t count)
{
	struct pv_shard *shard = exchange->shard;
	size_t weight = count > PIECE_BYTES ? count : PIECE_BYTES;
	bool is_limited = exchange->transfer->is_limited;
	if (exchange->held_link)
		return false;
	if (weight > shard->room || is_late(shard)) {
		hold(&shard->held, exchange);
		uv_timer_start(&shard->timer, on_timer, NEXT_TURN_MS, 0);
		return false;
	}
	if (is_limited && count > exchange->granted) {
		ask(shard, exchange, count);
		return false;
	}
	exchange->granted -= is_limited ? count : 0;
	shard->room -= weight;
	return true;
}

/* What libcurl asks of the loop */

/* A timer that is due at once would go off in this very turn, again and again,
 * as long as libcurl wants to go on. */
static int set_timer(CURLM *multi, long timeout_ms, void *ctx)
{
	struct pv_shard *shard = ctx;
	(void)multi;
	if (timeout_ms != 0)
		uv_idle_stop(&shard->soon);
	if (shard->held)
		timeout_ms = NEXT_TURN_MS;
	if (timeout_ms == 0)
		uv_idle_start(&shard->soon, on_soon);
	if (timeout_ms <= 0)
		uv_timer_stop(&shard->timer);
	else
		uv_timer_start(
		    &shard->timer, on_timer, (uint64_t)timeout_ms, 0);
	return 0;
}

static int set_socket(
    CURL *easy, curl_socket_t fd, int wanted, void *ctx, void *socket_ctx)
{
	struct pv_shard *shard = ctx;
	struct pv_sockets *sockets = &shard->lane->sockets;
	(void)socket_ctx;
	if (wanted == CURL_POLL_REMOVE)
		pv_sockets_rest(sockets, fd);
	else if (pv_sockets_watch(sockets, fd, wanted, shard) != 0)
		pv_exchange_note_stuck(exchange_of(easy));
	else
		pv_exchange_join(
		    exchange_of(easy), pv_sockets_get(sockets, fd));
	return 0;
}

/* Life */

static CURLM *make_multi(struct pv_shard *shard)
{
	CURLM *multi = curl_multi_init();
	if (!multi)
		return NULL;
	curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, set_socket);
	curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, shard);
	curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
	curl_multi_setopt(multi, CURLMOPT_TIMERDATA, shard);
	if (shard->lane->is_apart)
		curl_multi_setopt(
		    multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
	curl_multi_setopt(
	    multi, CURLMOPT_MAXCONNECTS, (long)shard->lane->shared->kept_max);
	return multi;
}

struct pv_shard *pv_shard_create(struct pv_lane *lane)
{
	struct pv_shard *shard = pv_alloc(sizeof(*shard));
	shard->lane = lane;
	shard->multi = make_multi(shard);
	if (!shard->multi) {
		free(shard);
		return NULL;
	}
	uv_timer_init(&lane->loop, &shard->timer);
	shard->timer.data = shard;
	uv_idle_init(&lane->loop, &shard->soon);
	shard->soon.data = shard;
	shard->handles = 2;
	return shard;
}

static void drop_resting(struct pv_shard *shard)
{
	while (shard->resting) {
		struct pv_exchange *exchange = shard->resting;
		shard->resting = exchange->next;
		pv_exchange_destroy(exchange);
	}
	shard->resting_count = 0;
}

/* Before it closes a TLS connection libcurl reads what the other side still
 * sends, for as long as that is records without data; nobody can send more who
 * was hung up on. */
static void close_multi(struct pv_shard *shard)
{
	CURLM *multi = shard->multi;
	shard->multi = NULL;
	pv_sockets_hang_up(&shard->lane->sockets, shard);
	pv_call_begin(&shard->lane->call, -1);
	curl_multi_cleanup(multi);
	pv_call_end(&shard->lane->call);
	uv_timer_stop(&shard->timer);
	uv_idle_stop(&shard->soon);
}

static void free_shard(uv_handle_t *handle)
{
	struct pv_shard *shard = handle->data;
	if (--shard->handles == 0)
		free(shard);
}

void pv_shard_destroy(struct pv_shard *shard)
{
	drop_resting(shard);
	close_multi(shard);
	uv_close((uv_handle_t *)&shard->timer, free_shard);
	uv_close((uv_handle_t *)&shard->soon, free_shard);
}

static const struct pv_exchange_events events = {
    .on_sent = on_sent,
    .on_end = end,
    .admit = admit,
};

static struct pv_exchange *create_exchange(struct pv_shard *shard)
{
	struct pv_exchange *exchange =
	    pv_exchange_create(shard->lane, shard, &events);
	pv_hooks_set(exchange);
	return exchange;
}

static struct pv_exchange *take_exchange(struct pv_shard *shard)
{
	struct pv_exchange *exchange = shard->resting;
	if (!exchange)
		return create_exchange(shard);
	shard->resting = exchange->next;
	shard->resting_count--;
	return exchange;
}

void pv_shard_start(struct pv_shard *shard, struct pv_transfer *transfer)
{
	struct pv_exchange *exchange = take_exchange(shard);
	transfer->exchange = exchange;
	pv_exchange_prepare(exchange, transfer);
	pv_exchange_start(exchange);
	if (curl_multi_add_handle(shard->multi, exchange->easy) != CURLM_OK)
		pv_exchange_note_stuck(exchange);
	shard->count++;
}

/* libcurl closes connections only as it makes others, or with the multi. */
void pv_shard_close_idle(struct pv_shard *shard)
{
	CURLM *fresh = shard->count ? NULL : make_multi(shard);
	if (!fresh) {
		pv_sockets_hang_up(&shard->lane->sockets, shard);
		return;
	}
	drop_resting(shard);
	close_multi(shard);
	shard->multi = fresh;
}

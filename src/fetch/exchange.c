#include "fetch/exchange.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "fetch/connection/cuts.h"
#include "fetch/easy.h"
#include "fetch/ending.h"
#include "fetch/lane.h"
#include "fetch/transfer.h"
#include "policy/policy.h"

struct pv_exchange *pv_exchange_create(struct pv_lane *lane,
    struct pv_shard *shard, const struct pv_exchange_events *events)
{
	struct pv_exchange *exchange = pv_alloc(sizeof(*exchange));
	exchange->shard = shard;
	exchange->events = events;
	exchange->lane = lane;
	pv_own_head_init(&exchange->own_head);
	pv_condition_head_init(&exchange->conditions);
	exchange->easy = pv_easy_create(exchange);
	uv_timer_init(&lane->loop, &exchange->timer);
	uv_unref((uv_handle_t *)&exchange->timer);
	exchange->timer.data = exchange;
	return exchange;
}

static void free_exchange(uv_handle_t *timer)
{
	struct pv_exchange *exchange = timer->data;
	pv_own_head_finish(&exchange->own_head);
	pv_condition_head_finish(&exchange->conditions);
	free(exchange);
}

void pv_exchange_destroy(struct pv_exchange *exchange)
{
	curl_easy_cleanup(exchange->easy);
	uv_close((uv_handle_t *)&exchange->timer, free_exchange);
}

static struct pv_response *response_of(const struct pv_exchange *exchange)
{
	return &exchange->transfer->response;
}

static void prepare_response(struct pv_transfer *transfer)
{
	transfer->response.stage = PV_STAGE_CONNECT;
	transfer->response.address = transfer->request.address;
}

/* Reading the authorities takes tens of milliseconds, for which nobody is to
 * blame who is connected to; a fault is reported when they are needed. A
 * proxy's are the same. */
static void prepare_trust(struct pv_exchange *exchange)
{
	struct pv_trust *trust = &exchange->lane->shared->trust;
	const struct pv_request *request = &exchange->transfer->request;
	exchange->trust = pv_trust_find(trust, request->tls_ca);
	bool is_verified =
	    exchange->transfer->is_tls && request->is_tls_verified;
	if (is_verified || request->proxy)
		pv_trust_get(trust, exchange->trust, NULL);
}

void pv_exchange_prepare(
    struct pv_exchange *exchange, struct pv_transfer *transfer)
{
	const struct pv_request *request = &transfer->request;
	const struct pv_policy *policy = exchange->lane->shared->policy;
	exchange->transfer = transfer;
	prepare_trust(exchange);
	exchange->arrival = (struct pv_arrival){
	    .response = &transfer->response,
	    .accept = request->is_any_type ? NULL : &policy->fetch.accept,
	    .is_beginning_enough = request->is_beginning_enough,
	    .is_conditional = request->entity_tag.len || request->modified_ms,
	    .wanted = request->part,
	};
	exchange->is_sent = false;
	exchange->is_told = false;
	exchange->is_last_turn = false;
	exchange->is_tls_begun = false;
	exchange->socket = -1;
	exchange->connection = NULL;
	exchange->error = 0;
	exchange->cookie_count = 0;
	exchange->granted = 0;
	exchange->came = 0;
	exchange->is_cut = false;
	prepare_response(transfer);
	pv_pin_set(&exchange->pin, &request->address, request->port,
	    (struct pv_pin_key){
		.host = transfer->host, .trust = exchange->trust});
	pv_easy_aim(exchange);
}

/* Deadlines */

static int64_t now_of(const struct pv_exchange *exchange)
{
	return (int64_t)uv_now(&exchange->lane->loop);
}

/* Before anything is noted or judged: what came before we were away came so
 * much later. */
static void pass_over_absence(struct pv_exchange *exchange)
{
	struct pv_absence *absence = &exchange->lane->absence;
	int64_t away_ms = pv_absence_wake(absence, now_of(exchange));
	if (away_ms != exchange->away_ms)
		pv_deadline_pass_over(
		    &exchange->deadline, away_ms - exchange->away_ms);
	exchange->away_ms = away_ms;
}

static void on_timer(uv_timer_t *timer);

static void arm(struct pv_exchange *exchange, int64_t due)
{
	int64_t left = due - now_of(exchange);
	exchange->armed = due;
	uv_timer_start(
	    &exchange->timer, on_timer, left > 0 ? (uint64_t)left : 0, 0);
}

/* A deadline that comes later than the timer is seen when that looks. So it is
 * left alone even when an exchange ends: it looks for the next. */
static void arm_if_earlier(struct pv_exchange *exchange)
{
	int64_t due = pv_deadline_due(&exchange->deadline);
	if (due == PV_DEADLINE_NEVER)
		return;
	if (due < exchange->armed ||
	    !uv_is_active((uv_handle_t *)&exchange->timer))
		arm(exchange, due);
}

static void set_stage(struct pv_exchange *exchange)
{
	struct pv_response *response = response_of(exchange);
	if (response->stage == PV_STAGE_CONNECT && exchange->is_tls_begun)
		response->stage = PV_STAGE_TLS;
}

/* To whatever is connected to first. */
static bool is_connected(const struct pv_exchange *exchange)
{
	curl_off_t time_us = 0;
	curl_easy_getinfo(exchange->easy, CURLINFO_CONNECT_TIME_T, &time_us);
	return exchange->is_sent || time_us > 0;
}

static void end_late(struct pv_exchange *exchange)
{
	struct pv_response *response = response_of(exchange);
	const char *proxy = exchange->transfer->request.proxy_name;
	set_stage(exchange);
	if (proxy && !exchange->error && !is_connected(exchange))
		pv_ending_set_proxy(response,
		    "cannot connect to the proxy %s (timed out)", proxy);
	if (!exchange->error)
		pv_deadline_tell(
		    &exchange->deadline, now_of(exchange), response);
	pv_exchange_finish(exchange, CURLE_OPERATION_TIMEDOUT);
	exchange->events->on_end(exchange);
}

/* Where we were stopped, or busy, what came meanwhile is not heard yet: the
 * loop tells of timers before sockets. So it has a turn before it is over. */
static void on_timer(uv_timer_t *timer)
{
	struct pv_exchange *exchange = timer->data;
	pass_over_absence(exchange);
	int64_t now = now_of(exchange);
	int64_t due = pv_deadline_due(&exchange->deadline);
	bool is_over = due <= now || exchange->error;
	if (!exchange->is_flying)
		return;
	if (is_over && exchange->is_last_turn) {
		end_late(exchange);
		return;
	}
	exchange->is_last_turn = is_over;
	if (is_over || due != PV_DEADLINE_NEVER)
		arm(exchange, is_over ? now + 1 : due);
}

void pv_exchange_start(struct pv_exchange *exchange)
{
	exchange->deadline = pv_deadline_of(
	    &exchange->lane->shared->policy->fetch, now_of(exchange));
	exchange->away_ms =
	    pv_absence_wake(&exchange->lane->absence, now_of(exchange));
	exchange->is_flying = true;
	arm_if_earlier(exchange);
}

void pv_exchange_stop(struct pv_exchange *exchange)
{
	exchange->is_flying = false;
}

void pv_exchange_hold(struct pv_exchange *exchange)
{
	pass_over_absence(exchange);
	pv_deadline_hold(&exchange->deadline, now_of(exchange));
}

void pv_exchange_let_go(struct pv_exchange *exchange)
{
	pass_over_absence(exchange);
	pv_deadline_let_go(&exchange->deadline, now_of(exchange));
	arm_if_earlier(exchange);
}

void pv_exchange_note_sent(
    struct pv_exchange *exchange, const struct pv_address *address)
{
	pass_over_absence(exchange);
	exchange->is_sent = true;
	response_of(exchange)->address = *address;
	response_of(exchange)->stage = PV_STAGE_WAIT;
	exchange->deadline.sent = now_of(exchange);
	arm_if_earlier(exchange);
	exchange->events->on_sent(exchange);
}

void pv_exchange_note_heard(struct pv_exchange *exchange)
{
	pass_over_absence(exchange);
	bool is_first = exchange->deadline.heard < 0;
	exchange->deadline.heard = now_of(exchange);
	if (is_first)
		arm_if_earlier(exchange);
}

void pv_exchange_join(
    struct pv_exchange *exchange, struct pv_socket *connection)
{
	if (!connection || connection == exchange->connection)
		return;
	pv_exchange_leave(exchange);
	exchange->connection = connection;
	pv_socket_join(connection);
}

void pv_exchange_leave(struct pv_exchange *exchange)
{
	if (exchange->connection)
		pv_socket_leave(exchange->connection);
	exchange->connection = NULL;
}

int pv_exchange_fd(const struct pv_exchange *exchange)
{
	return exchange->connection ? pv_socket_fd(exchange->connection) : -1;
}

void pv_exchange_note_stuck(struct pv_exchange *exchange)
{
	exchange->error = ENOMEM;
	arm(exchange, now_of(exchange));
}

/* The end */

static int64_t info_ms(const struct pv_exchange *exchange, CURLINFO info)
{
	curl_off_t time_us = 0;
	curl_easy_getinfo(exchange->easy, info, &time_us);
	return (int64_t)time_us / 1000;
}

static long info_long(const struct pv_exchange *exchange, CURLINFO info)
{
	long number = 0;
	curl_easy_getinfo(exchange->easy, info, &number);
	return number;
}

/* TLS begins when there is a connection and ends when the request goes out. On
 * a kept connection neither takes any time. */
static void set_connect_times(
    const struct pv_exchange *exchange, struct pv_response_times *times)
{
	if (exchange->socket < 0) {
		times->connect_ms = 0;
		times->tls_ms = 0;
		return;
	}
	int64_t connected_ms = info_ms(exchange, CURLINFO_CONNECT_TIME_T);
	int64_t secured_ms = info_ms(exchange, CURLINFO_APPCONNECT_TIME_T);
	times->connect_ms = connected_ms;
	times->tls_ms =
	    secured_ms > connected_ms ? secured_ms - connected_ms : 0;
}

static void set_times(const struct pv_exchange *exchange)
{
	struct pv_response_times *times = &response_of(exchange)->times;
	const struct pv_deadline *deadline = &exchange->deadline;
	times->total_ms = pv_deadline_took_ms(deadline, now_of(exchange));
	response_of(exchange)->held_ms =
	    pv_deadline_held_ms(deadline, now_of(exchange));
	if (!exchange->is_sent)
		return;
	set_connect_times(exchange, times);
	if (deadline->heard >= 0)
		times->first_byte_ms =
		    info_ms(exchange, CURLINFO_STARTTRANSFER_TIME_T) -
		    info_ms(exchange, CURLINFO_PRETRANSFER_TIME_T);
}

/* Its connection was cut off, for its own sake or for another's. */
static void judge(struct pv_exchange *exchange)
{
	struct pv_response *response = response_of(exchange);
	switch (pv_cuts_judge(exchange->connection)) {
	case PV_CUT_NONE:
		break;
	case PV_CUT_BLAMED:
		exchange->is_cut = true;
		pv_ending_set(response, PV_OUTCOME_BROKEN_OFF,
		    "it was cut off: reading it took too much processor time "
		    "for its size");
		break;
	case PV_CUT_BYSTANDER:
		exchange->is_cut = true;
		response->is_own_fault = true;
		response->is_bystander = true;
		pv_ending_set(response, PV_OUTCOME_BROKEN_OFF,
		    "its connection was closed because of another answer on "
		    "it");
		break;
	}
}

/* Such a body may end well for libcurl though its connection was cut off: one
 * that lasts until that is closed, and one of whose chunks some were thrown
 * away just before the rest was read. */
static bool may_be_cut(const struct pv_exchange *exchange, CURLcode code)
{
	enum pv_framing framing = response_of(exchange)->framing;
	return code != CURLE_OK || framing == PV_FRAMING_CLOSE ||
	       framing == PV_FRAMING_CHUNKED;
}

/* An answer that was refused for its head is one. */
static bool is_answer(const struct pv_exchange *exchange, CURLcode code)
{
	return code == CURLE_OK ||
	       (exchange->arrival.part == PV_ARRIVAL_BODY &&
		   pv_cuts_judge(exchange->connection) == PV_CUT_NONE);
}

/* By a proxy */

static bool is_by(const struct pv_exchange *exchange, const char *scheme)
{
	const char *proxy = exchange->transfer->request.proxy;
	return proxy && strncmp(proxy, scheme, strlen(scheme)) == 0;
}

/* Until a tunnel stands, TLS is spoken with the proxy. */
static bool is_proxy_tls(const struct pv_exchange *exchange, CURLcode code)
{
	return is_by(exchange, "https:") && !exchange->is_sent &&
	       (code == CURLE_SSL_CONNECT_ERROR ||
		   code == CURLE_PEER_FAILED_VERIFICATION) &&
	       !info_long(exchange, CURLINFO_HTTP_CONNECTCODE);
}

/* Without a tunnel it answers in the place of the host. */
static bool is_turned_away(const struct pv_exchange *exchange)
{
	return is_by(exchange, "http") && !exchange->transfer->is_tls &&
	       exchange->is_sent &&
	       info_long(exchange, CURLINFO_RESPONSE_CODE) == 407;
}

static long connect_status(const struct pv_exchange *exchange)
{
	return is_turned_away(exchange)
		   ? 407
		   : info_long(exchange, CURLINFO_HTTP_CONNECTCODE);
}

void pv_exchange_finish(struct pv_exchange *exchange, CURLcode code)
{
	struct pv_response *response = response_of(exchange);
	if (is_turned_away(exchange))
		response->outcome = PV_OUTCOME_NONE;
	pv_arrival_end_body(&exchange->arrival);
	if (may_be_cut(exchange, code))
		judge(exchange);
	if (is_answer(exchange, code))
		pv_fair_share_credit_answer(
		    &exchange->lane->share, pv_exchange_fd(exchange));
	struct pv_curl_ending ending = {
	    .code = (int)code,
	    .error = exchange->error
			 ? exchange->error
			 : (int)info_long(exchange, CURLINFO_OS_ERRNO),
	    .verify_result = info_long(exchange, CURLINFO_SSL_VERIFYRESULT),
	    .text = exchange->words,
	    .proxy = exchange->transfer->request.proxy_name,
	    .is_connected = is_connected(exchange),
	    .is_proxy_tls = is_proxy_tls(exchange, code),
	    .connect_status = connect_status(exchange),
	    .proxy_error = info_long(exchange, CURLINFO_PROXY_ERROR),
	    .has_head = exchange->arrival.part == PV_ARRIVAL_BODY,
	};
	pass_over_absence(exchange);
	set_stage(exchange);
	response->is_kept = exchange->is_sent && exchange->socket < 0;
	pv_ending_set_curl(response, &ending);
	set_times(exchange);
}

bool pv_exchange_is_clean(const struct pv_exchange *exchange)
{
	return info_long(exchange, CURLINFO_OS_ERRNO) == 0;
}

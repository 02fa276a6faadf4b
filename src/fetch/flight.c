#include "fetch/flight.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "fetch/connection/cuts.h"
#include "fetch/easy.h"
#include "fetch/ending.h"
#include "fetch/lane.h"
#include "fetch/transfer.h"
#include "policy/policy.h"

struct pv_flight *pv_flight_create(struct pv_lane *lane, struct pv_shard *shard,
    const struct pv_flight_events *events)
{
	struct pv_flight *flight = pv_alloc(sizeof(*flight));
	flight->shard = shard;
	flight->events = events;
	flight->lane = lane;
	pv_condition_head_init(&flight->conditions);
	flight->easy = pv_easy_create(flight);
	uv_timer_init(&lane->loop, &flight->timer);
	uv_unref((uv_handle_t *)&flight->timer);
	flight->timer.data = flight;
	return flight;
}

static void free_flight(uv_handle_t *timer)
{
	struct pv_flight *flight = timer->data;
	pv_condition_head_finish(&flight->conditions);
	free(flight);
}

void pv_flight_destroy(struct pv_flight *flight)
{
	curl_easy_cleanup(flight->easy);
	uv_close((uv_handle_t *)&flight->timer, free_flight);
}

static struct pv_response *response_of(const struct pv_flight *flight)
{
	return &flight->transfer->response;
}

static void prepare_response(struct pv_transfer *transfer)
{
	transfer->response.stage = PV_STAGE_CONNECT;
	transfer->response.address = transfer->request.address;
}

/* Reading the authorities takes tens of milliseconds, for which nobody is to
 * blame who is connected to; a fault is told when they are needed. A proxy's
 * are the same. */
static void prepare_trust(struct pv_flight *flight)
{
	struct pv_trust *trust = &flight->lane->shared->trust;
	const struct pv_request *request = &flight->transfer->request;
	flight->trust = pv_trust_find(trust, request->tls_ca);
	bool is_verified = flight->transfer->is_tls && request->is_tls_verified;
	if (is_verified || pv_fetch_has_proxy(flight->lane->shared))
		pv_trust_get(trust, flight->trust, NULL);
}

void pv_flight_prepare(struct pv_flight *flight, struct pv_transfer *transfer)
{
	const struct pv_request *request = &transfer->request;
	const struct pv_policy *policy = flight->lane->shared->policy;
	flight->transfer = transfer;
	transfer->flight = flight;
	prepare_trust(flight);
	flight->arrival = (struct pv_arrival){
	    .response = &transfer->response,
	    .accept = request->is_any_type ? NULL : &policy->fetch.accept,
	    .is_beginning_enough = request->is_beginning_enough,
	    .is_conditional = request->entity_tag.len || request->modified_ms,
	    .wanted = request->part,
	};
	flight->is_sent = false;
	flight->is_told = false;
	flight->is_last_turn = false;
	flight->is_tls_begun = false;
	flight->socket = -1;
	flight->connection = NULL;
	flight->error = 0;
	flight->cookie_count = 0;
	flight->granted = 0;
	prepare_response(transfer);
	pv_pin_set(&flight->pin, &request->address, request->port,
	    (struct pv_pin_key){
		.host = transfer->host, .trust = flight->trust});
	pv_easy_aim(flight);
}

/* Deadlines */

static int64_t now_of(const struct pv_flight *flight)
{
	return (int64_t)uv_now(&flight->lane->loop);
}

/* Before anything is noted or judged: what came before we were away came so
 * much later. */
static void pass_over_absence(struct pv_flight *flight)
{
	struct pv_absence *absence = &flight->lane->absence;
	int64_t away_ms = pv_absence_wake(absence, now_of(flight));
	if (away_ms != flight->away_ms)
		pv_deadline_pass_over(
		    &flight->deadline, away_ms - flight->away_ms);
	flight->away_ms = away_ms;
}

static void on_timer(uv_timer_t *timer);

static void arm(struct pv_flight *flight, int64_t due)
{
	int64_t left = due - now_of(flight);
	flight->armed = due;
	uv_timer_start(
	    &flight->timer, on_timer, left > 0 ? (uint64_t)left : 0, 0);
}

/* A deadline that comes later than the timer is seen when that looks. So it is
 * left alone even when a flight ends: it looks for the next. */
static void arm_if_earlier(struct pv_flight *flight)
{
	int64_t due = pv_deadline_due(&flight->deadline);
	if (due == PV_DEADLINE_NEVER)
		return;
	if (due < flight->armed || !uv_is_active((uv_handle_t *)&flight->timer))
		arm(flight, due);
}

static void set_stage(struct pv_flight *flight)
{
	struct pv_response *response = response_of(flight);
	if (response->stage == PV_STAGE_CONNECT && flight->is_tls_begun)
		response->stage = PV_STAGE_TLS;
}

static void end_late(struct pv_flight *flight)
{
	struct pv_response *response = response_of(flight);
	set_stage(flight);
	if (!flight->error)
		pv_deadline_tell(&flight->deadline, now_of(flight), response);
	pv_flight_finish(flight, CURLE_OPERATION_TIMEDOUT);
	flight->events->on_end(flight);
}

/* Where we were stopped, or busy, what came meanwhile is not heard yet: the
 * loop tells of timers before sockets. So it has a turn before it is over. */
static void on_timer(uv_timer_t *timer)
{
	struct pv_flight *flight = timer->data;
	pass_over_absence(flight);
	int64_t now = now_of(flight);
	int64_t due = pv_deadline_due(&flight->deadline);
	bool is_over = due <= now || flight->error;
	if (!flight->is_flying)
		return;
	if (is_over && flight->is_last_turn) {
		end_late(flight);
		return;
	}
	flight->is_last_turn = is_over;
	if (is_over || due != PV_DEADLINE_NEVER)
		arm(flight, is_over ? now + 1 : due);
}

void pv_flight_start(struct pv_flight *flight)
{
	flight->deadline = pv_deadline_of(
	    &flight->lane->shared->policy->fetch, now_of(flight));
	flight->away_ms =
	    pv_absence_wake(&flight->lane->absence, now_of(flight));
	flight->is_flying = true;
	arm_if_earlier(flight);
}

void pv_flight_stop(struct pv_flight *flight)
{
	flight->is_flying = false;
}

void pv_flight_hold(struct pv_flight *flight)
{
	pass_over_absence(flight);
	pv_deadline_hold(&flight->deadline, now_of(flight));
}

void pv_flight_let_go(struct pv_flight *flight)
{
	pass_over_absence(flight);
	pv_deadline_let_go(&flight->deadline, now_of(flight));
	arm_if_earlier(flight);
}

void pv_flight_note_sent(struct pv_flight *flight)
{
	pass_over_absence(flight);
	flight->is_sent = true;
	response_of(flight)->stage = PV_STAGE_WAIT;
	flight->deadline.sent = now_of(flight);
	arm_if_earlier(flight);
	flight->events->on_sent(flight);
}

void pv_flight_note_heard(struct pv_flight *flight)
{
	pass_over_absence(flight);
	bool is_first = flight->deadline.heard < 0;
	flight->deadline.heard = now_of(flight);
	if (is_first)
		arm_if_earlier(flight);
}

void pv_flight_join(struct pv_flight *flight, struct pv_socket *connection)
{
	if (!connection || connection == flight->connection)
		return;
	pv_flight_leave(flight);
	flight->connection = connection;
	pv_socket_join(connection);
}

void pv_flight_leave(struct pv_flight *flight)
{
	if (flight->connection)
		pv_socket_leave(flight->connection);
	flight->connection = NULL;
}

int pv_flight_fd(const struct pv_flight *flight)
{
	return flight->connection ? pv_socket_fd(flight->connection) : -1;
}

void pv_flight_note_stuck(struct pv_flight *flight)
{
	flight->error = ENOMEM;
	arm(flight, now_of(flight));
}

/* The end */

static int64_t info_ms(const struct pv_flight *flight, CURLINFO info)
{
	curl_off_t time_us = 0;
	curl_easy_getinfo(flight->easy, info, &time_us);
	return (int64_t)time_us / 1000;
}

static long info_long(const struct pv_flight *flight, CURLINFO info)
{
	long number = 0;
	curl_easy_getinfo(flight->easy, info, &number);
	return number;
}

/* TLS begins when there is a connection and ends when the request goes out. On
 * a kept connection neither takes any time. */
static void set_connect_times(
    const struct pv_flight *flight, struct pv_response_times *times)
{
	if (flight->socket < 0) {
		times->connect_ms = 0;
		times->tls_ms = 0;
		return;
	}
	int64_t connected_ms = info_ms(flight, CURLINFO_CONNECT_TIME_T);
	int64_t secured_ms = info_ms(flight, CURLINFO_APPCONNECT_TIME_T);
	times->connect_ms = connected_ms;
	times->tls_ms =
	    secured_ms > connected_ms ? secured_ms - connected_ms : 0;
}

static void set_times(const struct pv_flight *flight)
{
	struct pv_response_times *times = &response_of(flight)->times;
	const struct pv_deadline *deadline = &flight->deadline;
	times->total_ms = pv_deadline_took_ms(deadline, now_of(flight));
	response_of(flight)->held_ms =
	    pv_deadline_held_ms(deadline, now_of(flight));
	if (!flight->is_sent)
		return;
	set_connect_times(flight, times);
	if (deadline->heard >= 0)
		times->first_byte_ms =
		    info_ms(flight, CURLINFO_STARTTRANSFER_TIME_T) -
		    info_ms(flight, CURLINFO_PRETRANSFER_TIME_T);
}

/* Its connection was cut off, for its own sake or for another's. */
static void judge(struct pv_flight *flight)
{
	struct pv_response *response = response_of(flight);
	switch (pv_cuts_judge(flight->connection)) {
	case PV_CUT_NONE:
		break;
	case PV_CUT_BLAMED:
		flight->transfer->is_cut = true;
		pv_ending_set(response, PV_OUTCOME_BROKEN_OFF,
		    "it was cut off: reading it kept a processor busy and "
		    "brought next to nothing");
		break;
	case PV_CUT_BYSTANDER:
		flight->transfer->is_cut = true;
		response->is_own_fault = true;
		response->is_bystander = true;
		pv_ending_set(response, PV_OUTCOME_BROKEN_OFF,
		    "its connection was cut off because of another answer on "
		    "it");
		break;
	}
}

/* Such a body may end well for libcurl though its connection was cut off: one
 * that lasts until that is closed, and one of whose chunks some were thrown
 * away just before the rest was read. */
static bool may_be_cut(const struct pv_flight *flight, CURLcode code)
{
	enum pv_framing framing = response_of(flight)->framing;
	return code != CURLE_OK || framing == PV_FRAMING_CLOSE ||
	       framing == PV_FRAMING_CHUNKED;
}

/* An answer that was refused for its head is one. */
static bool is_answer(const struct pv_flight *flight, CURLcode code)
{
	return code == CURLE_OK ||
	       (flight->arrival.part == PV_ARRIVAL_BODY &&
		   pv_cuts_judge(flight->connection) == PV_CUT_NONE);
}

void pv_flight_finish(struct pv_flight *flight, CURLcode code)
{
	struct pv_response *response = response_of(flight);
	pv_arrival_end_body(&flight->arrival);
	if (may_be_cut(flight, code))
		judge(flight);
	if (is_answer(flight, code))
		pv_fair_share_credit_answer(
		    &flight->lane->share, pv_flight_fd(flight));
	struct pv_curl_ending ending = {
	    .code = (int)code,
	    .error = flight->error ? flight->error
				   : (int)info_long(flight, CURLINFO_OS_ERRNO),
	    .verify_result = info_long(flight, CURLINFO_SSL_VERIFYRESULT),
	    .text = flight->words,
	    .has_head = flight->arrival.part == PV_ARRIVAL_BODY,
	};
	pass_over_absence(flight);
	set_stage(flight);
	response->is_kept = flight->is_sent && flight->socket < 0;
	pv_ending_set_curl(response, &ending);
	set_times(flight);
}

bool pv_flight_is_clean(const struct pv_flight *flight)
{
	return info_long(flight, CURLINFO_OS_ERRNO) == 0;
}

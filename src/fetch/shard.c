#include "fetch/shard.h"

#include <stdlib.h>

#include "base/alloc.h"

/* So many bytes of bodies come in a turn of the loop, of one connection. */
#define TURN_BYTES ((size_t)512 * 1024)

/* A timer that is due at once may go off again in the same turn. */
#define NEXT_TURN_MS 1

/* So many easy handles are kept for the next requests. */
#define RESTING_MAX 256

/* Flights that were sent */

void pv_shard_note_sent(struct pv_shard *shard, struct pv_flight *flight)
{
	flight->next = NULL;
	flight->previous = shard->last_sent;
	if (shard->last_sent)
		shard->last_sent->next = flight;
	else
		shard->first_sent = flight;
	shard->last_sent = flight;
}

static void forget_sent(struct pv_shard *shard, struct pv_flight *flight)
{
	if (!flight->is_sent || flight->is_told)
		return;
	flight->is_told = true;
	if (flight->previous)
		flight->previous->next = flight->next;
	else
		shard->first_sent = flight->next;
	if (flight->next)
		flight->next->previous = flight->previous;
	else
		shard->last_sent = flight->previous;
}

/* The loop's time is that of when it last waited, which may be before the bytes
 * went out: who reckons from then would ask too early. */
static void tell_sent(struct pv_shard *shard)
{
	struct pv_flight *flight;
	while ((flight = shard->first_sent)) {
		forget_sent(shard, flight);
		uv_update_time(shard->fetch->loop);
		flight->request.on_sent(flight->request.ctx);
	}
}

/* Flights that end */

static void rest(struct pv_shard *shard, struct pv_flight *flight)
{
	if (shard->resting_count == RESTING_MAX ||
	    !pv_flight_is_clean(flight)) {
		pv_flight_destroy(flight);
		return;
	}
	flight->next = shard->resting;
	shard->resting = flight;
	shard->resting_count++;
}

static void forget_held(struct pv_flight *flight)
{
	if (!flight->held_link)
		return;
	*flight->held_link = flight->held_next;
	if (flight->held_next)
		flight->held_next->held_link = flight->held_link;
	flight->held_link = NULL;
}

static void take_back(struct pv_shard *shard, struct pv_flight *flight)
{
	pv_flight_stop(flight);
	forget_held(flight);
	pv_bandwidth_leave(&flight->course);
	curl_multi_remove_handle(shard->multi, flight->easy);
	forget_sent(shard, flight);
	pv_jar_count(&shard->fetch->jar, flight->cookie_count, flight->easy);
	shard->count--;
	rest(shard, flight);
}

void pv_shard_cancel(struct pv_shard *shard, struct pv_flight *flight)
{
	take_back(shard, flight);
}

/* Whoever is told may start another one, with this very flight. */
void pv_shard_end(struct pv_shard *shard, struct pv_flight *flight)
{
	void (*on_end)(void *) = flight->request.on_end;
	void *ctx = flight->request.ctx;
	take_back(shard, flight);
	on_end(ctx);
}

static struct pv_flight *flight_of(CURL *easy)
{
	char *flight = NULL;
	curl_easy_getinfo(easy, CURLINFO_PRIVATE, &flight);
	return (void *)flight;
}

/* Tells what libcurl has noted; whoever is told may start and cancel flights,
 * and destroy the fetcher after its last one. */
static void settle(struct pv_shard *shard)
{
	CURLMsg *message;
	int left;
	tell_sent(shard);
	while (shard->multi &&
	       (message = curl_multi_info_read(shard->multi, &left))) {
		struct pv_flight *flight = flight_of(message->easy_handle);
		uv_update_time(shard->fetch->loop);
		pv_flight_finish(flight, message->data.result);
		pv_shard_end(shard, flight);
		tell_sent(shard);
	}
}

static void act(struct pv_shard *shard, curl_socket_t fd, int ready)
{
	int running;
	shard->room = TURN_BYTES;
	curl_multi_socket_action(shard->multi, fd, ready, &running);
	settle(shard);
}

void pv_shard_on_ready(void *shard, int fd, int ready)
{
	act(shard, fd, ready);
}

/* Flights that are held */

static void hold(struct pv_flight **line, struct pv_flight *flight)
{
	flight->held_next = *line;
	flight->held_link = line;
	if (*line)
		(*line)->held_link = &flight->held_next;
	*line = flight;
}

/* It goes on with what libcurl has kept for it, and may be held again. */
static void let_go(struct pv_shard *shard, struct pv_flight *flight)
{
	forget_held(flight);
	pv_flight_let_go(flight);
	shard->room = TURN_BYTES;
	if (curl_easy_pause(flight->easy, CURLPAUSE_CONT) != CURLE_OK)
		pv_flight_note_stuck(flight);
}

/* Those that are held again have to wait for the next turn. */
static void let_held_go(struct pv_shard *shard)
{
	struct pv_flight *line = shard->held;
	if (line)
		line->held_link = &line;
	shard->held = NULL;
	while (line)
		let_go(shard, line);
}

void pv_shard_on_course(struct pv_course *course)
{
	struct pv_flight *flight = pv_flight_of(course);
	let_go(flight->shard, flight);
}

static void on_timer(uv_timer_t *timer)
{
	struct pv_shard *shard = timer->data;
	let_held_go(shard);
	act(shard, CURL_SOCKET_TIMEOUT, 0);
}

bool pv_shard_admit(
    struct pv_shard *shard, struct pv_flight *flight, size_t count)
{
	if (flight->held_link)
		return false;
	if (count > shard->room) {
		hold(&shard->held, flight);
		uv_timer_start(&shard->timer, on_timer, NEXT_TURN_MS, 0);
		return false;
	}
	if (pv_course_is_limited(&flight->course) &&
	    !pv_bandwidth_pass(&flight->course, count)) {
		hold(&shard->throttled, flight);
		pv_flight_hold(flight);
		return false;
	}
	shard->room -= count;
	return true;
}

/* What libcurl asks of the loop */

static int set_timer(CURLM *multi, long timeout_ms, void *ctx)
{
	struct pv_shard *shard = ctx;
	(void)multi;
	if (shard->held)
		timeout_ms = NEXT_TURN_MS;
	if (timeout_ms < 0)
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
	struct pv_sockets *sockets = &shard->fetch->sockets;
	(void)socket_ctx;
	if (wanted == CURL_POLL_REMOVE)
		pv_sockets_rest(sockets, fd);
	else if (pv_sockets_watch(sockets, fd, wanted, shard) != 0)
		pv_flight_note_stuck(flight_of(easy));
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
	curl_multi_setopt(
	    multi, CURLMOPT_MAXCONNECTS, (long)shard->fetch->kept_max);
	return multi;
}

struct pv_shard *pv_shard_create(struct pv_fetch *fetch)
{
	struct pv_shard *shard = pv_alloc(sizeof(*shard));
	shard->fetch = fetch;
	shard->multi = make_multi(shard);
	if (!shard->multi) {
		free(shard);
		return NULL;
	}
	uv_timer_init(fetch->loop, &shard->timer);
	shard->timer.data = shard;
	return shard;
}

static void drop_resting(struct pv_shard *shard)
{
	while (shard->resting) {
		struct pv_flight *flight = shard->resting;
		shard->resting = flight->next;
		pv_flight_destroy(flight);
	}
	shard->resting_count = 0;
}

static void close_multi(struct pv_shard *shard)
{
	CURLM *multi = shard->multi;
	shard->multi = NULL;
	curl_multi_cleanup(multi);
	uv_timer_stop(&shard->timer);
}

static void free_shard(uv_handle_t *timer)
{
	free(timer->data);
}

void pv_shard_destroy(struct pv_shard *shard)
{
	drop_resting(shard);
	close_multi(shard);
	uv_close((uv_handle_t *)&shard->timer, free_shard);
}

struct pv_flight *pv_shard_start(
    struct pv_shard *shard, const struct pv_request *request, uint64_t host)
{
	struct pv_flight *flight = shard->resting;
	if (flight) {
		shard->resting = flight->next;
		shard->resting_count--;
	} else {
		flight = pv_flight_create(shard);
	}
	pv_flight_prepare(flight, request, host);
	pv_bandwidth_join(shard->fetch->bandwidth, &flight->course,
	    request->clock, request->bandwidth);
	pv_flight_start(flight);
	if (curl_multi_add_handle(shard->multi, flight->easy) != CURLM_OK)
		pv_flight_note_stuck(flight);
	shard->count++;
	return flight;
}

static void spare(struct pv_ports *ports, const struct pv_flight *flight)
{
	for (; flight; flight = flight->held_next)
		pv_ports_add(ports, flight->own_port);
}

/* Connections of flights that are held look like ones that rest. */
static void hang_up(struct pv_shard *shard)
{
	struct pv_ports spared = {{0}};
	spare(&spared, shard->held);
	spare(&spared, shard->throttled);
	pv_sockets_hang_up(&shard->fetch->sockets, shard, &spared);
}

/* libcurl closes connections only as it makes others, or with the multi. */
void pv_shard_close_idle(struct pv_shard *shard)
{
	CURLM *fresh = shard->count ? NULL : make_multi(shard);
	if (!fresh) {
		hang_up(shard);
		return;
	}
	drop_resting(shard);
	close_multi(shard);
	shard->multi = fresh;
}

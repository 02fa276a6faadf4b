#ifndef PAVANE_FETCH_EXCHANGE_H
#define PAVANE_FETCH_EXCHANGE_H

#include <uv.h>

#include "fetch/arrival.h"
#include "fetch/deadline.h"
#include "fetch/fetch.h"
#include "fetch/own_head.h"
#include "fetch/pin.h"
#include "fetch/request_head.h"

struct pv_exchange;
struct pv_lane;
struct pv_shard;
struct pv_transfer;

/* What an exchange tells the shard that it belongs to. */
struct pv_exchange_events {
	/* Its request goes out now. Libcurl is at work. */
	void (*on_sent)(struct pv_exchange *exchange);

	/* It was too late and has ended: its response says how. */
	void (*on_end)(struct pv_exchange *exchange);

	/* Whether so many bytes of its body may come now. If not, libcurl is to
	 * keep them. */
	bool (*admit)(struct pv_exchange *exchange, size_t count);
};

/* One request under way: an easy handle of libcurl's with what we know of it.
 *
 * libcurl's callbacks only note what happens; the shard tells the conducting
 * loop of it when libcurl has returned. An exchange that has ended rests in its
 * shard and is used again, because most options of an easy handle are the same
 * for all.
 */
struct pv_exchange {
	struct pv_shard *shard;
	const struct pv_exchange_events *events; /* the shard's */
	struct pv_lane *lane;
	struct pv_transfer *transfer; /* that it makes */
	CURL *easy;
	uv_timer_t timer;
	int64_t armed;            /* when the timer looks at the deadline */
	struct pv_exchange *next; /* of those that rest, or were sent */
	struct pv_exchange *previous;
	struct pv_exchange *held_next;  /* of those that are held back */
	struct pv_exchange **held_link; /* NULL: it is not */
	struct pv_own_head own_head;
	struct pv_condition_head conditions;
	struct pv_pin pin;
	bool had_proxy; /* its easy handle, with the last request */
	bool had_body;
	uint32_t trust;
	struct pv_arrival arrival;
	size_t granted; /* bytes of its body that may come */
	size_t came;    /* bytes that nobody was asked for */
	struct pv_deadline deadline;
	int64_t away_ms; /* as far as its deadlines know of it */
	bool is_flying;  /* or rests */
	bool is_sent;
	bool is_told; /* the loop knows that it was sent, or need not */
	bool is_tls_begun;
	bool is_last_turn; /* of the loop, before its deadline ends it */
	bool is_cut;       /* its connection kept the lane from the others */
	int socket;        /* that it opened; negative: none */
	struct pv_socket *connection; /* that it uses, as far as is known */
	int error;             /* errno of what went wrong in a callback */
	uint32_t cookie_count; /* that came */
	char words[CURL_ERROR_SIZE];
};

/* An exchange that rests; libcurl's callbacks are still to be set
 * (fetch/hooks.h). */
struct pv_exchange *pv_exchange_create(struct pv_lane *lane,
    struct pv_shard *shard, const struct pv_exchange_events *events);

/* It must rest; its memory goes when the loop has run its closing callback. */
void pv_exchange_destroy(struct pv_exchange *exchange);

/* Makes it ready for a transfer. */
void pv_exchange_prepare(
    struct pv_exchange *exchange, struct pv_transfer *transfer);

/* It is given to libcurl, or was taken from it: its deadlines run, or do
 * not. */
void pv_exchange_start(struct pv_exchange *exchange);
void pv_exchange_stop(struct pv_exchange *exchange);

/* A limit holds it back, or no more: its deadlines stand still meanwhile. */
void pv_exchange_hold(struct pv_exchange *exchange);
void pv_exchange_let_go(struct pv_exchange *exchange);

/* It uses that connection from now on; NULL: as before. */
void pv_exchange_join(
    struct pv_exchange *exchange, struct pv_socket *connection);
void pv_exchange_leave(struct pv_exchange *exchange);

/* The socket of its connection; negative if that is not known or closed. */
int pv_exchange_fd(const struct pv_exchange *exchange);

/* What libcurl's callbacks see: the request goes out, to that address;
 * something came; a socket cannot be watched, or libcurl does not go on, so it
 * ends. */
void pv_exchange_note_sent(
    struct pv_exchange *exchange, const struct pv_address *address);
void pv_exchange_note_heard(struct pv_exchange *exchange);
void pv_exchange_note_stuck(struct pv_exchange *exchange);

/* Fills in the response how it ended and how long it took. */
void pv_exchange_finish(struct pv_exchange *exchange, CURLcode code);

/* Whether its easy handle can do for another request: it never forgets an
 * errno. */
bool pv_exchange_is_clean(const struct pv_exchange *exchange);

#endif

#ifndef PAVANE_TESTS_FETCH_LOOKOUT_H
#define PAVANE_TESTS_FETCH_LOOKOUT_H

#include <stdlib.h>

#include <uv.h>

#include "fetch/exchange.h"
#include "fetch/lane.h"
#include "fetch/transfer.h"

/* What a lane knows of a transfer, of which another thread may know nothing: it is
 * looked at by the lane's own thread, at an order that the lane has not heard of
 * and this hears before it. */
struct view {
	enum pv_stage stage;
	uint64_t size; /* of the body, as far as it has come */
	char why[sizeof(((struct pv_response *)NULL)->why)];
	bool has_exchange; /* without, all below is empty */
	bool is_tls_begun;
	bool is_held;
	int socket;                   /* negative: it opened none */
	struct pv_socket *connection; /* NULL: none is known */
};

enum {
	LOOKOUT_ORDER = 1000, /* unlike any enum pv_order */
	LOOKOUTS_MAX = 64,
};

/* Of one lane. */
struct lookout {
	struct pv_lane *lane;
	pv_post_fn on_order; /* the lane's own */
	void *ctx;
};

struct look {
	struct pv_note note;
	const struct pv_transfer *transfer;
	struct view view;
	uv_sem_t is_taken;
};

static inline struct view view_of(const struct pv_transfer *transfer)
{
	const struct pv_exchange *exchange = transfer->exchange;
	struct view view = {
	    .stage = transfer->response.stage,
	    .size = transfer->response.body.size,
	    .has_exchange = exchange != NULL,
	    .is_tls_begun = exchange && exchange->is_tls_begun,
	    .is_held = exchange && exchange->held_link,
	    .socket = exchange ? exchange->socket : -1,
	    .connection = exchange ? exchange->connection : NULL,
	};
	memcpy(view.why, transfer->response.why, sizeof(view.why));
	return view;
}

static void lookout_on_order(void *ctx, const struct pv_note *note)
{
	const struct lookout *lookout = ctx;
	if (note->kind != LOOKOUT_ORDER) {
		lookout->on_order(lookout->ctx, note);
		return;
	}
	struct look *look = note->about;
	look->view = view_of(look->transfer);
	uv_sem_post(&look->is_taken);
}

/* From when the lane has its first order, which is not handed on yet. */
static inline void lookout_post(
    struct lookout lookouts[LOOKOUTS_MAX], struct pv_lane *lane)
{
	size_t i = 0;
	while (i < LOOKOUTS_MAX && lookouts[i].lane && lookouts[i].lane != lane)
		i++;
	if (i == LOOKOUTS_MAX || lookouts[i].lane)
		return;
	lookouts[i] =
	    (struct lookout){lane, lane->orders.on_note, lane->orders.ctx};
	pv_post_set_receiver(&lane->orders, lookout_on_order, &lookouts[i]);
}

/* As it is after all that its lane was ordered to do. */
static inline struct view lookout_look(const struct pv_transfer *transfer)
{
	struct look look = {.transfer = transfer};
	look.note = (struct pv_note){.kind = LOOKOUT_ORDER, .about = &look};
	uv_sem_init(&look.is_taken, 0);
	pv_post_add(&transfer->lane->orders, &look.note);
	pv_post_hand_on(&transfer->lane->orders);
	uv_sem_wait(&look.is_taken);
	uv_sem_destroy(&look.is_taken);
	return look.view;
}

#endif

#ifndef PAVANE_FETCH_TRANSFER_H
#define PAVANE_FETCH_TRANSFER_H

#include <stdatomic.h>

#include "base/buf.h"
#include "fetch/bandwidth/bandwidth.h"
#include "fetch/fetch.h"
#include "fetch/post.h"
#include "record/part.h"

struct pv_lane;

/* A request as it goes between the loop that conducts and the lane (lane.h)
 * that makes it. Who may touch what:
 *
 *   the loop's     what the caller wanted, the limits on its bandwidth, whether
 *                  it was dropped, which the lane reads before it sends;
 *   the request    written by the loop before it is handed to the lane, read by
 *                  the lane until the transfer has ended;
 *   the lane's     the response, and what it tells the loop, from the start
 *                  until the note of the end was handed on.
 *
 * The response that the caller gave is empty meanwhile, so that a transfer can
 * be dropped at once, whatever its lane is about.
 */
enum pv_order {
	PV_ORDER_START,
	PV_ORDER_CANCEL,
	PV_ORDER_GRANT, /* so many bytes more may come */
	PV_ORDER_CLOSE_IDLE,
	PV_ORDER_STOP,
	PV_ORDER_LEAVE,
};

enum pv_notice {
	PV_NOTICE_SENT,
	PV_NOTICE_ASKS, /* whether more bytes may come */
	PV_NOTICE_ENDED,
	PV_NOTICE_CANCELLED, /* the order was carried out, or came too late */
};

struct pv_transfer {
	struct pv_transfer *next; /* of those that rest */
	struct pv_lane *lane;

	/* the loop's */
	struct pv_response *wanted; /* the caller's */
	void (*on_sent)(void *ctx);
	void (*on_end)(void *ctx);
	void *ctx;
	struct pv_course course;
	atomic_bool is_dropped; /* the caller is not to hear of it any more, nor
				   the host if it has not yet */
	bool is_over;           /* the caller has its response back */
	size_t granted;         /* how often */

	/* the request */
	struct pv_request request;
	struct pv_buf url;
	struct pv_buf entity_tag;
	struct pv_buf authorization;
	struct pv_buf body;
	struct pv_buf proxy;
	struct pv_buf proxy_name;
	struct pv_part part;
	struct pv_buf part_texts;
	uint64_t host; /* a hash of its name and port */
	bool is_tls;
	bool is_limited; /* bytes may come only as they are granted */

	/* the lane's */
	struct pv_response response;
	uint64_t sent_ns;             /* when, by the clock that never jumps */
	struct pv_exchange *exchange; /* NULL: not begun, or over */
	size_t asked;                 /* bytes of a body that are to come */
	size_t came;                  /* bytes that nobody was asked for */
	atomic_size_t grants_heard;   /* however late */
	bool is_cut; /* its connection kept the lane from the others */

	struct pv_note start, cancel, grant;
	struct pv_note sent, asks, ended, cancelled;
};

struct pv_transfer *pv_transfer_create(void);
void pv_transfer_destroy(struct pv_transfer *transfer);

/* Makes it carry a request, and takes its response. */
void pv_transfer_load(
    struct pv_transfer *transfer, const struct pv_request *request);

/* Gives the response back. */
void pv_transfer_unload(struct pv_transfer *transfer);

static inline struct pv_transfer *pv_transfer_of(struct pv_course *course)
{
	return (
	    struct pv_transfer *)(void *)((char *)course -
					  offsetof(struct pv_transfer, course));
}

#endif

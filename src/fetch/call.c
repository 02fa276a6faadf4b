#include "fetch/call.h"

#include <stdbool.h>

#include <uv.h>

#include "fetch/connection/cuts.h"

void pv_call_begin(struct pv_call *call, int fd)
{
	atomic_store_explicit(&call->socket, fd, memory_order_relaxed);
	atomic_fetch_add_explicit(&call->serial, 1, memory_order_release);
	call->named = fd;
	call->began_ns = uv_hrtime();
	call->laid_ns = call->share->is_exact ? pv_fair_share_clock(call->share)
					      : call->began_ns;
}

static int socket_of(const struct pv_call *call)
{
	return atomic_load_explicit(&call->socket, memory_order_relaxed);
}

/* What the call took since this was last asked. */
static uint64_t took_ns(struct pv_call *call)
{
	uint64_t now_ns = pv_fair_share_clock(call->share);
	uint64_t took_ns = now_ns - call->laid_ns;
	call->laid_ns = now_ns;
	return took_ns;
}

/* Of a call that was made for one socket and has named no other, all is for
 * that one, which needs no clock. */
void pv_call_is_for(struct pv_call *call, int fd)
{
	bool is_same = fd == call->named;
	if (fd < 0 || (is_same && fd == socket_of(call)))
		return;
	if (is_same)
		pv_fair_share_lay(call->share, fd, took_ns(call));
	else
		pv_fair_share_guess(call->share,
		    call->named < 0 ? fd : call->named, took_ns(call));
	call->named = fd;
}

void pv_call_end(struct pv_call *call)
{
	int fd = socket_of(call);
	if (fd == call->named)
		pv_fair_share_lay(call->share, fd, took_ns(call));
	else
		pv_fair_share_guess(call->share, call->named, took_ns(call));
	atomic_fetch_add_explicit(&call->serial, 1, memory_order_release);
	int hog = pv_fair_share_look(call->share, uv_hrtime());
	if (hog >= 0)
		pv_cuts_add(call->share->sockets, hog);
}

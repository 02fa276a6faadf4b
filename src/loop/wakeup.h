#ifndef PAVANE_LOOP_WAKEUP_H
#define PAVANE_LOOP_WAKEUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

/* Wakes the loop, from any thread and from a signal handler; however often it
 * is rung before the loop hears it, it is heard once.
 *
 * libuv has the same. But there the loop waits for whoever rang to have ended
 * doing so, turning on the spot; on a processor that both share, the one who
 * rang has often been pushed aside by the loop itself, and gets no further
 * meanwhile.
 */
typedef void (*pv_wakeup_fn)(void *ctx);

struct pv_wakeup {
	uv_poll_t poll;
	int ends[2]; /* of a pipe: to read from, to write to */
	atomic_bool is_rung;
	bool is_deaf;
	pv_wakeup_fn on_ring; /* called in the loop */
	void *ctx;
};

/* False if there is no pipe to be had; errno says why. */
bool pv_wakeup_open(
    struct pv_wakeup *wakeup, uv_loop_t *loop, pv_wakeup_fn on_ring, void *ctx);

/* By the loop: it hears no more. Others may still ring; it is to be closed when
 * they do not any more. */
void pv_wakeup_deafen(struct pv_wakeup *wakeup);

/* Nobody may ring any more; the loop must run its closing callbacks before the
 * memory goes. Fine for one that could not be opened. */
void pv_wakeup_close(struct pv_wakeup *wakeup);

void pv_wakeup_ring(struct pv_wakeup *wakeup);

#endif

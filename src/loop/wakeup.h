#ifndef PAVANE_LOOP_WAKEUP_H
#define PAVANE_LOOP_WAKEUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

/* Wakes the loop, from any thread and from a signal handler; however often that
 * is sent before the loop receives it, it is received once.
 *
 * libuv's uv_async has the same. But there the loop spins until the sender has
 * returned; on a processor that both share, the sender has often been preempted
 * by the loop itself, and gets no further meanwhile.
 */
typedef void (*pv_wakeup_fn)(void *ctx);

struct pv_wakeup {
	uv_poll_t poll;
	int ends[2]; /* of a pipe: to read from, to write to */
	atomic_bool is_sent;
	bool is_deaf;
	pv_wakeup_fn on_wake; /* called in the loop */
	void *ctx;
};

/* False if no pipe can be created; errno says why. */
bool pv_wakeup_open(
    struct pv_wakeup *wakeup, uv_loop_t *loop, pv_wakeup_fn on_wake, void *ctx);

/* By the loop: it receives no more. Others may still send; it is to be closed
 * when they do not any more. */
void pv_wakeup_deafen(struct pv_wakeup *wakeup);

/* Nobody may send any more; the loop must run its closing callbacks before the
 * memory goes. Fine for one that could not be opened. */
void pv_wakeup_close(struct pv_wakeup *wakeup);

void pv_wakeup_send(struct pv_wakeup *wakeup);

#endif

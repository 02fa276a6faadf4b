#include "limiter/alone.h"

#include <stdlib.h>

#include "base/alloc.h"

static struct pv_limiter *open_alone(
    const char *place, const char *boot_id, struct pv_why *why)
{
	(void)place;
	(void)boot_id;
	(void)why;
	struct pv_limiter *limiter = pv_alloc(sizeof(*limiter));
	limiter->kind = &pv_limiter_alone;
	return limiter;
}

static void close_alone(struct pv_limiter *limiter)
{
	free(limiter);
}

static enum pv_limiter_answer grant(struct pv_limiter *limiter,
    const struct pv_limiter_ask *ask, struct pv_time now,
    struct pv_limiter_claim *claim, int64_t *until)
{
	(void)ask;
	*until = now.monotonic_ms;
	*claim = (struct pv_limiter_claim){.held = limiter};
	return PV_LIMITER_GRANTED;
}

static void forget_time(struct pv_limiter *limiter,
    const struct pv_limiter_claim *claim, int64_t now, int64_t next)
{
	(void)limiter;
	(void)claim;
	(void)now;
	(void)next;
}

static void let_go(
    struct pv_limiter *limiter, const struct pv_limiter_claim *claim)
{
	(void)limiter;
	(void)claim;
}

const struct pv_limiter_kind pv_limiter_alone = {
    .name = "alone",
    .open = open_alone,
    .close = close_alone,
    .claim = grant,
    .sent = forget_time,
    .end = forget_time,
    .drop = let_go,
};

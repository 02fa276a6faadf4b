#include "limiter/limiter.h"

#include <stddef.h>

void pv_limiter_close(struct pv_limiter *limiter)
{
	if (limiter)
		limiter->kind->close(limiter);
}

enum pv_limiter_answer pv_limiter_claim(struct pv_limiter *limiter,
    const struct pv_limiter_ask *ask, struct pv_time now,
    struct pv_limiter_claim *claim, int64_t *until)
{
	return limiter->kind->claim(limiter, ask, now, claim, until);
}

void pv_limiter_sent(struct pv_limiter *limiter, struct pv_limiter_claim *claim,
    int64_t now, int64_t next)
{
	if (!claim->held || claim->is_sent)
		return;
	limiter->kind->sent(limiter, claim, now, next);
	claim->is_sent = true;
}

void pv_limiter_end(struct pv_limiter *limiter, struct pv_limiter_claim *claim,
    int64_t now, int64_t next)
{
	if (!claim->held)
		return;
	limiter->kind->end(limiter, claim, now, next);
	*claim = (struct pv_limiter_claim){.held = NULL};
}

void pv_limiter_drop(struct pv_limiter *limiter, struct pv_limiter_claim *claim)
{
	if (!claim->held)
		return;
	limiter->kind->drop(limiter, claim);
	*claim = (struct pv_limiter_claim){.held = NULL};
}

#ifndef PAVANE_FETCH_DEADLINE_H
#define PAVANE_FETCH_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

struct pv_fetch_policy;
struct pv_response;

/* By when a request must have got on: connected, heard a first byte, heard
 * another one, ended. Time is the caller's, in milliseconds.
 *
 * What happens is only noted; when it is due is reckoned from that. So a body
 * that comes in many pieces costs no timer, but one look when the oldest of its
 * deadlines has passed.
 *
 * While a limit on bandwidth of our own holds an answer back, its time stands
 * still: nothing comes due, and it does not count as time that the host took.
 */
struct pv_deadline {
	const struct pv_fetch_policy *policy; /* outlives it */
	int64_t started;
	int64_t sent;    /* negative: it is not yet */
	int64_t heard;   /* when the latest byte came; negative: none did */
	int64_t held;    /* since when we hold it back; negative: we do not */
	int64_t held_ms; /* how long we have done so before */
};

struct pv_deadline pv_deadline_of(
    const struct pv_fetch_policy *policy, int64_t now);

/* It is held back from now on, or no more. */
void pv_deadline_hold(struct pv_deadline *deadline, int64_t now);
void pv_deadline_let_go(struct pv_deadline *deadline, int64_t now);

/* We were away for so long: that counts for nobody, nor does it come due. */
void pv_deadline_pass_over(struct pv_deadline *deadline, int64_t away_ms);

/* How long it has taken, and how long it was held back besides. */
int64_t pv_deadline_took_ms(const struct pv_deadline *deadline, int64_t now);
int64_t pv_deadline_held_ms(const struct pv_deadline *deadline, int64_t now);

/* When it is over if nothing happens until then; while it is held back,
 * PV_DEADLINE_NEVER. */
#define PV_DEADLINE_NEVER INT64_MAX
int64_t pv_deadline_due(const struct pv_deadline *deadline);

/* Says in the response that it was over at `now`, and for lack of what. */
void pv_deadline_tell(const struct pv_deadline *deadline, int64_t now,
    struct pv_response *response);

#endif

#ifndef PAVANE_API_LOOK_FLEET_VIEW_H
#define PAVANE_API_LOOK_FLEET_VIEW_H

#include "api/fleet/visit.h"
#include "explain/state_view.h"
#include "policy/policy.h"

/* What a fleet's database knows of an address in its crawl identity, in the form in
 * which a crawl's directory gives it. False, with the reason in the visit's `why`,
 * if that cannot be read. */
bool pv_fleet_view_at(struct pv_fleet_visit *visit,
    const struct pv_policy *policy, const struct pv_url *url, int64_t wall_ms,
    struct pv_state_view_answer *answer);

#endif

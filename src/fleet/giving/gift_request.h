#ifndef PAVANE_FLEET_GIVING_GIFT_REQUEST_H
#define PAVANE_FLEET_GIVING_GIFT_REQUEST_H

#include "fleet/line/request.h"

/* What PostgreSQL is told of gifts (fleet/giving/giving.h): of those that were chosen,
 * behind the fence, their clocks with who is to have them, and their addresses.
 */
struct pv_fleet;

struct pv_fleet_request *pv_gift_request(
    struct pv_fleet *fleet, pv_fleet_request_fn done);

#endif

#include "fleet/fleet.h"
#include "fleet/visit/visitor.h"

/* Built without PostgreSQL: there are no fleets. */
const struct pv_fleet_kind pv_postgresql_fleet = {.open = NULL};
const struct pv_fleet_visitor_kind pv_postgresql_visitor = {.open = NULL};

#include "fleet/fleet.h"

/* Built without PostgreSQL: there are no fleets. */
const struct pv_fleet_kind pv_postgresql_fleet = {.open = NULL};

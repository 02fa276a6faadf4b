#include "crawl/environment.h"

#include "fetch/fetch.h"
#include "fleet/fleet.h"
#include "loop/clock.h"
#include "names/names.h"

const struct pv_environment pv_real_environment = {
    .clock = &pv_real_clock,
    .names = &pv_real_names,
    .fetch = &pv_real_fetch,
    .fleets = &pv_postgresql_fleet,
};

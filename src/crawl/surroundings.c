#include "crawl/surroundings.h"

#include "fetch/fetch.h"
#include "loop/clock.h"
#include "names/names.h"

const struct pv_surroundings pv_real_surroundings = {
    .clock = &pv_real_clock,
    .names = &pv_real_names,
    .fetch = &pv_real_fetch,
};

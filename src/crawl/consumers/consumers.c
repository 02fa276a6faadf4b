#include "crawl/consumers/consumers.h"

const struct pv_sink_kind *const pv_consumer_kinds[] = {
    &pv_consumer_ledger,
    &pv_consumer_robots,
    &pv_consumer_vouchers,
    &pv_consumer_redirects,
    &pv_consumer_bare_pages,
    &pv_consumer_seed_redirects,
    &pv_consumer_refused,
    &pv_consumer_untold,
};

const size_t pv_consumer_kind_count =
    sizeof(pv_consumer_kinds) / sizeof(*pv_consumer_kinds);

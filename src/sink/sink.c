#include "sink/sink.h"

/* The journal comes behind the files: it tells what the others have made of a
 * page. */
const struct pv_sink_kind *const pv_sink_kinds[] = {
    &pv_sink_mirror,
    &pv_sink_journal,
    &pv_sink_changes,
    &pv_sink_fields,
    &pv_sink_outbound,
};

const size_t pv_sink_kind_count =
    sizeof(pv_sink_kinds) / sizeof(*pv_sink_kinds);

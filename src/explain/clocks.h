#ifndef PAVANE_EXPLAIN_CLOCKS_H
#define PAVANE_EXPLAIN_CLOCKS_H

#include "explain/explanation.h"

/* The clocks, for `pavane explain`: the least that lies between two requests to
 * a host and who asks for it, then each clock that holds it now, and until
 * when. Tells them, and returns false, appending why, if the host would be left
 * for it. `until_wall_ms` is before when one of them lets nothing be asked; 0
 * if it may be at once. */
bool pv_explain_clocks_tell(struct pv_explanation *explanation,
    int64_t *until_wall_ms, struct pv_buf *reason);

#endif

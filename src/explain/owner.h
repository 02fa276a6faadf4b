#ifndef PAVANE_EXPLAIN_OWNER_H
#define PAVANE_EXPLAIN_OWNER_H

#include "explain/explanation.h"

/* Which worker of a fleet owns the host, for `pavane explain --fleet`, and how long
 * its clock still rests, as far as that was passed on. Says nothing of a crawl that
 * is none of a fleet's, nor, where the address is not ours to fetch, of a clock that
 * nobody knows. */
void pv_explain_owner_tell(struct pv_explanation *explanation, bool is_ours);

#endif

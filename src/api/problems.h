#ifndef PAVANE_API_PROBLEMS_H
#define PAVANE_API_PROBLEMS_H

#include "base/why.h"
#include "pavane/pavane.h"

/* Tells what is wrong to who gets lines for people; NULL for nobody. */
void pv_problems_tell(
    const struct pv_why *why, pavane_line_fn on_line, void *ctx);

/* The same of what is worth a note. */
void pv_notes_tell(const struct pv_why *why, pavane_line_fn on_line, void *ctx);

#endif

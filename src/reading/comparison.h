#ifndef PAVANE_READING_COMPARISON_H
#define PAVANE_READING_COMPARISON_H

#include "reading/answer.h"
#include "reading/findings.h"
#include "record/result.h"

/* What came against the copy that there was, in an update. Where there was none
 * all is new. */

/* Whether it can take the place of the copy; if not, that is worth a word. */
bool pv_comparison_can_replace(
    const struct pv_answer *answer, struct pv_findings *findings);

/* Finds the copy that is made of it, and what has changed; its digest is known,
 * and whether it is kept. */
void pv_comparison_run(const struct pv_answer *answer,
    const struct pv_result *result, struct pv_findings *findings);

#endif

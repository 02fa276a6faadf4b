#ifndef PAVANE_READING_READ_H
#define PAVANE_READING_READ_H

#include "reading/answer.h"
#include "reading/context.h"
#include "reading/desk.h"
#include "reading/findings.h"
#include "record/result.h"

/* Reads an answer, in a thread of the pool: takes it for what it is, finds its
 * links and judges them, and compares it with what there was. It knows the
 * answer and the context, and no crawl; what it finds are the findings.
 *
 * `result` is what is to be recorded of the answer.
 */
void pv_answer_read(const struct pv_reading_context *context,
    const struct pv_answer *answer, struct pv_reader_desk *desk,
    struct pv_findings *findings, struct pv_result *result);

#endif

#ifndef PAVANE_TRIAL_TRIAL_JSON_H
#define PAVANE_TRIAL_TRIAL_JSON_H

#include "trial/trial.h"

/* A trial as one line of JSON, for programs that read it for years. All
 * members are always there:
 *
 *   url       of the page; null where nobody said which
 *   kind      null: it is of none, and what follows is empty
 *   rows      as in fields/KIND.jsonl, without _time, _digest and _change
 *   follow    {url, as, carry, refused}; carry is null where the link carries
 *             nothing; refused is the reason, as in a journal, if the page asks
 *             not to follow it, else null
 *   problems  {field, why, near}; field is null for the whole page, near where
 *             nothing more is known
 */
void pv_trial_write_json(const struct pv_trial *trial, struct pv_buf *line);

/* The same for a page of no kind; the address may be empty. */
void pv_trial_write_json_of_none(struct pv_str url, struct pv_buf *line);

#endif

#ifndef PAVANE_TRIAL_TRIAL_TEXT_H
#define PAVANE_TRIAL_TRIAL_TEXT_H

#include "trial/trial.h"

/* A trial as a person reads it: the kind, each row with its values, what has
 * none and how near it came, and where the page leads. Nothing in it is obeyed
 * by a terminal; long values are cut. */
void pv_trial_write_text(const struct pv_trial *trial, struct pv_buf *text);

#endif

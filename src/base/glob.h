#ifndef PAVANE_BASE_GLOB_H
#define PAVANE_BASE_GLOB_H

#include "base/str.h"

/* Globs, as people write them in policies: a star stands for anything, a slash
 * and nothing included; every other byte stands for itself.
 *
 * A glob is a row of pieces between stars, and taking each piece where it first
 * fits is always right. So nothing is ever tried twice, and a match costs time
 * in proportion to the text, also for hostile globs.
 */

/* Whether the glob matches the whole text. */
bool pv_glob_match(struct pv_str glob, struct pv_str text);

#endif

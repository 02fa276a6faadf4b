#ifndef PAVANE_READING_REDIRECT_H
#define PAVANE_READING_REDIRECT_H

#include "reading/link_collector.h"

/* An answer that is a redirect: where it leads, or why nowhere. */

/* Finds where the answer lies instead; false if it is no redirect, or names no
 * address. */
bool pv_redirect_find(const struct pv_answer *answer, struct pv_url *url);

/* Adds where it leads to the findings. What a seed is redirected to belongs to
 * the scope from then on. */
void pv_redirect_read(struct pv_link_collector *collector);

#endif

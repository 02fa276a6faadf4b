#ifndef PAVANE_URL_ALIASES_H
#define PAVANE_URL_ALIASES_H

#include "base/arena.h"
#include "base/map.h"

/* Names that stand for others: which host is meant where several lead to one.
 *
 * An alias is a name ("www.example.org"), or a beginning and a star ("www.*"),
 * which stands for the name behind the beginning: as often as there is one, and
 * never beyond the site (url/site.h), so that www.com is no com. Names are
 * canonical and without a dot at their end. Nothing is changed by asking, so
 * any thread may ask.
 */
struct pv_aliases {
	struct pv_map names; /* to a place in targets */
	struct pv_str *targets;
	size_t target_count;
	size_t target_size;
	struct pv_str *beginnings; /* "www." */
	size_t beginning_count;
	size_t beginning_size;
	struct pv_arena arena;
};

void pv_aliases_init(struct pv_aliases *aliases);
void pv_aliases_finish(struct pv_aliases *aliases);

/* What is there already stays as it is. The target of a beginning and a star
 * is the star. */
void pv_aliases_add(
    struct pv_aliases *aliases, struct pv_str alias, struct pv_str target);

static inline bool pv_aliases_is_empty(const struct pv_aliases *aliases)
{
	return !aliases->target_count && !aliases->beginning_count;
}

/* The name that this one stands for, in its own text or in the table. False if
 * it is no alias. */
bool pv_aliases_find(const struct pv_aliases *aliases, struct pv_str name,
    struct pv_str *target);

#endif

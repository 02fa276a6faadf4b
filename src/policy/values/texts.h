#ifndef PAVANE_POLICY_VALUES_TEXTS_H
#define PAVANE_POLICY_VALUES_TEXTS_H

#include <stddef.h>

/* Lists of texts, and of names with a text each; they live in the arena of
 * the policy that they are a part of. */
struct pv_texts {
	const char **items;
	size_t count;
};

struct pv_pair {
	const char *name;
	const char *text;
};

struct pv_pairs {
	struct pv_pair *items;
	size_t count;
};

#endif

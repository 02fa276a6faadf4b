#ifndef PAVANE_TREE_CSS_WORD_H
#define PAVANE_TREE_CSS_WORD_H

#include "base/arena.h"
#include "base/reader.h"

/* Names, strings and white space of a selector (CSS Syntax 3), with what
 * escapes in them mean. What is taken lives in the arena. */

bool pv_selector_is_space(int byte);

/* Whether a name begins here. */
bool pv_selector_is_at_name(const struct pv_reader *reader);

/* Takes a name, as long as it goes on, which may be empty. */
struct pv_str pv_selector_take_name(
    struct pv_reader *reader, struct pv_arena *arena);

/* Takes a string in the quotes that are next; false if it has no end. */
bool pv_selector_take_string(
    struct pv_reader *reader, struct pv_arena *arena, struct pv_str *string);

/* In the lower case of ASCII. */
struct pv_str pv_selector_lower(struct pv_arena *arena, struct pv_str text);

#endif

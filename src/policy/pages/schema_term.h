#ifndef PAVANE_POLICY_PAGES_SCHEMA_TERM_H
#define PAVANE_POLICY_PAGES_SCHEMA_TERM_H

#include "base/json/json.h"

/* Pieces of JSON Schema for what keys of a mapping have to do with each other.
 * What is given to them is theirs, and what they return is the caller's. */

/* The mapping has the key. */
struct pv_json *pv_term_has(const char *key);

/* It has the key, whose value is right by the schema. */
struct pv_json *pv_term_is(const char *key, struct pv_json *schema);

/* The value of the key is right by the schema, if it has the key. */
struct pv_json *pv_term_may_be(const char *key, struct pv_json *schema);

/* One of the words; the list ends with NULL. */
struct pv_json *pv_term_choice(const char *const *words);

/* It has the key, and its value is this word. */
struct pv_json *pv_term_is_word(const char *key, const char *word);

/* It has the key, and its value is true. */
struct pv_json *pv_term_is_true(const char *key);

struct pv_json *pv_term_not(struct pv_json *schema);

/* Adds a term that holds unless `when` is right and `then` is not. */
void pv_term_add(
    struct pv_json *terms, struct pv_json *when, struct pv_json *then);

/* A mapping of these members and no others, of which the terms hold. */
struct pv_json *pv_term_object(struct pv_json *members, struct pv_json *terms);

/* A list of at least one item. */
struct pv_json *pv_term_list(struct pv_json *item, int64_t most);

/* A text of at least one byte. */
struct pv_json *pv_term_text(void);

#endif

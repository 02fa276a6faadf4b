#ifndef PAVANE_POLICY_VALUES_SCHEMA_PART_H
#define PAVANE_POLICY_VALUES_SCHEMA_PART_H

#include "base/json/json.h"

struct pv_text_rule;

/* Pieces that the schemas of values are put together from. */

struct pv_json *pv_schema_of_type(const char *type);

/* A text that a regular expression (ECMA 262) finds right. */
struct pv_json *pv_schema_of_pattern(const char *pattern);
struct pv_json *pv_schema_of_rule(const struct pv_text_rule *rule);

/* This word and no other value. */
struct pv_json *pv_schema_of_word(const char *word);

/* Either; both are given to it. */
struct pv_json *pv_schema_of_either(struct pv_json *one, struct pv_json *other);

#endif

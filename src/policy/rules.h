#ifndef PAVANE_POLICY_RULES_H
#define PAVANE_POLICY_RULES_H

#include <stdbool.h>

#include "base/pattern/pattern.h"
#include "policy/document/origin.h"
#include "policy/values/texts.h"

/* The scope's rules in their order; all that one rule names must match. */
struct pv_rule {
	bool is_allow;
	const char *path;           /* a glob; NULL where it is not named */
	struct pv_texts extensions; /* without dots, lower case */
	const char *host;           /* a glob */
	const char *url;            /* PCRE2, compiled below */
	struct pv_pattern *pattern;
	struct pv_origin origin;
};

struct pv_rules {
	struct pv_rule *items;
	size_t count;
};

struct pv_node;
struct pv_reading;

/* Reads what a rule names, {path: "/logout*"}; false where a problem was
 * told. */
bool pv_rule_body_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_rule *rule);
struct pv_json *pv_rule_body_schema(void);

/* Appends a rule as it is written in a policy: deny: {path: "/logout*"}. */
void pv_rule_write(const struct pv_rule *rule, struct pv_buf *buf);

/* Releases the compiled patterns. */
void pv_rules_finish(struct pv_rules *rules);

#endif

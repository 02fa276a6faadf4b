#ifndef PAVANE_SCOPE_RULE_MATCH_H
#define PAVANE_SCOPE_RULE_MATCH_H

#include "base/arena.h"
#include "policy/rules.h"
#include "url/url.h"

/* Whether a rule of a policy means an address. All that the rule names must
 * match:
 *
 *   path  a glob over the whole path, upper and lower case apart; if there is
 *         a question mark in it, over path and query
 *   ext   an ending of the path's last segment, in any case: of a.tar.gz both
 *         gz and tar.gz. What follows a semicolon may be left out, and there
 *         is something before the dot
 *   host  a glob over the host, without its port, the brackets of an IPv6
 *         address or a dot at its end
 *   url   a pattern that is found in the whole address but its fragment;
 *         credentials that a seed gives are in it
 *
 * Globs may be written in any script: they are compared as addresses are
 * written, percent-encoded.
 */
struct pv_rule_match {
	const struct pv_rule *rule;
	struct pv_str path; /* as an address holds it */
	struct pv_str host;
	bool is_path_with_query;
};

enum pv_rule_part {
	PV_RULE_ALL,  /* all that the rule names matches */
	PV_RULE_PATH, /* or the first that does not */
	PV_RULE_EXT,
	PV_RULE_HOST,
	PV_RULE_URL,
	PV_RULE_GAVE_UP, /* the pattern reached its limit: nobody knows */
};

/* What the texts become goes into the arena; the rule is kept. */
void pv_rule_match_init(struct pv_rule_match *match, const struct pv_rule *rule,
    struct pv_arena *arena);

/* The pattern, which costs most, is asked last. */
enum pv_rule_part pv_rule_match_find(
    const struct pv_rule_match *match, const struct pv_url *url);

#endif

#ifndef PAVANE_POLICY_OPTION_H
#define PAVANE_POLICY_OPTION_H

#include "policy/kind.h"
#include "policy/values/text_rule.h"

/* The options table: every key of a policy, once.
 *
 * The loader, the checker, --set and --domain, the JSON Schema, the reference
 * page and the effective policy are all made from it. A key is added by a row
 * here and a field in policy.h.
 */
enum pv_option_flags {
	PV_MAY_BE_NONE = 1,    /* `none` is a value: no limit, or nothing */
	PV_IN_DOMAIN = 2,      /* may stand in the domain table too */
	PV_ONLY_IN_DOMAIN = 4, /* and nowhere else */
	PV_NOT_IN_CONFIG = 8,  /* belongs to one crawl, not to a user */
	PV_IS_CEILING = 16,    /* shown by check --limits */
	PV_MAY_BE_SET = 32,    /* by `pavane set`, while the crawl runs: what is
				  known need not be judged again */
};

struct pv_option {
	const char *path; /* "rate.max_rate"; "domains.*.share" */
	const struct pv_kind *kind;
	size_t offset;      /* of the field in struct pv_policy */
	const char *preset; /* the default as it is written; NULL: empty */
	int64_t least;      /* the range, in the unit of the field */
	int64_t most;
	unsigned flags;                  /* enum pv_option_flags */
	const char *const *choices;      /* of a choice; ends with NULL */
	const struct pv_text_rule *rule; /* of a text, or of a list's items */
	const struct pv_text_rule *name_rule; /* of the names in pairs */
	const char *sentence;                 /* what it means */
};

extern const struct pv_option pv_options[];
extern const size_t pv_option_count;

/* The sections' own sentences, for readers. */
struct pv_section {
	const char *path;
	const char *sentence;
};

extern const struct pv_section pv_sections[];
extern const size_t pv_section_count;

/* Where keys stand: in a policy, or in an entry of its domain table, where
 * politeness.delay is called delay. */
enum pv_namespace { PV_NAMES_OF_POLICY, PV_NAMES_OF_DOMAIN };

/* The option's name there; NULL if it may not stand there. */
const char *pv_option_name(
    const struct pv_option *option, enum pv_namespace names);

/* The option of that name; NULL if there is none. */
const struct pv_option *pv_option_get(
    struct pv_str name, enum pv_namespace names);

/* Whether options lie below the name: it is a section. */
bool pv_option_is_section(struct pv_str name, enum pv_namespace names);

#define PV_OPTION_WORDS_MAX 7

/* The words among the values that the option takes, such as true and none; the
 * list ends with NULL. */
void pv_option_words(
    const struct pv_option *option, const char *words[PV_OPTION_WORDS_MAX + 1]);

/* The known key that was probably meant by this one, which stands in the
 * section (empty at the top): "rate.max_rate". NULL if none is near. */
const char *pv_option_nearest(struct pv_str section, struct pv_str key,
    enum pv_namespace names, struct pv_buf *buf);

/* The keys of a section, for a reader: "ttl, give_up, meta and nofollow". */
const char *pv_option_list(
    struct pv_str section, enum pv_namespace names, struct pv_buf *buf);

#endif

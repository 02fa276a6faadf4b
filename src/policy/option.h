#ifndef PAVANE_POLICY_OPTION_H
#define PAVANE_POLICY_OPTION_H

#include "policy/kind.h"
#include "policy/values/text_rule.h"

/* The options table: every key of a policy, once.
 *
 * The loader, the checker, --set and --domain, the JSON Schema, the reference
 * page and the effective policy are all made from it. A key is added by a row
 * in option_table.c and a field in policy.h. Other files of YAML have tables of
 * their own, which the same loader reads.
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

/* Whether a stranger who hands in a policy may give the key, and what would be
 * laxer than the value that the owner of the machine has given: such a value is
 * refused. */
enum pv_by_guest {
	PV_GUEST_NEVER, /* may not give it */
	PV_GUEST_FREE,  /* nothing is */
	PV_GUEST_MORE,  /* not more: more is laxer, and none the most */
	PV_GUEST_LESS,  /* not less; false is less than true */
	PV_GUEST_SAME,  /* anything else */
};

struct pv_option {
	const char *path; /* "rate.max_rate"; "domains.*.share" */
	const struct pv_kind *kind;
	size_t offset;      /* of the field, in struct pv_policy or the like */
	const char *preset; /* the default as it is written; NULL: empty */
	int64_t least;      /* the range, in the unit of the field */
	int64_t most;
	unsigned flags;                  /* enum pv_option_flags */
	const char *const *choices;      /* of a choice; ends with NULL */
	const struct pv_text_rule *rule; /* of a text, or of a list's items */
	const struct pv_text_rule *name_rule; /* of the names in pairs */
	enum pv_by_guest by_guest;
	const char *sentence; /* what it means */
};

/* The sections' own sentences, for readers. */
struct pv_section {
	const char *path;
	const char *sentence;
};

/* A table of options, and what its keys are called where they stand. */
struct pv_names {
	const struct pv_option *options;
	size_t count;
	const struct pv_section *sections;
	size_t section_count;

	/* NULL for an option that may not stand there. */
	const char *(*name_of)(const struct pv_option *option);
};

/* The same rows: in a policy, and in an entry of its domain table, where
 * politeness.delay is called delay. */
extern const struct pv_names pv_names_of_policy;
extern const struct pv_names pv_names_of_domain;

/* The option's name there; NULL if it may not stand there. */
const char *pv_option_name(
    const struct pv_option *option, const struct pv_names *names);

/* The option of that name; NULL if there is none. */
const struct pv_option *pv_option_get(
    struct pv_str name, const struct pv_names *names);

/* Whether options lie below the name: it is a section. */
bool pv_option_is_section(struct pv_str name, const struct pv_names *names);

#define PV_OPTION_WORDS_MAX 7

/* The words among the values that the option takes, such as true and none; the
 * list ends with NULL. */
void pv_option_words(
    const struct pv_option *option, const char *words[PV_OPTION_WORDS_MAX + 1]);

/* The known key that was probably meant by this one, which stands in the
 * section (empty at the top): "rate.max_rate". NULL if none is near. */
const char *pv_option_nearest(struct pv_str section, struct pv_str key,
    const struct pv_names *names, struct pv_buf *buf);

/* The keys of a section, for a reader: "ttl, give_up, meta and nofollow". */
const char *pv_option_list(
    struct pv_str section, const struct pv_names *names, struct pv_buf *buf);

#endif

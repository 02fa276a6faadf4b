#ifndef PAVANE_POLICY_SOURCES_LOAD_H
#define PAVANE_POLICY_SOURCES_LOAD_H

#include "policy/policy.h"

/* Making a policy of all that has a say in it, each over the one before: the
 * defaults, the user's configuration, the policy file, the command line. */

/* --set KEY=VALUE, or with a host --domain HOST KEY=VALUE. */
struct pv_setting {
	const char *host; /* NULL for --set */
	const char *assignment;
};

struct pv_sources {
	const char *file;       /* "-" is the standard input; NULL for none */
	bool has_other_seeds;   /* the file need not have any: it is a part of
				   what crawls are made of */
	const char *config_dir; /* where config.yaml and never.txt may be; or
				   NULL */
	const struct pv_setting *settings;
	size_t setting_count;
	const char *const *setting_names; /* what to call each instead; NULL,
					     or NULL for one: as above */
	const char *seeds_of; /* a policy of which only the seeds count, before
				 the addresses; NULL for none */
	const char *const *addresses;     /* further seeds */
	const char *const *address_names; /* whence each is; NULL, or NULL for
					     one: the command line */
	size_t address_count;

	/* The owner's policy, for a stranger who hands in all but the file:
	 * nothing that is laxer is taken (policy/checks/guest_check.h). NULL:
	 * there is no stranger. */
	const struct pv_policy *owner;
	struct pv_str handed_in;            /* YAML over the file; empty */
	const struct pv_private_list *lent; /* hosts of private networks that
					       strangers may reach, too; NULL:
					       none. Like the owner's policy it
					       outlives what is loaded */

	const char *text;  /* a policy itself, in the place of the file, which
			      names no files; NULL for none */
	bool is_for_fleet; /* several workers share the crawl, and no directory:
			      where nobody says what is kept, it is the journal
			      alone */
	const char
	    *input_of; /* where a seed {file: "-"} finds its addresses: in
				 the directory of a crawl that has read them; ""
				 for nowhere; NULL: on the standard input, which
				 is read to its end */
};

/* Loads and checks a policy. It is complete if `why` has no problems, and else
 * good for nothing but to be destroyed. */
struct pv_policy *pv_policy_load(
    const struct pv_sources *sources, struct pv_why *why);

/* The same of a text, for a name that its problems go by; where that is a path,
 * the files that the policy names are found beside it. */
struct pv_policy *pv_policy_load_text(
    const char *name, struct pv_str text, struct pv_why *why);

#endif

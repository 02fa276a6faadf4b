#ifndef PAVANE_POLICY_DOMAINS_H
#define PAVANE_POLICY_DOMAINS_H

#include "policy/document/origin.h"
#include "policy/values/host_index.h"
#include "policy/values/manners.h"

/* The domain table: other manners for some hosts.
 *
 * An entry holds only the keys that were written. What a host is owed is
 * answered key by key: by the entry for its exact name, else for the longest
 * *. suffix, else for the longest address prefix, else by `politeness`, else
 * by the default.
 */
struct pv_domain_entry {
	const char
	    *name; /* canonical: "docs.example.org", "*.x", "10.0.0.0/8" */
	enum pv_host_pattern_kind kind;
	struct pv_network network;
	struct pv_origin origin;
	struct pv_domain_setting *settings;
	uint32_t setting_count;
};

struct pv_domains {
	struct pv_domain_entry *entries; /* on the heap */
	size_t count;
	size_t size;
	struct pv_host_index index;
};

/* What a host is owed, and whom that was said for: where a key comes from is
 * looked up when somebody asks, since of each live host there is one of
 * these. */
struct pv_host_manners {
	struct pv_manners manners;

	/* What its clock is called: its own name, or with `share` the pattern
	 * that it shares it with. */
	struct pv_str clock;

	const struct pv_policy *policy;
	struct pv_str host;
	struct pv_address address;
	bool has_address;
};

void pv_domains_init(struct pv_domains *domains);
void pv_domains_finish(struct pv_domains *domains);

/* What the table says of a host: fills `answer`, whose manners are those of
 * the policy so far. The host is canonical; its address may be unknown. */
void pv_domains_answer(const struct pv_domains *domains, struct pv_str host,
    const struct pv_address *address, struct pv_host_manners *answer);

/* What the host's clock is called, as above. That is said by names alone: no
 * range of addresses shares a clock. */
struct pv_str pv_domains_clock(
    const struct pv_domains *domains, struct pv_str host);

/* Whether each host has a clock of the same name by both tables. */
bool pv_domains_have_same_clocks(
    const struct pv_domains *one, const struct pv_domains *other);

/* Whether it is a range of addresses all of which are on this machine or a
 * private network. */
bool pv_domain_entry_is_own(const struct pv_domain_entry *entry);

/* Whether an entry names the host; a range of addresses names only what is
 * private as a whole: who sets manners for 0.0.0.0/0 named nobody. */
bool pv_domains_name(const struct pv_domains *domains, struct pv_str host,
    const struct pv_address *address);

/* Where a key's value comes from, for the host that was asked for. `domain` is
 * set to the entry's name, or to NULL if no entry says it. */
struct pv_origin pv_host_manners_origin(const struct pv_host_manners *answer,
    const char *option_path, const char **domain);

#endif

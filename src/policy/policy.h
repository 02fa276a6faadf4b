#ifndef PAVANE_POLICY_POLICY_H
#define PAVANE_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "policy/document/origin.h"
#include "policy/domains.h"
#include "policy/pages.h"
#include "policy/rules.h"
#include "policy/seeds.h"
#include "policy/values/manners.h"
#include "policy/values/never.h"
#include "policy/values/texts.h"
#include "policy/values/value.h"

/* A policy: what somebody asked for, with every default filled in.
 *
 * It is read-only once it is loaded (policy/sources/load.h), and all its texts
 * live as long as it does. Each field is described, with its unit, its range
 * and its default, by one row of the options table (policy/option.c); PV_NONE
 * stands for `none`.
 */

struct pv_identity {
	const char *agent;
	const char *contact; /* NULL where nobody has said who they are */
	const char *from;    /* NULL for none */
};

struct pv_rate {
	int64_t max_rate;
	int64_t interval_ms;
	int64_t burst;
	int64_t concurrency;
	int64_t bandwidth; /* bytes a second */
};

struct pv_robots_policy {
	int64_t ttl_ms;
	int64_t give_up_ms;
	int64_t give_up_silent_ms;
	bool meta;
	bool nofollow;
};

enum pv_scope_hosts {
	PV_HOSTS_SAME,
	PV_HOSTS_SITE,
	PV_HOSTS_ANY,
	PV_HOSTS_LISTED,
};

struct pv_scope_policy {
	struct pv_host_choice {
		enum pv_scope_hosts kind;
		struct pv_texts listed; /* names and *. suffixes */
	} hosts;
	bool below;
	int64_t depth;
	int64_t hops;
	bool requisites;
	struct pv_rules rules;
	bool sort_query;
	struct pv_pairs aliases; /* names, and "www.*" with "*" */
	struct pv_texts default_documents;
	int64_t max_url;
	struct {
		int64_t repeats;
		int64_t segments;
		int64_t parameters;
		struct {
			int64_t ahead_ms;
			int64_t back_ms;
		} calendar;
		int64_t same_body;
		int64_t sessions;
		int64_t subdomains;
	} traps;
	bool sitemaps;
	bool sitemap_guess;
};

struct pv_limits {
	int64_t pages;
	int64_t bytes;
	int64_t time_ms;
	int64_t host_pages;
	int64_t host_bytes;
	int64_t known;
	int64_t host_traps;
	int64_t wait_ms;
};

enum pv_private { PV_PRIVATE_NAMED, PV_PRIVATE_ALL, PV_PRIVATE_NONE };

struct pv_fetch_policy {
	struct {
		int64_t connect_ms;
		int64_t first_byte_ms;
		int64_t stall_ms;
		int64_t total_ms;
	} timeout;
	int64_t max_size;
	int64_t retries;
	int64_t redirects;
	struct pv_texts accept;
	struct pv_pairs headers;
	bool cookies;
	const char *cookie_file; /* NULL for none */
	bool http2;
	struct pv_pairs resolve;
	struct pv_texts name_servers; /* none: the system's */
	int private;                  /* enum pv_private */
};

/* What becomes of the file of a page that is gone. */
enum pv_gone { PV_GONE_MOVE, PV_GONE_KEEP, PV_GONE_DELETE };

struct pv_output {
	int64_t min_free;
	bool has_mirror;
	struct {
		bool rewrite;
		bool portable;
		int gone;             /* enum pv_gone */
		int64_t shrink_alarm; /* hundredths of its files */
	} mirror;
	struct {
		unsigned forms; /* enum pv_fields_form */
		int64_t max_page;
		int64_t max_value;
		int64_t max_rows;
	} fields;
};

struct pv_private_list;

struct pv_policy {
	int64_t version;
	const char *name; /* NULL for none */
	struct pv_seeds seeds;
	struct pv_identity identity;
	struct pv_rate rate;
	struct pv_manners manners; /* towards a host that no domain names */
	bool shared_clocks;        /* with other crawls on this machine */
	struct pv_domains domains;
	struct pv_robots_policy robots;
	struct pv_scope_policy scope;
	struct pv_limits limits;
	struct pv_fetch_policy fetch;
	struct pv_pages pages;
	struct pv_output output;
	struct {
		int64_t after_ms;
	} recrawl;
	struct {
		int64_t drain_timeout_ms;
	} stop;

	struct pv_never
	    never; /* of the user, not of the policy: it always holds */

	/* Where a stranger has handed it in: the owner's policy, which names hosts
	 * of private networks in the place of its own seeds and domains, and the
	 * list of further ones. Both outlive it; NULL: nobody has. */
	const struct pv_policy *owner;
	const struct pv_private_list *lent;
	bool asks_too_much; /* for what is the owner's alone, or laxer than the
			       owner's */

	FILE *seed_input; /* what the standard input had; NULL if no seed is
			     read from it */

	struct pv_origin *origins; /* of each row of the options table */
	struct pv_arena arena;     /* owns all texts and arrays */
};

/* An empty policy, for the loader to fill. */
struct pv_policy *pv_policy_create(void);
void pv_policy_destroy(struct pv_policy *policy);

/* Burst and concurrency follow from max_rate where they are 0. */
void pv_rate_derive(struct pv_rate *rate);

/* Whether somebody gave a key's value, be it `none`. */
bool pv_policy_is_given(const struct pv_policy *policy, const char *path);

/* The longest address that is parsed, before its length is judged
 * (scope.max_url). */
size_t pv_policy_address_max(const struct pv_policy *policy);

/* What a host is owed: the manners of the policy with what the domain table
 * says of this name and, where it is known, this address. */
void pv_policy_manners(const struct pv_policy *policy, struct pv_str host,
    const struct pv_address *address, struct pv_host_manners *manners);

#endif

#ifndef PAVANE_MIRROR_INDEX_ENTRY_FACTS_H
#define PAVANE_MIRROR_INDEX_ENTRY_FACTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "mirror/lookup/fate.h"
#include "record/outcome.h"
#include "record/state.h"
#include "record/verdict.h"

/* What an entry page says of a crawl, as its state file has it after the last
 * commit.
 *
 * Only so much of it is read as a page has room for, by indexes, by the tables
 * of counts and hosts, and from the first addresses that were found: so a state
 * of ten million addresses takes hardly longer than a small one. Nobody who
 * writes the file meanwhile is disturbed.
 */
#define PV_ENTRY_SEEDS_MAX 50
#define PV_ENTRY_HOSTS_MAX 200
#define PV_ENTRY_ERRORS_MAX 500
#define PV_ENTRY_LINKERS_MAX 5 /* of each */
#define PV_ENTRY_EXAMPLES_MAX 3
#define PV_ENTRY_ANSWERS_MAX 64
#define PV_ENTRY_GROUPS_MAX 72 /* with what was no error */

/* So many errors of a sort are counted, and so many hosts; there may be
 * more. */
#define PV_ENTRY_COUNT_MAX 10000
#define PV_ENTRY_HOSTS_SEEN 50000
#define PV_ENTRY_BARE_MAX 100
#define PV_ENTRY_TITLE_MAX ((size_t)240)

struct pv_policy;

struct pv_entry_address {
	struct pv_str url;  /* without credentials */
	bool is_cut;        /* it is too long to be a link */
	struct pv_str file; /* where it is, below the directory; empty where it
			       is in none */
};

/* What became of an address. */
struct pv_entry_fate {
	unsigned state; /* enum pv_address_state */
	unsigned reason;
	unsigned outcome;
	unsigned http_status;
};

struct pv_entry_seed {
	struct pv_entry_address address;
	struct pv_entry_address moved_to; /* no url: nowhere */
	struct pv_str title;              /* of its page; empty for none */
	struct pv_entry_fate fate;
	uint64_t host;
	uint64_t last; /* the address, or the last that it was moved to; 0: it
			  is not known at all */
	bool is_list;  /* a sitemap: no page */
};

struct pv_entry_seeds {
	struct pv_entry_seed *items;
	size_t count;
	uint64_t left; /* how many more there are */
	bool has_more; /* there are more, and nobody has counted them */
};

struct pv_entry_host {
	uint64_t id;
	struct pv_str name;
	uint64_t pages;
	uint64_t requests;
	uint64_t bytes;
	struct pv_str start; /* a page of it; empty for none */
	unsigned tries;      /* to find one */
};

struct pv_entry_error {
	uint64_t id;
	struct pv_entry_address address;
	struct pv_entry_address via; /* no url: a person named it */
	struct pv_str location;      /* to which it was redirected, if that is
				   nothing; empty for none */
	struct pv_entry_address *pages; /* that link to it, the first of them */
	size_t page_count;              /* of all of them */
};

/* Errors of one sort, which stand together. */
struct pv_entry_group {
	enum pv_fate_kind fate; /* UNSEEN: its answer says it all */
	enum pv_dead_end dead_end;
	uint64_t *ids; /* of the first of those */
	unsigned outcome;
	unsigned http_status;
	size_t count;
	struct pv_entry_error *errors;
	size_t listed;
};

struct pv_entry_errors {
	struct pv_entry_group groups[PV_ENTRY_GROUPS_MAX];
	size_t group_count;
	bool has_linkers; /* the pages that link to errors are known */
	bool has_too_many_redirects; /* to look for circles */
};

struct pv_entry_examples {
	struct pv_entry_address items[PV_ENTRY_EXAMPLES_MAX];
	size_t count;
};

struct pv_entry_update {
	uint64_t number; /* 1: there was none */
	int64_t began_wall_ms;
	uint64_t added, changed, gone, same, failed;
};

/* The list of all pages (mirror/index/page_list.h). */
struct pv_entry_list {
	uint64_t count; /* of the pages in it; 0: there is no list */
	unsigned parts;
	bool has_more; /* pages, which it has no room for */
};

struct pv_entry_facts {
	int64_t finished_wall_ms; /* 0: it is not */
	struct pv_entry_update update;
	uint64_t states[PV_STATE_COUNT];
	uint64_t reasons[PV_REASON_COUNT];
	uint64_t outcomes[PV_OUTCOME_COUNT];
	uint64_t host_total; /* that were asked */
	uint64_t bytes;      /* of all of them */
	uint64_t pages;      /* counted one by one, after an update */
	bool has_pages;      /* how many each host has is known */

	struct pv_entry_seeds seeds;
	struct pv_entry_host *hosts; /* the largest first */
	size_t host_count;
	struct pv_entry_errors errors;
	struct pv_entry_examples examples[PV_REASON_COUNT];
	struct pv_entry_list list;
	struct pv_entry_address bare[PV_ENTRY_BARE_MAX]; /* without scripts */
	size_t bare_listed;
	uint64_t bare_count;

	struct pv_arena arena; /* owns all of it */
};

/* Reads the state in the directory, by the policy that the crawl has gone by;
 * false, with the reason appended, if it cannot be read. Documents are read
 * only where there is time for that (`has_time`): nobody waits. To be finished
 * in any case. */
bool pv_entry_facts_read(struct pv_entry_facts *facts, const char *directory,
    const struct pv_policy *policy, bool has_time, struct pv_buf *fault);
void pv_entry_facts_finish(struct pv_entry_facts *facts);

/* Errors of all sorts. */
uint64_t pv_entry_facts_errors(const struct pv_entry_facts *facts);

#endif

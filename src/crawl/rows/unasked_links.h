#ifndef PAVANE_CRAWL_ROWS_UNASKED_LINKS_H
#define PAVANE_CRAWL_ROWS_UNASKED_LINKS_H

#include "fields/row_page.h"
#include "policy/sameness.h"
#include "record/fingerprint.h"
#include "store/tables/state_addresses.h"

/* Whether the kinds of a policy follow links to pages that a crawl has not asked
 * for, since by the kinds that it had nobody followed them. What the crawl left
 * out for any other reason, such as robots.txt, is not meant. For one thread.
 */
struct pv_unasked_links {
	struct pv_state_addresses addresses;
	struct pv_hash_key key;
	struct pv_sameness sameness;
	struct pv_url url;
	bool are_there;
};

/* The policy outlives it. Faults are the database's. */
void pv_unasked_links_open(struct pv_unasked_links *links,
    const struct pv_policy *policy, struct pv_database *database);
void pv_unasked_links_close(struct pv_unasked_links *links);

/* Follows the links of a page whose rows have been extracted; what is to be told
 * of them is added to the rows. */
void pv_unasked_links_look(struct pv_unasked_links *links,
    struct pv_row_page *page, struct pv_rows *rows);

#endif

#include "crawl/rows/unasked_links.h"

#include "fields/extract.h"
#include "policy/policy.h"
#include "store/tables/note.h"

void pv_unasked_links_open(struct pv_unasked_links *links,
    const struct pv_policy *policy, struct pv_database *database)
{
	links->key = pv_note_get_key(database);
	links->are_there = false;
	pv_state_addresses_init(&links->addresses, database);
	pv_sameness_init(&links->sameness, policy);
	pv_url_init(&links->url, pv_policy_address_max(policy));
}

void pv_unasked_links_close(struct pv_unasked_links *links)
{
	pv_state_addresses_finish(&links->addresses);
	pv_sameness_finish(&links->sameness);
	pv_url_finish(&links->url);
}

static bool is_unasked(struct pv_unasked_links *links)
{
	struct pv_state_address address;
	pv_crawl_identity_apply(&links->sameness.identity, &links->url);
	pv_url_drop_credentials(&links->url);
	uint64_t id = pv_state_addresses_find(&links->addresses,
	    pv_fingerprint_of(&links->key, pv_url_page(&links->url)));
	if (!id || !pv_state_addresses_get(&links->addresses, id, &address))
		return !id;
	bool is_left_out = address.state == PV_STATE_REFUSED &&
			   address.verdict.reason == PV_REASON_FOLLOW;
	pv_state_addresses_let_go(&links->addresses);
	return is_left_out;
}

struct looking {
	struct pv_unasked_links *links;
	struct pv_row_page *page;
};

static void on_link(void *ctx, const struct pv_followed *link)
{
	const struct looking *looking = ctx;
	struct pv_unasked_links *links = looking->links;
	struct pv_row_page *page = looking->page;
	if (!links->are_there &&
	    pv_url_join(&links->url, pv_row_page_base(page), link->text,
		page->encoder) == PV_URL_OK)
		links->are_there = is_unasked(links);
}

void pv_unasked_links_look(struct pv_unasked_links *links,
    struct pv_row_page *page, struct pv_rows *rows)
{
	struct looking looking = {links, page};
	pv_links_follow(page, rows, on_link, &looking);
}

#ifndef PAVANE_MIRROR_LINKS_RESTORING_H
#define PAVANE_MIRROR_LINKS_RESTORING_H

#include "mirror/kept/kept_files.h"
#include "mirror/links/rewriter.h"
#include "store/tables/moved_link_table.h"
#include "store/tables/state_addresses.h"

/* Documents of a mirror as they may have come: links that lead to files are the
 * addresses of these again, or what they named before a redirect. Whether a
 * document was rewritten at all, its digest tells: one that was not stays as it
 * is. Links that were relative when it came are whole addresses now, and a base
 * that it named is empty; both mean the same.
 *
 * For one thread; the state is only read. */
struct pv_restorer {
	const struct pv_kept_files *kept;
	struct pv_state_addresses addresses;
	struct pv_moved_link_table moved_table;
	struct pv_moved_links moved; /* of the document */
	struct pv_rewriter rewriter;
	bool is_rewritten;    /* the document: it may have a mark of its
				 encoding that it did not come with */
	struct pv_str file;   /* the same */
	struct pv_buf beside; /* the file that a link leads to */
};

/* What outlives it. */
void pv_restorer_init(struct pv_restorer *restorer,
    struct pv_database *database, const struct pv_kept_files *kept,
    size_t link_max);
void pv_restorer_finish(struct pv_restorer *restorer);

struct pv_kept_document {
	uint64_t id; /* of its address */
	const struct pv_url *url;
	struct pv_str file;   /* below the crawl's directory */
	struct pv_str digest; /* of what came; empty: nobody knows */
	struct pv_str text;
};

/* The text, until the next one. */
struct pv_str pv_restorer_run(
    struct pv_restorer *restorer, const struct pv_kept_document *document);

#endif

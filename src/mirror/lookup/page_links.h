#ifndef PAVANE_MIRROR_LOOKUP_PAGE_LINKS_H
#define PAVANE_MIRROR_LOOKUP_PAGE_LINKS_H

#include "base/digest.h"
#include "base/key_table.h"
#include "mirror/kept/kept_state.h"
#include "parse/joiner.h"

/* Reads documents of a mirror, pages and style sheets, for links to some
 * addresses among all.
 *
 * Links are joined with the address that the document was fetched from, as a
 * crawl does. But a document may have had its links rewritten: then a relative
 * one is the path of a file of the mirror, whatever address it would make. Only
 * where that matters is it found out, by holding the document against the
 * digest of what came.
 */

/* What is looked for: keys of addresses (pv_kept_state_fingerprint), and of
 * files for links that were rewritten (pv_page_links_file_key). */
struct pv_wanted_links {
	struct pv_key_table addresses;
	struct pv_key_table files;
};

void pv_wanted_links_init(struct pv_wanted_links *wanted);
void pv_wanted_links_finish(struct pv_wanted_links *wanted);

/* A document, whose texts are borrowed. */
struct pv_kept_page {
	uint64_t id; /* of its address */
	struct pv_str url;
	struct pv_str file;   /* below the directory */
	struct pv_str digest; /* of what came; empty: unknown */
};

/* Whether the name of a file says that it is a document that is read. */
bool pv_page_links_is_document(struct pv_str file);

/* The key of a file below the directory. */
uint64_t pv_page_links_file_key(
    const struct pv_kept_state *state, struct pv_str file);

/* What reading needs over and over; one for each thread. */
struct pv_page_links {
	const struct pv_kept_state *state;
	const struct pv_wanted_links *wanted;
	uint64_t *found; /* keys, in the order of the links */
	size_t found_count;
	size_t found_size;

	struct pv_links links;
	struct pv_joiner joiner;
	struct pv_joiner file_joiner;
	struct pv_url page;
	struct pv_url file_page; /* as if its file were on a host */
	struct pv_url url;
	struct pv_buf path;
	struct pv_buf text;

	/* of the page that is being read */
	struct pv_str digest;
	bool has_file_joiner; /* it has turned to this page */
	bool is_compared;     /* with its digest ... */
	bool is_rewritten;    /* ... and was found to be another */
};

/* The state and what is wanted outlive it, and stay as they are. */
void pv_page_links_init(struct pv_page_links *links,
    const struct pv_kept_state *state, const struct pv_wanted_links *wanted);
void pv_page_links_finish(struct pv_page_links *links);

/* Finds the wanted ones in a document. False if it cannot be read as a
 * whole. */
bool pv_page_links_read(
    struct pv_page_links *links, const struct pv_kept_page *page);

#endif

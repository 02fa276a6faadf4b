#ifndef PAVANE_MIRROR_LINKS_GUARDS_H
#define PAVANE_MIRROR_LINKS_GUARDS_H

#include "mirror/links/edits.h"
#include "parse/links.h"

/* The attributes of a document that would keep a browser from files in the
 * place of what links led to (struct pv_link_guard), and what it says that it
 * may be made of. Where a link beside one, or any, leads to a file they get a
 * name that means nothing; where none does any more, their own. */
struct pv_guards {
	const struct pv_links *links;
	struct pv_edits *edits; /* in which that is noted */
	size_t done;
	size_t files_end; /* behind the last link that leads to a file */
};

/* One link after the other has been dealt with. */
void pv_guards_pass(struct pv_guards *guards, size_t link, bool leads_to_file);

/* All have. */
void pv_guards_end(const struct pv_guards *guards);

#endif

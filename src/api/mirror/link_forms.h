#ifndef PAVANE_API_MIRROR_LINK_FORMS_H
#define PAVANE_API_MIRROR_LINK_FORMS_H

#include "mirror/lookup/link_check.h"
#include "pavane/pavane.h"

/* The forms in which a link check is written: text for people, JSON and CSV for
 * programs. */
struct pv_link_telling {
	const struct pavane_links_options *options;
	const struct pv_fate *fate; /* that is being told */
	struct pv_str directory;    /* without a slash at its end */
	uint64_t pages;             /* of that address, so far */
	struct pv_buf text;         /* what is to be written next */
};

/* A table of functions, each of which appends to the text. */
struct pv_link_form {
	void (*begin)(struct pv_link_telling *telling);
	void (*on_broken)(struct pv_link_telling *telling);
	void (*on_page)(struct pv_link_telling *telling, struct pv_str url,
	    struct pv_str file);
	void (*on_end)(struct pv_link_telling *telling);
	void (*end)(struct pv_link_telling *telling,
	    const struct pv_link_check_sum *sum);
};

extern const struct pv_link_form pv_link_forms[]; /* by enum
						     pavane_links_form */

#endif

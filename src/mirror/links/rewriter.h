#ifndef PAVANE_MIRROR_LINKS_REWRITER_H
#define PAVANE_MIRROR_LINKS_REWRITER_H

#include "mirror/files/extension.h"
#include "mirror/links/edits.h"
#include "mirror/links/moved_links.h"
#include "mirror/links/repeats.h"
#include "parse/joiner.h"

/* The links of a document, written anew where they stand; all else stays as it
 * is, byte for byte.
 *
 * The caller says for each link what it is to be. The base that a page names is
 * emptied, since no link relies on it any more; and where nothing but the
 * header of the answer told the document's encoding, a mark is put in
 * (mirror/links/encoding_mark.h). Only a document in an encoding such as UTF-16
 * is written in another, UTF-8, and only if one of its links changes. Where a
 * link leads to a file, the attributes beside it by which a browser would not
 * take that file (integrity, crossorigin) become attributes that mean nothing,
 * and so does what a page says of where its parts may come from; and where
 * there is no file any more, they become what they were.
 *
 * Links to a part of the page itself stay: they are right wherever it lies.
 */
struct pv_rewriter {
	struct pv_links own_links;
	const struct pv_links *links; /* of the document */
	struct pv_joiner joiner;
	struct pv_url url; /* of the link that is asked about */
	struct pv_buf address;
	struct pv_buf named;   /* by it, if it does not say so itself; for who
				  is asked */
	struct pv_buf written; /* of one link */
	struct pv_edits edits;
	struct pv_repeats *repeats;
	struct pv_buf text;          /* the document, as it is now */
	struct pv_moved_links moved; /* of it */
	bool has_known;              /* one that had moved before */
};

/* What becomes of a link. */
enum pv_rewriting {
	PV_REWRITING_NONE,  /* it stays as it is */
	PV_REWRITING_LOCAL, /* it stays, and leads to a file beside it */
	PV_REWRITING_TO_FILE,
	PV_REWRITING_TO_MOVED, /* to a file of another address */
	PV_REWRITING_TO_PART,  /* and to a part of it, which the link does not
				  name */
	PV_REWRITING_TO_ADDRESS,
};

/* A link leads to an address of the web, and stands in the document as that
 * text; the new one is appended, if there is to be one. */
typedef enum pv_rewriting (*pv_rewriting_fn)(void *ctx,
    const struct pv_url *url, struct pv_str text, struct pv_buf *address);

struct pv_document {
	struct pv_str text;
	enum pv_document_kind kind;
	struct pv_str charset;    /* that its header named; empty for none */
	const struct pv_url *url; /* its own */

	/* Where it lies, if links that say the same as another of a document
	 * that lies there come to the same, but for their fragments; empty: who
	 * knows? Parts of a document itself are not meant. */
	struct pv_str place;

	/* Its links, mentions included, for who has read them already as that
	 * kind; NULL: they are to be read. */
	const struct pv_links *links;

	/* What some of them named before they led elsewhere, which counts then;
	 * NULL: nothing is known of that. */
	const struct pv_moved_links *moved;
};

/* For links of at most so many bytes. */
void pv_rewriter_init(struct pv_rewriter *rewriter, size_t link_max);
void pv_rewriter_finish(struct pv_rewriter *rewriter);

/* Whether anything has changed: then rewriter->text is the document, until the
 * next one. */
bool pv_rewriter_run(struct pv_rewriter *rewriter,
    const struct pv_document *document, pv_rewriting_fn decide, void *ctx);

/* Makes the whole address of each link that is none; needs no ctx. */
enum pv_rewriting pv_rewriter_make_whole(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address);

/* Whether a text begins as an address that needs no base. */
bool pv_rewriter_is_whole(struct pv_str text);

#endif

#ifndef PAVANE_RECORD_COPY_H
#define PAVANE_RECORD_COPY_H

#include "base/buf.h"
#include "base/digest.h"

/* The copy that we have of an address: what was fetched of it last, how its
 * server calls that version, and where it is kept.
 *
 * With it an update asks whether there is anything new (RFC 9110, 13): a visit
 * carries it packed into one text, since most visits have none.
 */
#define PV_ENTITY_TAG_MAX 1024
#define PV_COPY_TYPE_MAX 255

struct pv_copy {
	struct pv_str entity_tag; /* as it came; empty where there is none */
	int64_t modified_ms;      /* Last-Modified; 0 where there is none */
	struct pv_str file;       /* below the crawl's directory; empty where it
				     is in none */
	struct pv_str type; /* "text/html", in any case; empty where nothing was
			       said, or an older version has kept it */
	uint64_t bytes;     /* of the body, as it came; the same */
	uint8_t digest[PV_DIGEST_SIZE];
	bool has_digest; /* else it is empty */
	bool is_gone;    /* the server has it no more */
	bool is_there;   /* what is to be in the file is, as far as one sees */

	/* How it is to be asked for. */
	bool must_be_read; /* all of it is wanted, whether or not it has
			      changed */
	bool is_as_listed; /* not at all: a sitemap says that it is as it was */
};

void pv_copy_pack(const struct pv_copy *copy, struct pv_buf *packed);

/* False if there is none. Its texts are those of the packed one. */
bool pv_copy_unpack(struct pv_str packed, struct pv_copy *copy);

/* Whether the server can be asked for nothing but what is new. Of what is gone
 * an answer that it is as it was would be one too few. */
bool pv_copy_has_condition(const struct pv_copy *copy);

/* Whether both have the same bytes. */
bool pv_copy_equal(const struct pv_copy *a, const struct pv_copy *b);

#endif

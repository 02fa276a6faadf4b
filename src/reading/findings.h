#ifndef PAVANE_READING_FINDINGS_H
#define PAVANE_READING_FINDINGS_H

#include "base/digest.h"
#include "fields/rows.h"
#include "mirror/kept/dead_ends.h"
#include "record/change.h"
#include "record/copy.h"
#include "record/link.h"
#include "record/terms.h"
#include "robots/matcher.h"
#include "url/url.h"

/* The texts of links, of one answer. */
#define PV_FINDINGS_LINKS_BYTES ((size_t)64 << 20)

/* The links of an answer, each with its verdict. */
struct pv_found_links {
	struct pv_link_list list;
	bool may_lead_further;
	bool has_more;         /* than were taken from it */
	uint32_t gave_up_rule; /* whose pattern took too long; 0 */
	bool has_vouched;      /* there are new vouchers */
	bool is_same_page;     /* it came under so many addresses that no link
				  of it to a page is followed */
	const struct pv_page_kind *leads_only; /* of which kind it is, if that
						  follows links of its own */
};

/* Where a redirect leads. */
struct pv_found_redirect {
	struct pv_buf moved_to;
	enum pv_dead_end dead_end;   /* if that is nothing, why */
	struct pv_buf seed_redirect; /* where a seed was redirected to */
};

/* What a robots.txt says. */
struct pv_found_robots {
	struct pv_robots_rules *rules; /* NULL: it has none, or is none */
	struct pv_buf text;            /* which they were read from */
	bool has_copy;                 /* that text is one */
	bool is_cut;                   /* and not all of it */
	struct pv_url location;        /* where it lies instead ... */
	bool has_location;             /* ... if it does */
};

/* What reading has found in an answer. Reading writes it, in a thread of the
 * pool; from then on nobody does, but that the rules of a robots.txt are
 * taken. */
struct pv_findings {
	/* Its body */
	struct pv_str type; /* what it is taken for, as a Content-Type has it;
			       empty for markup of which nobody knows what it
			       is */
	uint8_t digest[PV_DIGEST_SIZE]; /* SHA-256 of the text */
	bool has_digest;
	bool is_kept; /* it is a page to be kept: answered whole, 2xx, of a
			 type that the policy keeps */
	bool is_bare; /* it is kept, and shows nothing without scripts */
	struct pv_copy copy;   /* that is made of it, if it is kept */
	enum pv_change change; /* against the copy that there was */
	struct pv_terms terms; /* what may be done with it */

	struct pv_rows rows; /* of a page of a kind that the policy has */
	struct pv_found_links links;
	struct pv_found_redirect redirect;
	struct pv_found_robots robots;

	char why[200]; /* for a person: what is to be said of the answer */
};

void pv_findings_init(struct pv_findings *findings);
void pv_findings_finish(struct pv_findings *findings);

/* As after pv_findings_init, the memory kept. */
void pv_findings_clear(struct pv_findings *findings);

/* The memory that they hold. */
size_t pv_findings_bytes(const struct pv_findings *findings);

/* Takes the rules of a robots.txt; NULL if there are none. */
struct pv_robots_rules *pv_findings_take_rules(struct pv_findings *findings);

/* What is worth a word of an answer that is as good as any; the first
 * counts. */
void pv_findings_remark(struct pv_findings *findings, const char *what);

/* The same, behind what is there, for which there is always room. */
void pv_findings_add_remark(struct pv_findings *findings, const char *what);

#endif

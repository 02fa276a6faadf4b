#ifndef PAVANE_RECORD_PAGE_H
#define PAVANE_RECORD_PAGE_H

#include "base/digest.h"
#include "record/change.h"
#include "record/pacing.h"
#include "record/response.h"
#include "record/terms.h"
#include "record/verdict.h"
#include "record/visit.h"

/* A visit with what came of it, on its way to the sinks.
 *
 * What it points to is its maker's. The sinks fill in `file`, `digest` and
 * their part when they prepare it, and read them when it is appended.
 */
#define PV_PAGE_DIGEST_SIZE PV_DIGEST_SIZE
#define PV_PAGE_PARTS_MAX 17

struct pavane_page; /* pavane/events.h */
struct pv_rows;     /* fields/rows.h */

struct pv_page {
	const struct pv_visit *visit; /* its texts included */
	struct pv_str host;
	const struct pv_response *response; /* NULL: it was not asked for */
	struct pv_verdict verdict;          /* why not, where it was not */
	bool is_robots;                     /* no visit of the frontier's, but
					       a robots.txt ... */
	struct pv_str robots_of;            /* ... of this authority, where it
					       was redirected */
	bool is_probe;                      /* none either, but asked for only
					       to see whether its host is
					       well */

	/* The body with its coding undone, or as it came where that could not
	 * be done; empty if there was none, or it was not kept. */
	struct pv_str text;
	bool is_mapped;          /* it lies in a file: a reader of all of it
				    takes pieces (base/pieces.h) */
	struct pv_str type;      /* what the body is taken for, as a
				    Content-Type has it; empty for markup of
				    which nobody knows what it is */
	struct pv_str moved_to;  /* where it redirects; empty: nowhere */
	struct pv_str rewritten; /* what is kept instead; ptr is NULL: itself */
	bool is_kept; /* that it is a page to be kept: answered whole, 2xx, of
			 a type that the policy keeps */

	enum pv_change change; /* what an update has found out; as it is to be
				  told, when it is appended */

	struct pv_pacing pacing;
	const struct pv_terms *terms; /* what was said of what may be done with
					 it; NULL: nothing */
	const struct pv_rows *rows;   /* that its fields gave; NULL: none */
	const char *word; /* why the program that runs the crawl refused it;
			     NULL: it did not */
	const char *why;  /* what is to be said of the answer; NULL: what the
			    response says */
	const struct pavane_page *shown; /* the same for the program, while it
					    is prepared; NULL: it is none that
					    the program is shown */

	int64_t wall_ms; /* when it was sent, or refused */
	int64_t wait_ms; /* how long it was held back by its host's clock, or
			    negative */

	/* the sinks' */
	uint8_t digest[PV_PAGE_DIGEST_SIZE]; /* SHA-256 of `text` */
	bool has_digest;
	struct pv_buf file; /* below the directory; empty where it is in none */
	struct pv_buf parts[PV_PAGE_PARTS_MAX]; /* what each has prepared of
						   it */
	bool is_shown;   /* the program has prepared its own of it */
	char fault[200]; /* why it could not be kept: "" where it was */
	int error;       /* the errno of it; 0 where there is none */
};

void pv_page_init(struct pv_page *page);
void pv_page_finish(struct pv_page *page);

/* That of an address which is refused by its standing: its visit and its host
 * are borrowed. */
void pv_page_refuse(struct pv_page *page, const struct pv_visit *visit,
    struct pv_str host, int64_t wall_ms);

/* It cannot be kept, for that reason; the errno, or 0. */
void pv_page_fail(struct pv_page *page, const char *fault, int error);

/* Computes the digest of its text, if there is none. */
void pv_page_digest(struct pv_page *page);

/* The memory that the sinks have made of it. */
size_t pv_page_bytes(const struct pv_page *page);

/* As after pv_page_init, the memory kept. */
void pv_page_clear(struct pv_page *page);

#endif

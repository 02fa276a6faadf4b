#include "crawl/decoding.h"

#include <errno.h>
#include <stdio.h>

#include "base/coding.h"
#include "crawl/open_visit.h"

/* Pages unpack to twenty times their size at most, or so; what unpacks to so
 * many times that is made to do harm. */
#define RATIO_MAX 200

#define NAMES_MAX ((size_t)256)

/* A coding within another may unpack to so much more than what is kept. */
#define WITHIN_BYTES ((uint64_t)1 << 20)

/* What is decoded goes up to the ceiling, to the byte: of a robots.txt so much
 * counts. */
struct keeping {
	struct pv_body *body;
	int error; /* the disk is in the way, and why; 0 */
};

static bool keep(void *ctx, struct pv_str bytes)
{
	struct keeping *keeping = ctx;
	uint64_t room = keeping->body->ceiling - keeping->body->size;
	bool fits = bytes.len <= room;
	struct pv_str kept = fits ? bytes : pv_str_head(bytes, (size_t)room);
	if (pv_body_append(keeping->body, kept) == PV_BODY_FAILED)
		keeping->error = errno;
	return fits && !keeping->error;
}

/* All fields of that name are one list (RFC 9110, 5.3). */
static void join_names(const struct pv_headers *headers, struct pv_buf *names)
{
	struct pv_str value;
	size_t at = 0;
	while (
	    pv_headers_next(headers, PV_STR("Content-Encoding"), &at, &value)) {
		if (names->len)
			pv_buf_append_char(names, ',');
		pv_buf_append(names, value);
	}
}

static void tell(struct pv_open *open, enum pv_outcome outcome, const char *why)
{
	if (outcome != PV_OUTCOME_NONE)
		open->response.outcome = outcome;
	snprintf(open->response.why, sizeof(open->response.why), "%s", why);
}

/* That we cannot read it says nothing about the page. */
static void give_up(struct pv_open *open, int error)
{
	open->is_abandoned = true;
	snprintf(open->page.fault, sizeof(open->page.fault),
	    "an answer cannot be kept until it is read: %s", strerror(error));
}

static void use(struct pv_open *open, struct pv_body *body)
{
	open->page.text = pv_body_text(body);
	if (!open->page.text.ptr)
		give_up(open, errno);
}

/* Of what is cut off the beginning is left, for those whom it is enough. */
static void take(struct pv_open *open, enum pv_coding_result result)
{
	const char *text = pv_coding_result_text(result);
	bool was_cut = open->response.outcome == PV_OUTCOME_TOO_LARGE;
	switch (result) {
	case PV_CODING_WHOLE:
		use(open, &open->decoded);
		break;
	case PV_CODING_CUT:
		use(open, &open->decoded);
		if (!was_cut)
			tell(open, PV_OUTCOME_BROKEN_OFF, text);
		break;
	case PV_CODING_PLAIN:
	case PV_CODING_UNKNOWN:
		use(open, &open->response.body);
		tell(open, PV_OUTCOME_NONE, text);
		break;
	case PV_CODING_STOPPED:
		use(open, &open->decoded);
		tell(open, PV_OUTCOME_TOO_LARGE,
		    "it unpacks to more than fetch.max_size");
		break;
	case PV_CODING_TOO_LARGE:
	case PV_CODING_TOO_STEEP:
		use(open, &open->decoded);
		tell(open, PV_OUTCOME_TOO_LARGE, text);
		break;
	default:
		tell(open, PV_OUTCOME_BROKEN_OFF, text);
		break;
	}
}

static uint64_t ceiling_within(const struct pv_open *open)
{
	uint64_t ceiling = open->decoded.ceiling;
	return ceiling < UINT64_MAX - WITHIN_BYTES ? ceiling + WITHIN_BYTES
						   : UINT64_MAX;
}

static void undo(struct pv_open *open, struct pv_str names)
{
	struct keeping keeping = {.body = &open->decoded};
	struct pv_coding_plan plan = {
	    .bytes_max = ceiling_within(open),
	    .ratio_max = RATIO_MAX,
	    .give = keep,
	    .ctx = &keeping,
	};
	struct pv_str coded = pv_body_text(&open->response.body);
	if (!coded.ptr) {
		give_up(open, errno);
		return;
	}
	enum pv_coding_result result = pv_coding_undo(names, coded, &plan);
	if (keeping.error)
		give_up(open, keeping.error);
	else
		take(open, result);
}

void pv_decoding_run(struct pv_open *open)
{
	struct pv_buf names;
	if (open->response.outcome != PV_OUTCOME_ANSWERED &&
	    open->response.outcome != PV_OUTCOME_TOO_LARGE)
		return;
	pv_buf_init(&names, NAMES_MAX);
	join_names(&open->response.headers, &names);
	if (names.is_full)
		take(open, PV_CODING_UNKNOWN);
	else if (names.len && open->response.body.size)
		undo(open, pv_buf_str(&names));
	else
		use(open, &open->response.body);
	pv_buf_finish(&names);
}

#include "crawl/decoding.h"

#include <stdio.h>

#include "base/coding.h"
#include "crawl/open_visit.h"

/* Pages unpack to twenty times their size at most, or so; what unpacks to so
 * many times that is made to do harm. */
#define RATIO_MAX 200

#define NAMES_MAX ((size_t)256)

static bool keep(void *ctx, struct pv_str bytes)
{
	return pv_body_append(ctx, bytes) == PV_BODY_OK;
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

static void take(struct pv_open *open, enum pv_coding_result result)
{
	const char *text = pv_coding_result_text(result);
	switch (result) {
	case PV_CODING_WHOLE:
		open->page.text = pv_body_text(&open->decoded);
		break;
	case PV_CODING_PLAIN:
	case PV_CODING_UNKNOWN:
		open->page.text = pv_body_text(&open->response.body);
		tell(open, PV_OUTCOME_NONE, text);
		break;
	case PV_CODING_STOPPED:
		tell(open, PV_OUTCOME_TOO_LARGE,
		    "it unpacks to more than fetch.max_size");
		break;
	case PV_CODING_TOO_LARGE:
	case PV_CODING_TOO_STEEP:
		tell(open, PV_OUTCOME_TOO_LARGE, text);
		break;
	default:
		tell(open, PV_OUTCOME_BROKEN_OFF, text);
		break;
	}
}

void pv_decoding_run(struct pv_open *open)
{
	struct pv_buf names;
	struct pv_coding_plan plan = {
	    .bytes_max = open->decoded.ceiling,
	    .ratio_max = RATIO_MAX,
	    .give = keep,
	    .ctx = &open->decoded,
	};
	if (open->response.outcome != PV_OUTCOME_ANSWERED &&
	    open->response.outcome != PV_OUTCOME_TOO_LARGE)
		return;
	pv_buf_init(&names, NAMES_MAX);
	join_names(&open->response.headers, &names);
	if (names.len && open->response.body.size)
		take(open, pv_coding_undo(pv_buf_str(&names),
			       pv_body_text(&open->response.body), &plan));
	else
		open->page.text = pv_body_text(&open->response.body);
	pv_buf_finish(&names);
}

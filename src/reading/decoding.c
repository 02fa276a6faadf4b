#include "reading/decoding.h"

#include <errno.h>
#include <stdio.h>

#include "base/coding.h"
#include "http/file_type.h"
#include "http/first_bytes.h"
#include "http/media_type.h"
#include "http/status.h"
#include "robots/robots.h"

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

static void tell(
    struct pv_decoding *decoding, enum pv_outcome outcome, const char *why)
{
	struct pv_response *response = decoding->response;
	pv_response_fail(response,
	    outcome != PV_OUTCOME_NONE ? outcome : response->outcome, why);
}

static void use(struct pv_decoding *decoding, struct pv_body *body)
{
	decoding->text = pv_body_text(body);
	decoding->is_mapped = pv_body_is_mapped(body);
	if (!decoding->text.ptr)
		decoding->error = errno;
}

/* A robots.txt */

static bool has_rules(struct pv_str text)
{
	const struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots *robots =
	    pv_robots_create(text, false, &ceilings, NULL);
	bool has_agents = robots->agent_count > 0;
	pv_robots_destroy(robots);
	return has_agents;
}

static bool is_binary(struct pv_str text)
{
	return pv_first_bytes_signature(text).len > 0 ||
	       pv_str_equal(pv_first_bytes_type(text),
		   PV_STR("application/octet-stream"));
}

/* Whether what is left after the coding can be what its author wrote. Some
 * servers name a charset as the coding: then it has rules. */
static bool is_legible(const struct pv_decoding *decoding)
{
	switch (decoding->response->coding) {
	case PV_CODING_UNKNOWN:
		return has_rules(decoding->text);
	case PV_CODING_PLAIN:
		return !is_binary(decoding->text) || has_rules(decoding->text);
	default:
		return decoding->text.len > 0 ||
		       decoding->response->coding == PV_CODING_WHOLE;
	}
}

static void look_at_robots(struct pv_decoding *decoding)
{
	struct pv_response *response = decoding->response;
	if (!decoding->error &&
	    pv_http_class(response->http_status) == PV_HTTP_SUCCESS &&
	    !is_legible(decoding))
		tell(decoding, PV_OUTCOME_BROKEN_OFF,
		    pv_coding_result_text(response->coding));
}

/* Of what is cut off the beginning is left, for those whom it is enough. */
static void take(struct pv_decoding *decoding, enum pv_coding_result result)
{
	const char *text = pv_coding_result_text(result);
	bool was_cut = decoding->response->outcome == PV_OUTCOME_TOO_LARGE;
	decoding->response->coding = result;
	switch (result) {
	case PV_CODING_WHOLE:
		use(decoding, decoding->body);
		break;
	case PV_CODING_CUT:
		use(decoding, decoding->body);
		if (!was_cut)
			tell(decoding, PV_OUTCOME_BROKEN_OFF, text);
		break;
	case PV_CODING_PLAIN:
	case PV_CODING_UNKNOWN:
		use(decoding, &decoding->response->body);
		tell(decoding, PV_OUTCOME_NONE, text);
		break;
	case PV_CODING_STOPPED:
		use(decoding, decoding->body);
		tell(decoding, PV_OUTCOME_TOO_LARGE,
		    "it unpacks to more than fetch.max_size");
		break;
	case PV_CODING_TOO_LARGE:
	case PV_CODING_TOO_STEEP:
		use(decoding, decoding->body);
		tell(decoding, PV_OUTCOME_TOO_LARGE, text);
		break;
	default:
		tell(decoding, PV_OUTCOME_BROKEN_OFF, text);
		break;
	}
}

static uint64_t ceiling_within(const struct pv_decoding *decoding)
{
	uint64_t ceiling = decoding->body->ceiling;
	return ceiling < UINT64_MAX - WITHIN_BYTES ? ceiling + WITHIN_BYTES
						   : UINT64_MAX;
}

static enum pv_coding_result undo_pieces(struct pv_str names,
    struct pv_body *coded, const struct pv_coding_plan *plan)
{
	struct pv_coding *coding = pv_coding_create(names, plan);
	struct pv_pieces pieces = pv_body_pieces(coded);
	struct pv_str piece;
	while (pv_pieces_next(&pieces, &piece))
		pv_coding_append(coding, piece);
	enum pv_coding_result result = pv_coding_end(coding);
	pv_coding_destroy(coding);
	return result;
}

static void undo(struct pv_decoding *decoding, struct pv_str names)
{
	struct keeping keeping = {.body = decoding->body};
	struct pv_coding_plan plan = {
	    .bytes_max = ceiling_within(decoding),
	    .ratio_max = RATIO_MAX,
	    .give = keep,
	    .ctx = &keeping,
	};
	struct pv_body *coded = &decoding->response->body;
	if (!pv_body_text(coded).ptr) {
		decoding->error = errno;
		return;
	}
	enum pv_coding_result result = undo_pieces(names, coded, &plan);
	decoding->error = keeping.error;
	if (!keeping.error)
		take(decoding, result);
}

static bool is_called_gzip(struct pv_str path)
{
	const char *const *types = pv_file_types(path);
	return types && strcmp(types[0], "application/gzip") == 0;
}

/* As Chromium and Firefox see it: by its type, or by its name where it is to be
 * saved as a file. */
static bool is_gzip_itself(
    const struct pv_decoding *decoding, struct pv_str names)
{
	static const char *const packed[] = {
	    "application/gzip", "application/x-gzip", "application/x-gunzip"};
	static const char *const saved[] = {"application/octet-stream",
	    "application/x-tar", "application/x-gtar",
	    "application/x-compressed-tar"};
	struct pv_media_type type;
	if (decoding->is_robots)
		return false;
	struct pv_str said = pv_headers_get(
	    &decoding->response->headers, PV_STR("Content-Type"));
	if ((!pv_str_equal_nocase(names, PV_STR("gzip")) &&
		!pv_str_equal_nocase(names, PV_STR("x-gzip"))) ||
	    !pv_media_type_read(said, &type))
		return false;
	return pv_media_type_is_among(
		   type.name, packed, sizeof(packed) / sizeof(*packed)) ||
	       (is_called_gzip(decoding->path) &&
		   pv_media_type_is_among(
		       type.name, saved, sizeof(saved) / sizeof(*saved)));
}

/* A robots.txt that is a file of gzip, of which nothing says so. */
static bool is_packed_robots(const struct pv_decoding *decoding)
{
	struct pv_str text = pv_body_text(&decoding->response->body);
	return decoding->is_robots && text.ptr &&
	       pv_str_equal(
		   pv_first_bytes_signature(text), PV_STR("application/gzip"));
}

static void undo_named(struct pv_decoding *decoding, const struct pv_buf *names)
{
	struct pv_body *body = &decoding->response->body;
	if (names->is_full)
		take(decoding, PV_CODING_UNKNOWN);
	else if (names->len && body->size &&
		 !is_gzip_itself(decoding, pv_buf_str(names)))
		undo(decoding, pv_buf_str(names));
	else if (!names->len && is_packed_robots(decoding))
		undo(decoding, PV_STR("gzip"));
	else
		use(decoding, body);
}

void pv_decoding_undo(struct pv_decoding *decoding)
{
	struct pv_response *response = decoding->response;
	struct pv_buf names;
	if (response->outcome != PV_OUTCOME_ANSWERED &&
	    response->outcome != PV_OUTCOME_TOO_LARGE)
		return;
	pv_buf_init(&names, NAMES_MAX);
	join_names(&response->headers, &names);
	undo_named(decoding, &names);
	if (decoding->is_robots)
		look_at_robots(decoding);
	pv_buf_finish(&names);
}

#include "fetch/arrival.h"

#include <errno.h>

#include "base/ascii.h"
#include "fetch/ending.h"
#include "http/media_type.h"
#include "http/status.h"
#include "policy/values/units.h"
#include "record/part.h"

static bool refuse_size(struct pv_response *response, const char *what)
{
	pv_ending_set(response, PV_OUTCOME_TOO_LARGE, "%s", what);
	return false;
}

static bool refuse_form(struct pv_response *response, const char *what)
{
	pv_ending_set(response, PV_OUTCOME_NOT_HTTP, "%s", what);
	return false;
}

/* The status line */

static bool begin_head(struct pv_arrival *arrival, struct pv_str line,
    struct pv_status_line status)
{
	struct pv_response *response = arrival->response;
	response->stage = PV_STAGE_HEADER;
	response->http_status = status.status;
	response->http_version = status.version;
	arrival->part = PV_ARRIVAL_HEADERS;
	if (line.len > PV_ARRIVAL_STATUS_LINE_MAX)
		return refuse_size(response, "its status line is too long");
	if (status.status == 101)
		return refuse_form(response,
		    "it switches to another protocol without a request for "
		    "that");
	if (pv_http_class(status.status) == PV_HTTP_INFORMATION &&
	    ++arrival->interim > PV_ARRIVAL_INTERIM_MAX)
		return refuse_size(
		    response, "it has too many interim responses");
	return true;
}

/* Header lines */

static struct pv_str name_of(struct pv_str line)
{
	size_t colon = pv_str_find(line, ':');
	return colon == PV_NOT_FOUND ? (struct pv_str){"", 0}
				     : pv_str_trim(pv_str_head(line, colon));
}

/* libcurl does not put folded lines together, so it would read another framing
 * than a program that does. */
static bool is_fold_of_framing(
    const struct pv_headers *headers, struct pv_str line)
{
	if (!line.len || !pv_is_blank(line.ptr[0]) || !headers->count)
		return false;
	return pv_framing_is_header(
	    pv_headers_at(headers, headers->count - 1).name);
}

static bool add_header(struct pv_arrival *arrival, struct pv_str line)
{
	struct pv_response *response = arrival->response;
	if (is_fold_of_framing(&response->headers, line))
		return refuse_form(response,
		    "its Content-Length or Transfer-Encoding "
		    "header is folded");
	enum pv_header_result result =
	    pv_headers_add_line(&response->headers, line);
	if (result == PV_HEADER_ADDED)
		return true;
	if (result == PV_HEADER_TOO_MANY)
		return refuse_size(response, "it has too many headers");
	if (pv_framing_is_header(name_of(line)))
		return refuse_form(response,
		    "its Content-Length or Transfer-Encoding header is "
		    "malformed");
	return true;
}

/* The end of the headers */

static bool is_interim(const struct pv_response *response)
{
	return pv_http_class(response->http_status) == PV_HTTP_INFORMATION;
}

static bool is_end_of_head(struct pv_str line)
{
	return pv_str_equal(line, PV_STR("\r\n")) ||
	       pv_str_equal(line, PV_STR("\n"));
}

/* The type that it says it has; of what says nothing, all that is known is
 * that it consists of bytes (RFC 9110, 8.3). */
static struct pv_str type_of(const struct pv_headers *headers)
{
	struct pv_media_type type;
	struct pv_str value = pv_headers_get(headers, PV_STR("Content-Type"));
	if (!pv_media_type_read(value, &type))
		return PV_STR("application/octet-stream");
	return type.name;
}

static bool check_type(struct pv_arrival *arrival)
{
	struct pv_response *response = arrival->response;
	if (!arrival->accept || !arrival->accept->count ||
	    response->http_status == 206 ||
	    arrival->plan.framing == PV_FRAMING_NONE ||
	    pv_http_class(response->http_status) != PV_HTTP_SUCCESS)
		return true;
	struct pv_str type = type_of(&response->headers);
	if (pv_media_type_is_among(
		type, arrival->accept->items, arrival->accept->count))
		return true;
	pv_ending_set(response, PV_OUTCOME_NOT_ACCEPTED,
	    "fetch.accept does not list %.*s", PV_STR_ARG(type));
	return false;
}

static bool refuse_body(struct pv_response *response, uint64_t length)
{
	struct pv_buf ceiling;
	uint64_t most = response->body.ceiling;
	pv_buf_init(&ceiling, 32);
	pv_unit_write(PV_UNIT_SIZE,
	    most < INT64_MAX ? (int64_t)most : INT64_MAX, &ceiling);
	if (length == PV_LENGTH_UNKNOWN)
		pv_ending_set(response, PV_OUTCOME_TOO_LARGE,
		    "its body is longer than %s", pv_buf_text(&ceiling));
	else
		pv_ending_set(response, PV_OUTCOME_TOO_LARGE,
		    "its body has %llu bytes, more than %s",
		    (unsigned long long)length, pv_buf_text(&ceiling));
	pv_buf_finish(&ceiling);
	return false;
}

static bool check_length(const struct pv_arrival *arrival)
{
	struct pv_response *response = arrival->response;
	uint64_t length = arrival->plan.length;
	if (length == PV_LENGTH_UNKNOWN || length <= response->body.ceiling ||
	    arrival->is_beginning_enough)
		return true;
	return refuse_body(response, length);
}

/* The rest of a part */

static bool refuse_part(struct pv_response *response, const char *what)
{
	response->is_misfit = true;
	pv_ending_set(response, PV_OUTCOME_BROKEN_OFF, "%s", what);
	return false;
}

/* Whether a part is what was asked for; no more of it is taken than that. */
static bool check_part(struct pv_arrival *arrival)
{
	struct pv_response *response = arrival->response;
	const struct pv_part *part = arrival->wanted;
	uint64_t length = arrival->plan.length;
	if (!part)
		return refuse_form(response,
		    "it is a partial answer, but the whole was "
		    "requested");
	const char *misfit = pv_part_misfit(part, response);
	if (misfit)
		return refuse_part(response, misfit);
	uint64_t rest = part->complete - part->size;
	if (length != PV_LENGTH_UNKNOWN && length != rest)
		return refuse_part(response,
		    "the rest of the body has not the announced length");
	if (rest < response->body.ceiling)
		response->body.ceiling = rest;
	return true;
}

/* Of two, one client may follow the first and another the second (RFC 9110,
 * 5.3). Two that are the same are one. */
static bool has_two_locations(const struct pv_response *response)
{
	struct pv_str first, other;
	size_t at = 0;
	if (!pv_http_is_redirect(response->http_status) ||
	    !pv_headers_next(
		&response->headers, PV_STR("Location"), &at, &first))
		return false;
	while (pv_headers_next(
	    &response->headers, PV_STR("Location"), &at, &other)) {
		if (!pv_str_equal(first, other))
			return true;
	}
	return false;
}

static bool end_head(struct pv_arrival *arrival)
{
	struct pv_response *response = arrival->response;
	if (is_interim(response)) {
		pv_headers_clear(&response->headers);
		response->http_status = 0;
		arrival->part = PV_ARRIVAL_STATUS;
		return true;
	}
	const char *fault = pv_framing_read(response, &arrival->plan);
	if (fault)
		return refuse_form(response, fault);
	if (has_two_locations(response))
		return refuse_form(
		    response, "it has two different Location headers");
	if (response->http_status == 206 && !check_part(arrival))
		return false;
	if (response->http_status == 304 && !arrival->is_conditional)
		return refuse_form(
		    response, "it is a 304 to a request without conditions");
	response->length = arrival->plan.length;
	arrival->part = PV_ARRIVAL_BODY;
	response->stage = PV_STAGE_BODY;
	response->framing = arrival->plan.framing;
	return check_type(arrival) && check_length(arrival);
}

static bool count_trailer(struct pv_arrival *arrival)
{
	const struct pv_headers *headers = &arrival->response->headers;
	if (headers->count + ++arrival->trailers <= headers->count_max)
		return true;
	return refuse_size(arrival->response, "it has too many trailers");
}

bool pv_arrival_add_line(struct pv_arrival *arrival, struct pv_str line,
    struct pv_status_line status)
{
	struct pv_response *response = arrival->response;
	response->head_bytes += line.len;
	if (response->head_bytes > PV_ARRIVAL_HEAD_MAX)
		return refuse_size(response, "its headers are too long");
	switch (arrival->part) {
	case PV_ARRIVAL_STATUS:
		return begin_head(arrival, line, status);
	case PV_ARRIVAL_HEADERS:
		if (is_end_of_head(line))
			return end_head(arrival);
		return add_header(arrival, line);
	case PV_ARRIVAL_BODY:
		return count_trailer(arrival);
	}
	return false;
}

/* `error`: errno of what kept its bytes from being kept. */
static bool refuse_keeping(struct pv_response *response, int error)
{
	if (!pv_ending_is_own_error(error))
		response->disk_error = error;
	pv_ending_set_own(response, PV_OUTCOME_BROKEN_OFF,
	    "its body cannot be stored", error);
	return false;
}

bool pv_arrival_end_body(struct pv_arrival *arrival)
{
	struct pv_response *response = arrival->response;
	return pv_body_flush(&response->body) == PV_BODY_OK ||
	       refuse_keeping(response, errno);
}

bool pv_arrival_add_body(struct pv_arrival *arrival, struct pv_str bytes)
{
	struct pv_response *response = arrival->response;
	struct pv_body *body = &response->body;
	uint64_t room = body->ceiling - body->size;
	bool is_longer = bytes.len > room;
	if (is_longer)
		bytes.len = (size_t)room;
	if (pv_body_append(body, bytes) != PV_BODY_OK)
		return refuse_keeping(response, errno);
	if (is_longer && response->http_status == 206)
		return refuse_part(
		    response, "it has more bytes than the requested rest");
	return !is_longer || refuse_body(response, PV_LENGTH_UNKNOWN);
}

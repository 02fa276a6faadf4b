#include "fetch/framing.h"

#include "base/reader.h"

#define CONTENT_LENGTH PV_STR("Content-Length")
#define TRANSFER_ENCODING PV_STR("Transfer-Encoding")

/* Larger numbers do not fit into what libcurl counts with. */
#define LENGTH_MAX ((uint64_t)INT64_MAX)

static const char *const bad_length = "its Content-Length is not a number";

bool pv_framing_is_header(struct pv_str name)
{
	return pv_str_equal_nocase(name, CONTENT_LENGTH) ||
	       pv_str_equal_nocase(name, TRANSFER_ENCODING);
}

static struct pv_str take_item(struct pv_reader *reader)
{
	struct pv_str item = pv_reader_take_until(reader, ',');
	return pv_str_trim(item);
}

/* One number, maybe several times (RFC 9110, 8.6). */
static const char *read_lengths(struct pv_str value, uint64_t *length)
{
	struct pv_reader list = pv_reader_of(value);
	do {
		struct pv_reader item = pv_reader_of(take_item(&list));
		uint64_t number;
		if (!pv_reader_take_number(&item, LENGTH_MAX, &number) ||
		    !pv_reader_is_end(&item))
			return bad_length;
		if (*length != PV_LENGTH_UNKNOWN && *length != number)
			return "it has two different lengths";
		*length = number;
	} while (pv_reader_accept(&list, ','));
	return NULL;
}

static const char *read_length(
    const struct pv_headers *headers, uint64_t *length)
{
	const char *fault = NULL;
	struct pv_str value;
	size_t at = 0;
	while (!fault && pv_headers_next(headers, CONTENT_LENGTH, &at, &value))
		fault = read_lengths(value, length);
	return fault;
}

static bool is_chunked(const struct pv_headers *headers)
{
	struct pv_str value;
	size_t at = 0;
	while (pv_headers_next(headers, TRANSFER_ENCODING, &at, &value)) {
		struct pv_reader list = pv_reader_of(value);
		do {
			if (pv_str_equal_nocase(
				take_item(&list), PV_STR("chunked")))
				return true;
		} while (pv_reader_accept(&list, ','));
	}
	return false;
}

static bool has_header(const struct pv_headers *headers, struct pv_str name)
{
	return pv_headers_get(headers, name).ptr != NULL;
}

/* There is no body, whatever the headers say. That of a 304 tell of another
 * response's; after a 204, a server that announces a body may send one. */
static void plan_nothing(
    const struct pv_response *response, struct pv_framing_plan *plan)
{
	const struct pv_headers *headers = &response->headers;
	uint64_t length = PV_LENGTH_UNKNOWN;
	plan->framing = PV_FRAMING_NONE;
	plan->is_last = response->http_status == 204 &&
			(has_header(headers, TRANSFER_ENCODING) ||
			    read_length(headers, &length) != NULL ||
			    (length != PV_LENGTH_UNKNOWN && length > 0));
}

const char *pv_framing_read(
    const struct pv_response *response, struct pv_framing_plan *plan)
{
	const struct pv_headers *headers = &response->headers;
	*plan = (struct pv_framing_plan){
	    .framing = PV_FRAMING_CLOSE, .length = PV_LENGTH_UNKNOWN};
	if (response->http_status == 204 || response->http_status == 304) {
		plan_nothing(response, plan);
		return NULL;
	}
	if (response->http_version < 20 &&
	    has_header(headers, TRANSFER_ENCODING)) {
		plan->is_last = has_header(headers, CONTENT_LENGTH);
		if (is_chunked(headers))
			plan->framing = PV_FRAMING_CHUNKED;
		return NULL;
	}
	const char *fault = read_length(headers, &plan->length);
	if (response->http_version >= 20)
		plan->framing = PV_FRAMING_STREAM;
	else if (plan->length != PV_LENGTH_UNKNOWN)
		plan->framing = PV_FRAMING_LENGTH;
	return fault;
}

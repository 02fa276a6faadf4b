#include <stdint.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/reader.h"
#include "fetch/arrival.h"
#include "fetch/ending.h"
#include "http/content_range.h"
#include "record/part.h"

/* Takes a message as it comes in: lines that end in LF up to an empty one, for
 * as many interim responses as there are, and a body, in pieces.
 *
 * What must hold: nothing outgrows its ceiling, whatever is refused is refused
 * with a sentence that is safe to print, and nothing else has one.
 */

#define BODY_MAX 500
#define PIECE 100

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

/* As libcurl reads them; what it would not take is no head at all. */
static bool read_status(struct pv_str line, struct pv_status_line *status)
{
	struct pv_reader reader = pv_reader_of(line);
	uint64_t number;
	if (!pv_reader_accept_str(&reader, PV_STR("HTTP/")))
		return false;
	status->version = pv_reader_accept(&reader, '2') ? 20 : 11;
	pv_reader_take_until(&reader, ' ');
	if (!pv_reader_accept(&reader, ' ') ||
	    !pv_reader_take_number(&reader, 999, &number) || number < 100)
		return false;
	status->status = (uint16_t)number;
	return true;
}

static bool add_lines(struct pv_arrival *arrival, struct pv_reader *reader)
{
	while (!pv_reader_is_end(reader) && arrival->part != PV_ARRIVAL_BODY) {
		struct pv_status_line status = {0, 0};
		struct pv_str line = pv_reader_take_until(reader, '\n');
		line.len += pv_reader_accept(reader, '\n');
		if (arrival->part == PV_ARRIVAL_STATUS &&
		    !read_status(line, &status))
			return true;
		if (!pv_arrival_add_line(arrival, line, status))
			return false;
	}
	return true;
}

static bool add_body(struct pv_arrival *arrival, struct pv_reader *reader)
{
	while (!pv_reader_is_end(reader) && arrival->part == PV_ARRIVAL_BODY)
		if (!pv_arrival_add_body(
			arrival, pv_reader_take(reader, PIECE)))
			return false;
	return true;
}

static void check(const struct pv_response *response, bool is_taken)
{
	require(pv_ending_is_set(response) == !is_taken);
	require((response->why[0] == '\0') == is_taken);
	for (const char *byte = response->why; *byte; byte++)
		require(!pv_is_control((unsigned char)*byte));
	require(response->body.size <= BODY_MAX);
	require(response->headers.count <= response->headers.count_max);
	require(response->http_status != 101 || !is_taken);
}

/* The rest of nine bytes of which four are there. */
static const struct pv_part wanted = {
    .size = 4, .complete = 9, .validator = PV_STR("\"a\"")};

/* Of a part only what was asked for is taken. */
static void check_part(const struct pv_arrival *arrival)
{
	const struct pv_response *response = arrival->response;
	struct pv_content_range taken;
	struct pv_str range =
	    pv_headers_get(&response->headers, PV_STR("Content-Range"));
	if (response->http_status != 206 || response->stage < PV_STAGE_BODY)
		return;
	require(arrival->wanted != NULL);
	require(response->body.size <= 5);
	require(pv_content_range_read(range, &taken) && taken.first == 4 &&
		taken.last == 8 && taken.complete == 9);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *items[] = {"text/*"};
	const struct pv_texts accept = {items, 1};
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_response response;
	pv_response_init(&response, ".", BODY_MAX);
	struct pv_arrival arrival = {.response = &response};
	if (size % 2)
		arrival.accept = &accept;
	if (size % 3 == 0)
		arrival.wanted = &wanted;
	bool is_taken =
	    add_lines(&arrival, &reader) && add_body(&arrival, &reader);
	check(&response, is_taken);
	check_part(&arrival);
	pv_response_finish(&response);
	return 0;
}

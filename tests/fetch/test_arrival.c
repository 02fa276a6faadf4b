#include "fetch/arrival.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "record/part.h"
#include "tap.h"

#define BODY_MAX 1000

static void begin(struct pv_arrival *arrival, struct pv_response *response)
{
	pv_response_init(response, ".", BODY_MAX);
	*arrival = (struct pv_arrival){.response = response};
}

static bool add_status(struct pv_arrival *arrival, uint16_t status)
{
	char line[64];
	snprintf(line, sizeof(line), "HTTP/1.1 %u x\r\n", (unsigned)status);
	return pv_arrival_add_line(
	    arrival, pv_str_of(line), (struct pv_status_line){status, 11});
}

static bool add_line(struct pv_arrival *arrival, struct pv_str line)
{
	return pv_arrival_add_line(
	    arrival, line, (struct pv_status_line){0, 0});
}

static bool end_head(struct pv_arrival *arrival)
{
	return add_line(arrival, PV_STR("\r\n"));
}

/* Lines of a head in their order, and what comes of them. */
static const struct {
	const char *claim;
	struct pv_str lines[4];
	bool is_taken;
	size_t count;    /* of headers that are kept */
	const char *why; /* where it is not taken */
} heads[] = {
    {"a good header is kept", {PV_STR("A: b\r\n")}, true, 1, NULL},
    {"half a line end is one", {PV_STR("A: b\n")}, true, 1, NULL},
    {"a bare CR leaves its line out",
	{PV_STR("A: b\rC: d\r\n"), PV_STR("E: f\r\n")}, true, 1, NULL},
    {"a space before the colon too", {PV_STR("A : b\r\n")}, true, 0, NULL},
    {"an escape sequence too", {PV_STR("A: \x1b[2J\r\n")}, true, 0, NULL},
    {"a folded line is put together", {PV_STR("A: b\r\n"), PV_STR("  c\r\n")},
	true, 1, NULL},
    {"a folded first line is left out", {PV_STR(" c\r\n")}, true, 0, NULL},
    {"a folded length is refused",
	{PV_STR("Content-Length:\r\n"), PV_STR(" 5\r\n")}, false, 0, "folded"},
    {"a folded coding too",
	{PV_STR("Transfer-Encoding: x,\r\n"), PV_STR("\tchunked\r\n")}, false,
	0, "folded"},
    {"a length that is left out is refused", {PV_STR("Content-Length : 5\r\n")},
	false, 0, "malformed"},
    {"or has a byte that is none",
	{PV_STR("Transfer-Encoding: chunked\r5\r\n")}, false, 0, "malformed"},
};

static void test_heads(void)
{
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		struct pv_response response;
		struct pv_arrival arrival;
		begin(&arrival, &response);
		bool is_taken = add_status(&arrival, 200);
		for (size_t j = 0; is_taken && heads[i].lines[j].ptr; j++)
			is_taken = add_line(&arrival, heads[i].lines[j]);
		if (is_taken)
			is_taken = end_head(&arrival);
		if (heads[i].is_taken)
			ok(is_taken &&
				response.headers.count == heads[i].count &&
				response.stage == PV_STAGE_BODY,
			    "%s", heads[i].claim);
		else
			ok(!is_taken &&
				response.outcome == PV_OUTCOME_NOT_HTTP &&
				strstr(response.why, heads[i].why),
			    "%s", heads[i].claim);
		pv_response_finish(&response);
	}
}

static void test_folded_value(void)
{
	struct pv_response response;
	struct pv_arrival arrival;
	begin(&arrival, &response);
	add_status(&arrival, 200);
	add_line(&arrival, PV_STR("A: b\r\n"));
	add_line(&arrival, PV_STR(" c\r\n"));
	is_text(pv_headers_get(&response.headers, PV_STR("a")), "b c",
	    "with a space where it was folded");
	pv_response_finish(&response);
}

/* Where it leads */

static bool leads(uint16_t status, const char *first, const char *second,
    struct pv_response *response)
{
	struct pv_arrival arrival;
	begin(&arrival, response);
	add_status(&arrival, status);
	add_line(&arrival, pv_str_of(first));
	add_line(&arrival, pv_str_of(second));
	return end_head(&arrival);
}

static void test_locations(void)
{
	struct pv_response response;
	ok(!leads(302, "Location: /a\r\n", "Location: /b\r\n", &response) &&
		response.outcome == PV_OUTCOME_NOT_HTTP &&
		strstr(response.why, "Location"),
	    "P4: of two different Locations none is followed, and it is said "
	    "why");
	pv_response_finish(&response);
	ok(!leads(308, "Location: \r\n", "location: /b\r\n", &response),
	    "nor if one of them is empty");
	pv_response_finish(&response);
	ok(leads(302, "Location: /a\r\n", "LOCATION:  /a \r\n", &response),
	    "two that are the same are one");
	pv_response_finish(&response);
	ok(leads(201, "Location: /a\r\n", "Location: /b\r\n", &response),
	    "where nobody is led, they do not matter");
	pv_response_finish(&response);
}

/* Interim responses */

static void test_interim(void)
{
	struct pv_response response;
	struct pv_arrival arrival;
	begin(&arrival, &response);
	bool is_taken = true;
	for (int i = 0; i < PV_ARRIVAL_INTERIM_MAX; i++)
		is_taken = is_taken && add_status(&arrival, 103) &&
			   add_line(&arrival, PV_STR("Link: </a>\r\n")) &&
			   end_head(&arrival);
	uint64_t head_bytes = response.head_bytes;
	is_taken = is_taken && add_status(&arrival, 404) && end_head(&arrival);
	ok(is_taken && response.http_status == 404 &&
		response.headers.count == 0,
	    "interim responses are passed over");
	ok(head_bytes == 8 * (16 + 12 + 2), "but what they weigh counts (P5)");
	pv_response_finish(&response);
	begin(&arrival, &response);
	int taken = 0;
	while (add_status(&arrival, 100) && end_head(&arrival))
		taken++;
	ok(taken == PV_ARRIVAL_INTERIM_MAX &&
		response.outcome == PV_OUTCOME_TOO_LARGE,
	    "and there may not be too many");
	pv_response_finish(&response);
	begin(&arrival, &response);
	ok(!add_status(&arrival, 101) &&
		response.outcome == PV_OUTCOME_NOT_HTTP,
	    "another protocol was not asked for");
	pv_response_finish(&response);
}

/* Ceilings of the head */

static void test_ceilings(void)
{
	struct pv_response response;
	struct pv_arrival arrival;
	size_t count = 0;
	begin(&arrival, &response);
	add_status(&arrival, 200);
	while (add_line(&arrival, PV_STR("A: b\r\n")))
		count++;
	ok(count == 1000 && response.outcome == PV_OUTCOME_TOO_LARGE,
	    "1,000 headers are enough");
	pv_response_finish(&response);

	char *line = malloc(100000);
	memset(line, 'a', 100000);
	memcpy(line, "A: ", 3);
	memcpy(line + 99998, "\r\n", 2);
	begin(&arrival, &response);
	add_status(&arrival, 200);
	for (count = 0; add_line(&arrival, (struct pv_str){line, 100000});)
		count++;
	ok(count == 2 && response.outcome == PV_OUTCOME_TOO_LARGE,
	    "256 KiB of headers too");
	pv_response_finish(&response);

	begin(&arrival, &response);
	add_status(&arrival, 200);
	memcpy(line, "A :", 3);
	for (count = 0; add_line(&arrival, (struct pv_str){line, 100000});)
		count++;
	ok(count == 2 && response.headers.count == 0 &&
		response.outcome == PV_OUTCOME_TOO_LARGE,
	    "even of such as are left out");
	pv_response_finish(&response);

	begin(&arrival, &response);
	memcpy(line, "HTTP/1.1 200 ", 13);
	ok(!pv_arrival_add_line(&arrival, (struct pv_str){line, 8193},
	       (struct pv_status_line){200, 11}) &&
		response.outcome == PV_OUTCOME_TOO_LARGE,
	    "a status line has its own ceiling");
	pv_response_finish(&response);
	free(line);
}

static void test_trailers(void)
{
	struct pv_response response;
	struct pv_arrival arrival;
	size_t count = 0;
	begin(&arrival, &response);
	add_status(&arrival, 200);
	add_line(&arrival, PV_STR("Transfer-Encoding: chunked\r\n"));
	end_head(&arrival);
	ok(add_line(&arrival, PV_STR("Set-Cookie: late\r\n")) &&
		response.headers.count == 1,
	    "trailers are not added to the headers");
	while (add_line(&arrival, PV_STR("A: b\r\n")))
		count++;
	ok(count == 998 && response.outcome == PV_OUTCOME_TOO_LARGE,
	    "but they count like these");
	pv_response_finish(&response);
}

static void test_part(void)
{
	struct pv_response response;
	struct pv_arrival arrival;
	begin(&arrival, &response);
	add_status(&arrival, 206);
	add_line(&arrival, PV_STR("Content-Range: bytes 0-3/4\r\n"));
	ok(!end_head(&arrival) && response.outcome == PV_OUTCOME_NOT_HTTP &&
		strstr(response.why, "part"),
	    "a part is not taken where nobody asked for one");
	pv_response_finish(&response);
}

/* What comes of a 206 that is said to have so many bytes, where the last 40 of
 * 100 were asked for. */
static bool is_rest_taken(const char *length, struct pv_response *response)
{
	const struct pv_part part = {
	    .size = 60, .complete = 100, .validator = PV_STR("\"a\"")};
	static const char *pages[] = {"text/html"};
	const struct pv_texts accept = {pages, 1};
	struct pv_arrival arrival;
	char line[64];
	begin(&arrival, response);
	arrival.accept = &accept; /* which the whole has passed */
	arrival.wanted = &part;
	add_status(&arrival, 206);
	add_line(&arrival, PV_STR("Content-Range: bytes 60-99/100\r\n"));
	add_line(&arrival, PV_STR("ETag: \"a\"\r\n"));
	snprintf(
	    line, sizeof(line), "Content-Length: %s\r\n", length ? length : "");
	if (length)
		add_line(&arrival, pv_str_of(line));
	return end_head(&arrival);
}

static void test_rest(void)
{
	static const char *const others[] = {"39", "41", "0", "100"};
	struct pv_response response;
	ok(is_rest_taken("40", &response) && response.body.ceiling == 40,
	    "the rest that was asked for is taken, and no more than that");
	pv_response_finish(&response);
	ok(is_rest_taken(NULL, &response) && response.body.ceiling == 40,
	    "so is one that does not say how long it is");
	pv_response_finish(&response);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		ok(!is_rest_taken(others[i], &response) && response.is_misfit &&
			response.outcome == PV_OUTCOME_BROKEN_OFF,
		    "P3: one that is said to have %s bytes is not", others[i]);
		pv_response_finish(&response);
	}
}

static void test_more_than_rest(void)
{
	struct pv_response response;
	struct pv_arrival arrival = {.response = &response};
	char bytes[41] = {0};
	ok(is_rest_taken(NULL, &response), "a rest comes");
	ok(!pv_arrival_add_body(&arrival, (struct pv_str){bytes, 41}) &&
		response.is_misfit && response.outcome == PV_OUTCOME_BROKEN_OFF,
	    "P3: with more bytes than were asked for it is not taken");
	pv_response_finish(&response);
}

/* Lines of no meaning, as long as they may be and a byte longer. */
static void test_bounds(void)
{
	char *line = malloc(PV_ARRIVAL_HEAD_MAX);
	struct pv_response response;
	struct pv_arrival arrival;
	for (size_t more = 0; more < 2; more++) {
		size_t len = PV_ARRIVAL_HEAD_MAX - strlen("HTTP/1.1 200 x\r\n");
		memset(line, ' ', PV_ARRIVAL_HEAD_MAX);
		memcpy(line, "A :", 3);
		begin(&arrival, &response);
		add_status(&arrival, 200);
		ok(add_line(&arrival, (struct pv_str){line, len + more}) ==
			(more == 0),
		    "P5: %s",
		    more ? "no head is longer than that"
			 : "a head may have 256 KiB");
		pv_response_finish(&response);
		begin(&arrival, &response);
		memcpy(line, "HTTP/1.1 200 ", 13);
		struct pv_str status = {
		    line, PV_ARRIVAL_STATUS_LINE_MAX + more};
		ok(pv_arrival_add_line(&arrival, status,
		       (struct pv_status_line){200, 11}) == (more == 0),
		    "P5: %s",
		    more ? "no status line is longer"
			 : "a status line may have 8 KiB");
		pv_response_finish(&response);
	}
	free(line);
}

/* Types */

static const struct {
	const char *type; /* NULL: it has none */
	uint16_t status;
	bool is_taken;
} types[] = {
    {"text/html", 200, true},
    {"text/html; charset=utf-8", 200, true},
    {"TEXT/HTML", 200, true},
    {"image/png", 203, true},
    {"text/plain", 200, false},
    {"text/plain", 404, true},
    {"text/plain", 301, true},
    {NULL, 204, true},
    {"application/octet-stream", 200, false},
    {NULL, 200, false},
    {"nonsense", 200, false},
    {"imagex/png", 200, false},
};

static void test_types(void)
{
	const char *items[] = {"text/html", "image/*"};
	const struct pv_texts accept = {items, 2};
	const struct pv_texts anything = {NULL, 0};
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		struct pv_response response;
		struct pv_arrival arrival;
		char line[100];
		begin(&arrival, &response);
		arrival.accept = &accept;
		add_status(&arrival, types[i].status);
		snprintf(line, sizeof(line), "Content-Type: %s\r\n",
		    types[i].type ? types[i].type : "");
		if (types[i].type)
			add_line(&arrival, pv_str_of(line));
		bool is_taken = end_head(&arrival);
		ok(is_taken == types[i].is_taken &&
			(response.outcome == PV_OUTCOME_NOT_ACCEPTED) ==
			    !is_taken,
		    "%s with %u is %s", types[i].type ? types[i].type : "none",
		    (unsigned)types[i].status,
		    is_taken ? "taken" : "not accepted");
		pv_response_finish(&response);
	}
	struct pv_response response;
	struct pv_arrival arrival;
	begin(&arrival, &response);
	arrival.accept = &anything;
	add_status(&arrival, 200);
	ok(end_head(&arrival), "an empty list takes all");
	pv_response_finish(&response);
}

/* That nothing has changed is an answer to who asked whether it has. */
static void test_unchanged(void)
{
	struct pv_response response;
	struct pv_arrival arrival;
	for (int is_asked = 0; is_asked < 2; is_asked++) {
		begin(&arrival, &response);
		arrival.is_conditional = is_asked;
		add_status(&arrival, 304);
		ok(end_head(&arrival) == (is_asked == 1) &&
			(response.outcome == PV_OUTCOME_NOT_HTTP) == !is_asked,
		    "a 304 %s",
		    is_asked ? "that was asked for is an answer"
			     : "that nobody asked for is none");
		pv_response_finish(&response);
	}
}

/* Bodies */

static void test_length(void)
{
	struct pv_response response;
	struct pv_arrival arrival;
	for (int is_enough = 0; is_enough < 2; is_enough++) {
		begin(&arrival, &response);
		arrival.is_beginning_enough = is_enough;
		add_status(&arrival, 200);
		add_line(&arrival, PV_STR("Content-Length: 1001\r\n"));
		ok(end_head(&arrival) == (is_enough == 1),
		    "a body of more than the ceiling is %s",
		    is_enough ? "read for its beginning"
			      : "not begun to be read");
		if (!is_enough)
			is_text(pv_str_of(response.why),
			    "its body has 1001 bytes, more than 1kB",
			    "and that is said");
		pv_response_finish(&response);
	}
}

static void test_ceiling(void)
{
	static const char piece[600] = {'a'};
	const struct pv_str bytes = {piece, sizeof(piece)};
	struct pv_response response;
	struct pv_arrival arrival;
	begin(&arrival, &response);
	add_status(&arrival, 200);
	end_head(&arrival);
	ok(pv_arrival_add_body(&arrival, bytes), "a body is taken");
	ok(!pv_arrival_add_body(&arrival, bytes) &&
		response.outcome == PV_OUTCOME_TOO_LARGE &&
		response.body.size == BODY_MAX,
	    "up to its ceiling, and what is there is kept");
	is_text(pv_str_of(response.why), "its body is longer than 1kB",
	    "and that is said");
	pv_response_finish(&response);
	begin(&arrival, &response);
	add_status(&arrival, 200);
	end_head(&arrival);
	ok(pv_arrival_add_body(&arrival, bytes) &&
		pv_arrival_add_body(
		    &arrival, (struct pv_str){piece, BODY_MAX - 600}),
	    "a body that is just as large as may be is whole");
	pv_response_finish(&response);
}

static void test_no_disk(void)
{
	static char piece[PV_BODY_MEMORY + 1];
	struct pv_response response;
	struct pv_arrival arrival;
	pv_response_init(&response, "./there-is-none", 2 * sizeof(piece));
	arrival = (struct pv_arrival){.response = &response};
	add_status(&arrival, 200);
	end_head(&arrival);
	ok(!pv_arrival_add_body(
	       &arrival, (struct pv_str){piece, sizeof(piece)}) &&
		response.is_own_fault && response.disk_error == ENOENT,
	    "where it cannot be kept, the fault is ours");
	is_text(pv_str_of(response.why),
	    "its body cannot be stored: no such file or directory",
	    "and that is said");
	pv_response_finish(&response);
}

int main(void)
{
	test_heads();
	test_folded_value();
	test_locations();
	test_interim();
	test_ceilings();
	test_trailers();
	test_part();
	test_rest();
	test_more_than_rest();
	test_bounds();
	test_types();
	test_unchanged();
	test_length();
	test_ceiling();
	test_no_disk();
	return tap_done();
}

#include "fetch/framing.h"

#include "tap.h"

/* A response's headers, and how its body is to end. */
static const struct {
	const char *claim;
	uint16_t status;
	uint8_t version;
	const char *headers[4];
	const char *fault; /* NULL: none */
	enum pv_framing framing;
	uint64_t length;
	bool is_last;
} cases[] = {
    {"a length", 200, 11, {"Content-Length: 5"}, NULL, PV_FRAMING_LENGTH, 5,
	false},
    {"a length of nothing", 200, 11, {"content-length: 0"}, NULL,
	PV_FRAMING_LENGTH, 0, false},
    {"no word of an end", 200, 11, {"Server: x"}, NULL, PV_FRAMING_CLOSE,
	PV_LENGTH_UNKNOWN, false},
    {"chunks", 200, 11, {"Transfer-Encoding: chunked"}, NULL,
	PV_FRAMING_CHUNKED, PV_LENGTH_UNKNOWN, false},
    {"chunks in capitals", 200, 11, {"Transfer-Encoding: Chunked"}, NULL,
	PV_FRAMING_CHUNKED, PV_LENGTH_UNKNOWN, false},
    {"chunks of a coding", 200, 11, {"Transfer-Encoding: gzip, chunked"}, NULL,
	PV_FRAMING_CHUNKED, PV_LENGTH_UNKNOWN, false},
    {"a coding without chunks", 200, 11, {"Transfer-Encoding: gzip"}, NULL,
	PV_FRAMING_CLOSE, PV_LENGTH_UNKNOWN, false},
    {"what only begins like chunks", 200, 11, {"Transfer-Encoding: chunkedx"},
	NULL, PV_FRAMING_CLOSE, PV_LENGTH_UNKNOWN, false},
    {"chunks beside a length win, and the connection ends", 200, 11,
	{"Content-Length: 5", "Transfer-Encoding: chunked"}, NULL,
	PV_FRAMING_CHUNKED, PV_LENGTH_UNKNOWN, true},
    {"beside a length that is none too", 200, 11,
	{"Transfer-Encoding: chunked", "Content-Length: x"}, NULL,
	PV_FRAMING_CHUNKED, PV_LENGTH_UNKNOWN, true},
    {"one length twice", 200, 11, {"Content-Length: 5", "Content-Length: 5"},
	NULL, PV_FRAMING_LENGTH, 5, false},
    {"one length twice in a line", 200, 11, {"Content-Length: 5, 5"}, NULL,
	PV_FRAMING_LENGTH, 5, false},
    {"two lengths are refused", 200, 11,
	{"Content-Length: 5", "Content-Length: 6"}, "two different", 0, 0,
	false},
    {"in one line too", 200, 11, {"Content-Length: 5, 6"}, "two different", 0,
	0, false},
    {"a negative length is refused", 200, 11, {"Content-Length: -1"},
	"not a number", 0, 0, false},
    {"a length with a sign", 200, 11, {"Content-Length: +5"}, "not a number", 0,
	0, false},
    {"a length with more behind it", 200, 11, {"Content-Length: 5x"},
	"not a number", 0, 0, false},
    {"a length in hexadecimal", 200, 11, {"Content-Length: 0x5"},
	"not a number", 0, 0, false},
    {"an empty length", 200, 11, {"Content-Length:"}, "not a number", 0, 0,
	false},
    {"an empty item of a length", 200, 11, {"Content-Length: 5,"},
	"not a number", 0, 0, false},
    {"a length of 2^64", 200, 11, {"Content-Length: 18446744073709551616"},
	"not a number", 0, 0, false},
    {"a length of 2^63", 200, 11, {"Content-Length: 9223372036854775808"},
	"not a number", 0, 0, false},
    {"a length of 2^63 - 1", 200, 11, {"Content-Length: 9223372036854775807"},
	NULL, PV_FRAMING_LENGTH, INT64_MAX, false},
    {"a 204 has no body", 204, 11, {"Server: x"}, NULL, PV_FRAMING_NONE,
	PV_LENGTH_UNKNOWN, false},
    {"a 204 that announces one ends the connection", 204, 11,
	{"Content-Length: 5"}, NULL, PV_FRAMING_NONE, PV_LENGTH_UNKNOWN, true},
    {"or chunks", 204, 11, {"Transfer-Encoding: chunked"}, NULL,
	PV_FRAMING_NONE, PV_LENGTH_UNKNOWN, true},
    {"or what is no length", 204, 11, {"Content-Length: x"}, NULL,
	PV_FRAMING_NONE, PV_LENGTH_UNKNOWN, true},
    {"but not nothing", 204, 11, {"Content-Length: 0"}, NULL, PV_FRAMING_NONE,
	PV_LENGTH_UNKNOWN, false},
    {"a 304 tells the length of another response", 304, 11,
	{"Content-Length: 5"}, NULL, PV_FRAMING_NONE, PV_LENGTH_UNKNOWN, false},
    {"HTTP/2 has its own frames", 200, 20, {"Server: x"}, NULL,
	PV_FRAMING_STREAM, PV_LENGTH_UNKNOWN, false},
    {"in which a length is a promise", 200, 20, {"Content-Length: 5"}, NULL,
	PV_FRAMING_STREAM, 5, false},
    {"and no chunks are", 200, 20,
	{"Transfer-Encoding: chunked", "Content-Length: 5"}, NULL,
	PV_FRAMING_STREAM, 5, false},
    {"and two are too many", 200, 20,
	{"Content-Length: 5", "Content-Length: 6"}, "two different", 0, 0,
	false},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_response response;
		struct pv_framing_plan plan;
		pv_response_init(&response, ".", 0);
		response.http_status = cases[i].status;
		response.http_version = cases[i].version;
		for (size_t j = 0; j < 4 && cases[i].headers[j]; j++)
			pv_headers_add_line(
			    &response.headers, pv_str_of(cases[i].headers[j]));
		const char *fault = pv_framing_read(&response, &plan);
		if (cases[i].fault)
			ok(fault && strstr(fault, cases[i].fault), "%s",
			    cases[i].claim);
		else
			ok(!fault && plan.framing == cases[i].framing &&
				plan.length == cases[i].length &&
				plan.is_last == cases[i].is_last,
			    "%s", cases[i].claim);
		pv_response_finish(&response);
	}
}

static void test_names(void)
{
	ok(pv_framing_is_header(PV_STR("CONTENT-length")) &&
		pv_framing_is_header(PV_STR("transfer-ENCODING")) &&
		!pv_framing_is_header(PV_STR("Content-Type")) &&
		!pv_framing_is_header(PV_STR("")),
	    "two headers decide, whatever their case");
}

int main(void)
{
	test_cases();
	test_names();
	return tap_done();
}

#include "serve/http/head.h"

#include "tap.h"

#define FIELDS_MAX 4

static const struct {
	const char *method, *target, *version;
	struct {
		const char *name, *value;
	} fields[FIELDS_MAX];
	const char *fault; /* NULL: none */
} cases[] = {
    {"GET", "/", "HTTP/1.1", {{"Host", "a"}}, NULL},
    {"GET", "/", "HTTP/1.0", {{NULL, NULL}}, NULL},
    {"POST", "/a?b", "HTTP/1.1", {{"host", "a"}, {"Content-Length", "12"}},
	NULL},
    {"POST", "/", "HTTP/1.1", {{"Host", "a"}, {"Transfer-Encoding", "Chunked"}},
	NULL},
    {"GET", "/", "HTTP/1.1", {{"Host", "a"}, {"X", "a\tb\xc3\xa4"}}, NULL},
    {"GET", "/", "HTTP/2.0", {{"Host", "a"}},
	"only HTTP/1.1 and HTTP/1.0 are spoken here"},
    {"G(T", "/", "HTTP/1.1", {{"Host", "a"}}, "the method is no token"},
    {"", "/", "HTTP/1.1", {{"Host", "a"}}, "the method is no token"},
    {"GET", "http://a/", "HTTP/1.1", {{"Host", "a"}},
	"the target has to begin with \"/\""},
    {"OPTIONS", "*", "HTTP/1.1", {{"Host", "a"}},
	"the target has to begin with \"/\""},
    {"GET", "/a b", "HTTP/1.1", {{"Host", "a"}},
	"the target has bytes that have to be escaped"},
    {"GET", "/\x7f", "HTTP/1.1", {{"Host", "a"}},
	"the target has bytes that have to be escaped"},
    {"GET", "/\xc3\xa4", "HTTP/1.1", {{"Host", "a"}},
	"the target has bytes that have to be escaped"},
    {"GET", "/", "HTTP/1.1", {{"Host", "a"}, {"X y", "b"}},
	"the name of a header is no token"},
    {"GET", "/", "HTTP/1.1", {{"Host", "a"}, {"X", "b\rc"}},
	"a header has control characters"},
    {"GET", "/", "HTTP/1.1", {{NULL, NULL}}, "there is no Host header"},
    {"GET", "/", "HTTP/1.0", {{"Host", "a"}, {"HOST", "a"}},
	"there is more than one Host header"},
    {"POST", "/", "HTTP/1.1",
	{{"Host", "a"}, {"Content-Length", "1"}, {"content-length", "1"}},
	"there is more than one Content-Length header"},
    {"POST", "/", "HTTP/1.1",
	{{"Host", "a"}, {"Content-Length", "1"},
	    {"Transfer-Encoding", "chunked"}},
	"there are both Content-Length and Transfer-Encoding"},
    {"POST", "/", "HTTP/1.1", {{"Host", "a"}, {"Content-Length", "+1"}},
	"Content-Length is no number"},
    {"POST", "/", "HTTP/1.1", {{"Host", "a"}, {"Content-Length", ""}},
	"Content-Length is no number"},
    {"POST", "/", "HTTP/1.1",
	{{"Host", "a"}, {"Transfer-Encoding", "chunked, chunked"}},
	"a Transfer-Encoding other than chunked is not read"},
    {"POST", "/", "HTTP/1.1",
	{{"Host", "a"}, {"Transfer-Encoding", "chunked"},
	    {"Transfer-Encoding", "chunked"}},
	"a Transfer-Encoding other than chunked is not read"},
    {"POST", "/", "HTTP/1.0", {{"Transfer-Encoding", "chunked"}},
	"HTTP/1.0 has no Transfer-Encoding"},
    {"GET", "/", "HTTP/1.1",
	{{"Host", "a"}, {"Authorization", "Bearer a"},
	    {"authorization", "Bearer b"}},
	"there is more than one Authorization header"},
};

static void test_case(size_t i)
{
	struct pv_head_field fields[FIELDS_MAX];
	struct pv_head head = {
	    .method = pv_str_of(cases[i].method),
	    .target = pv_str_of(cases[i].target),
	    .version = pv_str_of(cases[i].version),
	    .fields = fields,
	};
	while (head.field_count < FIELDS_MAX &&
	       cases[i].fields[head.field_count].name) {
		fields[head.field_count] = (struct pv_head_field){
		    pv_str_of(cases[i].fields[head.field_count].name),
		    pv_str_of(cases[i].fields[head.field_count].value)};
		head.field_count++;
	}
	const char *fault = pv_head_vet(&head);
	is_text(pv_str_of(fault ? fault : "none"),
	    cases[i].fault ? cases[i].fault : "none",
	    "case %zu has the fault that it should", i);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		test_case(i);
	return tap_done();
}

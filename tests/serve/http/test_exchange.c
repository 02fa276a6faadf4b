#include "serve/http/exchange.h"

#include "tap.h"

static const struct {
	const char *target, *name;
	const char *value; /* NULL: none */
} cases[] = {
    {"/a", "b", NULL},
    {"/a?", "b", NULL},
    {"/a?b", "b", ""},
    {"/a?b=c", "b", "c"},
    {"/a?b=c", "B", NULL},
    {"/a?a=1&b=2&b=3", "b", "2"},
    {"/a?&&b=2", "b", "2"},
    {"/a?b=1+2%203%2b", "b", "1 2 3+"},
    {"/a?%62=c", "b", "c"},
    {"/a?b=c=d?e", "b", "c=d?e"},
    {"/a?b=%4", "b", NULL},
    {"/a?b=%", "b", NULL},
    {"/a?b=%xy", "b", NULL},
    {"/a?%=1&b=2", "b", "2"},
    {"/a?=1&b=2", "", "1"},
    {"/a?b=0123456789abcdefX", "b", NULL},
    {"/a?b=0123456789abcdef", "b", "0123456789abcdef"},
};

static bool is_true(const void *ctx)
{
	return ctx;
}

int main(void)
{
	struct pv_head_field fields[] = {{PV_STR("Accept"), PV_STR("text/html")}};
	struct pv_exchange exchange = {.head = {.method = PV_STR("DELETE"),
					   .target = PV_STR("/a%20b?c?d"),
					   .fields = fields,
					   .field_count = 1}};
	pv_exchange_read_head(&exchange);
	ok(exchange.method == PV_DELETE, "a method is known by its name");
	ok(pv_http_method_of(PV_STR("get")) == PV_OTHER_METHOD,
	    "in capitals only");
	is_text(exchange.path, "/a%20b", "the path ends at the query");
	is_text(exchange.query, "c?d", "which is all that follows");
	is_text(pv_exchange_header(&exchange, "accept"), "text/html",
	    "a header is found in any case");
	ok(!pv_exchange_header(&exchange, "Cookie").ptr,
	    "one that is not there has no text");
	ok(!pv_exchange_is_over(&exchange), "without a server it is not over");
	exchange.is_over = is_true;
	exchange.ctx = &exchange;
	ok(pv_exchange_is_over(&exchange), "the server says when it is");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_buf value;
		pv_buf_init(&value, 16);
		exchange.head.target = pv_str_of(cases[i].target);
		pv_exchange_read_head(&exchange);
		bool is_found =
		    pv_exchange_argument(&exchange, cases[i].name, &value);
		is_text(is_found ? pv_buf_str(&value) : PV_STR("(none)"),
		    cases[i].value ? cases[i].value : "(none)",
		    "argument \"%s\" of %s", cases[i].name, cases[i].target);
		pv_buf_finish(&value);
	}
	return tap_done();
}

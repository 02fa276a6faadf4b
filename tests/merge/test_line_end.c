#include "merge/line_end.h"

#include "tap.h"

static const struct {
	const char *claim;
	const char *line;
	struct pv_merge_line_was was;
	struct pv_merge_line_end end;
	const char *written; /* NULL: refused */
} lines[] = {
    {"a request gets its worker", "{\"a\":1}", {false, false},
	{2, false, false}, "{\"a\":1,\"worker\":2}\n"},
    {"and stays final", "{\"a\":1,\"final\":true}", {true, false},
	{2, true, false}, "{\"a\":1,\"worker\":2,\"final\":true}\n"},
    {"or becomes stale", "{\"a\":1,\"final\":true}", {true, false},
	{2, false, true}, "{\"a\":1,\"worker\":2,\"stale\":true}\n"},
    {"a worker that it names stays", "{\"a\":1,\"worker\":7,\"final\":true}",
	{true, true}, {7, true, false},
	"{\"a\":1,\"worker\":7,\"final\":true}\n"},
    {"whatever their order", "{\"a\":1,\"final\":true,\"worker\":7}",
	{true, true}, {7, false, true},
	"{\"a\":1,\"worker\":7,\"stale\":true}\n"},
    {"a text that looks like them is left alone",
	"{\"a\":\",\\\"final\\\":true\"}", {false, false}, {1, false, false},
	"{\"a\":\",\\\"final\\\":true\",\"worker\":1}\n"},
    {"final before the end is refused", "{\"final\":true,\"a\":1}",
	{true, false}, {1, true, false}, NULL},
    {"a worker there stays where it is", "{\"worker\":1,\"a\":1}",
	{false, true}, {1, false, false}, "{\"worker\":1,\"a\":1}\n"},
    {"and is not said twice", "{\"worker\":1,\"a\":1,\"final\":true}",
	{true, true}, {1, false, true},
	"{\"worker\":1,\"a\":1,\"stale\":true}\n"},
    {"what is no object is refused", "[]", {false, false}, {1, false, false},
	NULL},
    {"so is nothing", "", {false, false}, {1, false, false}, NULL},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct pv_buf buf;
		pv_buf_init(&buf, 4096);
		bool is_written = pv_merge_line_write(pv_str_of(lines[i].line),
		    &lines[i].was, &lines[i].end, &buf);
		ok(is_written == (lines[i].written != NULL) &&
			(!is_written || pv_str_equal(pv_buf_str(&buf),
					    pv_str_of(lines[i].written))),
		    "%s", lines[i].claim);
		pv_buf_finish(&buf);
	}
	return tap_done();
}

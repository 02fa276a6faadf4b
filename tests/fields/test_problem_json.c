#include "fields/problem_json.h"

#include "tap.h"

static const struct pv_row_facts facts = {
    .url = {"https://a.example/1", 19},
    .wall_ms = INT64_C(1772357400250),
};

static void write_line(
    const struct pv_field_problem *problem, struct pv_buf *line)
{
	pv_buf_clear(line);
	pv_problem_json_write_facts(&facts, "product", line);
	pv_problem_json_write(problem, line);
}

int main(void)
{
	const struct pv_field_problem wrong = {
	    .field = "reviews.stars",
	    .fault = PV_FIELD_WRONG,
	    .item = 2,
	    .is_required = true,
	    .detail = PV_STR("many \"stars\""),
	};
	const struct pv_field_problem cut = {.fault = PV_FIELD_CUT_PAGE};
	struct pv_buf line;
	char long_text[1000];
	pv_buf_init(&line, 10000);
	write_line(&wrong, &line);
	is_text(pv_buf_str(&line),
	    "{\"time\":\"2026-03-01T09:30:00.250Z\","
	    "\"url\":\"https://a.example/1\",\"kind\":\"product\","
	    "\"field\":\"reviews.stars\",\"item\":2,\"why\":\"wrong type\","
	    "\"required\":true,\"detail\":\"many \\\"stars\\\"\"}\n",
	    "a problem says where it was found, and of what");
	write_line(&cut, &line);
	is_text(pv_buf_str(&line),
	    "{\"time\":\"2026-03-01T09:30:00.250Z\","
	    "\"url\":\"https://a.example/1\",\"kind\":\"product\","
	    "\"field\":null,\"item\":null,\"why\":\"page cut short\","
	    "\"required\":false,\"detail\":null}\n",
	    "or of the whole page");
	for (size_t i = 0; i < sizeof(long_text); i += 2)
		memcpy(&long_text[i], "\xc3\xa4", 2);
	struct pv_field_problem large = wrong;
	large.detail = (struct pv_str){long_text + 1, sizeof(long_text) - 1};
	write_line(&large, &line);
	ok(line.len < 1000, "of a long text the beginning is enough");
	large.detail = (struct pv_str){long_text, sizeof(long_text)};
	write_line(&large, &line);
	ok(pv_str_ends(pv_buf_str(&line), PV_STR("\xc3\xa4\"}\n")),
	    "which ends between two characters");
	pv_buf_finish(&line);
	return tap_done();
}

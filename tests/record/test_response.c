#include "record/page.h"
#include "record/response.h"

#include "tap.h"

static void test_words(void)
{
	for (unsigned i = 0; i < PV_STAGE_COUNT; i++)
		ok(pv_stage_word(i), "stage %u has a word: %s", i,
		    pv_stage_word(i));
	for (unsigned i = 0; i < PV_FRAMING_COUNT; i++)
		ok(pv_framing_word(i), "framing %u has a word: %s", i,
		    pv_framing_word(i));
	is_text(pv_str_of(pv_stage_word(PV_STAGE_COUNT)), "unknown",
	    "a stage of a later version is unknown");
	is_text(pv_str_of(pv_framing_word(PV_FRAMING_COUNT)), "unknown",
	    "and so is a framing");
}

static void test_empty(void)
{
	struct pv_response response;
	pv_response_init(&response, ".", 10);
	ok(response.outcome == PV_OUTCOME_NONE && !response.why[0] &&
		response.http_status == 0,
	    "an empty response says that nothing was asked");
	const struct pv_response_times *times = &response.times;
	ok(times->name_ms < 0 && times->connect_ms < 0 && times->tls_ms < 0 &&
		times->first_byte_ms < 0 && times->total_ms < 0,
	    "and that no step was gone");
	ok(pv_body_append(&response.body, PV_STR("0123456789")) == PV_BODY_OK &&
		pv_body_append(&response.body, PV_STR("a")) == PV_BODY_FULL,
	    "P5: its body has the ceiling that was given");
	pv_response_finish(&response);
}

static void test_header_ceilings(void)
{
	struct pv_response response;
	unsigned count = 0;
	pv_response_init(&response, ".", 10);
	while (count < 100000 && pv_headers_add(&response.headers, PV_STR("a"),
				     PV_STR("b")) == PV_HEADER_ADDED)
		count++;
	ok(count == 1000, "P5: a thousand fields and no more");
	pv_response_finish(&response);
	pv_response_init(&response, ".", 10);
	char line[65536];
	memset(line, 'v', sizeof(line));
	struct pv_str value = {line, sizeof(line) - 1};
	for (count = 0; pv_headers_add(&response.headers, PV_STR("a"), value) ==
			PV_HEADER_ADDED;)
		count++;
	ok(count == 4, "P5: a quarter of a MiB of them and no more");
	pv_response_finish(&response);
}

static void test_page(void)
{
	struct pv_page page;
	pv_page_init(&page);
	ok(!page.response && !page.file.len && !page.parts[0].len &&
		!page.fault[0] && !page.has_digest && page.wait_ms < 0,
	    "an empty page is nowhere and says nothing");
	pv_buf_append_text(&page.file, "a");
	pv_buf_append_text(&page.parts[0], "b");
	pv_page_finish(&page);
	ok(!page.file.ptr && !page.parts[0].ptr, "it lets its texts go");
}

int main(void)
{
	test_words();
	test_empty();
	test_header_ceilings();
	test_page();
	return tap_done();
}

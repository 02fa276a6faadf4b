#include "fetch/request_head.h"

#include <curl/curl.h>

#include "policy/loaded.h"
#include "policy/policy.h"

static bool has_line(const struct curl_slist *list, const char *line)
{
	for (; list; list = list->next)
		if (strcmp(list->data, line) == 0)
			return true;
	return false;
}

static void test_lists(void)
{
	struct loaded loaded = load_text(
	    "identity: {agent: examplebot/1.2, contact: "
	    "\"https://example.net/bot\", from: bot@example.net}\n"
	    "fetch: {headers: {Accept-Language: en, Cookie: a=b, X-Api-Key: k, "
	    "X-Empty: \"\"}}\n");
	struct pv_request_head head;
	pv_request_head_init(&head, loaded.policy);
	is_text(pv_buf_str(&head.agent),
	    "examplebot/1.2 (+https://example.net/bot)",
	    "we say who we are and how to reach us (P7)");
	ok(has_line(head.open,
	       "User-Agent: examplebot/1.2 (+https://example.net/bot)") &&
		has_line(head.complete, "User-Agent: examplebot/1.2 "
					"(+https://example.net/bot)"),
	    "in each request (P7)");
	ok(has_line(head.open, "Accept-Encoding: gzip, br, zstd") &&
		has_line(head.complete, "Accept-Encoding: gzip, br, zstd"),
	    "we say what codings we read");
	ok(has_line(head.open, "From: bot@example.net") &&
		has_line(head.open, "Accept-Language: en"),
	    "and what the policy adds");
	ok(has_line(head.open, "X-Empty;"), "even if it is empty");
	ok(!has_line(head.open, "Cookie: a=b") &&
		!has_line(head.open, "X-Api-Key: k"),
	    "but no secrets (P7)");
	ok(has_line(head.complete, "Cookie: a=b") &&
		has_line(head.complete, "X-Api-Key: k") &&
		has_line(head.complete, "Accept-Language: en"),
	    "which are for whoever they are for");
	pv_request_head_finish(&head);
	loaded_finish(&loaded);
}

int main(void)
{
	test_lists();
	return tap_done();
}

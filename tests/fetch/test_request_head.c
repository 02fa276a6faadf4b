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

static void test_secrets(void)
{
	static const char *const secrets[] = {"Authorization",
	    "proxy-authorization", "COOKIE", "Cookie2", "X-API-KEY", "Api-Key",
	    "X-Auth-Token", "X-CSRF-Token", "X-Amz-Signature", "Session-Id",
	    "X-Password", "Client-Secret", "X-Amz-Credential"};
	static const char *const others[] = {"Accept-Language", "Accept",
	    "Referer", "DNT", "X-Forwarded-For", "Cache-Control", "X-Cook"};
	for (size_t i = 0; i < sizeof(secrets) / sizeof(*secrets); i++)
		ok(pv_header_is_secret(pv_str_of(secrets[i])),
		    "%s is kept back", secrets[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		ok(!pv_header_is_secret(pv_str_of(others[i])), "%s is not",
		    others[i]);
}

int main(void)
{
	test_lists();
	test_secrets();
	return tap_done();
}

#include "fetch/request_head.h"

#include <curl/curl.h>

#include "fetch/fetch.h"
#include "policy/loaded.h"
#include "policy/policy.h"
#include "record/part.h"

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

static void test_part(void)
{
	const struct pv_part part = {
	    .size = 1234567, .complete = 2000000, .validator = PV_STR("\"a\"")};
	struct pv_request request = {.part = &part};
	struct pv_condition_head conditions;
	pv_condition_head_init(&conditions);
	struct curl_slist *lines =
	    pv_condition_head_before(&conditions, &request, NULL);
	ok(has_line(lines, "Range: bytes=1234567-") &&
		has_line(lines, "If-Range: \"a\""),
	    "the rest of a part is asked for only if it is the same");
	request.part = NULL;
	ok(!pv_condition_head_before(&conditions, &request, NULL),
	    "and all, where there is none");
	pv_condition_head_finish(&conditions);
}

static const struct {
	const char *claim;
	const char *fetch;
	const char *line; /* NULL: none of ours */
} accepts[] = {
    {"where all is taken, nothing is said", "{}", NULL},
    {"what the policy keeps is asked for first, and anything else is taken",
	"{accept: [text/html, \"image/*\"]}",
	"Accept: text/html, image/*, */*;q=0.1"},
    {"an Accept of the policy's own is left alone",
	"{accept: [text/html], headers: {ACCEPT: \"text/*\"}}",
	"ACCEPT: text/*"},
};

static const char *accept_of(const struct curl_slist *list, unsigned *count)
{
	const char *found = NULL;
	for (*count = 0; list; list = list->next) {
		if (strncasecmp(list->data, "Accept:", 7) != 0)
			continue;
		found = list->data;
		++*count;
	}
	return found;
}

static void test_accept(void)
{
	for (size_t i = 0; i < sizeof(accepts) / sizeof(*accepts); i++) {
		char text[200];
		unsigned count;
		struct pv_request_head head;
		snprintf(text, sizeof(text), "fetch: %s\n", accepts[i].fetch);
		struct loaded loaded = load_text(text);
		pv_request_head_init(&head, loaded.policy);
		const char *line = accept_of(head.open, &count);
		is_text(pv_str_of(line ? line : "(none)"),
		    accepts[i].line ? accepts[i].line : "(none)", "%s",
		    accepts[i].claim);
		ok(count <= 1, "and once");
		pv_request_head_finish(&head);
		loaded_finish(&loaded);
	}
}

/* As many types as a policy may have make no header that servers refuse. */
static void test_long_accept(void)
{
	struct pv_buf text;
	struct pv_request_head head;
	unsigned count;
	pv_buf_init(&text, 65536);
	pv_buf_append_text(&text, "fetch: {accept: [a/0");
	for (unsigned i = 1; i < 1000; i++)
		pv_buf_append_format(&text, ", application/x-%u", i);
	pv_buf_append_text(&text, "]}\n");
	struct loaded loaded = load_text(pv_buf_text(&text));
	pv_request_head_init(&head, loaded.policy);
	struct pv_str line = pv_str_of(accept_of(head.open, &count));
	ok(is_right(&loaded) && line.len > 900 && line.len < 1100 &&
		pv_str_ends(line, PV_STR(", */*;q=0.1")),
	    "P5: a list of 1000 types is cut, and ends as the others (%zu)",
	    line.len);
	pv_request_head_finish(&head);
	loaded_finish(&loaded);
	pv_buf_finish(&text);
}

static const struct {
	const char *claim;
	const char *tag;
	int64_t modified_ms;
	const char *lines[3];
} conditions[] = {
    {"a request has nothing of its own", "", 0, {"A: b"}},
    {"but what it knows", "W/\"1\"", 0, {"If-None-Match: W/\"1\"", "A: b"}},
    {"or when that was", "", 784111777000,
	{"If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "A: b"}},
    {"or both", "\"1\"", 784111777000,
	{"If-None-Match: \"1\"",
	    "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "A: b"}},
    {"a date that cannot be written is left out", "\"1\"",
	INT64_C(300000000000000), {"If-None-Match: \"1\"", "A: b"}},
};

static void test_conditions(void)
{
	char line[] = "A: b";
	struct curl_slist shared = {.data = line};
	struct pv_condition_head head;
	pv_condition_head_init(&head);
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
		struct pv_request request = {
		    .entity_tag = pv_str_of(conditions[i].tag),
		    .modified_ms = conditions[i].modified_ms,
		};
		const struct curl_slist *list =
		    pv_condition_head_before(&head, &request, &shared);
		bool is_right = true;
		for (size_t j = 0; j < 3; j++) {
			const char *wanted = conditions[i].lines[j];
			is_right = is_right && !wanted == !list &&
				   (!list || strcmp(list->data, wanted) == 0);
			list = list ? list->next : NULL;
		}
		ok(is_right, "%s", conditions[i].claim);
	}
	ok(!shared.next, "and what all requests have is left alone");
	pv_condition_head_finish(&head);
}

int main(void)
{
	test_accept();
	test_long_accept();
	test_lists();
	test_part();
	test_conditions();
	return tap_done();
}

#include "fetch/request_head.h"

#include <curl/curl.h>

#include "base/alloc.h"
#include "policy/identity.h"
#include "policy/policy.h"
#include "policy/secret.h"

/* More than any policy's identity and headers. */
#define HEADER_MAX ((size_t)65536)

static void append(struct curl_slist **list, const char *line)
{
	struct curl_slist *longer = curl_slist_append(*list, line);
	if (!longer)
		pv_alloc_fail(1, sizeof(**list));
	*list = longer;
}

/* With nothing behind the colon libcurl would leave the header out; a
 * semicolon in its place makes an empty one. */
static void append_header(
    struct curl_slist **list, const char *name, const char *value)
{
	struct pv_buf line;
	pv_buf_init(&line, HEADER_MAX);
	if (*value)
		pv_buf_append_format(&line, "%s: %s", name, value);
	else
		pv_buf_append_format(&line, "%s;", name);
	append(list, pv_buf_text(&line));
	pv_buf_finish(&line);
}

/* Beyond that a list is no help: servers look at the first types, if at all,
 * and do not take headers of any length. */
#define ACCEPT_MAX ((size_t)1000)

/* Says what the policy keeps. Anything else is still taken, if less gladly: a
 * 406 would say nothing of the page, and robots.txt and sitemaps are of types
 * of their own. */
static void append_accept(
    struct curl_slist **list, const struct pv_fetch_policy *policy)
{
	struct pv_buf value;
	if (!policy->accept.count)
		return;
	for (size_t i = 0; i < policy->headers.count; i++) {
		if (pv_str_equal_nocase(
			pv_str_of(policy->headers.items[i].name),
			PV_STR("Accept")))
			return;
	}
	pv_buf_init(&value, HEADER_MAX);
	for (size_t i = 0; i < policy->accept.count; i++) {
		size_t len = strlen(policy->accept.items[i]);
		if (value.len + len > ACCEPT_MAX)
			break;
		pv_buf_append_format(&value, "%s, ", policy->accept.items[i]);
	}
	pv_buf_append_text(&value, "*/*;q=0.1");
	append_header(list, "Accept", pv_buf_text(&value));
	pv_buf_finish(&value);
}

static struct curl_slist *make_list(const struct pv_policy *policy,
    const struct pv_buf *agent, bool is_complete)
{
	struct curl_slist *list = NULL;
	const struct pv_pairs *headers = &policy->fetch.headers;
	append_header(&list, "User-Agent", pv_buf_text(agent));
	append_accept(&list, &policy->fetch);
	append_header(&list, "Accept-Encoding", "gzip, br, zstd");
	if (policy->identity.from)
		append_header(&list, "From", policy->identity.from);
	for (size_t i = 0; i < headers->count; i++) {
		const struct pv_pair *pair = &headers->items[i];
		if (is_complete || !pv_header_is_secret(pv_str_of(pair->name)))
			append_header(&list, pair->name, pair->text);
	}
	return list;
}

void pv_request_head_init(
    struct pv_request_head *head, const struct pv_policy *policy)
{
	pv_buf_init(&head->agent, HEADER_MAX);
	pv_identity_write_agent(&policy->identity, &head->agent);
	head->open = make_list(policy, &head->agent, false);
	head->complete = make_list(policy, &head->agent, true);
}

void pv_request_head_finish(struct pv_request_head *head)
{
	pv_buf_finish(&head->agent);
	curl_slist_free_all(head->open);
	curl_slist_free_all(head->complete);
}

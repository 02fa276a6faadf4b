#include "fetch/request_head.h"

#include "base/alloc.h"
#include "fetch/fetch.h"
#include "http/date.h"
#include "policy/identity.h"
#include "policy/policy.h"
#include "policy/secrets/secret.h"
#include "record/part.h"

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

/* Conditions */

void pv_condition_head_init(struct pv_condition_head *conditions)
{
	for (size_t i = 0; i < PV_CONDITIONS; i++)
		pv_buf_init(&conditions->texts[i], HEADER_MAX);
}

void pv_condition_head_finish(struct pv_condition_head *conditions)
{
	for (size_t i = 0; i < PV_CONDITIONS; i++)
		pv_buf_finish(&conditions->texts[i]);
}

struct curl_slist *pv_condition_head_before(
    struct pv_condition_head *conditions, const struct pv_request *request,
    struct curl_slist *lines)
{
	struct pv_buf *texts = conditions->texts;
	const struct pv_part *part = request->part;
	bool is_there[PV_CONDITIONS] = {false};
	for (size_t i = 0; i < PV_CONDITIONS; i++)
		pv_buf_clear(&texts[i]);
	if (request->entity_tag.len)
		is_there[0] = pv_buf_append_format(&texts[0],
		    "If-None-Match: %.*s", PV_STR_ARG(request->entity_tag));
	if (request->modified_ms)
		is_there[1] =
		    pv_buf_append_text(&texts[1], "If-Modified-Since: ") &&
		    pv_date_write(request->modified_ms, &texts[1]);
	if (part)
		is_there[2] = pv_buf_append_format(&texts[2],
		    "Range: bytes=%llu-", (unsigned long long)part->size);
	if (part)
		is_there[3] = pv_buf_append_format(
		    &texts[3], "If-Range: %.*s", PV_STR_ARG(part->validator));
	for (size_t i = PV_CONDITIONS; i-- > 0;) {
		if (!is_there[i])
			continue;
		conditions->lines[i] =
		    (struct curl_slist){.data = texts[i].ptr, .next = lines};
		lines = &conditions->lines[i];
	}
	return lines;
}

#include "crawl/visit/conditional.h"

#include "crawl/visit/open_visit.h"
#include "http/date.h"
#include "http/entity_tag.h"
#include "http/media_type.h"

/* False if there is none. */
static bool find_copy(const struct pv_open *open, struct pv_copy *copy)
{
	return pv_copy_unpack(open->task->visit.copy, copy);
}

/* Before the request */

void pv_conditional_ask(const struct pv_open *open, struct pv_request *request)
{
	struct pv_copy copy;
	if (!find_copy(open, &copy) || !pv_copy_has_condition(&copy))
		return;
	request->entity_tag = copy.entity_tag;
	request->modified_ms = copy.modified_ms;
}

/* What the page is of, where it was not asked for. */
static void fill_page(struct pv_open *open)
{
	open->page.visit = &open->task->visit;
	open->page.host = open->host->name;
	open->page.wall_ms = open->crawl->now.wall_ms;
}

bool pv_conditional_is_listed(const struct pv_open *open)
{
	struct pv_copy copy;
	return find_copy(open, &copy) && copy.is_as_listed;
}

void pv_conditional_fill_listed(struct pv_open *open)
{
	fill_page(open);
	open->kind = PV_REPORT_DONE;
	open->page.change = PV_CHANGE_SAME;
}

/* What came */

/* Enough to see by what it begins with that something is no text. */
#define GLANCE_BYTES 1024

static bool looks_like_text(struct pv_str bytes)
{
	static const char controls[] = "\t\n\f\r\x1b";
	for (size_t i = 0; i < bytes.len && i < GLANCE_BYTES; i++) {
		unsigned char byte = (unsigned char)bytes.ptr[i];
		if (byte < ' ' && !memchr(controls, byte, strlen(controls)))
			return false;
	}
	return true;
}

static bool is_said_to_be_text(const struct pv_open *open)
{
	static const char *const texts[] = {"text/*", "application/javascript",
	    "application/json", "application/xhtml+xml", "application/xml"};
	struct pv_media_type type;
	return pv_media_type_read(pv_headers_get(&open->response.headers,
				      PV_STR("Content-Type")),
		   &type) &&
	       pv_media_type_is_among(
		   type.name, texts, sizeof(texts) / sizeof(*texts));
}

/* Bytes in a coding that we do not know are not what the page says; and many
 * servers name a coding that they have not applied, but what they send then can
 * be read. */
static bool is_readable(const struct pv_open *open)
{
	switch (open->response.coding) {
	case PV_CODING_UNKNOWN:
		return false;
	case PV_CODING_PLAIN:
		return !is_said_to_be_text(open) ||
		       looks_like_text(open->page.text);
	default:
		return true;
	}
}

bool pv_conditional_is_page(struct pv_open *open)
{
	struct pv_copy had;
	bool has_copy = find_copy(open, &had);
	const char *remark = NULL;
	if (!pv_change_is_page(has_copy ? &had : NULL, !open->page.text.len))
		remark = "it is empty and was not before: what there was is "
			 "kept";
	else if (has_copy && had.has_digest && !is_readable(open))
		remark = "its content coding cannot be undone: what there was "
			 "is kept";
	if (remark)
		pv_open_remark(open, remark);
	return !remark;
}

/* What the server calls what it sent, if it may be asked about. A date that
 * stands at the beginning of time is none. */
static void read_validators(const struct pv_open *open, struct pv_copy *copy)
{
	const struct pv_headers *headers = &open->response.headers;
	struct pv_str tag = pv_headers_get(headers, PV_STR("ETag"));
	struct pv_str date = pv_headers_get(headers, PV_STR("Last-Modified"));
	int64_t modified_ms;
	if (tag.len <= PV_ENTITY_TAG_MAX && pv_entity_tag_is_right(tag))
		copy->entity_tag = tag;
	if (date.ptr && pv_date_read(date, open->page.wall_ms, &modified_ms) &&
	    modified_ms > 0)
		copy->modified_ms = modified_ms;
}

void pv_conditional_compare(struct pv_open *open)
{
	struct pv_page *page = &open->page;
	struct pv_copy had;
	bool has_copy = find_copy(open, &had);
	open->copy = (struct pv_copy){.has_digest = page->has_digest};
	memcpy(open->copy.digest, page->digest, sizeof(page->digest));
	if (page->is_kept)
		read_validators(open, &open->copy);
	page->change = pv_change_of(has_copy ? &had : NULL, &open->result,
	    page->is_kept ? &open->copy : NULL);
}

/* Refusals */

void pv_conditional_prepare_refusal(struct pv_open *open)
{
	struct pv_copy had;
	bool has_copy = find_copy(open, &had);
	fill_page(open);
	open->page.verdict = open->verdict;
	open->page.change =
	    pv_change_of(has_copy ? &had : NULL, &open->result, NULL);
	open->is_abandoned =
	    !pv_sinks_prepare(&open->crawl->sinks, &open->page);
}

#include "reading/comparison.h"

#include <string.h>

#include "http/date.h"
#include "http/entity_tag.h"
#include "http/media_type.h"

/* False if there is none. */
static bool find_copy(const struct pv_answer *answer, struct pv_copy *copy)
{
	return pv_copy_unpack(answer->visit->copy, copy);
}

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

static bool is_said_to_be_text(const struct pv_answer *answer)
{
	static const char *const texts[] = {"text/*", "application/javascript",
	    "application/json", "application/xhtml+xml", "application/xml"};
	struct pv_media_type type;
	return pv_media_type_read(pv_headers_get(&answer->response->headers,
				      PV_STR("Content-Type")),
		   &type) &&
	       pv_media_type_is_among(
		   type.name, texts, sizeof(texts) / sizeof(*texts));
}

/* Bytes in a coding that we do not know are not what the page says; and many
 * servers name a coding that they have not applied, but what they send then can
 * be read. */
static bool is_readable(const struct pv_answer *answer)
{
	switch (answer->response->coding) {
	case PV_CODING_UNKNOWN:
		return false;
	case PV_CODING_PLAIN:
		return !is_said_to_be_text(answer) ||
		       looks_like_text(answer->text);
	default:
		return true;
	}
}

bool pv_comparison_can_replace(
    const struct pv_answer *answer, struct pv_findings *findings)
{
	struct pv_copy had;
	bool has_copy = find_copy(answer, &had);
	const char *remark = NULL;
	if (!pv_change_is_page(has_copy ? &had : NULL, !answer->text.len))
		remark = "it is empty and was not before: the stored copy is "
			 "kept";
	else if (has_copy && had.has_digest && !is_readable(answer))
		remark = "its content coding cannot be decoded: the stored "
			 "copy is kept";
	if (remark)
		pv_findings_remark(findings, remark);
	return !remark;
}

/* What the server calls what it sent, if it may be asked about. A date that
 * stands at the beginning of time is none. */
static void read_validators(
    const struct pv_answer *answer, struct pv_copy *copy)
{
	const struct pv_headers *headers = &answer->response->headers;
	struct pv_str tag = pv_headers_get(headers, PV_STR("ETag"));
	struct pv_str date = pv_headers_get(headers, PV_STR("Last-Modified"));
	int64_t modified_ms;
	if (tag.len <= PV_ENTITY_TAG_MAX && pv_entity_tag_is_right(tag))
		copy->entity_tag = tag;
	if (date.ptr && pv_date_read(date, answer->wall_ms, &modified_ms) &&
	    modified_ms > 0)
		copy->modified_ms = modified_ms;
}

/* What it is like, for when that it is as it was is all that will be said. */
static void read_body(const struct pv_answer *answer, struct pv_copy *copy)
{
	const struct pv_response *response = answer->response;
	struct pv_media_type type;
	copy->bytes = response->body.size;
	if (pv_media_type_read(
		pv_headers_get(&response->headers, PV_STR("Content-Type")),
		&type) &&
	    type.name.len <= PV_COPY_TYPE_MAX)
		copy->type = type.name;
}

void pv_comparison_run(const struct pv_answer *answer,
    const struct pv_result *result, struct pv_findings *findings)
{
	struct pv_copy had;
	bool has_copy = find_copy(answer, &had);
	findings->copy = (struct pv_copy){.has_digest = findings->has_digest};
	memcpy(
	    findings->copy.digest, findings->digest, sizeof(findings->digest));
	if (findings->is_kept) {
		read_validators(answer, &findings->copy);
		read_body(answer, &findings->copy);
	}
	findings->change = pv_change_of(has_copy ? &had : NULL, result,
	    findings->is_kept ? &findings->copy : NULL);
}

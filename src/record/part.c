#include "record/part.h"

#include "base/reader.h"
#include "http/content_range.h"
#include "http/date.h"
#include "http/entity_tag.h"
#include "http/media_type.h"
#include "record/response.h"

#define CLOCKS_MS 60000

#define HEADERS_MAX 1000

#define ETAG PV_STR("ETag")
#define LAST_MODIFIED PV_STR("Last-Modified")
#define CONTENT_RANGE PV_STR("Content-Range")
#define CONTENT_ENCODING PV_STR("Content-Encoding")

/* What stands before the texts. */
struct head {
	uint64_t size;
	uint64_t complete;
	uint32_t gains;
	uint32_t validator_len;
	uint8_t digest[PV_DIGEST_SIZE];
};

void pv_part_pack(const struct pv_part *part, struct pv_buf *packed)
{
	struct head head = {
	    .size = part->size,
	    .complete = part->complete,
	    .gains = part->gains,
	    .validator_len = (uint32_t)part->validator.len,
	};
	memcpy(head.digest, part->digest, sizeof(head.digest));
	pv_buf_append(
	    packed, (struct pv_str){(const char *)&head, sizeof(head)});
	pv_buf_append(packed, part->validator);
	pv_buf_append(packed, part->headers);
}

bool pv_part_unpack(struct pv_str packed, struct pv_part *part)
{
	struct head head;
	if (packed.len < sizeof(head))
		return false;
	memcpy(&head, packed.ptr, sizeof(head));
	struct pv_str texts = pv_str_from(packed, sizeof(head));
	if (head.validator_len > texts.len)
		return false;
	*part = (struct pv_part){
	    .size = head.size,
	    .complete = head.complete,
	    .gains = head.gains,
	    .validator = pv_str_head(texts, head.validator_len),
	    .headers = pv_str_from(texts, head.validator_len),
	};
	memcpy(part->digest, head.digest, sizeof(part->digest));
	return true;
}

/* Validators */

static bool is_old_enough(
    const struct pv_headers *headers, struct pv_str modified, int64_t wall_ms)
{
	struct pv_str date = pv_headers_get(headers, PV_STR("Date"));
	int64_t modified_ms, date_ms;
	return date.ptr && pv_date_read(modified, wall_ms, &modified_ms) &&
	       pv_date_read(date, wall_ms, &date_ms) &&
	       date_ms - modified_ms >= CLOCKS_MS;
}

/* Empty where there is none that is strong. */
static struct pv_str find_validator(
    const struct pv_headers *headers, int64_t wall_ms)
{
	struct pv_str none = {"", 0};
	struct pv_str tag = pv_headers_get(headers, ETAG);
	struct pv_str modified = pv_headers_get(headers, LAST_MODIFIED);
	struct pv_str found = tag.ptr ? tag : modified;
	if (!found.ptr || found.len > PV_PART_VALIDATOR_MAX)
		return none;
	bool is_strong = tag.ptr ? pv_entity_tag_is_strong(tag)
				 : is_old_enough(headers, modified, wall_ms);
	return is_strong ? found : none;
}

static bool is_same_validator(
    const struct pv_part *part, const struct pv_headers *headers)
{
	bool is_tag = pv_str_starts(part->validator, PV_STR("\""));
	struct pv_str found =
	    pv_headers_get(headers, is_tag ? ETAG : LAST_MODIFIED);
	return found.ptr && pv_str_equal(found, part->validator);
}

/* Beginning */

/* That of one answer only, or nothing that is written to a disk. */
static bool is_kept(struct pv_str name)
{
	static const char *const left_out[] = {"Connection", "Content-Length",
	    "Content-Range", "Keep-Alive", "Set-Cookie", "Transfer-Encoding"};
	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		if (pv_str_equal_nocase(name, pv_str_of(left_out[i])))
			return false;
	return true;
}

static void write_headers(
    const struct pv_headers *headers, struct pv_buf *texts)
{
	for (size_t i = 0; i < headers->count; i++) {
		struct pv_header header = pv_headers_at(headers, i);
		if (!is_kept(header.name))
			continue;
		pv_buf_append(texts, header.name);
		pv_buf_append_text(texts, ": ");
		pv_buf_append(texts, header.value);
		pv_buf_append_text(texts, "\r\n");
	}
}

bool pv_part_begin(const struct pv_response *response, int64_t wall_ms,
    struct pv_buf *texts, struct pv_part *part)
{
	struct pv_str validator = find_validator(&response->headers, wall_ms);
	size_t start = texts->len;
	if (response->http_status != 200 || !validator.len ||
	    response->length == PV_BODY_LENGTH_UNKNOWN ||
	    response->body.size < PV_PART_BYTES_MIN ||
	    response->body.size >= response->length)
		return false;
	pv_buf_append(texts, validator);
	write_headers(&response->headers, texts);
	struct pv_str all = pv_str_from(pv_buf_str(texts), start);
	if (texts->is_full || all.len - validator.len > PV_PART_HEADERS_MAX) {
		pv_buf_cut(texts, start);
		return false;
	}
	*part = (struct pv_part){
	    .size = response->body.size,
	    .complete = response->length,
	    .validator = pv_str_head(all, validator.len),
	    .headers = pv_str_from(all, validator.len),
	};
	return true;
}

/* Continuing */

static void read_headers(const struct pv_part *part, struct pv_headers *headers)
{
	struct pv_reader reader = pv_reader_of(part->headers);
	pv_headers_init(headers, HEADERS_MAX, PV_PART_HEADERS_MAX);
	while (!pv_reader_is_end(&reader))
		pv_headers_add_line(headers, pv_reader_take_line(&reader));
}

static size_t count(const struct pv_headers *headers, struct pv_str name)
{
	struct pv_str value;
	size_t at = 0, found = 0;
	while (pv_headers_next(headers, name, &at, &value))
		found++;
	return found;
}

/* A coding that is not told is that of the part: the validator is that of the
 * coded bytes (8.8.3.3). */
static bool is_same_coding(
    const struct pv_part *part, const struct pv_headers *headers)
{
	struct pv_headers known;
	size_t said = count(headers, CONTENT_ENCODING);
	if (!said)
		return true;
	read_headers(part, &known);
	bool is_same =
	    said == 1 && count(&known, CONTENT_ENCODING) == 1 &&
	    pv_str_equal_nocase(pv_headers_get(headers, CONTENT_ENCODING),
		pv_headers_get(&known, CONTENT_ENCODING));
	pv_headers_finish(&known);
	return is_same;
}

static bool is_multipart(const struct pv_headers *headers)
{
	struct pv_media_type type;
	struct pv_str value = pv_headers_get(headers, PV_STR("Content-Type"));
	return value.ptr && pv_media_type_read(value, &type) &&
	       pv_str_equal_nocase(type.name, PV_STR("multipart/byteranges"));
}

static bool is_rest(
    const struct pv_part *part, const struct pv_headers *headers)
{
	struct pv_content_range range;
	return count(headers, CONTENT_RANGE) == 1 &&
	       pv_content_range_read(
		   pv_headers_get(headers, CONTENT_RANGE), &range) &&
	       range.first == part->size && range.complete == part->complete &&
	       range.last == part->complete - 1;
}

const char *pv_part_misfit(
    const struct pv_part *part, const struct pv_response *response)
{
	const struct pv_headers *headers = &response->headers;
	if (is_multipart(headers))
		return "it has several parts, but one was requested";
	if (!is_rest(part, headers))
		return "the answer is not the requested rest";
	if (!is_same_validator(part, headers))
		return "the rest is of another version";
	if (!is_same_coding(part, headers))
		return "the rest has another content coding";
	return NULL;
}

static bool has(
    const struct pv_headers *headers, size_t first_count, struct pv_str name)
{
	for (size_t i = 0; i < first_count; i++)
		if (pv_str_equal_nocase(pv_headers_at(headers, i).name, name))
			return true;
	return false;
}

void pv_part_complete_headers(
    const struct pv_part *part, struct pv_headers *headers)
{
	struct pv_headers known;
	size_t first_count = headers->count;
	read_headers(part, &known);
	for (size_t i = 0; i < known.count; i++) {
		struct pv_header header = pv_headers_at(&known, i);
		if (!has(headers, first_count, header.name))
			pv_headers_add(headers, header.name, header.value);
	}
	pv_headers_finish(&known);
}

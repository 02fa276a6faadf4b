#include "record/copy.h"

/* What stands before the texts. */
struct head {
	int64_t modified_ms;
	uint64_t bytes;
	uint32_t entity_tag_len;
	uint32_t type_len;
	bool has_digest;
	bool is_gone;
	bool is_there;
	bool must_be_read;
	bool is_as_listed;
	uint8_t digest[PV_DIGEST_SIZE];
};

void pv_copy_pack(const struct pv_copy *copy, struct pv_buf *packed)
{
	struct head head = {
	    .modified_ms = copy->modified_ms,
	    .bytes = copy->bytes,
	    .entity_tag_len = (uint32_t)copy->entity_tag.len,
	    .type_len = (uint32_t)copy->type.len,
	    .has_digest = copy->has_digest,
	    .is_gone = copy->is_gone,
	    .is_there = copy->is_there,
	    .must_be_read = copy->must_be_read,
	    .is_as_listed = copy->is_as_listed,
	};
	memcpy(head.digest, copy->digest, sizeof(head.digest));
	pv_buf_append(
	    packed, (struct pv_str){(const char *)&head, sizeof(head)});
	pv_buf_append(packed, copy->entity_tag);
	pv_buf_append(packed, copy->type);
	pv_buf_append(packed, copy->file);
}

bool pv_copy_unpack(struct pv_str packed, struct pv_copy *copy)
{
	struct head head;
	if (packed.len < sizeof(head))
		return false;
	memcpy(&head, packed.ptr, sizeof(head));
	struct pv_str texts = pv_str_from(packed, sizeof(head));
	if (head.entity_tag_len > texts.len ||
	    head.type_len > texts.len - head.entity_tag_len)
		return false;
	struct pv_str rest = pv_str_from(texts, head.entity_tag_len);
	*copy = (struct pv_copy){
	    .entity_tag = pv_str_head(texts, head.entity_tag_len),
	    .modified_ms = head.modified_ms,
	    .file = pv_str_from(rest, head.type_len),
	    .type = pv_str_head(rest, head.type_len),
	    .bytes = head.bytes,
	    .has_digest = head.has_digest,
	    .is_gone = head.is_gone,
	    .is_there = head.is_there,
	    .must_be_read = head.must_be_read,
	    .is_as_listed = head.is_as_listed,
	};
	memcpy(copy->digest, head.digest, sizeof(copy->digest));
	return true;
}

bool pv_copy_has_condition(const struct pv_copy *copy)
{
	return copy->is_there && !copy->is_gone && !copy->must_be_read &&
	       (copy->entity_tag.len || copy->modified_ms);
}

bool pv_copy_equal(const struct pv_copy *a, const struct pv_copy *b)
{
	if (a->has_digest != b->has_digest)
		return false;
	return !a->has_digest ||
	       memcmp(a->digest, b->digest, sizeof(a->digest)) == 0;
}

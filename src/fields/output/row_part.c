#include "fields/output/row_part.h"

struct frame {
	uint32_t kind;
	uint32_t target;
	uint32_t item;
	uint32_t head_len;
	uint64_t tail_len;
};

size_t pv_row_piece_begin(struct pv_buf *part)
{
	const struct frame frame = {.head_len = UINT32_MAX};
	size_t start = part->len;
	pv_buf_append(
	    part, (struct pv_str){(const char *)&frame, sizeof(frame)});
	return start;
}

/* Where it was turned away, nothing stands there. */
static void get(const struct pv_buf *part, size_t start, struct frame *frame)
{
	memcpy(frame, part->ptr + start, sizeof(*frame));
}

static void set(struct pv_buf *part, size_t start, const struct frame *frame)
{
	memcpy(part->ptr + start, frame, sizeof(*frame));
}

void pv_row_piece_split(struct pv_buf *part, size_t start)
{
	struct frame frame;
	if (part->is_full)
		return;
	get(part, start, &frame);
	frame.head_len = (uint32_t)(part->len - start - sizeof(frame));
	set(part, start, &frame);
}

void pv_row_piece_end(struct pv_buf *part, size_t start,
    enum pv_row_piece_kind kind, size_t target, uint32_t item)
{
	struct frame frame;
	if (part->is_full)
		return;
	get(part, start, &frame);
	size_t len = part->len - start - sizeof(frame);
	if (frame.head_len == UINT32_MAX)
		frame.head_len = (uint32_t)len;
	frame.tail_len = len - frame.head_len;
	frame.kind = kind;
	frame.target = (uint32_t)target;
	frame.item = item;
	set(part, start, &frame);
}

bool pv_row_piece_next(struct pv_str *left, struct pv_row_piece *piece)
{
	struct frame frame;
	if (left->len < sizeof(frame))
		return false;
	memcpy(&frame, left->ptr, sizeof(frame));
	struct pv_str rest = pv_str_from(*left, sizeof(frame));
	if (rest.len < frame.head_len ||
	    rest.len - frame.head_len < frame.tail_len)
		return false;
	*piece = (struct pv_row_piece){
	    .kind = frame.kind,
	    .target = frame.target,
	    .item = frame.item,
	    .head = pv_str_head(rest, frame.head_len),
	    .tail = {rest.ptr + frame.head_len, frame.tail_len},
	};
	*left = pv_str_from(rest, frame.head_len + frame.tail_len);
	return true;
}

void pv_row_summary_add(const struct pv_row_summary *summary,
    struct pv_str items, struct pv_buf *part)
{
	struct pv_row_summary all = *summary;
	all.items_len = items.len;
	pv_buf_append(part, items);
	pv_buf_append(part, (struct pv_str){(const char *)&all, sizeof(all)});
}

bool pv_row_summary_take(
    struct pv_str *part, struct pv_row_summary *summary, struct pv_str *items)
{
	if (part->len < sizeof(*summary))
		return false;
	size_t end = part->len - sizeof(*summary);
	memcpy(summary, part->ptr + end, sizeof(*summary));
	if (summary->items_len > end)
		return false;
	*items = (struct pv_str){
	    part->ptr + (end - summary->items_len), summary->items_len};
	*part = pv_str_head(*part, end - summary->items_len);
	return true;
}

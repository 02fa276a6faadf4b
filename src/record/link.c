#include "record/link.h"

#include <stdlib.h>

#include "base/array.h"

/* Texts stand behind one another in the buffer, which moves as it grows. */
struct pv_link_item {
	struct pv_fingerprint fingerprint;
	uint64_t via;
	struct pv_standing standing;
	int64_t lastmod_wall_ms;
	size_t start;
	uint32_t url_len;
	uint32_t host_len;
	uint32_t tag_len;
	uint32_t carry_len;
	uint8_t matched;
	bool asks_anew;
};

void pv_link_list_init(struct pv_link_list *links, size_t text_ceiling)
{
	*links = (struct pv_link_list){0};
	pv_buf_init(&links->texts,
	    text_ceiling < UINT32_MAX ? text_ceiling : UINT32_MAX);
}

void pv_link_list_finish(struct pv_link_list *links)
{
	free(links->items);
	pv_buf_finish(&links->texts);
	*links = (struct pv_link_list){0};
}

void pv_link_list_clear(struct pv_link_list *links)
{
	links->count = 0;
	pv_buf_clear(&links->texts);
}

bool pv_link_list_add(struct pv_link_list *links, const struct pv_link *link)
{
	size_t start = links->texts.len;
	if (!pv_buf_append(&links->texts, link->url) ||
	    !pv_buf_append(&links->texts, link->host) ||
	    !pv_buf_append(&links->texts, link->tag) ||
	    !pv_buf_append(&links->texts, link->carry)) {
		pv_buf_cut(&links->texts, start);
		return false;
	}
	struct pv_link_item *item =
	    PV_ARRAY_PUSH(links->items, links->count, links->size);
	*item = (struct pv_link_item){
	    .fingerprint = link->fingerprint,
	    .via = link->via,
	    .standing = link->standing,
	    .lastmod_wall_ms = link->lastmod_wall_ms,
	    .start = start,
	    .url_len = (uint32_t)link->url.len,
	    .host_len = (uint32_t)link->host.len,
	    .tag_len = (uint32_t)link->tag.len,
	    .carry_len = (uint32_t)link->carry.len,
	    .matched = link->matched,
	    .asks_anew = link->asks_anew,
	};
	pv_standing_bound(&item->standing);
	return true;
}

struct pv_link pv_link_list_get(const struct pv_link_list *links, size_t number)
{
	const struct pv_link_item *item = &links->items[number];
	const char *text = pv_buf_text(&links->texts) + item->start;
	const char *tag = text + item->url_len + item->host_len;
	return (struct pv_link){
	    .fingerprint = item->fingerprint,
	    .via = item->via,
	    .standing = item->standing,
	    .lastmod_wall_ms = item->lastmod_wall_ms,
	    .url = {text, item->url_len},
	    .host = {text + item->url_len, item->host_len},
	    .tag = {tag, item->tag_len},
	    .carry = {tag + item->tag_len, item->carry_len},
	    .matched = item->matched,
	    .asks_anew = item->asks_anew,
	};
}

void pv_link_list_ask_anew(struct pv_link_list *links, size_t number)
{
	links->items[number].asks_anew = true;
}

void pv_link_list_keep(
    struct pv_link_list *links, pv_link_fn is_wanted, void *ctx)
{
	size_t kept = 0;
	for (size_t i = 0; i < links->count; i++) {
		struct pv_link link = pv_link_list_get(links, i);
		if (is_wanted(ctx, &link))
			links->items[kept++] = links->items[i];
	}
	links->count = kept;
}

size_t pv_link_list_bytes(const struct pv_link_list *links)
{
	return links->size * sizeof(*links->items) + links->texts.size;
}

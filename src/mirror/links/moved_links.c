#include "mirror/links/moved_links.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

void pv_moved_links_init(struct pv_moved_links *moved)
{
	*moved = (struct pv_moved_links){.items = NULL};
	pv_buf_init(&moved->texts, SIZE_MAX);
}

void pv_moved_links_finish(struct pv_moved_links *moved)
{
	free(moved->items);
	pv_buf_finish(&moved->texts);
}

void pv_moved_links_clear(struct pv_moved_links *moved)
{
	moved->count = 0;
	pv_buf_clear(&moved->texts);
}

void pv_moved_links_add(struct pv_moved_links *moved, size_t link,
    struct pv_str text, struct pv_str named)
{
	*PV_ARRAY_PUSH(moved->items, moved->count, moved->size) =
	    (struct pv_moved_link){
		.link = link,
		.at = moved->texts.len,
		.text_len = text.len,
		.named_len = named.len,
	    };
	pv_buf_append(&moved->texts, text);
	pv_buf_append(&moved->texts, named);
}

/* All that was added from when one was. */
static struct pv_str from_item(
    const struct pv_moved_links *moved, const struct pv_moved_link *item)
{
	return pv_str_from(pv_buf_str(&moved->texts), item->at);
}

struct pv_str pv_moved_links_text(
    const struct pv_moved_links *moved, size_t number)
{
	const struct pv_moved_link *item = &moved->items[number];
	return pv_str_head(from_item(moved, item), item->text_len);
}

struct pv_str pv_moved_links_named(
    const struct pv_moved_links *moved, size_t number)
{
	const struct pv_moved_link *item = &moved->items[number];
	struct pv_str named =
	    pv_str_from(from_item(moved, item), item->text_len);
	return pv_str_head(named, item->named_len);
}

struct pv_str pv_moved_links_find(const struct pv_moved_links *moved,
    size_t *from, size_t link, struct pv_str text)
{
	while (*from < moved->count && moved->items[*from].link < link)
		(*from)++;
	for (size_t i = *from; i < moved->count && moved->items[i].link == link;
	     i++) {
		if (pv_str_equal(pv_moved_links_text(moved, i), text))
			return pv_moved_links_named(moved, i);
	}
	return PV_STR("");
}

#include "mirror/links/repeats.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define REPEATS ((size_t)1 << 11)
#define TEXT_MAX 400

/* Where a link of the document was found, unless that has turned to another
 * since. */
struct find {
	struct pv_repeat *repeat; /* NULL: not looked for */
	uint64_t turn;
};

struct pv_repeats {
	struct pv_buf place; /* of the document */
	uint64_t place_hash;
	struct find *finds; /* of its links that are the first of their kind */
	size_t find_count;
	uint64_t turns;
	struct pv_repeat items[REPEATS];
};

/* Texts are compared as well, so that nobody gains by steering it. */
static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

struct pv_repeats *pv_repeats_create(void)
{
	return pv_alloc(sizeof(struct pv_repeats));
}

void pv_repeats_destroy(struct pv_repeats *repeats)
{
	for (size_t i = 0; i < REPEATS; i++) {
		pv_buf_finish(&repeats->items[i].place);
		pv_buf_finish(&repeats->items[i].page);
		pv_buf_finish(&repeats->items[i].written);
	}
	pv_buf_finish(&repeats->place);
	free(repeats->finds);
	free(repeats);
}

/* Links */

/* With its mark. */
static struct pv_str fragment_of(const struct pv_page_link *link)
{
	return pv_str_from(link->value, link->page_len);
}

/* A query alone belongs to the page that it stands in, and so does one behind a
 * scheme, or a scheme alone. */
static bool has_path(struct pv_str page)
{
	size_t colon = pv_str_find(page, ':');
	if (colon != PV_NOT_FOUND)
		page = pv_str_from(page, colon + 1);
	return page.len && page.ptr[0] != '?';
}

/* Looking up */

static void set(struct pv_buf *buf, struct pv_str text)
{
	buf->ceiling = TEXT_MAX;
	pv_buf_clear(buf);
	pv_buf_append(buf, text);
}

static void turn(struct pv_repeats *repeats, struct pv_repeat *repeat,
    struct pv_str place, struct pv_str page)
{
	set(&repeat->place, place);
	set(&repeat->page, page);
	repeat->is_known = false;
	repeat->turn = ++repeats->turns;
}

void pv_repeats_turn(
    struct pv_repeats *repeats, struct pv_str place, size_t link_count)
{
	set(&repeats->place, place);
	repeats->place_hash = pv_hash(&hash_key, place);
	if (repeats->find_count < link_count) {
		free(repeats->finds);
		repeats->finds =
		    pv_alloc_array(link_count, sizeof(*repeats->finds));
		repeats->find_count = link_count;
	}
	for (size_t i = 0; i < link_count; i++)
		repeats->finds[i].repeat = NULL;
}

static struct pv_repeat *find(struct pv_repeats *repeats, struct pv_str page)
{
	struct pv_str place = pv_buf_str(&repeats->place);
	if (!place.len || repeats->place.is_full || page.len > TEXT_MAX ||
	    !has_path(page))
		return NULL;
	uint64_t hash = pv_hash(&hash_key, page) ^ repeats->place_hash;
	struct pv_repeat *repeat = &repeats->items[hash % REPEATS];
	if (!pv_str_equal(pv_buf_str(&repeat->page), page) ||
	    !pv_str_equal(pv_buf_str(&repeat->place), place))
		turn(repeats, repeat, place, page);
	return repeat;
}

struct pv_repeat *pv_repeats_get(
    struct pv_repeats *repeats, const struct pv_page_link *link)
{
	struct find *known = &repeats->finds[link->first];
	if (!link->is_plain)
		return NULL;
	if (known->repeat && known->repeat->turn == known->turn)
		return known->repeat;
	known->repeat = find(repeats, pv_page_link_page(link));
	if (known->repeat)
		known->turn = known->repeat->turn;
	return known->repeat;
}

/* One whose fragment did not stay is an exception. */
void pv_repeat_keep(struct pv_repeat *repeat, int outcome,
    const struct pv_page_link *link, struct pv_str written)
{
	struct pv_str fragment = fragment_of(link);
	if (!pv_str_ends(written, fragment))
		return;
	set(&repeat->written, pv_str_head(written, written.len - fragment.len));
	repeat->outcome = outcome;
	repeat->is_known = !repeat->written.is_full;
}

void pv_repeat_write(const struct pv_repeat *repeat,
    const struct pv_page_link *link, struct pv_buf *text)
{
	pv_buf_clear(text);
	pv_buf_append(text, pv_buf_str(&repeat->written));
	pv_buf_append(text, fragment_of(link));
}

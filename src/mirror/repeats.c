#include "mirror/repeats.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define REPEATS ((size_t)1 << 11)
#define TEXT_MAX 400

struct pv_repeats {
	struct pv_buf place; /* of the document */
	uint64_t place_hash;
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
	free(repeats);
}

/* Links */

/* These stand for themselves, in whatever encoding and wherever in an
 * address. */
static const bool plain[256] = {
    ['A' ... 'Z'] = true,
    ['a' ... 'z'] = true,
    ['0' ... '9'] = true,
    ['/'] = true,
    ['-'] = true,
    ['.'] = true,
    ['_'] = true,
    ['~'] = true,
    ['='] = true,
    ['?'] = true,
    [':'] = true,
    ['#'] = true,
};

static bool is_plain(struct pv_str text)
{
	size_t i = 0;
	while (i < text.len && plain[(unsigned char)text.ptr[i]])
		i++;
	return i == text.len;
}

static size_t page_len(const struct pv_page_link *link)
{
	size_t hash = pv_str_find(link->value, '#');
	return hash == PV_NOT_FOUND ? link->value.len : hash;
}

/* With its mark. */
static struct pv_str fragment_of(const struct pv_page_link *link)
{
	return pv_str_from(link->value, page_len(link));
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

/* Up to its fragment; empty if it means more than it says. */
static struct pv_str page_of(const struct pv_page_link *link)
{
	struct pv_str page = pv_str_head(link->value, page_len(link));
	bool is_simple = link->form == PV_FORM_ATTRIBUTE &&
			 link->place->reading == PV_READ_ADDRESS &&
			 has_path(page) && is_plain(link->value);
	return is_simple ? page : PV_STR("");
}

/* Looking up */

static void set(struct pv_buf *buf, struct pv_str text)
{
	buf->ceiling = TEXT_MAX;
	pv_buf_clear(buf);
	pv_buf_append(buf, text);
}

static void turn(
    struct pv_repeat *repeat, struct pv_str place, struct pv_str page)
{
	set(&repeat->place, place);
	set(&repeat->page, page);
	repeat->is_known = false;
}

void pv_repeats_turn(struct pv_repeats *repeats, struct pv_str place)
{
	set(&repeats->place, place);
	repeats->place_hash = pv_hash(&hash_key, place);
}

struct pv_repeat *pv_repeats_get(
    struct pv_repeats *repeats, const struct pv_page_link *link)
{
	struct pv_str place = pv_buf_str(&repeats->place);
	if (!place.len || repeats->place.is_full)
		return NULL;
	struct pv_str page = page_of(link);
	if (!page.len || page.len > TEXT_MAX)
		return NULL;
	uint64_t hash = pv_hash(&hash_key, page) ^ repeats->place_hash;
	struct pv_repeat *repeat = &repeats->items[hash % REPEATS];
	if (!pv_str_equal(pv_buf_str(&repeat->page), page) ||
	    !pv_str_equal(pv_buf_str(&repeat->place), place))
		turn(repeat, place, page);
	return repeat;
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

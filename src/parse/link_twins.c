#include "parse/link_twins.h"

#include "base/hash.h"

/* A longer one is compared with none. */
#define PLAIN_MAX 2000

/* A stranger who steers it makes it forget, and nothing else. */
static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

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

bool pv_link_is_plain(struct pv_str text)
{
	size_t i = 0;
	while (i < text.len && plain[(unsigned char)text.ptr[i]])
		i++;
	return i == text.len;
}

static bool can_be_plain(const struct pv_page_link *link)
{
	return link->form == PV_FORM_ATTRIBUTE &&
	       link->place->reading == PV_READ_ADDRESS &&
	       link->value.len <= PLAIN_MAX;
}

/* Finds the end of its page, too. */
static void look_at(struct pv_page_link *link)
{
	struct pv_str text = link->value;
	if (!can_be_plain(link))
		return;
	const char *mark = memchr(text.ptr, '#', text.len);
	link->page_len =
	    (uint32_t)(mark ? (size_t)(mark - text.ptr) : text.len);
	link->is_plain = pv_link_is_plain(text);
}

static bool are_twins(
    const struct pv_page_link *one, const struct pv_page_link *other)
{
	return one->is_plain && one->is_page == other->is_page &&
	       one->may_be_page == other->may_be_page &&
	       one->is_ahead == other->is_ahead &&
	       one->is_nofollow == other->is_nofollow &&
	       one->is_mention == other->is_mention &&
	       pv_str_equal(pv_page_link_page(one), pv_page_link_page(other));
}

/* Where to look for its twins. */
static size_t slot_of(const struct pv_page_link *link)
{
	unsigned sort = (unsigned)link->is_page + 2u * link->is_nofollow +
			4u * link->is_mention;
	return (pv_hash(&hash_key, pv_page_link_page(link)) + sort) %
	       PV_LINKS_LATELY;
}

/* What is left there of another document is compared like anything else. */
void pv_link_twins_mark(struct pv_links *links)
{
	size_t last = links->count - 1;
	struct pv_page_link *link = &links->items[last];
	link->first = (uint32_t)last;
	look_at(link);
	if (!link->is_plain)
		return;
	if (last && are_twins(link - 1, link)) {
		link->first = link[-1].first;
		return;
	}
	uint32_t *lately = &links->lately[slot_of(link)];
	if (*lately < last && are_twins(&links->items[*lately], link))
		link->first = links->items[*lately].first;
	*lately = link->first;
}

#include "crawl/update/page_kinds.h"

#include "frontier/frontier.h"
#include "policy/pages.h"
#include "store/tables/kind_names.h"

static void write_names(const struct pv_pages *pages, struct pv_buf *names)
{
	for (size_t i = 0; i < pages->count; i++)
		pv_buf_append_format(names, "%s\n", pages->items[i].name);
}

/* From 1; 0 for a kind that the policy does not have. */
static unsigned char number_of(const struct pv_pages *pages, struct pv_str name)
{
	size_t number = pv_pages_find(pages, name);
	return number < pages->count ? (unsigned char)(number + 1) : 0;
}

/* What has no names is of no kind, or has the numbers of this policy. */
static void map(
    struct pv_str names, const struct pv_pages *pages, unsigned char *numbers)
{
	for (unsigned i = 0; i <= PV_PAGE_KINDS_MAX; i++)
		numbers[i] = (unsigned char)i;
	if (!names.len)
		return;
	for (unsigned i = 1; i <= PV_PAGE_KINDS_MAX; i++) {
		size_t end = pv_str_find(names, '\n');
		bool is_there = end != PV_NOT_FOUND;
		numbers[i] =
		    is_there ? number_of(pages, pv_str_head(names, end)) : 0;
		names = is_there ? pv_str_from(names, end + 1) : PV_STR("");
	}
}

void pv_page_kinds_map(struct pv_database *database,
    const struct pv_pages *pages, unsigned char *numbers)
{
	struct pv_buf names;
	pv_buf_init(&names, SIZE_MAX);
	pv_kind_names_get(database, &names);
	map(pv_buf_str(&names), pages, numbers);
	pv_buf_finish(&names);
}

void pv_page_kinds_apply(struct pv_frontier *frontier,
    struct pv_database *database, const struct pv_pages *pages)
{
	unsigned char numbers[PV_PAGE_KINDS_MAX + 1];
	struct pv_buf before, now;
	pv_buf_init(&before, SIZE_MAX);
	pv_kind_names_get(database, &before);
	pv_buf_init(&now, SIZE_MAX);
	write_names(pages, &now);
	if (!pv_str_equal(pv_buf_str(&before), pv_buf_str(&now))) {
		map(pv_buf_str(&before), pages, numbers);
		pv_frontier_map_kinds(frontier, numbers);
		pv_kind_names_set(database, pv_buf_str(&now));
	}
	pv_buf_finish(&before);
	pv_buf_finish(&now);
}

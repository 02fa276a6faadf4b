#include "crawl/update/page_kinds.h"

#include "frontier/frontier.h"
#include "policy/pages.h"
#include "store/tables/note.h"

/* The names, a line for each. */
#define NOTE PV_STR("page-kinds")

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

static void get_names(struct pv_database *database, struct pv_buf *names)
{
	pv_buf_init(names, SIZE_MAX);
	pv_note_get_text(database, NOTE, names);
}

void pv_page_kinds_map(struct pv_database *database,
    const struct pv_pages *pages, unsigned char *numbers)
{
	struct pv_buf names;
	get_names(database, &names);
	map(pv_buf_str(&names), pages, numbers);
	pv_buf_finish(&names);
}

void pv_page_kinds_apply(struct pv_frontier *frontier,
    struct pv_database *database, const struct pv_pages *pages)
{
	unsigned char numbers[PV_PAGE_KINDS_MAX + 1];
	struct pv_buf before, now;
	get_names(database, &before);
	pv_buf_init(&now, SIZE_MAX);
	write_names(pages, &now);
	if (!pv_str_equal(pv_buf_str(&before), pv_buf_str(&now))) {
		map(pv_buf_str(&before), pages, numbers);
		pv_frontier_map_kinds(frontier, numbers);
		pv_note_set_text(database, NOTE, pv_buf_str(&now));
	}
	pv_buf_finish(&before);
	pv_buf_finish(&now);
}

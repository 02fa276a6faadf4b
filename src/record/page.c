#include "record/page.h"

#include <stdio.h>
#include <string.h>

/* Longer than any path that may be opened. */
#define FILE_BYTES_MAX ((size_t)8 * 1024)

/* Addresses are bounded by scope.max_url; this is room for any two of them with
 * every byte escaped. */
#define PART_BYTES_MAX ((size_t)1024 * 1024)

void pv_page_init(struct pv_page *page)
{
	*page = (struct pv_page){.wait_ms = -1, .pacing = PV_PACING_NONE};
	pv_buf_init(&page->file, FILE_BYTES_MAX);
	for (size_t i = 0; i < PV_PAGE_PARTS_MAX; i++)
		pv_buf_init(&page->parts[i], PART_BYTES_MAX);
}

void pv_page_clear(struct pv_page *page)
{
	struct pv_page kept = *page;
	*page = (struct pv_page){
	    .wait_ms = -1,
	    .pacing = PV_PACING_NONE,
	    .file = kept.file,
	};
	pv_buf_clear(&page->file);
	memcpy(page->parts, kept.parts, sizeof(page->parts));
	for (size_t i = 0; i < PV_PAGE_PARTS_MAX; i++)
		pv_buf_clear(&page->parts[i]);
}

void pv_page_refuse(struct pv_page *page, const struct pv_visit *visit,
    struct pv_str host, int64_t wall_ms)
{
	pv_page_clear(page);
	page->visit = visit;
	page->host = host;
	page->verdict = visit->standing.verdict;
	page->wall_ms = wall_ms;
}

void pv_page_fail(struct pv_page *page, const char *fault, int error)
{
	snprintf(page->fault, sizeof(page->fault), "%s", fault);
	page->error = error;
}

void pv_page_digest(struct pv_page *page)
{
	if (page->has_digest || !page->text.len)
		return;
	pv_digest(page->text, page->digest);
	page->has_digest = true;
}

size_t pv_page_bytes(const struct pv_page *page)
{
	size_t bytes = page->file.size;
	for (size_t i = 0; i < PV_PAGE_PARTS_MAX; i++)
		bytes += page->parts[i].size;
	return bytes;
}

void pv_page_finish(struct pv_page *page)
{
	pv_buf_finish(&page->file);
	for (size_t i = 0; i < PV_PAGE_PARTS_MAX; i++)
		pv_buf_finish(&page->parts[i]);
}

#include "record/page.h"

/* Longer than any path that may be opened. */
#define FILE_BYTES_MAX ((size_t)8 * 1024)

/* Addresses are bounded by scope.max_url; this is room for any two of them with
 * every byte escaped. */
#define LINE_BYTES_MAX ((size_t)1024 * 1024)

void pv_page_init(struct pv_page *page)
{
	*page = (struct pv_page){.wait_ms = -1, .pacing = PV_PACING_NONE};
	pv_buf_init(&page->file, FILE_BYTES_MAX);
	pv_buf_init(&page->line, LINE_BYTES_MAX);
}

void pv_page_clear(struct pv_page *page)
{
	struct pv_page kept = *page;
	*page = (struct pv_page){
	    .wait_ms = -1,
	    .pacing = PV_PACING_NONE,
	    .file = kept.file,
	    .line = kept.line,
	};
	pv_buf_clear(&page->file);
	pv_buf_clear(&page->line);
}

size_t pv_page_bytes(const struct pv_page *page)
{
	return page->file.size + page->line.size;
}

void pv_page_finish(struct pv_page *page)
{
	pv_buf_finish(&page->file);
	pv_buf_finish(&page->line);
}

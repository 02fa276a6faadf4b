#include "sink/change_line.h"

#include "sink/line_parts.h"

static void add_digest(
    struct pv_buf *line, struct pv_str key, const uint8_t *digest)
{
	pv_buf_append(line, key);
	pv_buf_append(line, PV_STR("\"sha256:"));
	pv_digest_write(digest, line);
	pv_buf_append_char(line, '"');
}

static const char *word_of_proof(const struct pv_page *page)
{
	if (page->change != PV_CHANGE_SAME && page->change != PV_CHANGE_CHANGED)
		return "";
	if (!page->response)
		return "sitemap";
	return page->response->http_status == 304 ? "304" : "digest";
}

/* Of what is as it was there is the one digest. */
static void add_digests(struct pv_buf *line, const struct pv_page *page)
{
	struct pv_copy had = {.has_digest = false};
	pv_copy_unpack(page->visit->copy, &had);
	if (page->has_digest && page->is_kept)
		add_digest(line, PV_LINE_KEY("digest"), page->digest);
	else if (page->change == PV_CHANGE_SAME && had.has_digest)
		add_digest(line, PV_LINE_KEY("digest"), had.digest);
	if (had.has_digest)
		add_digest(line, PV_LINE_KEY("was"), had.digest);
}

void pv_change_line_write(
    const struct pv_page *page, uint64_t round, struct pv_buf *line)
{
	pv_buf_append_format(
	    line, "{\"round\":%llu", (unsigned long long)round);
	pv_buf_append(line, PV_LINE_KEY("time"));
	pv_buf_append_char(line, '"');
	pv_line_append_time(line, page->wall_ms);
	pv_buf_append_char(line, '"');
	pv_line_add_url(line, PV_LINE_KEY("url"), page->visit->url);
	pv_line_add_text(line, PV_LINE_KEY("change"),
	    pv_str_of(pv_change_word(page->change)));
	if (page->response && page->response->http_status)
		pv_line_add_number(
		    line, PV_LINE_KEY("status"), page->response->http_status);
	add_digests(line, page);
	pv_line_add_text(
	    line, PV_LINE_KEY("by"), pv_str_of(word_of_proof(page)));
}

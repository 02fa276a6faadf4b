#include "parse/sitemap_text.h"

void pv_sitemap_text_init(struct pv_sitemap_text *sitemap, struct pv_str file)
{
	*sitemap = (struct pv_sitemap_text){.reader = pv_reader_of(file)};
	pv_reader_accept_str(&sitemap->reader, PV_STR("\xef\xbb\xbf"));
}

bool pv_sitemap_text_next(struct pv_sitemap_text *sitemap, struct pv_url *url)
{
	while (!pv_reader_is_end(&sitemap->reader) &&
	       sitemap->count < PV_SITEMAP_ENTRIES_MAX) {
		struct pv_str line =
		    pv_str_trim(pv_reader_take_line(&sitemap->reader));
		if (line.len && pv_url_parse(url, line) == PV_URL_OK) {
			sitemap->count++;
			return true;
		}
	}
	return false;
}

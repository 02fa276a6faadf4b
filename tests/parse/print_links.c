#include <stdio.h>
#include <stdlib.h>

#include "parse/joiner.h"

/* Prints the links of pages, to be compared with those of others: for each
 * line "FILE BASE" on standard input a line "FILE", and then a line for each
 * link, "page" or "resource", a tab, and the address without its fragment. */

#define PAGE_BYTES_MAX (64 << 20)
#define LINKS_MAX 1000000
#define ADDRESS_LEN_MAX (1 << 20)
#define LINE_LEN_MAX 8192

struct printer {
	struct pv_links links;
	struct pv_joiner joiner;
	struct pv_url page, url;
	struct pv_buf bytes;
};

static bool read_file(struct printer *printer, const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return false;
	char piece[65536];
	size_t len;
	pv_buf_clear(&printer->bytes);
	while ((len = fread(piece, 1, sizeof(piece), file)))
		pv_buf_append(&printer->bytes, (struct pv_str){piece, len});
	fclose(file);
	return true;
}

static void print_page(struct printer *printer)
{
	const struct pv_page_facts facts = {PV_STR(""), PV_STR("")};
	struct pv_links *links = &printer->links;
	pv_links_read(links, pv_buf_str(&printer->bytes), &facts);
	pv_joiner_turn(&printer->joiner, links, &printer->page);
	for (size_t i = 0; i < links->count; i++) {
		const struct pv_page_link *link = &links->items[i];
		if (pv_joiner_join(&printer->joiner, &printer->url, link) ==
		    PV_URL_OK)
			printf("%s\t%.*s\n",
			    link->is_page ? "page" : "resource",
			    PV_STR_ARG(pv_url_page(&printer->url)));
	}
}

static bool print_line(struct printer *printer, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	char *space = strchr(line, ' ');
	if (!space)
		return false;
	*space = '\0';
	printf("%s\n", line);
	if (pv_url_parse(&printer->page, pv_str_of(space + 1)) != PV_URL_OK ||
	    !read_file(printer, line))
		return false;
	print_page(printer);
	return true;
}

int main(void)
{
	struct printer printer;
	char line[LINE_LEN_MAX];
	bool is_well = true;
	pv_links_init(&printer.links, LINKS_MAX, PAGE_BYTES_MAX);
	pv_joiner_init(&printer.joiner, ADDRESS_LEN_MAX);
	pv_url_init(&printer.page, ADDRESS_LEN_MAX);
	pv_url_init(&printer.url, ADDRESS_LEN_MAX);
	pv_buf_init(&printer.bytes, PAGE_BYTES_MAX);
	while (is_well && fgets(line, sizeof(line), stdin))
		is_well = print_line(&printer, line);
	pv_buf_finish(&printer.bytes);
	pv_url_finish(&printer.url);
	pv_url_finish(&printer.page);
	pv_joiner_finish(&printer.joiner);
	pv_links_finish(&printer.links);
	return is_well ? 0 : 1;
}

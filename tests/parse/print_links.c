#include <stdio.h>
#include <stdlib.h>

#include "base/reader.h"
#include "parse/joiner.h"

/* Prints the links of pages, to be compared with those of others: for each
 * line "FILE BASE" or "FILE BASE CHARSET", that of the header, on standard input
 * a line "FILE", and then a line for each link, "page" or "resource", a tab, and
 * the address without its fragment. With an argument, whatever it is, a line with
 * the page's encoding comes before. */

#define PAGE_BYTES_MAX (64 << 20)
#define LINKS_MAX 1000000
#define ADDRESS_LEN_MAX (1 << 20)
#define LINE_LEN_MAX 8192

struct printer {
	struct pv_links links;
	struct pv_joiner joiner;
	struct pv_url page, url;
	struct pv_buf bytes;
	bool has_charsets;
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

/* A page whose encoding nobody knows is read as UTF-8, as its frame is. */
static void print_charset(const struct pv_charset *charset)
{
	printf("charset\t%s\n",
	    charset->encoding ? charset->encoding->name : "utf-8");
}

static void print_page(struct printer *printer, struct pv_str charset)
{
	const struct pv_page_facts facts = {.charset = charset};
	struct pv_links *links = &printer->links;
	pv_links_read(links, pv_buf_str(&printer->bytes), &facts);
	if (printer->has_charsets)
		print_charset(&links->charset);
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

static bool is_within_word(int byte)
{
	return byte > ' ';
}

static struct pv_str take_word(struct pv_reader *reader)
{
	struct pv_str word = pv_reader_take_while(reader, is_within_word);
	pv_reader_next(reader);
	return word;
}

static bool print_line(struct printer *printer, char *line)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(line));
	struct pv_str file = take_word(&reader);
	struct pv_str base = take_word(&reader);
	struct pv_str charset = take_word(&reader);
	if (pv_str_equal(charset, PV_STR("-")))
		charset = PV_STR("");
	printf("%.*s\n", PV_STR_ARG(file));
	line[file.len] = '\0';
	if (pv_url_parse(&printer->page, base) != PV_URL_OK ||
	    !read_file(printer, line))
		return false;
	print_page(printer, charset);
	return true;
}

int main(int argc, char **argv)
{
	(void)argv;
	struct printer printer = {.has_charsets = argc > 1};
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

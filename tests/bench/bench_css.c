#include <stdio.h>
#include <time.h>

#include "base/file.h"
#include "parse/links.h"

/* How fast the links of style sheets are read, in MB/s: of one that is made up
 * as people write them, of the same without its spaces, and of files that are
 * given. */

#define SHEET_BYTES_MAX ((size_t)64 << 20)
#define LINKS_MAX 1000000
#define ROUNDS 9

static double now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void measure(const char *name, struct pv_str sheet)
{
	const struct pv_page_facts facts = {
	    .charset = PV_STR(""), .product = PV_STR("")};
	struct pv_links links;
	double best_ns = 0;
	pv_links_init(&links, LINKS_MAX, 0);
	for (unsigned round = 0; round < ROUNDS; round++) {
		double start = now_ns();
		pv_links_read_sheet(&links, sheet, &facts);
		double took_ns = now_ns() - start;
		if (!round || took_ns < best_ns)
			best_ns = took_ns;
	}
	printf("css: %s: %.1f MB, %zu links read: %.0f MB/s\n", name,
	    (double)sheet.len / 1e6, links.count,
	    (double)sheet.len * 1e3 / best_ns);
	pv_links_finish(&links);
}

static void write_sheet(struct pv_buf *sheet)
{
	pv_buf_append_text(sheet, "@charset \"utf-8\";\n@import \"a.css\";\n");
	for (unsigned i = 0; i < 20000; i++)
		pv_buf_append_format(sheet,
		    "/* what stands beside the text */\n"
		    ".side-%u > ul.list li:hover,\n#main p::before {\n"
		    "\tmargin: 0 auto 1.25em;\n\tcolor: #2f3e4d;\n"
		    "\tfont-family: \"Open Sans\", sans-serif;\n"
		    "\tbackground: rgba(0, 0, 0, 0.5) url(../images/%u.png) "
		    "no-repeat;\n\ttransition: opacity 0.2s ease-in-out;\n}\n",
		    i, i % 50);
}

/* As a program would write it. */
static void write_pressed(struct pv_buf *pressed, struct pv_str sheet)
{
	for (size_t i = 0; i < sheet.len; i++) {
		char byte = sheet.ptr[i];
		if (byte != '\n' && byte != '\t')
			pv_buf_append_char(pressed, byte);
	}
}

int main(int argc, char **argv)
{
	struct pv_buf sheet, pressed;
	pv_buf_init(&sheet, SHEET_BYTES_MAX);
	pv_buf_init(&pressed, SHEET_BYTES_MAX);
	for (int i = 1; i < argc; i++) {
		pv_buf_clear(&sheet);
		if (pv_file_read(argv[i], &sheet) == PV_FILE_READ)
			measure(argv[i], pv_buf_str(&sheet));
		else
			printf("css: %s cannot be read\n", argv[i]);
	}
	if (argc == 1) {
		write_sheet(&sheet);
		write_pressed(&pressed, pv_buf_str(&sheet));
		measure("made up", pv_buf_str(&sheet));
		measure("pressed", pv_buf_str(&pressed));
	}
	pv_buf_finish(&pressed);
	pv_buf_finish(&sheet);
	return 0;
}

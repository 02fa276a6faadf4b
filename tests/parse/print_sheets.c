#include <stdio.h>

#include "parse/css.h"
#include "parse/css_escape.h"

/* Prints the links of style sheets, to be compared with those of others: for
 * each line with a file's name on standard input that line, and then one for
 * each link, a tab and the address with its escapes read, in which all but
 * letters, digits and the like are written as %XX. */

#define SHEET_BYTES_MAX (64 << 20)
#define LINE_LEN_MAX 8192

static bool read_file(const char *path, struct pv_buf *bytes)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return false;
	char piece[65536];
	size_t len;
	pv_buf_clear(bytes);
	while ((len = fread(piece, 1, sizeof(piece), file)))
		pv_buf_append(bytes, (struct pv_str){piece, len});
	fclose(file);
	return true;
}

static void print_address(struct pv_str address)
{
	printf("\t");
	for (size_t i = 0; i < address.len; i++) {
		unsigned char byte = (unsigned char)address.ptr[i];
		bool is_shown = byte > ' ' && byte < 0x7f && byte != '%';
		if (is_shown)
			printf("%c", byte);
		else if (byte)
			printf("%%%02X", byte);
		else /* what a sheet means by a NUL */
			printf("%%EF%%BF%%BD");
	}
	printf("\n");
}

static void print_sheet(struct pv_str sheet)
{
	struct pv_css css;
	struct pv_str address;
	struct pv_buf unescaped;
	pv_buf_init(&unescaped, 2 * SHEET_BYTES_MAX);
	pv_css_init(&css, sheet, NULL);
	while (pv_css_next(&css, &address)) {
		pv_buf_clear(&unescaped);
		pv_css_unescape(address, &unescaped);
		print_address(pv_buf_str(&unescaped));
	}
	pv_buf_finish(&unescaped);
}

int main(void)
{
	struct pv_buf bytes;
	char line[LINE_LEN_MAX];
	bool is_well = true;
	pv_buf_init(&bytes, SHEET_BYTES_MAX);
	while (is_well && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		printf("%s\n", line);
		is_well = read_file(line, &bytes);
		if (is_well)
			print_sheet(pv_buf_str(&bytes));
	}
	pv_buf_finish(&bytes);
	return is_well ? 0 : 1;
}

#include <inttypes.h>
#include <stdio.h>

#include "tree/expression.h"
#include "tree/text.h"

/* Prints what expressions find, to be compared with others: the file named
 * first has an expression in each line, behind "css " or "xpath ". For each
 * line with a file's name on standard input it prints that line, and then one
 * for each expression: how many matches, and the sum of their texts (CRC-32,
 * each followed by a NUL); elements as HTML. With a second argument the texts
 * themselves follow. */

#define PAGE_MAX ((size_t)16 << 20)
#define EXPRESSIONS_MAX 200
#define LINE_MAX_BYTES 4096

struct printing {
	struct pv_expression *expressions[EXPRESSIONS_MAX];
	size_t count;
	bool is_verbose;
	uint32_t table[256];
	struct pv_buf page, text;
};

static bool read_file(const char *path, struct pv_buf *bytes)
{
	FILE *file = fopen(path, "rb");
	char piece[65536];
	size_t len;
	pv_buf_clear(bytes);
	if (!file)
		return false;
	while ((len = fread(piece, 1, sizeof(piece), file)))
		pv_buf_append(bytes, (struct pv_str){piece, len});
	fclose(file);
	return true;
}

static bool add_expression(struct printing *printing, struct pv_str line)
{
	struct pv_expression_fault fault = {.offset = 0};
	bool is_css = pv_str_starts(line, PV_STR("css "));
	struct pv_expression *expression = pv_expression_create(
	    is_css ? PV_EXPRESSION_CSS : PV_EXPRESSION_XPATH,
	    pv_str_from(line, is_css ? 4 : 6), &fault);
	if (!expression)
		fprintf(stderr, "%.*s: %zu: %s\n", PV_STR_ARG(line),
		    fault.offset, fault.text);
	else
		printing->expressions[printing->count++] = expression;
	return expression != NULL;
}

static bool read_expressions(struct printing *printing, const char *path)
{
	char line[LINE_MAX_BYTES];
	FILE *file = fopen(path, "r");
	bool is_well = file != NULL;
	while (is_well && printing->count < EXPRESSIONS_MAX &&
	       fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		is_well = add_expression(printing, pv_str_of(line));
	}
	if (file)
		fclose(file);
	return is_well;
}

/* The polynomial of CRC-32, bit by bit turned round. */
static void make_table(uint32_t *table)
{
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (unsigned bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^
				   (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
	}
}

static uint32_t added(const uint32_t *table, uint32_t sum, struct pv_str text)
{
	for (size_t i = 0; i <= text.len; i++) {
		unsigned char byte =
		    i < text.len ? (unsigned char)text.ptr[i] : 0;
		sum = table[(sum ^ byte) & 255] ^ sum >> 8;
	}
	return sum;
}

static struct pv_str text_of(
    struct printing *printing, const struct pv_match *match)
{
	if (!match->node)
		return match->text;
	pv_buf_clear(&printing->text);
	pv_tree_html(match->node, &printing->text);
	return pv_buf_str(&printing->text);
}

static void print_matches(struct printing *printing, size_t number,
    const struct pv_tree *tree, struct pv_matches *matches)
{
	struct pv_tree_budget budget = {UINT64_MAX};
	uint32_t sum = UINT32_MAX;
	pv_expression_evaluate(
	    printing->expressions[number], tree, NULL, &budget, matches);
	for (size_t i = 0; i < matches->count; i++)
		sum = added(printing->table, sum,
		    text_of(printing, &matches->items[i]));
	printf("%zu %zu %08" PRIx32 "\n", number, matches->count, ~sum);
	for (size_t i = 0; printing->is_verbose && i < matches->count; i++) {
		struct pv_str text = text_of(printing, &matches->items[i]);
		printf("> %.*s\n", PV_STR_ARG(text));
	}
}

static void print_page(struct printing *printing)
{
	struct pv_matches matches;
	struct pv_tree *tree =
	    pv_tree_create(pv_buf_str(&printing->page), &PV_TREE_CEILINGS);
	pv_matches_init(&matches, (size_t)-1);
	for (size_t i = 0; i < printing->count; i++)
		print_matches(printing, i, tree, &matches);
	pv_matches_finish(&matches);
	pv_tree_destroy(tree);
}

int main(int argc, char **argv)
{
	static struct printing printing;
	char line[LINE_MAX_BYTES];
	printing.is_verbose = argc > 2;
	make_table(printing.table);
	pv_buf_init(&printing.page, PAGE_MAX);
	pv_buf_init(&printing.text, PAGE_MAX);
	bool is_well = argc > 1 && read_expressions(&printing, argv[1]);
	while (is_well && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		printf("%s\n", line);
		is_well = read_file(line, &printing.page);
		if (is_well)
			print_page(&printing);
	}
	for (size_t i = 0; i < printing.count; i++)
		pv_expression_destroy(printing.expressions[i]);
	pv_buf_finish(&printing.page);
	pv_buf_finish(&printing.text);
	return is_well ? 0 : 1;
}

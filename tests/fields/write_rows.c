#include <stdlib.h>

#include "fields/output/scene.h"
#include "random.h"

/* write_rows DIRECTORY: writes rows of hostile texts in all forms, for another
 * program to read (test_others.sh). The text of each row is made of its number,
 * as JSON lines have it; the first rows are those that have done harm
 * elsewhere. */
#define ROWS 500

static const struct pv_str harmful[] = {
    {"a\0b", 3},
    {"\"", 1},
    {"\"\"", 2},
    {"a,b;c", 5},
    {"a\r\nb\n", 5},
    {"\r", 1},
    {"=cmd|' /C calc'!A0", 18},
    {"+1", 2},
    {"-1", 2},
    {"@SUM(1)", 7},
    {"\t=1", 3},
    {"'quoted'", 8},
    {" spaces ", 8},
    {"\xc3\xa4\xf0\x9f\x98\x80", 6},
    {"\xe2\x80\xa8", 3},
    {"\\n\\\"", 4},
    {"'); DROP TABLE list; --", 23},
    {"", 0},
};

#define HARMFUL (sizeof(harmful) / sizeof(*harmful))

/* ASCII that is mostly harmful. */
static struct pv_str text_of(size_t number, char *room, struct random *random)
{
	static const char bytes[] = "\"\",,\r\n\n'=+-@\t ab;\\\0";
	size_t len = random_below(random, 30);
	if (number < HARMFUL)
		return harmful[number];
	for (size_t i = 0; i < len; i++)
		room[i] = bytes[random_below(random, sizeof(bytes) - 1)];
	return (struct pv_str){room, len};
}

static void fill(struct pv_row *rows, struct pv_cell *cells, char *room)
{
	struct random random = random_of(22);
	for (size_t i = 0; i < ROWS; i++) {
		struct pv_cell *own = &cells[i * 6];
		own[0] = (struct pv_cell){.kind = PV_CELL_TEXT,
		    .text = text_of(i, &room[i * 64], &random)};
		own[1] = i % 2 ? CELL_INTEGER("12345678901234567890")
			       : CELL_INTEGER("-7");
		own[2] = CELL_NUMBER("-12.50");
		own[4] = own[5] = own[0];
		own[3] = (struct pv_cell){
		    .kind = PV_CELL_RECORDS, .items = &own[4], .count = 1};
		own[4] = (struct pv_cell){
		    .kind = PV_CELL_RECORD, .items = &own[5], .count = 1};
		rows[i] =
		    (struct pv_row){.item = (uint32_t)i + 1, .cells = own};
	}
}

static struct pv_field record_fields[] = {{.name = "text"}};
static struct pv_field fields[] = {
    {.name = "text"},
    {.name = "order", .form = {.type = PV_VALUE_INTEGER}},
    {.name = "price", .form = {.type = PV_VALUE_NUMBER}},
    {.name = "within", .fields = record_fields, .field_count = 1},
};
static struct pv_page_kind kinds[] = {
    {.name = "select", .fields = fields, .field_count = 4}};

int main(int argc, char **argv)
{
	static struct pv_row rows[ROWS];
	static struct pv_cell cells[ROWS * 6];
	static char room[ROWS * 64];
	struct output_scene scene;
	const struct pv_rows all = {
	    .has_kind = true, .items = rows, .count = ROWS};
	const struct output_answer answer = {.id = 1, .rows = &all};
	if (argc != 2)
		return EXIT_FAILURE;
	output_begin(&scene, kinds, 1,
	    PV_FIELDS_JSONL | PV_FIELDS_CSV | PV_FIELDS_SQLITE);
	scene_remove(AT_FDCWD, scene.scratch.path);
	snprintf(scene.scratch.path, sizeof(scene.scratch.path), "%s", argv[1]);
	fill(rows, cells, room);
	bool is_written = output_open(&scene) && output_add(&scene, &answer);
	output_finish(&scene);
	return is_written ? EXIT_SUCCESS : EXIT_FAILURE;
}

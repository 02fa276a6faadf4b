#include "failing.h"
#include "fields/output/scene.h"

#define ALL_FORMS (PV_FIELDS_JSONL | PV_FIELDS_CSV | PV_FIELDS_SQLITE)

/* A shop: products with reviews, and what they are listed on. */
static struct pv_field review_fields[] = {
    {.name = "by"}, {.name = "stars", .form = {.type = PV_VALUE_INTEGER}}};
static struct pv_field product_fields[] = {
    {.name = "title"},
    {.name = "price", .form = {.type = PV_VALUE_NUMBER}},
    {.name = "images", .is_many = true},
    {.name = "reviews", .fields = review_fields, .field_count = 2},
    {.name = "number", .form = {.type = PV_VALUE_INTEGER}},
};
static struct pv_field list_fields[] = {{.name = "name"}};
static const char *carried_names[] = {"category"};
static struct pv_page_kind kinds[] = {
    {.name = "product",
	.fields = product_fields,
	.field_count = 5,
	.carried = {carried_names, 1}},
    {.name = "list", .fields = list_fields, .field_count = 1},
};

enum { PRODUCT, LIST };

/* Rows of a page, of lists of names: an item without is left out. */
static struct pv_rows *rows_of_list(const char *const *names, size_t count)
{
	static struct pv_rows rows;
	static struct pv_row items[20];
	static struct pv_cell cells[20];
	rows = (struct pv_rows){.has_kind = true, .kind = LIST, .items = items};
	for (size_t i = 0; i < count; i++) {
		if (!names[i])
			continue;
		cells[i] = (struct pv_cell){
		    .kind = PV_CELL_TEXT, .text = pv_str_of(names[i])};
		items[rows.count++] = (struct pv_row){
		    .item = (uint32_t)i + 1, .cells = &cells[i]};
	}
	return &rows;
}

#define LIST_OF(...)                                     \
	rows_of_list((const char *const[]){__VA_ARGS__}, \
	    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* One product, with two reviews. */
static struct pv_rows *product(const char *title)
{
	static struct pv_cell first[2], second[2], reviews[2], images[2];
	static struct pv_cell cells[5], carried[1];
	static struct pv_row row;
	static struct pv_rows rows;
	first[0] = CELL_TEXT("Ann");
	first[1] = CELL_INTEGER("5");
	second[0] = CELL_TEXT("=Bob");
	second[1] = CELL_NULL;
	reviews[0] = CELL_RECORD(first);
	reviews[1] = CELL_RECORD(second);
	images[0] = CELL_TEXT("/a.png");
	images[1] = CELL_TEXT("/b.png");
	cells[0] =
	    (struct pv_cell){.kind = PV_CELL_TEXT, .text = pv_str_of(title)};
	cells[1] = CELL_NUMBER("12.50");
	cells[2] = CELL_LIST(images);
	cells[3] = CELL_RECORDS(reviews);
	cells[4] = CELL_INTEGER("12345678901234567890");
	carried[0] = CELL_TEXT("Tea");
	row = (struct pv_row){.item = 1, .carried = carried, .cells = cells};
	rows = (struct pv_rows){
	    .has_kind = true, .kind = PRODUCT, .items = &row, .count = 1};
	return &rows;
}

static bool add(struct output_scene *scene, uint64_t id,
    const struct pv_rows *rows, enum pv_change change)
{
	const struct output_answer answer = {
	    .id = id, .rows = rows, .change = change};
	return output_add(scene, &answer);
}

#define DIGEST \
	"230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5"

static void test_forms(void)
{
	struct output_scene scene;
	output_begin(&scene, kinds, 2, ALL_FORMS);
	ok(output_open(&scene), "the sink of rows is opened");
	ok(add(&scene, 7, product("Pot"), PV_CHANGE_NONE),
	    "a page's row is committed");
	is_text(output_read(&scene, "fields/product.jsonl"),
	    "{\"_url\":\"https://a.example/7\",\"_item\":1,"
	    "\"_time\":\"2026-03-01T09:30:00.250Z\",\"_digest\":\"sha256:" DIGEST
	    "\",\"_change\":\"new\",\"category\":\"Tea\","
	    "\"title\":\"Pot\",\"price\":12.50,"
	    "\"images\":[\"/a.png\",\"/b.png\"],\"reviews\":["
	    "{\"by\":\"Ann\",\"stars\":5},{\"by\":\"=Bob\",\"stars\":null}],"
	    "\"number\":12345678901234567890}\n",
	    "it is a line of JSON, without credentials");
	is_text(output_read(&scene, "fields/product.csv"),
	    "_url,_item,_time,_digest,_change,category,title,price,images,"
	    "number\r\nhttps://a.example/7,1,2026-03-01T09:30:00.250Z,sha256:" DIGEST
	    ",new,Tea,Pot,12.50,\"/a.png\n/b.png\","
	    "12345678901234567890\r\n",
	    "a line of CSV, below the header");
	is_text(output_read(&scene, "fields/product.reviews.csv"),
	    "_url,_item,_record,by,stars\r\nhttps://a.example/7,1,1,Ann,5\r\n"
	    "https://a.example/7,1,2,'=Bob,\r\n",
	    "with its records in a file of their own");
	is_text(output_read(&scene, "fields/list.csv"),
	    "_url,_item,_time,_digest,_change,name\r\n",
	    "a file without rows has its header");
	ok(output_ask(&scene,
	       "SELECT count(*) FROM product WHERE title = 'Pot' AND "
	       "price = 12.5 AND typeof(price) = 'real' AND category = 'Tea' "
	       "AND number = '12345678901234567890' AND "
	       "json_extract(images, '$[1]') = '/b.png' AND _item = 1 AND "
	       "_change = 'new' AND _url = 'https://a.example/7'") == 1,
	    "and a row of the table named as the kind");
	ok(output_ask(&scene,
	       "SELECT sum(_record * 10 + ifnull(stars, 0)) FROM "
	       "product_reviews WHERE _item = 1 AND typeof(_record) = "
	       "'integer'") == 35,
	    "with its records in a table of their own");
	ok(output_state(&scene, "SELECT count FROM page_rows WHERE kind = "
				"'product' AND items = '1'") == 1 &&
		output_state(&scene, "SELECT rows FROM kinds WHERE kind = "
				     "'product' AND pages = 1") == 1,
	    "the state knows what the page gave, and how many there are");
	output_end(&scene);
}

static void test_only_some(void)
{
	struct output_scene scene;
	struct pv_sink_plan plan;
	output_begin(&scene, kinds, 2, PV_FIELDS_CSV);
	plan = (struct pv_sink_plan){.policy = scene.policy};
	ok(pv_sink_fields.is_wanted(&plan), "rows are wanted in any form");
	scene.policy->output.fields.forms = 0;
	ok(!pv_sink_fields.is_wanted(&plan), "and not in none");
	scene.policy->output.fields.forms = PV_FIELDS_CSV;
	ok(output_open(&scene) &&
		add(&scene, 1, LIST_OF("a"), PV_CHANGE_NONE) &&
		output_count(&scene, "fields/list.csv", ",new,a\r\n") == 1 &&
		!output_read(&scene, "fields/list.jsonl").ptr &&
		!output_read(&scene, "fields/fields.db").ptr,
	    "what the policy does not want is not written");
	output_end(&scene);
}

/* What an update says of a page, and what becomes of its rows. */
static void test_updates(void)
{
	struct output_scene scene;
	const char *const json = "fields/list.jsonl";
	output_begin(&scene, kinds, 2, ALL_FORMS);
	output_open(&scene);
	add(&scene, 1, LIST_OF("a", "b", "c"), PV_CHANGE_NONE);
	ok(output_count(&scene, json, "\"new\"") == 3, "first rows are new");
	uint64_t length = output_read(&scene, json).len;
	add(&scene, 1, LIST_OF("a", "b", "c"), PV_CHANGE_CHANGED);
	ok(output_read(&scene, json).len == length,
	    "the same rows are not told again, whatever else has changed");
	const struct output_answer same = {
	    .id = 1, .status = 304, .change = PV_CHANGE_SAME};
	const struct output_answer failed = {
	    .id = 1, .status = 500, .change = PV_CHANGE_FAILED};
	const struct output_answer half = {
	    .id = 1, .change = PV_CHANGE_FAILED, .rows = LIST_OF("a")};
	const struct output_answer later = {
	    .id = 1, .is_not_final = true, .rows = LIST_OF("a")};
	output_add(&scene, &same);
	output_add(&scene, &failed);
	output_add(&scene, &half);
	output_add(&scene, &later);
	ok(output_read(&scene, json).len == length &&
		output_ask(&scene, "SELECT count(*) FROM list") == 3,
	    "nor is anything by a 304, an error, half a page or an answer "
	    "that is not the last");
	add(&scene, 1, LIST_OF("a", "B", "c", "d"), PV_CHANGE_CHANGED);
	ok(output_count(&scene, json, "\"changed\"") == 3 &&
		output_count(&scene, json,
		    "\"_item\":4,\"_time\":\"2026-03-01T09:30:00.250Z\","
		    "\"_digest\":\"sha256:" DIGEST "\",\"_change\":\"new\","
		    "\"name\":\"d\"") == 1,
	    "where one row changes all are told, and one more is new");
	ok(output_ask(&scene, "SELECT count(*) FROM list") == 4 &&
		output_ask(&scene, "SELECT count(*) FROM list WHERE name = "
				   "'B' AND _change = 'changed'") == 1,
	    "the table has those of now");
	add(&scene, 1, LIST_OF("a", NULL, "c"), PV_CHANGE_CHANGED);
	ok(output_count(&scene, json, "\"gone\"}\n") == 2 &&
		output_count(&scene, json,
		    "{\"_url\":\"https://a.example/1\",\"_item\":2,"
		    "\"_time\":\"2026-03-01T09:30:00.250Z\",\"_digest\":"
		    "\"sha256:" DIGEST "\",\"_change\":\"gone\"}\n") == 1 &&
		output_count(&scene, "fields/list.csv", ",gone,\r\n") == 2,
	    "rows that are lost are gone, also from among others");
	ok(output_ask(&scene, "SELECT sum(_item) FROM list") == 4 &&
		output_state(&scene, "SELECT count(*) FROM page_rows WHERE "
				     "items = '1 3' AND count = 2") == 1,
	    "in the table and in the state");
	const struct output_answer gone = {
	    .id = 1, .status = 404, .change = PV_CHANGE_GONE};
	output_add(&scene, &gone);
	output_add(&scene, &gone);
	ok(output_count(&scene, json, "\"gone\"}\n") == 4 &&
		output_ask(&scene, "SELECT count(*) FROM list") == 0 &&
		output_state(&scene, "SELECT count(*) FROM page_rows") == 0 &&
		output_state(&scene, "SELECT rows + pages FROM kinds") == 0,
	    "with a page that is gone all its rows are, once");
	add(&scene, 1, LIST_OF("z"), PV_CHANGE_NEW);
	ok(output_count(&scene, json, "\"_change\":\"new\",\"name\":\"z\"") ==
		1,
	    "and what comes back is new");
	output_end(&scene);
}

/* What the page gave went to another worker of a fleet. */
static void give_away(struct output_scene *scene, const char *change)
{
	pv_database_run(scene->store->database,
	    "DELETE FROM distant_rows; INSERT INTO distant_rows SELECT * FROM "
	    "page_rows; DELETE FROM page_rows; DELETE FROM row_counts");
	pv_database_run(scene->store->database, change);
}

static void test_distant(void)
{
	struct output_scene scene;
	const char *const json = "fields/list.jsonl";
	const char *const distant = "SELECT count(*) FROM distant_rows";
	const struct output_answer gone = {
	    .id = 1, .status = 404, .change = PV_CHANGE_GONE};
	output_begin(&scene, kinds, 2, ALL_FORMS);
	output_open(&scene);
	add(&scene, 1, LIST_OF("a", "b"), PV_CHANGE_NONE);
	give_away(&scene, "");
	uint64_t length = output_read(&scene, json).len;
	add(&scene, 1, LIST_OF("a", "b"), PV_CHANGE_CHANGED);
	ok(output_read(&scene, json).len == length &&
		output_state(&scene, distant) == 1 &&
		output_state(&scene, "SELECT count(*) FROM page_rows") == 0,
	    "what another worker was given is not told again");
	add(&scene, 1, LIST_OF("a", "B"), PV_CHANGE_CHANGED);
	ok(output_count(&scene, json, "\"changed\"") == 2 &&
		output_state(&scene, distant) == 0 &&
		output_state(&scene, "SELECT 10 * pages + rows FROM kinds") ==
		    12,
	    "where it has changed all is told as that, and is ours now");
	give_away(&scene, "");
	output_add(&scene, &gone);
	ok(output_count(&scene, json, "\"gone\"}\n") == 2 &&
		output_state(&scene, distant) == 0 &&
		output_state(&scene, "SELECT count(*) FROM kinds") == 0,
	    "what is gone is told, and was not counted here");
	add(&scene, 1, LIST_OF("a"), PV_CHANGE_NEW);
	pv_database_run(scene.store->database,
	    "INSERT INTO distant_rows VALUES(1, '', 0, '', '', 0)");
	add(&scene, 1, LIST_OF("z"), PV_CHANGE_CHANGED);
	ok(output_count(&scene, json, "\"new\",\"name\":\"z\"") == 1 &&
		output_state(&scene, "SELECT 10 * pages + rows FROM kinds") ==
		    11 &&
		output_ask(&scene, "SELECT count(*) FROM list") == 1,
	    "what was gone for another one is new here, whatever was here");
	give_away(&scene, "UPDATE distant_rows SET count = 4294967295, "
			  "items = '1-4294967295'");
	add(&scene, 1, LIST_OF("y"), PV_CHANGE_CHANGED);
	ok(output_count(&scene, json, "\"new\",\"name\":\"y\"") == 1,
	    "more than a page may have is as good as nothing");
	give_away(&scene, "UPDATE distant_rows SET items = '1-2 x'");
	add(&scene, 1, LIST_OF("x"), PV_CHANGE_CHANGED);
	ok(output_count(&scene, json, "\"new\",\"name\":\"x\"") == 1 &&
		pv_database_status(scene.store->database) == PV_STORE_OK,
	    "and so is what makes no sense");
	output_end(&scene);
}

static void test_other_kind(void)
{
	struct output_scene scene;
	struct pv_rows none = {.has_kind = false};
	output_begin(&scene, kinds, 2, ALL_FORMS);
	output_open(&scene);
	add(&scene, 1, LIST_OF("a", "b"), PV_CHANGE_NONE);
	add(&scene, 1, product("Pot"), PV_CHANGE_NONE);
	ok(output_count(&scene, "fields/list.jsonl", "\"gone\"}\n") == 2 &&
		output_count(&scene, "fields/product.jsonl", "\"new\"") == 1,
	    "read as another kind its rows are gone there, and new here");
	ok(output_ask(&scene, "SELECT count(*) FROM list") == 0 &&
		output_ask(&scene, "SELECT count(*) FROM product_reviews") ==
		    2 &&
		output_state(&scene, "SELECT rows FROM kinds WHERE kind = "
				     "'product'") == 1 &&
		output_state(&scene, "SELECT rows FROM kinds WHERE kind = "
				     "'list'") == 0,
	    "also in the tables, and where they are counted");
	add(&scene, 1, &none, PV_CHANGE_CHANGED);
	ok(output_count(&scene, "fields/product.jsonl", "\"gone\"}\n") == 1 &&
		output_ask(&scene, "SELECT count(*) FROM product_reviews") == 0,
	    "read as none they are gone");
	output_end(&scene);
}

static void test_problems(void)
{
	struct output_scene scene;
	static struct pv_field_problem problems[] = {
	    {.field = "price", .fault = PV_FIELD_WRONG, .item = 1},
	    {.field = "title",
		.fault = PV_FIELD_NOTHING,
		.item = 2,
		.is_required = true},
	    {.field = "price", .fault = PV_FIELD_WRONG, .item = 3},
	};
	struct pv_rows *rows = product("Pot");
	rows->problems = problems;
	rows->problem_count = 3;
	output_begin(&scene, kinds, 2, ALL_FORMS);
	output_open(&scene);
	add(&scene, 1, rows, PV_CHANGE_NONE);
	ok(output_count(&scene, "fields/problems.jsonl", "\n") == 3 &&
		output_count(&scene, "fields/problems.jsonl",
		    "\"kind\":\"product\",\"field\":\"title\",\"item\":2,"
		    "\"why\":\"nothing found\",\"required\":true,") == 1,
	    "each problem has a line");
	ok(output_state(&scene, "SELECT count FROM problems WHERE kind = "
				"'product' AND field = 'price' AND why = "
				"'wrong type'") == 2 &&
		output_state(&scene, "SELECT sum(count) FROM problems") == 3,
	    "and they are counted by kind, field and fault");
	add(&scene, 1, rows, PV_CHANGE_CHANGED);
	ok(output_count(&scene, "fields/problems.jsonl", "\n") == 3,
	    "the same again are not told again");
	rows->count = 0;
	add(&scene, 2, rows, PV_CHANGE_NONE);
	ok(output_count(&scene, "fields/problems.jsonl", "\n") == 6 &&
		output_state(&scene, "SELECT rows FROM kinds") == 1 &&
		output_state(&scene, "SELECT count(*) FROM rows") == 0,
	    "a page without rows may have some as well");
	output_end(&scene);
}

/* Between what was appended and its commit the program ends. */
static void test_kills(void)
{
	struct output_scene scene;
	output_begin(&scene, kinds, 2, ALL_FORMS);
	output_open(&scene);
	add(&scene, 1, LIST_OF("a", "b"), PV_CHANGE_NONE);
	const struct output_answer changed = {
	    .id = 1, .rows = LIST_OF("x"), .change = PV_CHANGE_CHANGED};
	output_transaction(&scene);
	output_append(&scene, &changed);
	output_sync(&scene);
	ok(output_count(&scene, "fields/list.jsonl", "\n") == 4 &&
		output_ask(&scene, "SELECT count(*) FROM list") == 1,
	    "files and tables are written before the state");
	output_close(&scene);
	ok(output_open(&scene), "a run that was killed then is continued");
	ok(output_count(&scene, "fields/list.jsonl", "\n") == 2 &&
		output_count(&scene, "fields/list.csv", "\r\n") == 3,
	    "P3: lines that were not committed are cut");
	ok(output_ask(&scene, "SELECT count(*) FROM list WHERE name IN "
			      "('a', 'b') AND _change = 'new'") == 2 &&
		output_ask(&scene, "SELECT count(*) FROM list") == 2,
	    "P3: rows that had begun are gone, those that had ended hold");
	output_transaction(&scene);
	output_append(&scene, &changed);
	output_close(&scene);
	ok(output_open(&scene) &&
		output_ask(&scene, "SELECT count(*) FROM list") == 2,
	    "P3: so it is where nothing was synced yet");
	output_add(&scene, &changed);
	output_close(&scene);
	ok(output_open(&scene) &&
		output_count(&scene, "fields/list.jsonl", "\n") == 4 &&
		output_ask(&scene, "SELECT count(*) FROM list WHERE name = "
				   "'x'") == 1 &&
		output_ask(&scene, "SELECT count(*) FROM list") == 1,
	    "P3: what was committed stays");
	ok(output_ask(&scene, "SELECT count(*) FROM \"rows.list\"") == 1,
	    "and what has ended is not kept for ever");
	ok(output_count(&scene, "fields/list.csv", "_url,") == 1,
	    "a header is written once");
	output_end(&scene);
}

/* Rows that have ended go with a later commit. */
static void test_purge(void)
{
	struct output_scene scene;
	output_begin(&scene, kinds, 2, PV_FIELDS_SQLITE);
	output_open(&scene);
	add(&scene, 1, LIST_OF("a"), PV_CHANGE_NONE);
	add(&scene, 1, LIST_OF("b"), PV_CHANGE_CHANGED);
	ok(output_ask(&scene, "SELECT count(*) FROM \"rows.list\"") == 2,
	    "a row that has ended is kept until the state has it");
	add(&scene, 2, LIST_OF("c"), PV_CHANGE_NONE);
	ok(output_ask(&scene, "SELECT count(*) FROM \"rows.list\"") == 2 &&
		output_ask(&scene, "SELECT count(*) FROM list") == 2,
	    "and goes with the next commit");
	output_end(&scene);
}

/* Whatever was promised is missed. */
static void test_lost(void)
{
	static const struct {
		const char *file;
		bool is_cut;
		const char *says;
	} rows[] = {
	    {"fields/list.jsonl", false, "are not what was written"},
	    {"fields/list.jsonl", true, "are not what was written"},
	    {"fields/product.reviews.csv", false, "are not what was written"},
	    {"fields/fields.db", false, "does not have all rows"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct output_scene scene;
		output_begin(&scene, kinds, 2, ALL_FORMS);
		output_open(&scene);
		add(&scene, 1, LIST_OF("a"), PV_CHANGE_NONE);
		output_close(&scene);
		const char *path = scratch_file(&scene.scratch, rows[i].file);
		ok((rows[i].is_cut ? truncate(path, 5) : unlink(path)) == 0 &&
			!output_open(&scene) &&
			strstr(output_problem(&scene), rows[i].says) &&
			strstr(output_problem(&scene), rows[i].file),
		    "P4: %s that is %s is missed", rows[i].file,
		    rows[i].is_cut ? "shorter" : "gone");
		output_end(&scene);
	}
}

static void test_other_columns(void)
{
	static struct pv_field more[] = {{.name = "name"}, {.name = "more"}};
	struct output_scene scene;
	output_begin(&scene, kinds, 2, ALL_FORMS);
	output_open(&scene);
	add(&scene, 1, LIST_OF("a"), PV_CHANGE_NONE);
	output_close(&scene);
	struct pv_page_kind others[] = {
	    kinds[0], {.name = "list", .fields = more, .field_count = 2}};
	scene.policy->pages = (struct pv_pages){.items = others, .count = 2};
	ok(output_open(&scene), "a policy may have a field more");
	struct pv_cell cells[] = {CELL_TEXT("b"), CELL_TEXT("c")};
	struct pv_row row = {.item = 1, .cells = cells};
	const struct pv_rows rows = {
	    .has_kind = true, .kind = LIST, .items = &row, .count = 1};
	add(&scene, 2, &rows, PV_CHANGE_NONE);
	ok(output_count(&scene, "fields/list.csv",
	       "_change,name,more\r\nhttps://a.example/2,") == 1 &&
		output_ask(&scene, "SELECT count(*) FROM list WHERE more = "
				   "'c' OR more IS NULL") == 2,
	    "then its header stands before its lines, and the table has it");
	output_close(&scene);
	output_open(&scene);
	ok(output_count(&scene, "fields/list.csv", "_url,") == 2, "once");
	output_end(&scene);
}

static void test_names(void)
{
	static struct pv_page_kind alike[] = {
	    {.name = "a", .fields = product_fields, .field_count = 5},
	    {.name = "A_Reviews", .fields = list_fields, .field_count = 1}};
	static struct pv_page_kind own[] = {
	    {.name = "sqlite_x", .fields = list_fields, .field_count = 1}};
	static struct pv_page_kind problems[] = {
	    {.name = "problems", .fields = list_fields, .field_count = 1}};
	static const struct {
		struct pv_page_kind *kinds;
		size_t count;
		const char *says;
	} rows[] = {
	    {alike, 2, "cannot have two tables named A_Reviews"},
	    {own, 1, "cannot have a table named sqlite_x"},
	    {problems, 1, "cannot be named problems"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct output_scene scene;
		output_begin(&scene, rows[i].kinds, rows[i].count, ALL_FORMS);
		ok(!output_open(&scene) &&
			strstr(output_problem(&scene), rows[i].says),
		    "P4: it %s", rows[i].says);
		output_end(&scene);
	}
}

/* As many kinds as a policy may have, in all forms. */
static void test_many_kinds(void)
{
	static struct pv_page_kind many[64];
	static char names[64][8];
	struct output_scene scene;
	bool are_added = true;
	for (unsigned i = 0; i < 64; i++) {
		snprintf(names[i], sizeof(names[i]), "kind%u", i);
		many[i] = kinds[PRODUCT];
		many[i].name = names[i];
	}
	output_begin(&scene, many, 64, ALL_FORMS);
	ok(output_open(&scene), "64 kinds have 193 files");
	for (unsigned i = 0; i < 64; i++) {
		struct pv_rows *rows = product(names[i]);
		rows->kind = i;
		are_added =
		    are_added && add(&scene, i + 1, rows, PV_CHANGE_NONE);
	}
	ok(are_added &&
		output_count(&scene, "fields/kind63.jsonl", "\"kind63\"") ==
		    1 &&
		output_count(&scene, "fields/kind0.reviews.csv", "\r\n") == 3,
	    "each its own rows");
	ok(output_state(&scene, "SELECT count(*) FROM files") == 193 &&
		output_state(&scene, "SELECT count(*) FROM kinds") == 64,
	    "all of which are committed");
	output_close(&scene);
	ok(output_open(&scene), "and are there in the next run");
	output_end(&scene);
}

/* So many rows that they do not all fit. */
static void test_too_many(void)
{
	const size_t count = 5000;
	struct output_scene scene;
	char *text = malloc(8000);
	struct pv_row *items = calloc(count, sizeof(*items));
	memset(text, 'x', 8000);
	struct pv_cell cell = {.kind = PV_CELL_TEXT, .text = {text, 8000}};
	for (size_t i = 0; i < count; i++)
		items[i] =
		    (struct pv_row){.item = (uint32_t)i + 1, .cells = &cell};
	const struct pv_rows rows = {
	    .has_kind = true, .kind = LIST, .items = items, .count = count};
	output_begin(&scene, kinds, 2, ALL_FORMS);
	output_open(&scene);
	ok(add(&scene, 1, &rows, PV_CHANGE_NONE), "P5: 40 MB of rows");
	struct pv_str lines = output_read(&scene, "fields/list.jsonl");
	ok(lines.len > ((size_t)4 << 20) && lines.len < ((size_t)5 << 20) &&
		pv_str_ends(lines, PV_STR("x\"}\n")),
	    "P5: are cut to 16 MiB in all forms, behind a whole row");
	int64_t written =
	    (int64_t)output_count(&scene, "fields/list.jsonl", "\n");
	ok(output_count(&scene, "fields/list.csv", "\r\n") ==
		    (size_t)written + 1 &&
		output_ask(&scene, "SELECT count(*) FROM list") == written &&
		output_state(&scene, "SELECT count FROM page_rows") == written,
	    "P5: and each form has the same rows");
	ok(output_count(&scene, "fields/problems.jsonl",
	       "\"field\":null,\"item\":null,\"why\":\"too many\"") == 1,
	    "P4: and it is said that there are more");
	output_end(&scene);
	free(items);
	free(text);
}

/* All that is prepared is counted. */
static void test_bytes(void)
{
	struct output_scene scene;
	struct pv_visit visit = {.url = PV_STR("https://a.example/")};
	struct pv_page page;
	output_begin(&scene, kinds, 2, ALL_FORMS);
	output_open(&scene);
	pv_page_init(&page);
	page.visit = &visit;
	size_t before = pv_page_bytes(&page);
	page.rows = product("Pot");
	pv_sink_fields.prepare(scene.sink, &page, &page.parts[3]);
	ok(pv_page_bytes(&page) >= before + 1000,
	    "P5: what is prepared is counted among the bytes that are held");
	pv_page_finish(&page);
	output_end(&scene);
}

static void test_full_disk(void)
{
	static const struct {
		const char *call;
		unsigned forms;
	} rows[] = {{"write", PV_FIELDS_JSONL}, {"fdatasync", PV_FIELDS_CSV},
	    {"pwrite", PV_FIELDS_SQLITE}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct output_scene scene;
		output_begin(&scene, kinds, 2, rows[i].forms);
		output_open(&scene);
		add(&scene, 1, LIST_OF("a"), PV_CHANGE_NONE);
		const struct output_answer answer = {
		    .id = 2, .rows = LIST_OF("b")};
		output_transaction(&scene);
		fail_always(rows[i].call, ENOSPC);
		bool is_synced = output_append(&scene, &answer) &&
				 pv_sink_fields.sync(scene.sink, scene.lengths);
		int error = errno;
		fail_nothing();
		ok(!is_synced &&
			(error == ENOSPC ||
			    pv_database_status(scene.store->database) ==
				PV_STORE_FULL),
		    "P3: on a full disk nothing is promised (%s)",
		    rows[i].call);
		output_close(&scene);
		ok(output_open(&scene) && add(&scene, 2, LIST_OF("b"), 0),
		    "and where there is room again it goes on");
		ok((rows[i].forms != PV_FIELDS_SQLITE ||
		       output_ask(&scene, "SELECT count(*) FROM list") == 2) &&
			output_state(&scene, "SELECT rows FROM kinds") == 2,
		    "P3: with each row once");
		output_end(&scene);
	}
}

int main(void)
{
	test_forms();
	test_only_some();
	test_updates();
	test_distant();
	test_other_kind();
	test_problems();
	test_kills();
	test_purge();
	test_lost();
	test_other_columns();
	test_names();
	test_many_kinds();
	test_too_many();
	test_bytes();
	test_full_disk();
	return tap_done();
}

#include <inttypes.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "fields/output/scene.h"
#include "random.h"

/* Random crawls and updates that are killed at random: whatever the moment,
 * what files, tables and state say in the end is what was committed, each row
 * once. */
#define PAGES 6
#define ITEMS 5
#define KINDS 2

static struct pv_field fields[] = {
    {.name = "value", .form = {.type = PV_VALUE_INTEGER}}};
static struct pv_page_kind kinds[] = {
    {.name = "a", .fields = fields, .field_count = 1},
    {.name = "b", .fields = fields, .field_count = 1},
};

/* What each page gives: 0 is no row. */
struct site {
	struct {
		size_t kind;
		unsigned values[ITEMS];
	} pages[PAGES];
};

static void change_page(struct site *site, size_t page, struct random *random)
{
	site->pages[page].kind = random_below(random, 4)
				     ? site->pages[page].kind
				     : random_below(random, KINDS);
	for (size_t i = 0; i < ITEMS; i++)
		if (random_below(random, 3) == 0)
			site->pages[page].values[i] =
			    (unsigned)random_below(random, 4);
}

/* Reads a page of the site as it is now, or finds that it is gone. */
static void visit(struct output_scene *scene, struct site *site, size_t page,
    struct random *random)
{
	struct pv_row rows[ITEMS];
	struct pv_cell cells[ITEMS];
	char digits[ITEMS][12];
	struct pv_rows all = {.has_kind = true, .items = rows};
	struct output_answer answer = {
	    .id = page + 1, .rows = &all, .change = PV_CHANGE_CHANGED};
	change_page(site, page, random);
	all.kind = site->pages[page].kind;
	for (size_t i = 0; i < ITEMS; i++) {
		int len = snprintf(digits[i], sizeof(digits[i]), "%u",
		    site->pages[page].values[i]);
		if (!site->pages[page].values[i])
			continue;
		cells[i] = (struct pv_cell){
		    .kind = PV_CELL_INTEGER, .text = {digits[i], (size_t)len}};
		rows[all.count++] = (struct pv_row){
		    .item = (uint32_t)i + 1, .cells = &cells[i]};
	}
	if (random_below(random, 8) == 0) {
		answer = (struct output_answer){
		    .id = page + 1, .status = 410, .change = PV_CHANGE_GONE};
		memset(site->pages[page].values, 0,
		    sizeof(site->pages[page].values));
	}
	output_append(scene, &answer);
}

/* What there is by all lines of a file: each is what came of a row last. False
 * where a line makes no sense, as a new row that is there already. */
static bool replay_line(
    struct site *found, size_t kind, const struct pv_json *line)
{
	struct pv_str url = pv_json_get_text(line, "_url");
	struct pv_str change = pv_json_get_text(line, "_change");
	size_t page = (size_t)(url.ptr[url.len - 1] - '1');
	int64_t item = pv_json_get_integer(line, "_item", 0);
	if (page >= PAGES || item < 1 || item > ITEMS)
		return false;
	unsigned *value = &found->pages[page].values[item - 1];
	unsigned had = *value;
	*value = (unsigned)pv_json_get_integer(line, "value", 0);
	found->pages[page].kind = *value ? kind : found->pages[page].kind;
	return pv_str_equal(change, PV_STR("new")) == !had &&
	       pv_str_equal(change, PV_STR("gone")) == !*value;
}

/* A page that is of another kind has its lines in both files; those of the
 * kinds are told apart, and put together. */
static bool replay(struct output_scene *scene, size_t kind, struct site *found)
{
	char name[32];
	bool makes_sense = true;
	snprintf(name, sizeof(name), "fields/%s.jsonl", kinds[kind].name);
	struct pv_str left = output_read(scene, name);
	while (left.len && makes_sense) {
		size_t end = pv_str_find(left, '\n');
		if (end == PV_NOT_FOUND)
			return false;
		struct pv_json *line = pv_json_read(pv_str_head(left, end));
		makes_sense = line && replay_line(found, kind, line);
		pv_json_destroy(line);
		left = pv_str_from(left, end + 1);
	}
	return makes_sense;
}

static bool is_as_committed(
    struct output_scene *scene, const struct site *site, size_t kind)
{
	struct site found = {0};
	int64_t sum = 0, count = 0;
	char sql[200];
	bool is_same = replay(scene, kind, &found);
	for (size_t page = 0; page < PAGES; page++) {
		bool is_of_it = site->pages[page].kind == kind;
		for (size_t i = 0; i < ITEMS; i++) {
			unsigned value =
			    is_of_it ? site->pages[page].values[i] : 0;
			is_same =
			    is_same && found.pages[page].values[i] == value;
			sum += (int64_t)(value * (page * ITEMS + i + 1));
			count += value != 0;
		}
	}
	snprintf(sql, sizeof(sql),
	    "SELECT ifnull(sum(value * ((substr(_url, -1) - 1) * %d + "
	    "_item)), 0) FROM %s",
	    ITEMS, kinds[kind].name);
	is_same = is_same && output_ask(scene, sql) == sum;
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", kinds[kind].name);
	is_same = is_same && output_ask(scene, sql) == count;
	snprintf(sql, sizeof(sql),
	    "SELECT ifnull(sum(count), 0) FROM page_rows WHERE kind = '%s'",
	    kinds[kind].name);
	is_same = is_same && output_state(scene, sql) == count;
	snprintf(sql, sizeof(sql),
	    "SELECT ifnull(sum(rows), 0) FROM kinds WHERE kind = '%s'",
	    kinds[kind].name);
	return is_same && output_state(scene, sql) == count;
}

/* A transaction of some pages, which may end at any step. False: it was
 * killed. */
static bool transact(
    struct output_scene *scene, struct site *site, struct random *random)
{
	size_t pages = random_below(random, 4), death = random_below(random, 9);
	output_transaction(scene);
	for (size_t i = 0; i < pages; i++)
		visit(scene, site, random_below(random, PAGES), random);
	if (death == 0)
		return false;
	if (death == 1) {
		output_sync(scene);
		return false;
	}
	return output_commit(scene);
}

static void test_seed(uint64_t seed)
{
	struct random random = random_of(seed);
	struct output_scene scene;
	struct site committed = {0};
	unsigned kills = 0;
	bool is_well = true;
	output_begin(&scene, kinds, KINDS,
	    PV_FIELDS_JSONL | PV_FIELDS_CSV | PV_FIELDS_SQLITE);
	output_open(&scene);
	for (unsigned i = 0; i < 60 && is_well; i++) {
		struct site site = committed;
		if (transact(&scene, &site, &random)) {
			committed = site;
		} else {
			kills++;
			output_close(&scene);
			is_well = output_open(&scene);
		}
		for (size_t kind = 0; kind < KINDS; kind++)
			is_well = is_well &&
				  is_as_committed(&scene, &committed, kind);
	}
	ok(is_well, "P3: each row once after %u kills (%" PRIu64 ")", kills,
	    seed);
	output_end(&scene);
}

int main(void)
{
	for (uint64_t seed = 1; seed <= 15; seed++)
		test_seed(seed);
	return tap_done();
}

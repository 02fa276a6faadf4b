#include "store/tables/merged_notes.h"

#include "base/reader.h"
#include "store/statement.h"
#include "store/tables/note.h"

#define STATUSES PV_STR("status.statuses")
#define TEXT_MAX ((size_t)64 * 1024)
#define WORDS_MAX 64
#define WORD_SIZE 64

/* What is a share, a state or a moment is not added up: the largest counts. */
static const char add_sql[] =
    "INSERT INTO crawl(name, value) VALUES(?1, ?2)"
    " ON CONFLICT(name) DO UPDATE SET value = iif("
    " name IN ('status.phase', 'status.end', 'status.elapsed_ms',"
    "  'status.as-of', 'status.next_ms', 'status.changes.round')"
    " OR name LIKE '%.p__\\_ms' ESCAPE '\\',"
    " max(value, excluded.value), value + excluded.value)";

/* A merge of shards is none. */
static const char figures_sql[] =
    "SELECT name, value FROM crawl WHERE name LIKE 'status.%'"
    " AND typeof(value) = 'integer' AND name NOT IN"
    " ('status.shard', 'status.shards', 'status.elsewhere')";

static const char policies_sql[] =
    "SELECT CAST(substr(name, 8) AS INTEGER), value FROM crawl"
    " WHERE name >= '" PV_POLICY_NOTE "' AND name < 'policy!'";

static void copy_figures(
    struct pv_database *database, const struct pv_merged_source *source)
{
	struct pv_statement *add = pv_statement_create(database, add_sql);
	struct pv_statement *rows =
	    pv_statement_create(source->look, figures_sql);
	while (pv_statement_step(rows)) {
		pv_statement_bind_column(add, 1, rows, 0);
		pv_statement_bind_column(add, 2, rows, 1);
		pv_statement_run(add);
	}
	pv_statement_destroy(rows);
	pv_statement_destroy(add);
}

static void copy_policies(
    struct pv_database *database, const struct pv_merged_source *source)
{
	struct pv_buf name;
	struct pv_statement *rows =
	    pv_statement_create(source->look, policies_sql);
	pv_buf_init(&name, 64);
	while (pv_statement_step(rows)) {
		long long run =
		    pv_statement_number(rows, 0) + source->runs_before;
		pv_buf_clear(&name);
		pv_buf_append_format(&name, PV_POLICY_NOTE "%lld", run);
		pv_note_set_text(
		    database, pv_buf_str(&name), pv_statement_text(rows, 1));
	}
	pv_statement_destroy(rows);
	pv_buf_finish(&name);
}

/* How often servers answered what: "200 15 404 2". */
struct tally {
	char word[WORD_SIZE];
	uint64_t count;
};

static void count(
    struct tally *tallies, size_t *used, struct pv_str word, uint64_t count)
{
	size_t i = 0;
	if (!word.len || word.len >= WORD_SIZE)
		return;
	while (i < *used && !pv_str_equal(pv_str_of(tallies[i].word), word))
		i++;
	if (i == *used) {
		if (*used == WORDS_MAX)
			return;
		(*used)++;
		tallies[i] = (struct tally){.count = 0};
		memcpy(tallies[i].word, word.ptr, word.len);
	}
	tallies[i].count += count;
}

static void count_text(
    struct tally *tallies, size_t *used, struct pv_database *database)
{
	struct pv_buf text;
	pv_buf_init(&text, TEXT_MAX);
	pv_note_get_text(database, STATUSES, &text);
	struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
	while (!pv_reader_is_end(&reader)) {
		struct pv_str word = pv_reader_take_until(&reader, ' ');
		uint64_t number = 0;
		pv_reader_next(&reader);
		if (!pv_reader_take_number(&reader, INT64_MAX, &number))
			break;
		pv_reader_next(&reader);
		count(tallies, used, word, number);
	}
	pv_buf_finish(&text);
}

static void copy_statuses(
    struct pv_database *database, const struct pv_merged_source *source)
{
	struct tally tallies[WORDS_MAX];
	struct pv_buf text;
	size_t used = 0;
	count_text(tallies, &used, database);
	count_text(tallies, &used, source->look);
	pv_buf_init(&text, TEXT_MAX);
	for (size_t i = 0; i < used; i++)
		pv_buf_append_format(&text, "%s %llu\n", tallies[i].word,
		    (unsigned long long)tallies[i].count);
	pv_note_set_text(database, STATUSES, pv_buf_str(&text));
	pv_buf_finish(&text);
}

static void copy_name(
    struct pv_database *database, const struct pv_merged_source *source)
{
	struct pv_buf text;
	pv_buf_init(&text, TEXT_MAX);
	if (pv_note_get_text(source->look, PV_STR("name"), &text))
		pv_note_set_text(database, PV_STR("name"), pv_buf_str(&text));
	pv_buf_finish(&text);
}

void pv_merged_notes_copy(
    struct pv_database *database, const struct pv_merged_source *source)
{
	copy_figures(database, source);
	copy_policies(database, source);
	copy_statuses(database, source);
	copy_name(database, source);
}

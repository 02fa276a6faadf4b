#ifndef PAVANE_FIELDS_OUTPUT_LAYOUT_H
#define PAVANE_FIELDS_OUTPUT_LAYOUT_H

#include "policy/policy.h"
#include "store/rows_schema.h"

/* Which files and tables the kinds of pages of a policy have, in the directory
 * of a crawl; kinds without fields have none:
 *
 *   fields/problems.jsonl   always
 *   fields/KIND.jsonl       where the policy wants JSON lines
 *   fields/KIND.csv         where it wants CSV, and for records within ...
 *   fields/KIND.FIELD.csv   ... these
 *   fields/fields.db        where it wants SQLite: a table KIND, and KIND_FIELD
 *
 * The policy is borrowed, and its texts. Read by many threads. */
#define PV_FIELDS_DIRECTORY "fields"
#define PV_FIELDS_DATABASE PV_FIELDS_DIRECTORY "/fields.db"

/* Notes of the state: the number of the last commit of the database, and before
 * the name of a file of CSV the header that holds there. */
#define PV_FIELDS_COMMIT_NOTE "fields-commit"
#define PV_FIELDS_HEADER_NOTE "header of "

/* Another note: whether the program that ran the crawl gave rows, which stand in
 * no page, so that nothing could make them anew. */
#define PV_FIELDS_GIVEN_NOTE "rows-given"

/* There is none. */
#define PV_PLACE_NONE ((size_t)-1)

struct pv_fields_file {
	const char *name;                /* below the crawl's directory */
	const struct pv_page_kind *kind; /* of CSV; NULL: there is no header */
	const struct pv_field *field;    /* of records within; NULL: of rows */
};

/* Where rows of a kind go. Their records within follow: those of its first
 * field that has some are in the next file, and table. */
struct pv_kind_places {
	size_t json;
	size_t csv;
	size_t table;
};

struct pv_fields_layout {
	struct pv_arena arena;
	const struct pv_pages *pages;
	unsigned forms;
	struct pv_fields_file *files;
	size_t file_count;
	const char **names; /* of the files, a NULL behind them */
	size_t problems;    /* the file */
	struct pv_kind_places *kinds;
	struct pv_rows_table *tables;
	size_t table_count;
};

void pv_fields_layout_init(
    struct pv_fields_layout *layout, const struct pv_policy *policy);
void pv_fields_layout_finish(struct pv_fields_layout *layout);

/* How many fields of a kind are records within. */
size_t pv_kind_record_count(const struct pv_page_kind *kind);

#endif
